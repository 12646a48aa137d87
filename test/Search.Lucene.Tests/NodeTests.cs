using System.Globalization;
using System.Text;
using Jackdaw.Pal.InMemory;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Queries;
using Jackdaw.Search.Results;
using Jackdaw.Storage;
using Jackdaw.Storage.Environments;

namespace Jackdaw.Search.Lucene.Tests;

/// <summary>Entries with nodes of a graph, against a plain loop.</summary>
public sealed class NodeTests : IDisposable
{
    private static readonly IndexField s_nodes = new("v") { Vector = new VectorSettings() };
    private static readonly IndexField s_group = new("g");

    private readonly StorageEnvironment _storage = StorageEnvironment.Open(new MemoryPlatform(), "/db", new StorageOptions { BackgroundFlush = false });
    private readonly Dictionary<string, (string Group, uint[] Nodes)> _model = new(StringComparer.Ordinal);
    private readonly SearchIndex _index;

    public NodeTests() => _index = LuceneEngine.Instance.Open(_storage, new IndexFields([s_nodes, s_group]));

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void Searches_ForNodesWithScores_FindWhatAPlainLoopFinds(int seed)
    {
        var random = new Random(seed);
        for (int round = 0; round < 12; round++)
        {
            Change(random);
            using Searcher searcher = _index.BeginSearch();
            for (int i = 0; i < 8; i++)
            {
                Check(searcher, random, new Scores(random, isFew: i % 2 == 0), i % 3 == 0 ? null : "g" + random.Next(4));
            }

            Assert.Equal(
                _model.Values.Count(entry => entry.Nodes.Length > 0), searcher.Search(new SearchRequest(new HasVectorNode("v"), [], 0, 0), default).Total);
            Assert.DoesNotContain(searcher.ListFields(), name => name.Contains('\u0001', StringComparison.Ordinal));
        }

        Assert.Empty(LuceneEngine.Instance.Verify(_storage));
    }

    [Fact]
    public void Score_OfOneNode_IsExactlyItsOwnTimesBoosts()
    {
        Put("a", "x", 7);
        var node = new ScoredNode("v", new Scores(new() { [7] = -0.123456f }));
        using Searcher searcher = _index.BeginSearch();
        Assert.Equal(-0.123456f, Only(searcher, node).Score);
        Assert.Equal(-0.123456f * 3, Only(searcher, new BoostNode(node, 3)).Score);
        Assert.Equal(-0.123456f, Only(searcher, new AndNode([new BoostNode(new TermNode("g", new TextValue("x")), 0), node])).Score);
        Assert.Contains("-0.12345", searcher.Explain(node, Only(searcher, node).Ordinal, default), StringComparison.Ordinal);
    }

    [Fact]
    public void Field_WithNodesOnly_IsListedAndHasNoTerms()
    {
        Put("a", "x", 1, uint.MaxValue - 1);
        using Searcher searcher = _index.BeginSearch();
        Assert.Contains("v", searcher.ListFields());
        Assert.Empty(searcher.ListTerms("v", null, 10));
        Assert.Equal(["g"], searcher.ReadTerms([Only(searcher, new ExistsNode("v")).Ordinal], default)[0].Select(term => term.Field));
        Assert.Equal(1f, Only(searcher, new ScoredNode("v", new Scores(new() { [uint.MaxValue - 1] = 1 }))).Score);
    }

    [Fact]
    public void CollectNodes_OfAnEmptyIndexAndOfAFieldWithoutNodes_FindsNone()
    {
        var nodes = new NodeSet(200);
        using (Searcher empty = _index.BeginSearch())
        {
            empty.CollectNodes(new AllNode(), "v", nodes, default);
        }

        Put("a", "x", 1);
        using Searcher searcher = _index.BeginSearch();
        searcher.CollectNodes(new AllNode(), "w", nodes, default);
        Assert.Equal(0, nodes.Count);
    }

    private void Put(string id, string group, params uint[] nodes)
    {
        using IndexBatch batch = _index.BeginBatch();
        var entry = new IndexEntry();
        entry.Reset(Encoding.UTF8.GetBytes(id));
        entry.AddText(s_group, group);
        foreach (uint node in nodes)
        {
            entry.AddVector(s_nodes, new float[] { 1 });
            entry.SetNode(entry.Values.Count - 1, node);
        }

        batch.Add(entry);
        batch.Commit();
    }

    private static SearchHit Only(Searcher searcher, SearchNode query) =>
        Assert.Single(searcher.Search(new SearchRequest(query, [new Queries.SortKey(SortBy.Score)], 0, 10), default).Hits);

    public void Dispose()
    {
        _index.Dispose();
        _storage.Dispose();
    }

    private void Change(Random random)
    {
        using IndexBatch batch = _index.BeginBatch();
        var entry = new IndexEntry();
        for (int i = 0; i < 30; i++)
        {
            string id = "d/" + random.Next(120).ToString(CultureInfo.InvariantCulture);
            batch.Delete(Encoding.UTF8.GetBytes(id));
            _model.Remove(id);
            if (random.Next(4) != 0)
            {
                uint[] nodes = [.. Enumerable.Range(0, random.Next(4)).Select(_ => (uint)random.Next(200))];
                string group = "g" + random.Next(4);
                entry.Reset(Encoding.UTF8.GetBytes(id));
                entry.AddText(s_group, group);
                entry.AddNull(s_nodes);
                foreach (uint node in nodes)
                {
                    entry.AddVector(s_nodes, new float[] { 1 });
                    entry.SetNode(entry.Values.Count - 1, node);
                }

                batch.Add(entry);
                _model.Add(id, (group, nodes));
            }
        }

        batch.Commit();
        _index.Maintain(() => false);
    }

    private void Check(Searcher searcher, Random random, Scores scores, string? group)
    {
        SearchNode found = new ScoredNode("v", scores);
        SearchNode query = group is null ? found : new AndNode([new BoostNode(new TermNode("g", new TextValue(group)), 0), found]);
        (string Id, float Score)[] expected = [.. _model
            .Where(one => (group is null || one.Value.Group == group) && one.Value.Nodes.Any(scores.Has))
            .Select(one => (one.Key, one.Value.Nodes.Where(scores.Has).Max(scores.Of)))];
        int take = 1 + random.Next(20);
        SearchResults results = searcher.Search(new SearchRequest(query, [new Queries.SortKey(SortBy.Score)], 0, take), default);
        Assert.Equal(expected.Length, results.Total);
        Assert.Equal(expected.Select(one => one.Score).OrderDescending().Take(take), results.Hits.Select(hit => hit.Score));
        Assert.All(results.Hits, hit => Assert.Contains((Encoding.UTF8.GetString(hit.Id.Span), hit.Score), expected));

        var nodes = new NodeSet(200);
        searcher.CollectNodes(query, "v", nodes, default);
        uint[] inFound = [.. _model.Where(one => expected.Any(hit => hit.Id == one.Key)).SelectMany(one => one.Value.Nodes).Distinct().Order()];
        Assert.Equal(inFound, Enumerable.Range(0, 200).Select(node => (uint)node).Where(nodes.Contains));
    }

    private sealed class Scores : NodeScores
    {
        private readonly Dictionary<uint, float> _scores = [];

        public Scores(Dictionary<uint, float> scores) => (_scores, Nodes) = (scores, [.. scores.Keys.Order()]);

        public Scores(Random random, bool isFew)
        {
            foreach (uint node in Enumerable.Range(0, 200).Where(_ => random.Next(isFew ? 15 : 2) == 0).Select(node => (uint)node))
            {
                _scores[node] = (2 * random.NextSingle()) - 1;
            }

            Nodes = isFew ? [.. _scores.Keys.Order()] : null;
        }

        public override uint[]? Nodes { get; }

        public bool Has(uint node) => _scores.ContainsKey(node);

        public float Of(uint node) => _scores[node];

        public override bool TryGet(uint node, out float score) => _scores.TryGetValue(node, out score);

        public override string Describe() => "test";
    }
}
