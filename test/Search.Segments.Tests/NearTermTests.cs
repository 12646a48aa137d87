using Jackdaw.Pal.InMemory;
using Jackdaw.Search.Analysis;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Queries;
using Jackdaw.Search.Results;
using Jackdaw.Storage;
using Jackdaw.Storage.Environments;

namespace Jackdaw.Search.Segments.Tests;

/// <summary>Terms near another one, found by rows that neighbours share, against the distance of each.</summary>
public sealed class NearTermTests
{
    private const int Terms = 4000;

    private static readonly IndexField s_field = new("K") { Indexing = IndexingMode.Exact };
    private static readonly string[] s_characters = ["a", "b", "c", "é", "жу", "\ud83d\ude00", "\uffff"];

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void Search_NearTerms_FindsThoseWithinTheEdits(int seed)
    {
        var random = new Random(seed);
        using var storage = StorageEnvironment.Open(new MemoryPlatform(), "/db", new StorageOptions { BackgroundFlush = false });
        using SearchIndex index = SegmentEngine.Instance.Open(storage, new IndexFields([s_field]));
        string[] terms = [.. Enumerable.Range(0, Terms).Select(_ => Text(random, 9))];
        Add(index, terms);
        using Searcher searcher = index.BeginSearch();
        for (int i = 0; i < 150; i++)
        {
            string text = random.Next(2) == 0 ? terms[random.Next(Terms)] : Text(random, 12);
            int edits = random.Next(6);
            int[] wanted = TermDistance.ToCharacters(text);
            int expected = terms.Count(term => TermDistance.IsWithin(wanted, TermDistance.ToCharacters(term), edits));
            SearchResults found = searcher.Search(new SearchRequest(new NearNode("K", text, edits), [], 0, 1), CancellationToken.None);
            Assert.True(expected == found.Total, $"seed {seed}: {found.Total} instead of {expected} within {edits} of '{text}'");
        }

        Assert.Equal(Terms, searcher.Search(new SearchRequest(new NearNode("K", "a", int.MaxValue), [], 0, 1), CancellationToken.None).Total);
    }

    private static void Add(SearchIndex index, string[] terms)
    {
        var entry = new IndexEntry();
        foreach (string[] some in terms.Chunk(1500))
        {
            using IndexBatch batch = index.BeginBatch();
            foreach (string term in some)
            {
                entry.Reset(Guid.NewGuid().ToByteArray());
                entry.AddText(s_field, term);
                batch.Add(entry);
            }

            batch.Commit();
        }
    }

    private static string Text(Random random, int lengthMax) =>
        string.Concat(Enumerable.Range(0, random.Next(1, lengthMax)).Select(_ => s_characters[random.Next(s_characters.Length)]));
}
