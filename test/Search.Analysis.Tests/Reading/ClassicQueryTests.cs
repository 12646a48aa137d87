using Jackdaw.Search.Analysis.Reading;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Queries;

namespace Jackdaw.Search.Analysis.Tests.Reading;

/// <summary>What texts in the classic query syntax become.</summary>
public sealed class ClassicQueryTests
{
    private static readonly IndexFields s_fields = new([new IndexField("T") { Indexing = IndexingMode.Text }, new IndexField("K")]);

    [Theory]
    [InlineData("Quick", "T:quick")]
    [InlineData("K:Quick", "K:quick")]
    [InlineData("quick fox", "or(T:quick, T:fox)")]
    [InlineData("quick AND fox", "and(T:quick, T:fox)")]
    [InlineData("+quick fox", "and(T:quick, optional(T:fox))")]
    [InlineData("quick +fox -dog cat", "and(T:fox, optional(T:quick, T:cat), not(T:dog))")]
    [InlineData("quick -dog", "and(T:quick, not(T:dog))")]
    [InlineData("quick fox NOT dog", "and(or(T:quick, T:fox), not(T:dog))")]
    [InlineData("-dog", "not(T:dog)")]
    [InlineData("-dog !cat", "and(not(T:dog), not(T:cat))")]
    [InlineData("(-dog)", "not(T:dog)")]
    [InlineData("fox (-dog)", "or(T:fox, and(none, not(T:dog)))")]
    [InlineData("+(quick fox) +(dog OR cat)", "and(or(T:quick, T:fox), or(T:dog, T:cat))")]
    [InlineData("quick AND fox OR dog", "and(T:quick, T:fox, optional(T:dog))")]
    [InlineData("quick^2 (fox dog)^0.5", "or(T:quick^2, or(T:fox, T:dog)^0.5)")]
    [InlineData("(quick^2)^3", "T:quick^3")]
    [InlineData("(+quick^2)^3", "T:quick^2^3")]
    [InlineData("\"Quick the fox\"", "T:\"quick@0 fox@1\"~0")]
    [InlineData("\"quick fox\"~4", "T:\"quick@0 fox@1\"~4")]
    [InlineData("wi-fi", "T:\"wi@0 fi@1\"~0")]
    [InlineData("the", "none")]
    [InlineData("the fox", "or(none, T:fox)")]
    [InlineData("Qu* q?i* *ck", "or(T:Qu*, T:q?i*, T:*ck)")]
    [InlineData("K:*", "K:*")]
    [InlineData("/Q.*k/", "T:/^(?:Q.*k)$/")]
    [InlineData("quick~0.7", "T:quick~0.7")]
    [InlineData("quick~ fox~1 dog~9", "or(T:quick within 2, T:fox within 1, T:dog within 2)")]
    [InlineData("[a TO b}", "T:['a' TO 'b'} Text")]
    [InlineData("K:{1 TO 2.5]", "K:{1 TO 2.50] Double")]
    [InlineData("K:[* TO 3]", "K:[* TO 3] Double")]
    [InlineData("K:[1 TO b]", "K:['1' TO 'b'] Text")]
    [InlineData("K:[* TO *]", "K:[* TO *] Text")]
    [InlineData("K:fo\\:o", "K:fo:o")]
    [InlineData("K:a\\*b", "K:a*b")]
    [InlineData("", "none")]
    [InlineData("  ", "none")]
    public void Parse_Text_GivesACondition(string text, string tree)
    {
        string found = TreeText.Of(ClassicQuery.Parse(new ClassicQueryNode("T", text), s_fields));
        Assert.Equal(tree, found);
    }

    [Fact]
    public void Parse_TextOverTheBounds_IsRefused()
    {
        static string Nested(int depth) => new string('(', depth) + "a b" + new string(')', depth);
        static string Words(int count) => string.Join(' ', Enumerable.Range(0, count).Select(i => $"w{i}"));
        Assert.Equal("or(none, T:b)", TreeText.Of(Parse(Nested(64))));
        Assert.Contains("64 nested parentheses", Refused(Nested(65)), StringComparison.Ordinal);
        Assert.IsType<PhraseNode>(Parse(new string('b', 250)));
        Assert.IsType<NoneNode>(Parse(new string(' ', 64 * 1024)));
        Assert.Contains("at most 65536 characters", Refused(new string(' ', (64 * 1024) + 1)), StringComparison.Ordinal);
        Assert.Equal(1024, Assert.IsType<OrNode>(Parse(Words(1024))).Nodes.Count);
        Assert.Contains("cannot be read", Refused(Words(1025)), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("(")]
    [InlineData("\"open")]
    [InlineData("a~1.5")]
    [InlineData("[a TO")]
    [InlineData("+")]
    [InlineData("K:")]
    public void Parse_TextThatCannotBeRead_IsRefused(string text) =>
        Assert.StartsWith($"The Lucene text '{text}' cannot be read", Refused(text), StringComparison.Ordinal);

    private static SearchNode Parse(string text) => ClassicQuery.Parse(new ClassicQueryNode("T", text), s_fields);

    private static string Refused(string text) => Assert.Throws<InvalidSearchException>(() => Parse(text)).Message;
}
