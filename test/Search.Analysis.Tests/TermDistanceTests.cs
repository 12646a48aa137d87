namespace Jackdaw.Search.Analysis.Tests;

/// <summary>Distances of terms against their definition.</summary>
public sealed class TermDistanceTests
{
    [Fact]
    public void IsWithin_RandomTerms_IsWhatTheDefinitionSays()
    {
        const int seed = 3;
        var random = new Random(seed);
        string[] characters = ["a", "b", "c", "\ud83d\ude00"];
        for (int i = 0; i < 3000; i++)
        {
            string[] texts = [.. Enumerable.Range(0, 2).Select(_ =>
                string.Concat(Enumerable.Range(0, random.Next(7)).Select(_ => characters[random.Next(characters.Length)])))];
            int[] a = TermDistance.ToCharacters(texts[0]), b = TermDistance.ToCharacters(texts[1]);
            int distance = Distance(a, b);
            for (int limit = 0; limit < 8; limit++)
            {
                Assert.True(distance <= limit == TermDistance.IsWithin(a, b, limit), $"seed {seed}: {texts[0]} and {texts[1]} within {limit}");
            }
        }
    }

    [Theory]
    [InlineData(5, 0.8f, 1)]
    [InlineData(4, 0.8f, 0)]
    [InlineData(10, 0.2f, 8)]
    [InlineData(3, 1f, 0)]
    [InlineData(0, 0.5f, 0)]
    public void EditsOf_LengthAndSimilarity_IsTheRestOfTheLength(int length, float similarity, int edits) =>
        Assert.Equal(edits, TermDistance.EditsOf(length, similarity));

    private static int Distance(ReadOnlySpan<int> a, ReadOnlySpan<int> b) => a.IsEmpty || b.IsEmpty ? a.Length + b.Length
        : Math.Min(Distance(a[1..], b[1..]) + (a[0] == b[0] ? 0 : 1), 1 + Math.Min(Distance(a[1..], b), Distance(a, b[1..])));
}
