using System.Globalization;
using Jackdaw.Pal.InMemory;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Queries;
using Jackdaw.Search.Results;
using Jackdaw.Storage;
using Jackdaw.Storage.Environments;
using SortKey = Jackdaw.Search.Queries.SortKey;

namespace Jackdaw.Search.Tests.Proofs;

/// <summary>Searches of many threads at once, beside a writer, find what each finds alone.</summary>
public abstract class ParallelSearchTests : IDisposable
{
    // More than what is remembered of ids, so that they are read from the index.
    private const int Entries = 40_000;
    private const int Groups = 400;
    private const int Threads = 8;
    private const int SearchesPerThread = 400;

    private static readonly IndexField s_group = new("Group") { IsStored = true };
    private static readonly IndexField s_number = new("Number");
    private static readonly IndexFields s_fields = new([s_group, s_number]);

    private readonly StorageEnvironment _root;
    private readonly StorageEnvironment _branch;
    private readonly SearchIndex _index;

    protected ParallelSearchTests(SearchEngine engine)
    {
        var options = new StorageOptions { BackgroundFlush = false };
        _root = StorageEnvironment.Open(new MemoryPlatform(), "/db", options);
        _branch = StorageEnvironment.OpenBranch(_root, "/db/Indexes/a", options);
        _index = engine.Open(_branch, s_fields);
        for (int first = 0; first < Entries; first += Entries / 4)
        {
            Write(Enumerable.Range(first, Entries / 4), isNew: true);
        }
    }

    public void Dispose()
    {
        _index.Dispose();
        _branch.Dispose();
        _root.Dispose();
    }

    [Fact]
    public void Searches_OfManyThreadsBesideAWriter_FindWhatEachFindsAlone()
    {
        using var ended = new CancellationTokenSource();
        Exception? failure = null;
        Thread[] searching = [.. Enumerable.Range(0, Threads).Select(seed => Start(() => Search(new Random(seed))))];
        Thread writing = Start(() => Update(ended.Token));
        foreach (Thread thread in searching)
        {
            thread.Join();
        }

        ended.Cancel();
        writing.Join();
        Assert.True(failure is null, failure?.ToString());

        Thread Start(Action action)
        {
            var thread = new Thread(() =>
            {
                try
                {
                    action();
                }
                catch (Exception exception)
                {
                    Interlocked.CompareExchange(ref failure, exception, null);
                }
            });
            thread.Start();
            return thread;
        }
    }

    private void Search(Random random)
    {
        for (int i = 0; i < SearchesPerThread; i++)
        {
            int group = random.Next(Groups);
            SortKey[] sort = random.Next(2) == 0 ? [] : [new SortKey(SortBy.Long, "Number")];
            using Searcher searcher = _index.BeginSearch();
            SearchResults found = searcher.Search(new SearchRequest(new TermNode("Group", new TextValue(Group(group))), sort, 0, 1000), default);
            Assert.Equal(Entries / Groups, found.Total);
            int[] numbers = [.. found.Hits.Select(hit => int.Parse(hit.Id.Span[2..], CultureInfo.InvariantCulture))];
            Assert.All(numbers, number => Assert.Equal(group, number % Groups));
            Assert.Equal(Entries / Groups, numbers.Distinct().Count());
            Assert.True(sort.Length == 0 || numbers.SequenceEqual(numbers.Order()), "in the order that was asked for");
            Assert.Equal(Group(group), searcher.ReadTexts(found.Hits[random.Next(found.Hits.Count)].Ordinal).Single().Value);
        }
    }

    // The same entries again and again: what is searched for stays the same.
    private void Update(CancellationToken ended)
    {
        var random = new Random(Threads);
        while (!ended.IsCancellationRequested)
        {
            Write(Enumerable.Range(0, 50).Select(_ => random.Next(Entries)).Distinct(), isNew: false);
            _index.Maintain(() => false);
        }
    }

    private void Write(IEnumerable<int> numbers, bool isNew)
    {
        var entry = new IndexEntry();
        using IndexBatch batch = _index.BeginBatch();
        foreach (int number in numbers)
        {
            string id = "e/" + number.ToString(CultureInfo.InvariantCulture);
            if (!isNew)
            {
                batch.Delete(id);
            }

            entry.Reset(id);
            entry.AddText(s_group, Group(number % Groups));
            entry.AddLong(s_number, number, number.ToString(CultureInfo.InvariantCulture));
            batch.Add(entry);
        }

        batch.Commit();
    }

    private static string Group(int number) => "group" + number.ToString(CultureInfo.InvariantCulture);
}
