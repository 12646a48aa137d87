using System.Text;
using Jackdaw.Search.Analysis.Reading;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Queries;

namespace Jackdaw.Search.Analysis.Tests.Reading;

/// <summary>Which words of a source are searched for more like it.</summary>
public sealed class SimilarWordsTests
{
    private static readonly IndexFields s_fields = new([new IndexField("T") { Indexing = IndexingMode.Text }]);

    private static readonly SimilarOptions s_all = new() { TermFrequencyMin = 1, DocumentFrequencyMin = 1 };

    public static TheoryData<SimilarOptions, string> Choices => new()
    {
        { s_all, "rare many common" },
        { s_all with { TermFrequencyMin = 2 }, "rare many" },
        { s_all with { DocumentFrequencyMin = 10 }, "many common" },
        { s_all with { DocumentFrequencyMax = 10 }, "rare many" },
        { s_all with { DocumentFrequencyPercentMax = 49 }, "rare many" },
        { s_all with { DocumentFrequencyPercentMax = 50 }, "rare many common" },
        { s_all with { WordLengthMin = 5 }, "common" },
        { s_all with { WordLengthMax = 5 }, "rare many" },
        { s_all with { StopWords = new HashSet<string> { "many" } }, "rare common" },
        { s_all with { QueryTermsMax = 2 }, "rare many" },
        { s_all with { QueryTermsMax = -1 }, "" },
        { s_all with { TokensMax = 3 }, "rare common" },
    };

    [Theory]
    [MemberData(nameof(Choices))]
    public void Choose_Options_LeaveTheirWords(SimilarOptions options, string expected)
    {
        var words = new SimilarWords(options, s_fields, default);
        words.AddText("T", "rare the RARE common");
        words.AddText("T", "many many unknown");
        Assert.Equal(expected, string.Join(' ', words.Choose(100, FrequencyOf, 1024).Select(word => word.Term)));
    }

    [Fact]
    public void Choose_ManyWords_AreAtMostThoseOfTheEngine()
    {
        var words = new SimilarWords(s_all with { QueryTermsMax = 100 }, s_fields, default);
        words.AddText("T", string.Join(' ', Enumerable.Range(0, 50).Select(i => $"w{i}")));
        Assert.Equal(20, words.Choose(100, (_, _) => 5, 20).Count);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Choose_Boosts_AreSharesOfTheBestScore(bool isBoosted)
    {
        var words = new SimilarWords(s_all with { IsBoosted = isBoosted, BoostFactor = 3 }, s_fields, default);
        words.AddTerm("T", "rare", 2);
        words.AddTerm("T", "common", 4);
        WeightedWord[] found = [.. words.Choose(100, FrequencyOf, 1024)];
        double[] scores = [2 * (1 + Math.Log(100.0 / 2)), 4 * (1 + Math.Log(100.0 / 51))];
        Assert.Equal(["rare", "common"], found.Select(word => word.Term));
        Assert.Equal(isBoosted ? scores.Select(score => (float)(3 * score / scores.Max())) : [1f, 1f], found.Select(word => word.Boost));
    }

    [Fact]
    public void Choose_EqualScores_GoByFieldAndBytes()
    {
        const int seed = 4;
        var random = new Random(seed);
        string[] parts = ["a", "b", "\ue000", "\uffff", "\ud83d\ude00", "\ud83d\ude01", "\ud800\udc00"];
        string[] terms = [.. Enumerable.Range(0, 200).Select(_ =>
            string.Concat(Enumerable.Range(0, 1 + random.Next(3)).Select(_ => parts[random.Next(parts.Length)])))];
        var words = new SimilarWords(s_all with { QueryTermsMax = 1000 }, s_fields, default);
        foreach (string term in terms)
        {
            words.AddTerm(random.Next(2) == 0 ? "T" : "a.T", term, 1);
        }

        WeightedWord[] found = [.. words.Choose(100, (_, _) => 5, 1024)];
        Assert.Equal(
            found.OrderBy(word => word.Field, StringComparer.Ordinal)
                .ThenBy(word => Convert.ToHexString(Encoding.UTF8.GetBytes(word.Term)), StringComparer.Ordinal),
            found);
    }

    [Fact]
    public void TextsOf_Names_MeanFieldsWithThatLastPart()
    {
        KeyValuePair<string, string>[] texts = [KeyValuePair.Create("t", "x"), KeyValuePair.Create("none", "y")];
        var node = new SimilarNode(null, texts, s_all);
        Assert.Equal(["T", "a.T"], SimilarWords.TextsOf(node, ["T", "K", "a.T", "T"]).Select(text => text.Key));
        Assert.Equal(["b.T"], SimilarWords.TextsOf(node with { Options = s_all with { Fields = ["b.T"] } }, ["T"]).Select(text => text.Key));
    }

    [Fact]
    public void Choose_Cancelled_Ends()
    {
        var words = new SimilarWords(s_all, s_fields, new CancellationToken(true));
        words.AddText("T", "rare");
        Assert.ThrowsAny<OperationCanceledException>(() => words.Choose(100, FrequencyOf, 1024));
    }

    private static long FrequencyOf(string field, string term) => term switch
    {
        "rare" => 1,
        "many" => 10,
        "common" => 50,
        _ => 0,
    };
}
