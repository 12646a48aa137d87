using Jackdaw.Search.Analysis.Reading;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Queries;

namespace Jackdaw.Search.Analysis.Tests.Reading;

/// <summary>What full-text searches become.</summary>
public sealed class FullTextTests
{
    private static readonly IndexFields s_fields = new([new IndexField("T") { Indexing = IndexingMode.Text }, new IndexField("K")]);

    [Theory]
    [InlineData("Quick", "T:quick")]
    [InlineData("the quick  FOX", "or(T:quick, T:fox)")]
    [InlineData("wi-fi fox", "or(T:\"wi@0 fi@1\"~0, T:fox)")]
    [InlineData("\"Quick the fox\" dog", "or(T:\"quick@0 fox@1\"~0, T:dog)")]
    [InlineData("dog \"quick fox ", "or(T:dog, T:\"quick@0 fox@1\"~0)")]
    [InlineData("a\"b c\"d", "or(T:\"b@0 c@1\"~0, T:d)")]
    [InlineData("qu* *ck *ic* q*k", "or(T:qu*, T:*ck, T:*ic*, T:q*k without ?)")]
    [InlineData("q?* the*", "or(T:q?*, T:the*)")]
    [InlineData("*", "T:*")]
    [InlineData("** fox", "or(T:*, T:fox)")]
    [InlineData("the", "none")]
    [InlineData("", "none")]
    [InlineData("\"\"", "none")]
    public void Read_Words_GivesACondition(string text, string tree)
    {
        Assert.Equal(tree, TreeText.Of(FullText.Read(new FullTextNode("T", text, WordOperator.Or), s_fields)));
        string all = tree.StartsWith("or(", StringComparison.Ordinal) ? "and" + tree[2..] : tree;
        Assert.Equal(all, TreeText.Of(FullText.Read(new FullTextNode("T", text, WordOperator.And), s_fields)));
    }

    [Theory]
    [InlineData("T", "The quick* \"fox\"", 3, "T:\"quick@0 fox@1\"~3")]
    [InlineData("T", "the", 3, "none")]
    [InlineData("K", "The Quick", 0, "K:the quick")]
    public void Read_TextWithSlop_IsOnePhrase(string field, string text, int slop, string tree) =>
        Assert.Equal(tree, TreeText.Of(FullText.Read(new FullTextNode(field, text, WordOperator.Or, slop), s_fields)));

    [Fact]
    public void Read_NegativeSlop_IsRefused()
    {
        var node = new FullTextNode("T", "a b", WordOperator.Or, -1);
        Assert.Contains("use 0 or more", Assert.Throws<InvalidSearchException>(() => FullText.Read(node, s_fields)).Message, StringComparison.Ordinal);
    }
}
