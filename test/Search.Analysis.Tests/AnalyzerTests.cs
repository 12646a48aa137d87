using Jackdaw.Search.Entries;

namespace Jackdaw.Search.Analysis.Tests;

/// <summary>What each analyzer makes of texts, word by word.</summary>
public sealed class AnalyzerTests
{
    private const string Sample = "The quick brown fox jumped over the lazy dogs, Bob@hotmail.com 123432.";

    [Theory]
    [InlineData("StandardAnalyzer", "quick brown fox jumped over lazy dogs bob@hotmail.com 123432")]
    [InlineData("RavenStandardAnalyzer", "quick brown fox jumped over lazy dogs bob@hotmail.com 123432")]
    [InlineData("Lucene.Net.Analysis.Standard.StandardAnalyzer, Lucene.Net", "quick brown fox jumped over lazy dogs bob@hotmail.com 123432")]
    [InlineData("standardanalyzer", "quick brown fox jumped over lazy dogs bob@hotmail.com 123432")]
    [InlineData("StopAnalyzer", "quick brown fox jumped over lazy dogs bob hotmail com")]
    [InlineData("SimpleAnalyzer", "the quick brown fox jumped over the lazy dogs bob hotmail com")]
    [InlineData("WhitespaceAnalyzer", "The quick brown fox jumped over the lazy dogs, Bob@hotmail.com 123432.")]
    [InlineData("LowerCaseWhitespaceAnalyzer", "the quick brown fox jumped over the lazy dogs, bob@hotmail.com 123432.")]
    [InlineData("KeywordAnalyzer", Sample)]
    [InlineData("LowerCaseKeywordAnalyzer", "the quick brown fox jumped over the lazy dogs, bob@hotmail.com 123432.")]
    [InlineData("CollationAnalyzer", "the quick brown fox jumped over the lazy dogs, bob@hotmail.com 123432.")]
    [InlineData("EnglishAnalyzer", "quick brown fox jump over lazi dog bob hotmail.com 123432")]
    public void Analyze_Sample_GivesItsWords(string name, string words) => Assert.Equal(words, Words(name, Sample));

    [Theory]
    [InlineData("Ünïcode ÀB", "ünïcode àb")]
    [InlineData("I.B.M. is Bob's", "ibm bob")]
    [InlineData("wi-fi x-11", "wi fi x-11")]
    [InlineData("www.example.com", "www.example.com")]
    [InlineData("日本", "日 本")]
    [InlineData("the", "")]
    [InlineData("a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to was will with", "")]
    [InlineData("from has had", "from has had")]
    [InlineData("", "")]
    public void Standard_Text_FollowsItsRules(string text, string words) => Assert.Equal(words, Words("StandardAnalyzer", text));

    [Fact]
    public void NGram_Word_GivesAllPartsOfTwoToSixCharacters()
    {
        string[] parts = Words("NGramAnalyzer", "Quickly the").Split(' ');
        string[] expected = [.. Enumerable.Range(2, 5).SelectMany(length => Enumerable.Range(0, 8 - length).Select(at => "quickly".Substring(at, length)))];
        Assert.Equal(expected.Order(), parts.Order());
    }

    [Fact]
    public void Standard_RemovedStopWord_LeavesNoGap()
    {
        Assert.True(TextAnalyzers.TryGet("StandardAnalyzer", out TextAnalyzer? analyzer));
        IReadOnlyList<TextToken> tokens = analyzer.Analyze("quick the Fox");
        Assert.Equal([new TextToken("quick", 0, 0, 5), new TextToken("fox", 1, 10, 13)], tokens);
    }

    [Fact]
    public void TryGet_UnknownName_IsFalse() => Assert.False(TextAnalyzers.TryGet("MyAnalyzer", out _));

    [Theory]
    [InlineData("KeywordAnalyzer", "ÀB", "ÀB")]
    [InlineData("LowerCaseKeywordAnalyzer", " ÀB ", " àb ")]
    [InlineData("StandardAnalyzer", "ÀB", "àb")]
    [InlineData("WhitespaceAnalyzer", "ÀB", "ÀB")]
    public void Normalize_Word_IsWhatAnalysisGives(string name, string text, string form)
    {
        Assert.True(TextAnalyzers.TryGet(name, out TextAnalyzer? analyzer));
        Assert.Equal(form, analyzer.Normalize(text));
        Assert.Equal(form.Trim(), Assert.Single(analyzer.Analyze(text)).Term.Trim());
    }

    private static string Words(string name, string text)
    {
        Assert.True(TextAnalyzers.TryGet(name, out TextAnalyzer? analyzer));
        return string.Join(' ', analyzer.Analyze(text).Select(token => token.Term));
    }
}
