using Jackdaw.Pal.InMemory;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Queries;
using Jackdaw.Search.Results;
using Jackdaw.Storage;
using Jackdaw.Storage.Environments;
using SortKey = Jackdaw.Search.Queries.SortKey;

namespace Jackdaw.Search.Tests.Proofs;

/// <summary>Factors that entries were given when they were indexed, against an index of the same entries without.</summary>
public abstract class BoostTests(SearchEngine engine)
{
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void Search_RandomConditions_ScoreIsThatWithoutBoostTimesTheBoost(int seed)
    {
        var random = new RandomSearches(seed);
        List<PlainEntry> entries = [.. Enumerable.Range(0, 300).Select(i => random.Entry("e/" + i) with { FieldBoosts = new Dictionary<string, float>() })];
        using var boosted = new Index(engine, entries);
        using var plain = new Index(engine, [.. entries.Select(entry => entry with { Boost = 1 })]);
        Assert.True(boosted.HasBoosts);
        Assert.False(plain.HasBoosts);
        for (int i = 0; i < 500; i++)
        {
            SearchNode node = random.Node(2);
            Dictionary<string, float> expected = plain.Search(node).ToDictionary(
                hit => hit.IdText(), hit => hit.Score * entries.Single(entry => entry.Id == hit.IdText()).Boost);
            IReadOnlyList<SearchHit> found = boosted.Search(node);
            Assert.Equal(expected.Keys.Order(), found.Select(hit => hit.IdText()).Order());
            Assert.All(found, hit => Assert.True(
                Math.Abs(hit.Score - expected[hit.IdText()]) <= 1e-5 * Math.Max(1, expected[hit.IdText()]),
                $"seed {seed}, {node}: {hit}, expected {expected[hit.IdText()]}"));
            Assert.Equal(found.Select(hit => hit.Score).OrderDescending(), found.Select(hit => hit.Score));
            if (found.Count > 0)
            {
                SearchHit hit = found[random.Next(found.Count)];
                string explained = boosted.Explain(node, hit);
                float value = float.Parse(explained.Split(' ')[0], System.Globalization.CultureInfo.InvariantCulture);
                Assert.True(Math.Abs(value - hit.Score) <= 1e-4 * Math.Max(1, hit.Score), $"seed {seed}, {node}: {hit} is explained as {explained}");
            }
        }
    }

    [Fact]
    public void Search_BoostedField_CountsInConditionsOnIt()
    {
        PlainEntry Entry(string id, float factor) => new(
            id, [new EntryValue(EntryValueKind.Text, RandomSearches.Keyword, "a"), new EntryValue(EntryValueKind.Text, RandomSearches.Text, "fox")])
        { FieldBoosts = new Dictionary<string, float> { ["K"] = factor } };
        using var index = new Index(engine, [Entry("one", 1), Entry("half", 0.5f), Entry("three", 3)]);
        IReadOnlyList<SearchHit> byField = index.Search(new TermNode("K", new TextValue("A")));
        Assert.Equal(["three", "one", "half"], byField.Select(hit => hit.IdText()));
        Assert.Equal(3, byField[0].Score / byField[1].Score, 1e-4);
        Assert.Equal(0.5, byField[2].Score / byField[1].Score, 1e-4);
        Assert.Contains("boost of K", index.Explain(new TermNode("K", new TextValue("A")), byField[0]), StringComparison.Ordinal);
        Assert.Single(index.Search(new FullTextNode("T", "fox", WordOperator.Or)).Select(hit => hit.Score).Distinct());
    }

    [Theory]
    [InlineData(float.NaN)]
    [InlineData(-2)]
    [InlineData(float.PositiveInfinity)]
    public void Add_BoostThatIsNoFactor_CountsAsOne(float boost)
    {
        using var index = new Index(engine, [new PlainEntry("a", [new EntryValue(EntryValueKind.Text, RandomSearches.Keyword, "a")]) { Boost = boost }]);
        Assert.False(index.HasBoosts);
    }

    private sealed class Index : IDisposable
    {
        private readonly StorageEnvironment _storage = StorageEnvironment.Open(
            new MemoryPlatform(), "/db", new StorageOptions { BackgroundFlush = false });
        private readonly SearchIndex _index;

        public Index(SearchEngine engine, IReadOnlyList<PlainEntry> entries)
        {
            _index = engine.Open(_storage, RandomSearches.Fields);
            var entry = new IndexEntry();
            using (IndexBatch batch = _index.BeginBatch())
            {
                foreach (PlainEntry added in entries)
                {
                    added.CopyTo(entry);
                    batch.Add(entry);
                }

                batch.Commit();
            }
        }

        public bool HasBoosts => Ask(searcher => searcher.HasBoosts);

        public IReadOnlyList<SearchHit> Search(SearchNode node) =>
            Ask(searcher => searcher.Search(new SearchRequest(node, [new SortKey(SortBy.Score)], 0, int.MaxValue), default).Hits);

        public string Explain(SearchNode node, SearchHit hit) => Ask(searcher => searcher.Explain(node, hit.Ordinal, default));

        public void Dispose()
        {
            _index.Dispose();
            _storage.Dispose();
        }

        // A thread searches one index at a time.
        private T Ask<T>(Func<Searcher, T> ask)
        {
            using Searcher searcher = _index.BeginSearch();
            return ask(searcher);
        }
    }
}
