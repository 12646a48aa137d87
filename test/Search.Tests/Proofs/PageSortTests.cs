using Jackdaw.Pal.InMemory;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Queries;
using Jackdaw.Search.Results;
using Jackdaw.Storage;
using Jackdaw.Storage.Environments;
using SortKey = Jackdaw.Search.Queries.SortKey;

namespace Jackdaw.Search.Tests.Proofs;

/// <summary>First pages of many entries in an order, which engines may find without looking at all of them, against a loop over all entries.</summary>
public abstract class PageSortTests(SearchEngine engine)
{
    private const int Entries = 3000;
    private const int Searches = 60;

    [Theory]
    [InlineData(3)]
    [InlineData(4)]
    public void Search_FirstPageOfMany_IsThatOfALoop(int seed)
    {
        var random = new RandomSearches(seed);
        using var storage = StorageEnvironment.Open(new MemoryPlatform(), "/db", new StorageOptions { BackgroundFlush = false });
        using SearchIndex index = engine.Open(storage, RandomSearches.Fields);
        List<PlainEntry> entries = [];
        for (int batch = 0; batch < 3; batch++)
        {
            Change(random, index, entries);
            index.Maintain(() => false);
            using Searcher searcher = index.BeginSearch();
            for (int i = 0; i < Searches; i++)
            {
                Compare(random, searcher, entries, seed);
            }
        }
    }

    // Some fields have one value in each entry, others several.
    private static void Change(RandomSearches random, SearchIndex index, List<PlainEntry> entries)
    {
        var entry = new IndexEntry();
        using IndexBatch batch = index.BeginBatch();
        var kept = entries.ToDictionary(known => known.Id);
        for (int i = 0; i < Entries / 2; i++)
        {
            string id = "e/" + random.Next(Entries);
            batch.Delete(id);
            PlainEntry made = random.Entry(id);
            PlainEntry added = made with
            {
                Values = [.. made.Values.GroupBy(value => value.Field.Name).SelectMany(values => values.Key is "K" or "N" or "D" ? values.Take(1) : values)],
            };
            kept.Remove(id);
            kept.Add(id, added);
            added.CopyTo(entry);
            batch.Add(entry);
        }

        batch.Commit();
        entries.Clear();
        entries.AddRange(kept.Values);
    }

    private static void Compare(RandomSearches random, Searcher searcher, List<PlainEntry> entries, int seed)
    {
        SearchNode node = random.Next(4) switch
        {
            0 => new AllNode(),
            1 => new ExistsNode("N"),
            2 => new RangeNode("N", RangeKind.Double, new DoubleValue(-1e18, "x"), true, null, false),
            _ => random.Node(1),
        };
        IReadOnlyList<SortKey> order = random.Order();
        int skip = random.Next(3) * random.Next(30);
        SearchResults found = searcher.Search(new SearchRequest(node, order, skip, 25) { WithScores = random.Next(4) == 0 }, CancellationToken.None);
        var evaluator = new PlainEvaluator(entries);
        List<PlainEntry> expected = evaluator.Find(node);
        Assert.True(expected.Count == found.Total, $"seed {seed}: {expected.Count} expected, {found.Total} found for {node}");

        // Entries that are equal in all keys have the order in which they were added, which a dictionary does not tell: their keys are compared.
        string[] page = [.. evaluator.Sort(expected, [.. order, new SortKey(SortBy.Id)]).Skip(skip).Take(25).Select(entry => entry.Id)];
        var byId = entries.ToDictionary(entry => entry.Id);
        Assert.True(page.Length == found.Hits.Count, $"seed {seed}: {page.Length} expected, {found.Hits.Count} found for {node} by {string.Join(", ", order)}");
        for (int i = 0; i < page.Length; i++)
        {
            PlainEntry one = byId[page[i]], other = byId[found.Hits[i].IdText()];
            Assert.True(
                ReferenceEquals(evaluator.Sort([one, other], order).First(), one) && ReferenceEquals(evaluator.Sort([other, one], order).First(), other),
                $"seed {seed}: {node} by {string.Join(", ", order)}, skip {skip}: {one.Id} expected at {i}, {other.Id} found");
        }
    }
}
