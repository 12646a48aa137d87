using Jackdaw.Search.Analysis.Reading;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Queries;

namespace Jackdaw.Search.Analysis.Tests.Reading;

/// <summary>Conditions on single terms, and the forms of values.</summary>
public sealed class TermPatternTests
{
    private static readonly IndexField s_keyword = new("K");
    private static readonly IndexField s_exact = new("E") { Indexing = IndexingMode.Exact };
    private static readonly IndexFields s_fields = new([s_keyword, s_exact]);

    public static TheoryData<SearchNode, string, string, string> Patterns => new()
    {
        { new PrefixNode("K", "An"), "an*|an|False", "an anna", "ban An" },
        { new PrefixNode("E", "An"), "An*|An|False", "An Anna", "anna" },
        { new SuffixNode("K", "NA"), "*na||False", "na anna", "nab" },
        { new ContainsNode("K", "NN"), "*nn*||False", "nn anna", "ana" },
        { new WildcardNode("K", "A?n*"), "a?n*|a|False", "abn abnc", "an A?n" },
        { new WildcardNode("K", "A?n*", HasSingle: false), "a?n*|a?n|False", "a?n a?nb", "abn" },
        { new WildcardNode("K", "**"), "**||True", "a b", "" },
        { new WildcardNode("K", "?"), "?||False", "a b", "ab" },
        { new PrefixNode("K", ""), "*||True", "a b", "" },
        { new SuffixNode("K", ""), "*||True", "a b", "" },
        { new ContainsNode("K", ""), "**||True", "a b", "" },
        { new RegexNode("K", "^a.$"), "/^a.$/||False", "ab ac", "abc Ab" },
    };

    [Theory]
    [MemberData(nameof(Patterns))]
    public void Of_Pattern_FindsTermsInTheFormOfTheField(SearchNode node, string described, string found, string others)
    {
        TermPattern pattern = TermPattern.Of(node, s_fields)!;
        Assert.Equal(described, $"{pattern.Text}|{pattern.Prefix}|{pattern.IsOfAll}");
        Assert.DoesNotContain(found.Split(' '), term => !pattern.IsMatch(term) || !term.StartsWith(pattern.Prefix, StringComparison.Ordinal));
        Assert.DoesNotContain(others.Split(' ', StringSplitOptions.RemoveEmptyEntries), term => pattern.IsMatch(term));
    }

    [Fact]
    public void Of_OtherNode_IsNull() => Assert.Null(TermPattern.Of(new TermNode("K", new TextValue("a")), s_fields));

    [Theory]
    [InlineData(0.8f, 1)]
    [InlineData(0.4f, 3)]
    [InlineData(1f, 0)]
    public void NearTerm_OfASimilarity_AllowsItsEdits(float similarity, int edits)
    {
        NearTerm near = NearTerm.Of(new FuzzyNode("K", "ABCDE", similarity), s_fields);
        Assert.Equal(("abcde", edits), (near.Form, near.Edits));
        Assert.Equal(edits >= 1, near.IsMatch("abcd"));
        Assert.True(near.IsMatch("abcde"));
    }

    [Theory]
    [InlineData(0f)]
    [InlineData(1.1f)]
    [InlineData(-1f)]
    [InlineData(float.NaN)]
    public void NearTerm_SimilarityThatIsNone_IsRefused(float similarity)
    {
        string message = Assert.Throws<InvalidSearchException>(() => NearTerm.Of(new FuzzyNode("K", "a", similarity), s_fields)).Message;
        Assert.Contains("use a number above 0, up to 1", message, StringComparison.Ordinal);
    }

    [Fact]
    public void NearTerm_TextOrEditsOutOfBounds_IsRefused()
    {
        Assert.Equal(2, NearTerm.Of(new NearNode("K", new string('a', 256), 2), s_fields).Edits);
        string message = Assert.Throws<InvalidSearchException>(() => NearTerm.Of(new NearNode("K", new string('a', 257), 2), s_fields)).Message;
        Assert.Contains("at most 256 characters", message, StringComparison.Ordinal);
        Assert.Throws<InvalidSearchException>(() => NearTerm.Of(new FuzzyNode("K", new string('a', 257), 0.5f), s_fields));
        message = Assert.Throws<InvalidSearchException>(() => NearTerm.Of(new NearNode("K", "a", -1), s_fields)).Message;
        Assert.Contains("use 0 or more", message, StringComparison.Ordinal);
    }

    [Fact]
    public void ValueForms_EveryKindOfValue_HasATerm()
    {
        SearchValue[] values = [new TextValue("AB"), new BooleanValue(true), new LongValue(7, "7"), new DoubleValue(0.5, "0.5E"), new DateValue("2024T", 9)];
        Assert.Equal(["ab", "true", "7", "0.5e", "2024t"], values.Select(value => ValueForms.TermOf(s_keyword, value)));
        Assert.Equal(["AB", "true", "7", "0.5E", "2024T"], values.Select(value => ValueForms.TermOf(s_exact, value)));
        Assert.Equal(["ab", "true", "7", "0.5e", "2024t"], values.Select(value => ValueForms.EndOf(s_keyword, value)));
        Assert.Null(ValueForms.TermOf(s_keyword, new NullValue()));
        Assert.Null(ValueForms.EndOf(s_keyword, null));
    }

    [Fact]
    public void ValueForms_EndsThatCannotBe_NameTheField()
    {
        SearchValue?[] ends = [null, new DateValue("x", 9), new LongValue(7, "7")];
        Assert.Equal([null, 9L, 7L], ends.Select(value => ValueForms.TicksOf(s_keyword, value)));
        Assert.Contains("'K' cannot end at", Refused(() => ValueForms.EndOf(s_keyword, new NullValue())), StringComparison.Ordinal);
        Assert.Contains("give two dates", Refused(() => ValueForms.TicksOf(s_keyword, new TextValue("a"))), StringComparison.Ordinal);
        Assert.Contains("cannot be compared", Refused(() => ValueForms.TermOf(s_keyword, new Unknown())), StringComparison.Ordinal);
    }

    private static string Refused(Func<object?> make) => Assert.Throws<InvalidSearchException>(make).Message;

    private sealed record Unknown : SearchValue;
}
