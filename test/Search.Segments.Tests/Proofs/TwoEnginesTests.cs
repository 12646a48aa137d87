using System.Globalization;
using Jackdaw.Pal.InMemory;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Lucene;
using Jackdaw.Search.Queries;
using Jackdaw.Search.Results;
using Jackdaw.Search.Tests;
using Jackdaw.Search.Tests.Proofs;
using Jackdaw.Storage;
using Jackdaw.Storage.Environments;
using SortKey = Jackdaw.Search.Queries.SortKey;

namespace Jackdaw.Search.Segments.Tests.Proofs;

/// <summary>Both engines with the same entries answer the same, scores left aside, whose formulas differ.</summary>
public sealed class TwoEnginesTests : IDisposable
{
    /// <summary>Searches of a quick run; SEARCH_PROOF_SEARCHES asks for more.</summary>
    private const int QuickSearches = 1500;

    private const int SearchesPerBatch = 50;
    private static readonly string[] s_fields = ["K", "E", "T", "W", "N", "D"];

    private readonly Engine _segments = new(SegmentEngine.Instance);
    private readonly Engine _lucene = new(LuceneEngine.Instance);

    [Fact]
    public void Answers_OfBothEngines_AreTheSame()
    {
        const int seed = 5;
        int searches = int.Parse(Environment.GetEnvironmentVariable("SEARCH_PROOF_SEARCHES") ?? $"{QuickSearches}", CultureInfo.InvariantCulture);
        var random = new RandomSearches(seed);
        for (int done = 0; done < searches; done += SearchesPerBatch)
        {
            Change(random);
            for (int i = 0; i < SearchesPerBatch; i++)
            {
                SearchNode node = random.Node(3);
                IReadOnlyList<SortKey> order = random.Order();
                (int skip, int take) = random.Next(2) == 0 ? (0, int.MaxValue) : (random.Next(20), random.Next(20));
                Same(seed, $"{RandomSearchTests.Describe(node)} by {string.Join(", ", order)}, skip {skip}, take {take}", searcher =>
                {
                    SearchResults found = searcher.Search(new SearchRequest(node, order, skip, take), default);
                    return [found.Total.ToString(CultureInfo.InvariantCulture), .. found.Hits.Select(hit => hit.IdText())];
                });
            }

            CompareOthers(random, seed);
        }
    }

    public void Dispose()
    {
        _segments.Dispose();
        _lucene.Dispose();
    }

    private void Change(RandomSearches random)
    {
        List<(string Id, PlainEntry[] Entries)> changes = [];
        for (int i = 0; i < 1 + random.Next(25); i++)
        {
            string id = (random.Next(2) == 0 ? "users/" : "Größe/") + random.Next(60);
            changes.Add((id, [.. Enumerable.Range(0, random.Next(4)).Select(_ => random.Entry(id))]));
        }

        bool isMaintained = random.Next(3) == 0;
        _segments.Write(changes, isMaintained);
        _lucene.Write(changes, isMaintained);
    }

    private void CompareOthers(RandomSearches random, int seed)
    {
        string field = s_fields[random.Next(s_fields.Length)];
        SearchNode node = random.Node(2);
        Same(seed, "terms of " + field, searcher => searcher.ListTerms(field, null, 1000).Select(term => term.ToString()));
        Same(seed, $"facets of {field} for {RandomSearchTests.Describe(node)}", searcher =>
            Facets(searcher, node, new FacetRequest(field, [], [new(FacetFunction.Max, "N"), new(FacetFunction.Min, "D")])));
        Same(seed, "ranges", searcher => Facets(searcher, new AllNode(), new FacetRequest(null, [node, new ExistsNode(field)], [])));
        Same(seed, "terms of entries", searcher =>
        {
            int[] ordinals = [.. searcher.Search(new SearchRequest(node, [], 0, 10), default).Hits.Select(hit => hit.Ordinal)];
            return searcher.ReadTerms(ordinals, default).Select(terms => string.Join(';', terms));
        });
        Same(seed, "fields", searcher => searcher.ListFields().Order(StringComparer.Ordinal));
        Same(seed, "indexed fields", searcher => searcher.ListIndexedFields().Order(StringComparer.Ordinal));
    }

    private static IEnumerable<string> Facets(Searcher searcher, SearchNode node, FacetRequest request)
    {
        IReadOnlyList<FacetBucket> buckets = searcher.CountFacets(node, request, out long total, default);
        return [$"{total}", .. buckets.Select(bucket => $"{bucket.Term}: {bucket.Count} {string.Join(',', bucket.Values)}")];
    }

    private void Same(int seed, string what, Func<Searcher, IEnumerable<string>> ask)
    {
        string[] one, other;
        try
        {
            (one, other) = (_segments.Ask(ask), _lucene.Ask(ask));
        }
        catch (InvalidSearchException refusal) when (refusal.InnerException is System.Text.RegularExpressions.RegexMatchTimeoutException)
        {
            return; // the machine was busy for longer than an expression may take
        }

        Assert.True(one.SequenceEqual(other), $"seed {seed}, {what}: segments {string.Join(' ', one)}, Lucene {string.Join(' ', other)}");
    }

    private sealed class Engine : IDisposable
    {
        private readonly StorageEnvironment _storage = StorageEnvironment.Open(new MemoryPlatform(), "/db", new StorageOptions { BackgroundFlush = false });
        private readonly SearchIndex _index;

        public Engine(SearchEngine engine) => _index = engine.Open(_storage, RandomSearches.Fields);

        public void Write(IEnumerable<(string Id, PlainEntry[] Entries)> changes, bool isMaintained)
        {
            var entry = new IndexEntry();
            using (IndexBatch batch = _index.BeginBatch())
            {
                foreach ((string id, PlainEntry[] entries) in changes)
                {
                    batch.Delete(id);
                    foreach (PlainEntry added in entries)
                    {
                        added.CopyTo(entry);
                        batch.Add(entry);
                    }
                }

                batch.Commit();
            }

            if (isMaintained)
            {
                _index.Maintain(() => false);
            }
        }

        public string[] Ask(Func<Searcher, IEnumerable<string>> ask)
        {
            using Searcher searcher = _index.BeginSearch();
            return [.. ask(searcher)];
        }

        public void Dispose()
        {
            _index.Dispose();
            _storage.Dispose();
        }
    }
}
