using Jackdaw.Pal.InMemory;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Queries;
using Jackdaw.Search.Results;
using Jackdaw.Storage;
using Jackdaw.Storage.Environments;

namespace Jackdaw.Search.Tests;

/// <summary>Plans say what each step of a search did.</summary>
public abstract class PlanTests : IDisposable
{
    private static readonly IndexField s_name = new("Name");

    private readonly StorageEnvironment _storage;
    private readonly SearchIndex _index;

    protected PlanTests(SearchEngine engine)
    {
        _storage = StorageEnvironment.Open(new MemoryPlatform(), "/db", new StorageOptions { BackgroundFlush = false });
        _index = engine.Open(_storage, new IndexFields([s_name]));
        var entry = new IndexEntry();
        using IndexBatch batch = _index.BeginBatch();
        for (int i = 0; i < 30; i++)
        {
            entry.Reset("e/" + i);
            entry.AddText(s_name, "n" + (i % 3));
            batch.Add(entry);
        }

        batch.Commit();
    }

    public void Dispose()
    {
        _index.Dispose();
        _storage.Dispose();
    }

    [Fact]
    public void Search_WithPlan_CountsTheRowsOfEachNode()
    {
        var node = new OrNode([new TermNode("Name", new TextValue("n1")), new NotNode(new InNode("Name", [new TextValue("n0"), new TextValue("n2")]))]);
        PlanNode plan = Run(node, withPlan: true).Plan;
        Assert.Equal("search", plan.Operator);
        Assert.Equal(30, plan.RowsIn);
        PlanNode sort = Assert.Single(plan.Inputs);
        Assert.Equal(("sort", "Name as text desc", 10L, 4L), (sort.Operator, sort.Detail, sort.RowsIn, sort.RowsOut));
        PlanNode or = Assert.Single(sort.Inputs);
        Assert.Equal(("or", 10L), (or.Operator, or.RowsOut));
        Assert.Equal(["term", "not"], or.Inputs.Select(input => input.Operator));
        Assert.Equal(("Name = 'n1'", 10L, 1), (or.Inputs[0].Detail, or.Inputs[0].RowsOut, or.Inputs[0].Terms));
        Assert.Equal(("Name in ('n0', 'n2')", 20L, 2), (or.Inputs[1].Inputs[0].Detail, or.Inputs[1].Inputs[0].RowsOut, or.Inputs[1].Inputs[0].Terms));
        Assert.True(plan.Time >= sort.Time && sort.Time >= or.Time && or.Time > TimeSpan.Zero);
    }

    /// <summary>Reads of a node begin at zero.</summary>
    [Fact]
    public void Search_WithPlan_NodeThatReadsNothing_SaysSo()
    {
        PlanNode sort = Assert.Single(Run(new AllNode(), withPlan: true).Plan.Inputs);
        Assert.Equal(new ReadCount(0, 0), Assert.Single(sort.Inputs).Reads);
    }

    [Fact]
    public void Search_WithPlan_FindsTheSameAsWithout()
    {
        var node = new AndNode([new NotNode(new TermNode("Name", new TextValue("n1"))), new PrefixNode("Name", "n")]);
        SearchResults plain = Run(node, withPlan: false);
        Assert.Empty(plain.Plan.Inputs);
        Assert.Equal(
            plain.Hits.Select(hit => (hit.IdText(), hit.Ordinal, hit.Score)),
            Run(node, withPlan: true).Hits.Select(hit => (hit.IdText(), hit.Ordinal, hit.Score)));
    }

    private SearchResults Run(SearchNode node, bool withPlan)
    {
        using Searcher searcher = _index.BeginSearch();
        SortKey[] sort = [new SortKey(SortBy.Text, "Name", IsDescending: true)];
        return searcher.Search(new SearchRequest(node, sort, 0, 4) { WithPlan = withPlan, WithScores = true }, CancellationToken.None);
    }
}
