using Jackdaw.Pal.InMemory;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Queries;
using Jackdaw.Search.Results;
using Jackdaw.Storage;
using Jackdaw.Storage.Environments;

namespace Jackdaw.Search.Tests;

/// <summary>Searches that continue behind the last hit of another one, on kept entries.</summary>
public abstract class SearchContinuationTests : IDisposable
{
    private static readonly IndexField s_age = new("Age");
    private static readonly IndexField s_name = new("Name");

    private readonly StorageEnvironment _storage =
        StorageEnvironment.Open(new MemoryPlatform(), "/db", new StorageOptions { BackgroundFlush = false });

    private readonly SearchIndex _index;

    protected SearchContinuationTests(SearchEngine engine) => _index = engine.Open(_storage, new IndexFields([]));

    public void Dispose()
    {
        _index.Dispose();
        _storage.Dispose();
    }

    public static TheoryData<string> Orders() => ["", "age", "age desc", "name", "name desc", "id desc", "score"];

    [Theory]
    [MemberData(nameof(Orders))]
    public void Search_PageAfterPage_GivesTheHitsOfOneSearch(string order)
    {
        const int seed = 11;
        var random = new Random(seed);
        for (int batch = 0; batch < 5; batch++)
        {
            Write(Enumerable.Range(0, 60).Select(_ => (random.Next(200), random.Next(20))));
        }

        IReadOnlyList<SortKey> sort = SortOf(order);
        var query = new RangeNode("Age", RangeKind.Long, new LongValue(2, "2"), true, null, false);
        using Searcher searcher = _index.BeginSearch();
        List<string> whole = Ids(searcher.Search(new SearchRequest(query, sort, 0, 1000), default));
        Assert.InRange(whole.Count, 50, 200);
        for (int page = 1; page < 70; page += 13)
        {
            List<string> pages = [];
            SearchPosition? after = null;
            do
            {
                SearchResults results = searcher.Search(
                    new SearchRequest(query, sort, 0, page) { After = after, WithPosition = true }, default);
                Assert.True(after is null || results.Total is -1 || results.Total == whole.Count, $"seed {seed}: {results.Total}");
                pages.AddRange(Ids(results));
                after = results.Last;
            }
            while (after is not null);
            Assert.True(whole.SequenceEqual(pages), $"seed {seed}, order '{order}', pages of {page}");
        }
    }

    [Theory]
    [InlineData("")]
    [InlineData("age")]
    public void Snapshot_WhileEntriesChange_KeepsWhatItHad(string order)
    {
        Write(Enumerable.Range(0, 100).Select(id => (id, id % 7)));
        SearchSnapshot snapshot;
        var request = new SearchRequest(new AllNode(), SortOf(order), 0, 30) { WithPosition = true };
        List<string> ids;
        SearchPosition? after;
        using (Searcher searcher = _index.BeginSearch())
        {
            SearchResults first = searcher.Search(request, default);
            (ids, after) = (Ids(first), first.Last);
            snapshot = searcher.Keep();
        }

        using (snapshot)
        {
            for (int batch = 0; batch < 12; batch++)
            {
                Write(Enumerable.Range(0, 100).Select(id => (id, 50 + batch)));
                _index.Maintain(() => false);
                _storage.Flush();
                if (after is not null)
                {
                    using Searcher searcher = snapshot.BeginSearch();
                    SearchResults next = searcher.Search(request with { After = after }, default);
                    ids.AddRange(Ids(next));
                    after = next.Last;
                }
            }
        }

        Assert.Equal(100, ids.Distinct().Count());
        Assert.Equal(100, ids.Count);
        Assert.Throws<ObjectDisposedException>(snapshot.BeginSearch);
    }

    [Fact]
    public void Snapshot_OfAnIndexThatIsClosed_SaysSo()
    {
        Write([(1, 1)]);
        SearchSnapshot snapshot;
        using (Searcher searcher = _index.BeginSearch())
        {
            snapshot = searcher.Keep();
        }

        _index.Dispose();
        _storage.Dispose();
        Assert.Throws<ObjectDisposedException>(snapshot.BeginSearch);
        snapshot.Dispose();
    }

    private static SortKey[] SortOf(string order) => order switch
    {
        "age" => [new SortKey(SortBy.Long, "Age")],
        "age desc" => [new SortKey(SortBy.Double, "Age", IsDescending: true)],
        "name" => [new SortKey(SortBy.Text, "Name")],
        "name desc" => [new SortKey(SortBy.Text, "Name", IsDescending: true), new SortKey(SortBy.Long, "Age")],
        "id desc" => [new SortKey(SortBy.Id, IsDescending: true)],
        "score" => [new SortKey(SortBy.Score)],
        _ => [],
    };

    private static List<string> Ids(SearchResults results) => [.. results.Hits.Select(hit => hit.IdText())];

    private void Write(IEnumerable<(int Id, int Age)> entries)
    {
        using IndexBatch batch = _index.BeginBatch();
        var entry = new IndexEntry();
        foreach ((int id, int age) in entries.DistinctBy(entry => entry.Id))
        {
            batch.Delete($"users/{id}");
            entry.Reset($"users/{id}");
            entry.AddLong(s_age, age, $"{age}");
            if (age % 3 > 0)
            {
                entry.AddText(s_name, $"name {age % 5}");
            }

            batch.Add(entry);
        }

        batch.Commit();
    }
}
