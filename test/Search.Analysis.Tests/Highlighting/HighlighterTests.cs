using Jackdaw.Search.Analysis.Highlighting;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Queries;

namespace Jackdaw.Search.Analysis.Tests.Highlighting;

/// <summary>Which words of a text are marked for which condition.</summary>
public sealed class HighlighterTests
{
    private const string Text = "The quick Fox is foxy, a lazy fax?";

    private static readonly IndexField s_text = new("T") { Indexing = IndexingMode.Text };
    private static readonly IndexFields s_fields = new([s_text]);

    public static TheoryData<SearchNode, string> Conditions => new()
    {
        { new TermNode("T", new TextValue("FOX")), "The quick 1Fox. is foxy, a lazy fax?" },
        { new TermNode("K", new TextValue("FOX")), "" },
        { new NotNode(new TermNode("T", new TextValue("FOX"))), "" },
        { new PrefixNode("T", "FO"), "The quick 1Fox. is 1foxy., a lazy fax?" },
        { new PrefixNode("T", ""), "" },
        { new SuffixNode("T", "y"), "The quick Fox is 1foxy., a 1lazy. fax?" },
        { new ContainsNode("T", "ui"), "The 1quick. Fox is foxy, a lazy fax?" },
        { new WildcardNode("T", "f?x"), "The quick 1Fox. is foxy, a lazy 1fax.?" },
        { new WildcardNode("T", "f?x", HasSingle: false), "" },
        { new WildcardNode("T", "**"), "" },
        { new RegexNode("T", "^f.x$"), "The quick 1Fox. is foxy, a lazy 1fax.?" },
        { new FuzzyNode("T", "fix", 0.6f), "The quick 1Fox. is foxy, a lazy 1fax.?" },
        { new NearNode("T", "fix", 2), "The quick 1Fox. is 1foxy., a lazy 1fax.?" },
        { new PhraseNode("T", [new PhraseWord("fox", 0), new PhraseWord("quick", 1)], 0), "The 2quick. 1Fox. is foxy, a lazy fax?" },
        { new FullTextNode("T", "the lazy fo* \"fax quick\"", WordOperator.And), "The 1quick. 2Fox. is 2foxy., a 1lazy. 3fax.?" },
        { new FullTextNode("T", "fox is quick", WordOperator.And, 2), "The 2quick. 1Fox. is foxy, a lazy fax?" },
        { new FullTextNode("T", "*", WordOperator.And), "" },
        { new ClassicQueryNode("T", "+lazy fo* -quick K:fax"), "The quick 2Fox. is 2foxy., a 1lazy. fax?" },
        { new ClassicQueryNode("T", "fix~1 lazy^2"), "The quick 1Fox. is foxy, a 2lazy. 1fax.?" },
        { new ClassicQueryNode("K", "T:fox"), "" },
        { new RangeNode("T", RangeKind.Text, new TextValue("a"), true, null, false), "" },
        {
            new OrNode([new BoostNode(new TermNode("T", new TextValue("lazy")), 2), new OptionalNode([new PrefixNode("T", "q")])]),
            "The 2quick. Fox is foxy, a 1lazy. fax?"
        },
        {
            new IntersectNode([new TermNode("T", new TextValue("lazy")), new AndNode([new TermNode("T", new TextValue("fax")), new AllNode()])]),
            "The quick Fox is foxy, a 1lazy. 2fax.?"
        },
    };

    [Theory]
    [MemberData(nameof(Conditions))]
    public void Fragments_OfACondition_MarkItsWords(SearchNode node, string marked) => Assert.Equal(marked, string.Concat(Fragments(node, 1000, 1, [Text])));

    [Fact]
    public void Fragments_LongTexts_AreTheOnesWithTheMostWords()
    {
        string[] texts = ["fox and hen and hen and hen", "fox fox", "hen"];
        Assert.Equal(["1fox. 1fox.", "1fox. and hen and"], Fragments(new TermNode("T", new TextValue("fox")), 12, 5, texts));
        Assert.Equal(["1fox. 1fox."], Fragments(new TermNode("T", new TextValue("fox")), 12, 1, texts));
    }

    [Fact]
    public void SearchedWords_TooManyOfThem_AreRefused()
    {
        FullTextNode Words(int count) => new("T", string.Join(' ', Enumerable.Range(0, count).Select(i => $"w{i}")), WordOperator.Or);
        Assert.Equal(1023, SearchedWords.Of(Words(1024), "T", s_fields, default).Find("w1023"));
        string message = Assert.Throws<InvalidSearchException>(() => SearchedWords.Of(Words(1025), "T", s_fields, default)).Message;
        Assert.Contains("more than 1024 words", message, StringComparison.Ordinal);
    }

    [Fact]
    public void SearchedWords_Cancelled_End() => Assert.ThrowsAny<OperationCanceledException>(
        () => SearchedWords.Of(new AllNode(), "T", s_fields, new CancellationToken(true)));

    private static IReadOnlyList<string> Fragments(SearchNode node, int length, int count, string[] texts)
    {
        var request = new HighlightRequest("T", length, count, ["1", "2", "3"], ["."]);
        return new Highlighter(s_text, SearchedWords.Of(node, "T", s_fields, default), request, default).Fragments(texts);
    }
}
