using Jackdaw.Search.Analysis.Suggesting;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Queries;
using Jackdaw.Search.Results;

namespace Jackdaw.Search.Analysis.Tests.Suggesting;

/// <summary>Which terms are suggested, in which order, and what suggestions may cost.</summary>
public sealed class TermSuggesterTests
{
    private static readonly TermCount[] s_terms =
        [new("", 9), new("banana", 2), new("bandana", 3), new("cabana", 7), new("bananas", 7), new("xyz", 1), new(new string('a', 600), 1)];

    [Theory]
    [InlineData(SimilarityMeasure.Levenshtein, 0.5, false, "bananas bandana cabana")]
    [InlineData(SimilarityMeasure.Levenshtein, 0.5, true, "bananas cabana bandana")]
    [InlineData(SimilarityMeasure.Levenshtein, 0.85, false, "bananas bandana")]
    [InlineData(SimilarityMeasure.JaroWinkler, 0.9, false, "bananas bandana")]
    [InlineData(SimilarityMeasure.NGram, 0.7, false, "bananas bandana")]
    public void Find_OneTerm_GivesTheMostSimilarOrTheMostFrequent(SimilarityMeasure measure, double accuracy, bool isByPopularity, string expected) =>
        Assert.Equal(expected, string.Join(' ', Find(["BANANA"], measure, accuracy, isByPopularity, s_terms)));

    [Fact]
    public void Find_TermThatIsTooLong_SaysTheLimit()
    {
        string[] found = Find([new string('a', 256)], SimilarityMeasure.Levenshtein, 0.2, false, s_terms);
        Assert.Empty(found);
        string message = Assert.Throws<InvalidSearchException>(() => Find([new string('a', 257)], SimilarityMeasure.Levenshtein, 0.2, false, s_terms)).Message;
        Assert.Contains("at most 256 characters", message, StringComparison.Ordinal);
    }

    [Fact]
    public void Find_TooManySimilarTerms_AsksForAHigherAccuracy()
    {
        IEnumerable<TermCount> Terms(int count) => Enumerable.Range(0, count).Select(i => new TermCount($"bbbb{i:x5}", 1));
        Assert.Equal(10, Find(["bbbbb"], SimilarityMeasure.Levenshtein, 0.1, false, Terms(100_000)).Length);
        string message = Assert.Throws<InvalidSearchException>(() => Find(["bbbbb"], SimilarityMeasure.Levenshtein, 0.1, false, Terms(100_001))).Message;
        Assert.Contains("ask for a higher accuracy", message, StringComparison.Ordinal);
    }

    [Fact]
    public void Find_Cancelled_Ends()
    {
        var request = new SuggestionRequest("F", ["a"], 10, SimilarityMeasure.Levenshtein, 0.5, false);
        Assert.ThrowsAny<OperationCanceledException>(() => TermSuggester.Find(request, new IndexFields([]), s_terms, new CancellationToken(true)));
    }

    private static string[] Find(string[] asked, SimilarityMeasure measure, double accuracy, bool isByPopularity, IEnumerable<TermCount> terms) =>
        [.. TermSuggester.Find(new SuggestionRequest("F", asked, 10, measure, accuracy, isByPopularity), new IndexFields([]), terms, default)];
}
