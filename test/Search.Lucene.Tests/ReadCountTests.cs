using Jackdaw.Pal.InMemory;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Queries;
using Jackdaw.Search.Results;
using Jackdaw.Search.Tests;
using Jackdaw.Storage;
using Jackdaw.Storage.Environments;

namespace Jackdaw.Search.Lucene.Tests;

/// <summary>Plans say what each step of a search read of the files.</summary>
public sealed class ReadCountTests : IDisposable
{
    private static readonly IndexField s_name = new("Name");

    private readonly StorageEnvironment _storage =
        StorageEnvironment.Open(new MemoryPlatform(), "/db", new StorageOptions { BackgroundFlush = false });

    private readonly SearchIndex _index;

    public ReadCountTests() => _index = LuceneEngine.Instance.Open(_storage, new IndexFields([s_name]));

    public void Dispose()
    {
        _index.Dispose();
        _storage.Dispose();
    }

    [Fact]
    public void Search_WithPlan_CountsWhatItReads()
    {
        Fill(from: 1000, count: 40_000); // terms and entries of several chunks each
        var few = new TermNode("Name", new TextValue("word 1000"));
        var many = new RegexNode("Name", "7$");
        var both = new OrNode([few, many]);
        ReadCount read = NodeOf(few).Reads;
        ReadCount more = NodeOf(many).Reads;
        Assert.True(read is { Bytes: > 0, Pages: > 0 }, $"{read}");
        Assert.True(more.Bytes > 2 * read.Bytes && more.Pages > 2 * read.Pages, $"{read}, then {more}");
        PlanNode or = NodeOf(both);
        Assert.True(or.Reads.Bytes >= more.Bytes, $"{or.Reads} for both, {more} for one");
        Assert.Equal(or.Reads, or.Inputs[0].Reads.Plus(or.Inputs[1].Reads)); // what both read counts once
        Assert.Equal(more, NodeOf(many).Reads); // however often it was asked before
        Assert.Equal(read, NodeOf(few).Reads);
        Assert.True(Run(both, withPlan: true).Plan.Reads.Bytes >= or.Reads.Bytes);
    }

    [Fact]
    public void Search_ReadsNothing_CountsNothing()
    {
        Fill(from: 1000, count: 40_000);
        Run(new AllNode(), withPlan: true);
        Assert.Equal(new ReadCount(0, 0), Run(new NoneNode(), withPlan: true).Plan.Reads);
        Assert.Equal(ReadCount.Unknown, Run(new AllNode(), withPlan: false).Plan.Reads);
        using Searcher other = _index.BeginSearch();
        Assert.Equal(ReadCount.Unknown, other.Reads);
        other.CountReads();
        Assert.Equal(new ReadCount(0, 0), other.Reads);
    }

    [Fact]
    public void Reads_TwoSearchersOfAThread_AreCountedApart()
    {
        Fill(from: 1000, count: 40_000);
        using Searcher outer = _index.BeginSearch();
        outer.CountReads();
        using (Searcher inner = _index.BeginSearch())
        {
            inner.CountReads();
            inner.ListTerms("Name", null, 10);
            Assert.True(inner.Reads.Bytes > 0);
        }

        Assert.Equal(0, outer.Reads.Bytes);
        outer.ListTerms("Name", null, 10);
        Assert.True(outer.Reads.Bytes > 0);
    }

    private PlanNode NodeOf(SearchNode node) => Run(node, withPlan: true).Plan.Inputs[0].Inputs[0];

    private void Fill(int from, int count)
    {
        var entry = new IndexEntry();
        using IndexBatch batch = _index.BeginBatch();
        for (int i = from; i < from + count; i++)
        {
            entry.Reset("e/" + i);
            entry.AddText(s_name, "word " + i);
            batch.Add(entry);
        }

        batch.Commit();
    }

    private SearchResults Run(SearchNode node, bool withPlan)
    {
        using Searcher searcher = _index.BeginSearch();
        SortKey[] sort = [new SortKey(SortBy.Text, "Name", IsDescending: true)];
        return searcher.Search(new SearchRequest(node, sort, 0, 4) { WithPlan = withPlan, WithScores = true }, CancellationToken.None);
    }
}
