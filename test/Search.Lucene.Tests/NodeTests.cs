using System.Globalization;
using System.Text;
using Jackdaw.Pal.InMemory;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Queries;
using Jackdaw.Search.Results;
using Jackdaw.Storage;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Verification;

namespace Jackdaw.Search.Lucene.Tests;

/// <summary>Entries with nodes of graphs, against a plain loop.</summary>
public sealed class NodeTests : IDisposable
{
    private const int NodesMax = 60;

    private static readonly IndexField s_vector = new("V") { Vector = new VectorSettings(), Indexing = IndexingMode.None };
    private static readonly IndexField s_other = new("W") { Vector = new VectorSettings() };
    private static readonly IndexField s_group = new("G");

    private readonly StorageEnvironment _storage = StorageEnvironment.Open(new MemoryPlatform(), "/db", new StorageOptions { BackgroundFlush = false });
    private readonly SearchIndex _index;
    private readonly Dictionary<string, (uint[] Nodes, uint[] Others, string Group)> _model = new(StringComparer.Ordinal);

    public NodeTests() => _index = LuceneEngine.Instance.Open(_storage, new IndexFields([s_vector, s_other, s_group]));

    public void Dispose()
    {
        _index.Dispose();
        _storage.Dispose();
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void Search_NodesWithScores_FindsWhatALoopFinds(int seed)
    {
        var random = new Random(seed);
        for (int round = 0; round < 12; round++)
        {
            Change(random);
            for (int i = 0; i < 8; i++)
            {
                Check(random, $"seed {seed}, round {round}, search {i}");
            }
        }

        Assert.Empty(EnvironmentVerifier.Verify(_storage));
    }

    [Fact]
    public void Search_OneNode_ScoreIsExactlyThatOfTheNodeTimesBoosts()
    {
        Put("a", [7], [], "x");
        var scores = new Scores(new Dictionary<uint, float> { [7] = -0.123456f }, isFew: true);
        var node = new ScoredNode("V", scores);
        using Searcher searcher = _index.BeginSearch();
        Assert.Equal(-0.123456f, Only(searcher, node).Score);
        Assert.Equal(-0.123456f * 3, Only(searcher, new BoostNode(node, 3)).Score);
        Assert.Equal(-0.123456f, Only(searcher, new AndNode([new BoostNode(new TermNode("G", new TextValue("x")), 0), node])).Score);
        Assert.Contains("-0.12345", searcher.Explain(node, Only(searcher, node).Ordinal, default), StringComparison.Ordinal);
    }

    [Fact]
    public void Fields_WithNodesOnly_ExistWithoutTerms()
    {
        Put("a", [1, 2], [], "x");
        using (IndexBatch batch = _index.BeginBatch())
        {
            var entry = new IndexEntry();
            entry.Reset("b"u8);
            entry.AddNull(s_other);
            batch.Add(entry);
            batch.Commit();
        }

        using Searcher searcher = _index.BeginSearch();
        Assert.Equal("a", Id(Only(searcher, new ExistsNode("V"))));
        Assert.Empty(Find(searcher, new ExistsNode("W")).Hits);
        Assert.Equal("b", Id(Only(searcher, new TermNode("W", new NullValue()))));
        Assert.Contains("V", searcher.ListFields());
        Assert.Empty(searcher.ListTerms("V", null, 10));
        Assert.DoesNotContain(searcher.ReadTerms([Only(searcher, new ExistsNode("V")).Ordinal], default)[0], term => term.Field != "G");
    }

    [Fact]
    public void CollectNodes_OfAnEmptyIndexAndOfAFieldWithoutNodes_FindsNone()
    {
        var nodes = new NodeSet(NodesMax);
        using (Searcher empty = _index.BeginSearch())
        {
            empty.CollectNodes(new AllNode(), "V", nodes, default);
        }

        Put("a", [1], [], "x");
        using Searcher searcher = _index.BeginSearch();
        searcher.CollectNodes(new AllNode(), "W", nodes, default);
        Assert.Equal(0, nodes.Count);
    }

    private void Change(Random random)
    {
        using IndexBatch batch = _index.BeginBatch();
        for (int i = 0; i < 40; i++)
        {
            string id = "d/" + random.Next(200).ToString(CultureInfo.InvariantCulture);
            batch.Delete(Encoding.UTF8.GetBytes(id));
            _model.Remove(id);
            if (random.Next(4) != 0)
            {
                Add(batch, id, Nodes(random), Nodes(random), "g" + random.Next(5).ToString(CultureInfo.InvariantCulture));
            }
        }

        batch.Commit();
    }

    private void Put(string id, uint[] nodes, uint[] others, string group)
    {
        using IndexBatch batch = _index.BeginBatch();
        Add(batch, id, nodes, others, group);
        batch.Commit();
    }

    private void Add(IndexBatch batch, string id, uint[] nodes, uint[] others, string group)
    {
        var entry = new IndexEntry();
        entry.Reset(Encoding.UTF8.GetBytes(id));
        entry.AddText(s_group, group);
        AddNodes(entry, s_vector, nodes);
        AddNodes(entry, s_other, others);
        batch.Add(entry);
        _model[id] = (nodes, others, group);
    }

    private static void AddNodes(IndexEntry entry, IndexField field, uint[] nodes)
    {
        foreach (uint node in nodes)
        {
            entry.AddVector(field, new float[] { 1 });
            entry.SetNode(entry.Values.Count - 1, node);
        }
    }

    // Some numbers are far beyond others, and some come twice.
    private static uint[] Nodes(Random random) =>
        [.. Enumerable.Range(0, random.Next(3) == 0 ? random.Next(6) : 1).Select(_ => random.Next(8) == 0 ? uint.MaxValue - (uint)random.Next(3) : (uint)random.Next(NodesMax))];

    private void Check(Random random, string where)
    {
        Dictionary<uint, float> given = [];
        for (int i = random.Next(30); i >= 0; i--)
        {
            given[random.Next(8) == 0 ? uint.MaxValue - (uint)random.Next(3) : (uint)random.Next(NodesMax)] = (2 * random.NextSingle()) - 1;
        }

        var vectors = new ScoredNode("V", new Scores(given, isFew: random.Next(2) == 0));
        string? group = random.Next(2) == 0 ? "g" + random.Next(5).ToString(CultureInfo.InvariantCulture) : null;
        SearchNode query = group is null ? vectors : new AndNode([new BoostNode(new TermNode("G", new TextValue(group)), 0), vectors]);
        Dictionary<string, float> expected = _model
            .Where(one => (group is null || one.Value.Group == group) && one.Value.Nodes.Any(given.ContainsKey))
            .ToDictionary(one => one.Key, one => one.Value.Nodes.Where(given.ContainsKey).Max(node => given[node]));
        using Searcher searcher = _index.BeginSearch();
        SearchResults found = Find(searcher, query);
        Assert.True(found.Total == expected.Count, $"{where}: {found.Total} entries, not {expected.Count}");
        Assert.Equal(expected.OrderBy(one => one.Key), found.Hits.Select(hit => KeyValuePair.Create(Id(hit), hit.Score)).OrderBy(one => one.Key));
        Assert.Equal(found.Hits.OrderByDescending(hit => hit.Score).Select(hit => hit.Score), found.Hits.Select(hit => hit.Score));
        Assert.All(found.Hits, hit => Assert.NotEqual("", searcher.Explain(query, hit.Ordinal, default)));
        CheckCollected(searcher, group, where);
    }

    private void CheckCollected(Searcher searcher, string? group, string where)
    {
        var nodes = new NodeSet(NodesMax);
        searcher.CollectNodes(group is null ? new AllNode() : new TermNode("G", new TextValue(group)), "W", nodes, default);
        uint[] expected = [.. _model.Values.Where(one => group is null || one.Group == group).SelectMany(one => one.Others).Where(node => node < NodesMax).Distinct()];
        Assert.True(nodes.Count == expected.Length && expected.All(nodes.Contains), $"{where}: {nodes.Count} nodes, not {expected.Length}");
    }

    private static SearchHit Only(Searcher searcher, SearchNode query) => Assert.Single(Find(searcher, query).Hits);

    private static SearchResults Find(Searcher searcher, SearchNode query) =>
        searcher.Search(new SearchRequest(query, [new Queries.SortKey(SortBy.Score)], 0, 1000), default);

    private static string Id(SearchHit hit) => Encoding.UTF8.GetString(hit.Id.Span);

    private sealed class Scores(Dictionary<uint, float> given, bool isFew) : NodeScores
    {
        public override uint[]? Nodes { get; } = isFew ? [.. given.Keys.Order()] : null;

        public override bool TryGet(uint node, out float score) => given.TryGetValue(node, out score);

        public override string Describe() => "given";
    }
}
