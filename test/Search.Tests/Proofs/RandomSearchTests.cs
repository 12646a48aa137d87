using System.Globalization;
using Jackdaw.Pal.InMemory;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Queries;
using Jackdaw.Search.Results;
using Jackdaw.Storage;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Verification;
using SortKey = Jackdaw.Search.Queries.SortKey;

namespace Jackdaw.Search.Tests.Proofs;

/// <summary>Random searches of a random index, of now and of states that are held, against a loop over its entries.</summary>
public abstract class RandomSearchTests(SearchEngine engine)
{
    /// <summary>Searches of a quick run; SEARCH_PROOF_SEARCHES asks for more.</summary>
    private const int QuickSearches = 3000;

    private const int SearchesPerBatch = 50;

    /// <summary>The most snapshots that are held at a time.</summary>
    private const int HeldMax = 4;

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void Search_RandomConditionsOrdersAndPages_FindsWhatALoopFinds(int seed)
    {
        int searches = int.Parse(Environment.GetEnvironmentVariable("SEARCH_PROOF_SEARCHES") ?? $"{QuickSearches}", CultureInfo.InvariantCulture) / 2;
        var random = new RandomSearches(seed);
        using var storage = StorageEnvironment.Open(new MemoryPlatform(), "/db", new StorageOptions { BackgroundFlush = false });
        SearchIndex index = engine.Open(storage, RandomSearches.Fields);
        List<PlainEntry> entries = [];
        List<(SearchSnapshot Snapshot, List<PlainEntry> Entries)> held = [];
        try
        {
            for (int done = 0; done < searches; done += SearchesPerBatch)
            {
                Change(random, index, entries);
                if (random.Next(3) == 0)
                {
                    index.Maintain(() => false);
                }

                if (random.Next(8) == 0)
                {
                    Release(held, held.Count); // they end with the index
                    index.Dispose();
                    index = engine.Open(storage, RandomSearches.Fields);
                }

                using (Searcher searcher = index.BeginSearch())
                {
                    Assert.Equal(entries.Count, searcher.EntryCount);
                    for (int i = 0; i < SearchesPerBatch; i++)
                    {
                        Compare(random, searcher, entries, seed);
                    }

                    if (random.Next(3) == 0)
                    {
                        held.Add((searcher.Keep(), [.. entries]));
                    }
                }

                CompareHeld(random, held, seed);
            }

            Assert.Empty(EnvironmentVerifier.Verify(storage));
            Assert.Empty(engine.Verify(storage));
        }
        finally
        {
            Release(held, held.Count);
            index.Dispose();
        }
    }

    // What is held stays as it was, whatever was merged and freed since.
    private static void CompareHeld(RandomSearches random, List<(SearchSnapshot Snapshot, List<PlainEntry> Entries)> held, int seed)
    {
        foreach ((SearchSnapshot snapshot, List<PlainEntry> entries) in held)
        {
            using Searcher searcher = snapshot.BeginSearch();
            Assert.Equal(entries.Count, searcher.EntryCount);
            for (int i = 0; i < SearchesPerBatch / 10; i++)
            {
                Compare(random, searcher, entries, seed);
            }
        }

        if (held.Count == HeldMax)
        {
            Release(held, 1 + random.Next(HeldMax));
        }
    }

    private static void Release(List<(SearchSnapshot Snapshot, List<PlainEntry> Entries)> held, int count)
    {
        foreach ((SearchSnapshot snapshot, _) in held[..count])
        {
            snapshot.Dispose();
        }

        held.RemoveRange(0, count);
    }

    private static void Change(RandomSearches random, SearchIndex index, List<PlainEntry> entries)
    {
        var entry = new IndexEntry();
        using IndexBatch batch = index.BeginBatch();
        for (int i = 0; i < 1 + random.Next(25); i++)
        {
            string id = (random.Next(2) == 0 ? "users/" : "Größe/") + random.Next(60);
            batch.Delete(id);
            entries.RemoveAll(known => known.Id == id);
            for (int rows = random.Next(4); rows > 0; rows--)
            {
                PlainEntry added = random.Entry(id);
                entries.Add(added);
                added.CopyTo(entry);
                batch.Add(entry);
            }
        }

        batch.Commit();
    }

    private static void Compare(RandomSearches random, Searcher searcher, List<PlainEntry> entries, int seed)
    {
        SearchNode node = random.Node(3);
        IReadOnlyList<SortKey> order = random.Order();
        (int skip, int take) = random.Next(2) == 0 ? (0, int.MaxValue) : (random.Next(20), random.Next(20));
        SearchResults found = searcher.Search(new SearchRequest(node, order, skip, take) { WithPlan = random.Next(4) == 0 }, CancellationToken.None);
        var evaluator = new PlainEvaluator(entries);
        List<PlainEntry> expected = evaluator.Find(node);
        Assert.True(expected.Count == found.Total, $"seed {seed}: {expected.Count} expected, {found.Total} found for {Describe(node)}");
        string[] page = [.. evaluator.Sort(expected, order).Skip(skip).Take(take).Select(entry => entry.Id)];
        Assert.True(page.SequenceEqual(found.Hits.Select(hit => hit.IdText())),
            $"seed {seed}: {Describe(node)} by {string.Join(", ", order)}, skip {skip}, take {take}: "
            + $"expected {string.Join(' ', page)}, found {string.Join(' ', found.Hits.Select(hit => hit.IdText()))}");
    }

    internal static string Describe(SearchNode node) => node switch
    {
        AndNode and => $"and({string.Join("; ", and.Nodes.Select(Describe))})",
        OrNode or => $"or({string.Join("; ", or.Nodes.Select(Describe))})",
        OptionalNode optional => $"optional({string.Join("; ", optional.Nodes.Select(Describe))})",
        NotNode not => $"not({Describe(not.Node)})",
        BoostNode boost => $"boost({Describe(boost.Node)})",
        IntersectNode all => $"intersect({string.Join("; ", all.Nodes.Select(Describe))})",
        InNode list => $"{list.Field} in ({string.Join(", ", list.Values)})",
        PhraseNode phrase => $"{phrase.Field}: \"{string.Join(' ', phrase.Words)}\" within {phrase.Slop}",
        AllInNode list => $"{list.Field} all in ({string.Join(", ", list.Values)})",
        _ => node.ToString(),
    };
}
