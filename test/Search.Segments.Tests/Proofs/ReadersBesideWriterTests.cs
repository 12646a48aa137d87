using System.Diagnostics;
using System.Globalization;
using System.Text;
using Jackdaw.Pal.InMemory;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Queries;
using Jackdaw.Search.Results;
using Jackdaw.Search.Segments.Tests.Merging;
using Jackdaw.Search.Tests;
using Jackdaw.Storage;
using Jackdaw.Storage.Environments;
using Xunit.Abstractions;
using SortKey = Jackdaw.Search.Queries.SortKey;

namespace Jackdaw.Search.Segments.Tests.Proofs;

/// <summary>Readers of whole states, also of held ones, beside a writer, merges in tiny slices, frees and flushes: each batch moves amounts between entries, so
/// that their sum, and what a state says of itself, is right in each state and in no mixture of two.</summary>
public sealed class ReadersBesideWriterTests : IDisposable
{
    private const int Entries = 600;
    private const int Owners = 20;
    private const long Sum = Entries * 1000L;
    private const int Threads = 3;
    private const int HeldMax = 5;

    private static readonly IndexField s_owner = new("Owner") { IsStored = true };
    private static readonly IndexField s_amount = new("Amount");
    private static readonly IndexField s_version = new("Version");
    private static readonly IndexField s_text = new("Text") { Indexing = IndexingMode.Text };
    private static readonly IndexFields s_fields = new([s_owner, s_amount, s_version, s_text]);

    private readonly ITestOutputHelper _output;
    private readonly StorageEnvironment _root;
    private readonly StorageEnvironment _branch;
    private readonly SegmentSearchIndex _index;
    private readonly long[] _amounts = new long[Entries];
    private readonly Lock _gate = new();
    private readonly List<(SearchSnapshot Snapshot, string Answers)> _held = [];
    private long _checks;
    private long _heldChecks;
    private Exception? _failure;

    public ReadersBesideWriterTests(ITestOutputHelper output)
    {
        _output = output;
        var options = new StorageOptions { BackgroundFlush = false };
        _root = StorageEnvironment.Open(new MemoryPlatform(), "/db", options);
        _branch = StorageEnvironment.OpenBranch(_root, "/db/Indexes/a", options);
        _index = new SegmentSearchIndex(_branch, s_fields, SmallSizes.Make(isDirect: false));
        Array.Fill(_amounts, Sum / Entries);
        Write(1, Enumerable.Range(0, Entries), isNew: true);
    }

    [Fact]
    public void States_BesideAWriterForSomeSeconds_AreWhole() => Run(TimeSpan.FromSeconds(8), long.MaxValue);

    [Fact]
    [Trait("Tier", "Full")]
    public void States_BesideAWriterAMillionTimes_AreWhole() => Run(TimeSpan.FromMinutes(60), 1_000_000);

    public void Dispose()
    {
        _index.Dispose();
        _branch.Dispose();
        _root.Dispose();
    }

    private void Run(TimeSpan time, long checks)
    {
        long end = Stopwatch.GetTimestamp() + (long)(time.TotalSeconds * Stopwatch.Frequency);
        bool IsOn() => Stopwatch.GetTimestamp() < end && Volatile.Read(ref _checks) < checks && Volatile.Read(ref _failure) is null;
        Thread[] reading = [.. Enumerable.Range(0, Threads).Select(seed => Start(() => Read(new Random(seed), IsOn)))];
        int batch = 1;
        Thread writing = Start(() =>
        {
            var random = new Random(Threads);
            while (IsOn())
            {
                Transfer(++batch, random);
                for (int slices = random.Next(30); slices > 0; slices--)
                {
                    _index.Maintain(() => false);
                }

                if (batch % 50 == 0)
                {
                    _branch.Flush();
                    _root.Flush();
                }
            }
        });
        foreach (Thread thread in reading.Append(writing))
        {
            thread.Join();
        }

        _held.ForEach(held => held.Snapshot.Dispose());
        Assert.True(_failure is null, _failure?.ToString());
        while (_index.Maintain(() => false))
        {
        }

        LeftRuns.AssertNone(_branch);
        Assert.Empty(SegmentEngine.Instance.Verify(_branch));
        _output.WriteLine($"{_checks} checks, {_heldChecks} of them of held states, beside {batch} batches");
        Assert.True(_checks > 500 && _heldChecks > 50 && batch > 50, $"{_checks} checks, {_heldChecks} of held states, {batch} batches");
    }

    private Thread Start(Action action)
    {
        var thread = new Thread(() =>
        {
            try
            {
                action();
            }
            catch (Exception exception)
            {
                Interlocked.CompareExchange(ref _failure, exception, null);
            }
        });
        thread.Start();
        return thread;
    }

    private void Read(Random random, Func<bool> isOn)
    {
        while (isOn())
        {
            if (random.Next(4) == 0)
            {
                ReadHeld(random);
                continue;
            }

            using Searcher searcher = _index.BeginSearch();
            Check(searcher, random.Next(6), random);
            Interlocked.Increment(ref _checks);
            if (random.Next(200) == 0)
            {
                Hold(searcher);
            }
        }
    }

    private void Check(Searcher searcher, int kind, Random random)
    {
        (int batch, int changed) = StateOf(searcher);
        switch (kind)
        {
            case 0:
                SearchResults all = searcher.Search(new SearchRequest(new AllNode(), [], 0, 2 * Entries), default);
                Assert.Equal((Entries, Entries), ((int)all.Total, all.Hits.Select(hit => hit.IdText()).Distinct().Count()));
                break;
            case 1:
                Assert.Equal(Sum, SumOf(searcher, null));
                break;
            case 2:
                Assert.Equal(changed, Count(searcher, new TermNode("Version", new TextValue("v" + batch))));
                Assert.Equal(0, Count(searcher, new TermNode("Version", new TextValue("v" + (batch + 1)))));
                break;
            case 3:
                Assert.Equal(Sum, SumOf(searcher, "Owner"));
                break;
            case 4:
                string owner = "owner" + random.Next(Owners);
                var request = new SearchRequest(new TermNode("Owner", new TextValue(owner)), [new SortKey(SortBy.Long, "Amount")], 0, Entries);
                SearchResults found = searcher.Search(request, default);
                Assert.Equal(Entries / Owners, found.Hits.Count);
                Assert.Equal(owner, searcher.ReadTexts(found.Hits[random.Next(found.Hits.Count)].Ordinal).Single().Value);
                break;
            default:
                Assert.Equal(Entries, Count(searcher, new FullTextNode("Text", "\"moved in\"", WordOperator.And)));
                break;
        }
    }

    private void Hold(Searcher searcher)
    {
        lock (_gate)
        {
            if (_held.Count == HeldMax)
            {
                _held[0].Snapshot.Dispose();
                _held.RemoveAt(0);
            }

            _held.Add((searcher.Keep(), Answers(searcher)));
        }
    }

    // The lock is held, so that no other thread ends the snapshot.
    private void ReadHeld(Random random)
    {
        lock (_gate)
        {
            if (_held.Count > 0)
            {
                (SearchSnapshot snapshot, string answers) = _held[random.Next(_held.Count)];
                using Searcher searcher = snapshot.BeginSearch();
                Assert.Equal(answers, Answers(searcher));
                Interlocked.Increment(ref _checks);
                Interlocked.Increment(ref _heldChecks);
            }
        }
    }

    private static string Answers(Searcher searcher)
    {
        SortKey[] order = [new SortKey(SortBy.Text, "Version"), new SortKey(SortBy.Long, "Amount")];
        SearchResults found = searcher.Search(new SearchRequest(new AllNode(), order, 0, 40), default);
        return $"{found.Total} {SumOf(searcher, "Owner")} {string.Join(' ', found.Hits.Select(hit => hit.IdText()))} "
            + string.Join(' ', searcher.ListTerms("Version", null, 100));
    }

    private static (int Batch, int Changed) StateOf(Searcher searcher)
    {
        Assert.True(searcher.Transaction.Trees.FindTree("state"u8)!.TryGet("batch"u8, out ReadOnlySpan<byte> value));
        string[] parts = Encoding.ASCII.GetString(value).Split(' ');
        return (int.Parse(parts[0], CultureInfo.InvariantCulture), int.Parse(parts[1], CultureInfo.InvariantCulture));
    }

    private static long Count(Searcher searcher, SearchNode node) => searcher.Search(new SearchRequest(node, [], 0, 0), default).Total;

    private static long SumOf(Searcher searcher, string? field)
    {
        var request = new FacetRequest(field, [], [new FacetAggregation(FacetFunction.Sum, "Amount")]);
        return (long)searcher.CountFacets(new AllNode(), request, out _, default).Sum(bucket => bucket.Values[0] ?? 0);
    }

    private void Transfer(int batch, Random random)
    {
        HashSet<int> numbers = [.. Enumerable.Range(0, 2 + random.Next(30)).Select(_ => random.Next(Entries))];
        int[] changed = [.. numbers];
        for (int i = 0; i + 1 < changed.Length; i++)
        {
            long moved = random.Next(100);
            _amounts[changed[i]] -= moved;
            _amounts[changed[i + 1]] += moved;
        }

        Write(batch, changed, isNew: false);
    }

    private void Write(int number, IEnumerable<int> changed, bool isNew)
    {
        var entry = new IndexEntry();
        using IndexBatch batch = _index.BeginBatch();
        int count = 0;
        foreach (int i in changed)
        {
            count++;
            string id = "accounts/" + i.ToString(CultureInfo.InvariantCulture);
            if (!isNew)
            {
                batch.Delete(id);
            }

            entry.Reset(id);
            string owner = "owner" + (i % Owners).ToString(CultureInfo.InvariantCulture);
            entry.AddText(s_owner, owner);
            entry.AddLong(s_amount, _amounts[i], _amounts[i].ToString(CultureInfo.InvariantCulture));
            entry.AddText(s_version, "v" + number.ToString(CultureInfo.InvariantCulture));
            entry.AddText(s_text, $"{i} moved in batch {number}");
            batch.Add(entry);
        }

        batch.Transaction.Trees.CreateTree("state"u8).Put("batch"u8, Encoding.ASCII.GetBytes($"{number} {count}"));
        batch.Commit();
    }
}
