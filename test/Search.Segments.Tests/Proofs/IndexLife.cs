using System.Globalization;
using System.Text;
using Jackdaw.Pal.InMemory;
using Jackdaw.Pal.Simulation;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Queries;
using Jackdaw.Search.Results;
using Jackdaw.Search.Segments.Tests.Merging;
using Jackdaw.Search.Tests;
using Jackdaw.Search.Tests.Proofs;
using Jackdaw.Storage;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Verification;
using SortKey = Jackdaw.Search.Queries.SortKey;

namespace Jackdaw.Search.Segments.Tests.Proofs;

/// <summary>The life of an index from a seed: changes, slices of merges, held states, flushes, closings, and kills and power cuts in the middle of each.
/// After each cut it is that of one of its batches; in the end it answers as one that is built from the same entries.</summary>
internal sealed class IndexLife : IDisposable
{
    private const int Ids = 150;
    private static readonly StorageOptions s_options = new() { BackgroundFlush = false };

    private readonly int _seed;
    private readonly RandomSearches _random;
    private readonly List<List<PlainEntry>> _states = [[]]; // what each batch left
    private readonly Queue<(SearchSnapshot Snapshot, int State)> _held = new();
    private SimulatedPlatform _platform;
    private StorageEnvironment _root = null!; // set by Open
    private StorageEnvironment _branch = null!;
    private SegmentSearchIndex _index = null!;
    private int _operationsToCut = -1;
    private CrashOptions _cutOptions = new();
    private int _acknowledged;
    private (SimulatedPlatform Platform, int Acknowledged)? _cut;

    public IndexLife(int seed)
    {
        (_seed, _random, _platform) = (seed, new RandomSearches(seed), new SimulatedPlatform(seed));
        Open();
    }

    /// <summary>How often the power was cut or the process killed.</summary>
    public int Cuts { get; private set; }

    /// <summary>How many of them happened while a merge was running.</summary>
    public int CutsInMerges { get; private set; }

    private int Last => _states.Count - 1;

    public void Run(int steps)
    {
        for (int step = 0; step < steps; step++)
        {
            if (_operationsToCut < 0 && _random.Next(4) == 0)
            {
                PlanCut();
            }

            Step();
            if (_cut is not null)
            {
                GoOnAfterCut();
            }
        }

        End();
    }

    public void Dispose()
    {
        _platform.BeforeOperation = null;
        Close();
    }

    private void Step()
    {
        switch (_random.Next(12))
        {
            case 0 or 1 or 2 or 3:
                Write(1 + _random.Next(_random.Next(3) == 0 ? 120 : 12));
                break;
            case 4 or 5 or 6 or 7:
                for (int slices = _random.Next(12); slices > 0; slices--)
                {
                    _index.Maintain(() => false); // one slice
                }

                break;
            case 8:
                _branch.Flush();
                _root.Flush();
                break;
            case 9:
                using (Searcher searcher = _index.BeginSearch())
                {
                    _held.Enqueue((searcher.Keep(), Last));
                }

                break;
            case 10 when _held.TryDequeue(out (SearchSnapshot Snapshot, int State) held):
                using (Searcher searcher = held.Snapshot.BeginSearch())
                {
                    Compare(searcher, held.State, 6);
                }

                held.Snapshot.Dispose();
                break;
            case 11 when _random.Next(3) == 0:
                Close();
                Open();
                break;
            default:
                using (Searcher searcher = _index.BeginSearch())
                {
                    Compare(searcher, Last, 4);
                }

                break;
        }
    }

    private void Write(int changes)
    {
        List<PlainEntry> entries = [.. _states[Last]];
        var entry = new IndexEntry();
        using IndexBatch batch = _index.BeginBatch();
        for (int i = 0; i < changes; i++)
        {
            string id = "e/" + _random.Next(Ids);
            batch.Delete(id);
            entries.RemoveAll(known => known.Id == id);
            for (int rows = _random.Next(3); rows > 0; rows--)
            {
                PlainEntry added = _random.Entry(id);
                entries.Add(added);
                added.CopyTo(entry);
                batch.Add(entry);
            }
        }

        batch.Transaction.Trees.CreateTree("state"u8).Put("batch"u8, Encoding.ASCII.GetBytes(_states.Count.ToString(CultureInfo.InvariantCulture)));
        _states.Add(entries); // the power may be cut after it is durable, and before that is known
        batch.Commit();
        _acknowledged = Last;
    }

    // Any thread of the storage, one at a time.
    private void TakeCut(in PalOperation operation)
    {
        if (_operationsToCut < 0 || _cut is not null || operation.Kind is PalOperationKind.Read or PalOperationKind.Stat || _operationsToCut-- > 0)
        {
            return;
        }

        _cut = (_platform.Crash(_cutOptions), _acknowledged);
        Cuts++;
        CutsInMerges += _index?.Merges.IsRunning == true ? 1 : 0;
    }

    // Of three cuts one is a kill: the system keeps what was written.
    private void PlanCut()
    {
        int seed = _random.Next(int.MaxValue);
        _cutOptions = _random.Next(3) == 0
            ? new CrashOptions { Seed = seed, Retention = CrashRetention.All, MayReorder = false, TearBytes = 0 }
            : CrashOptions.FromSeed(seed);
        _operationsToCut = _random.Next(12);
    }

    private void GoOnAfterCut()
    {
        (SimulatedPlatform cut, int acknowledged) = _cut!.Value;
        _cut = null;
        _operationsToCut = -1;
        Dispose();
        _platform = cut;
        Open();
        int state;
        using (Searcher searcher = _index.BeginSearch())
        {
            state = searcher.Transaction.Trees.FindTree("state"u8) is { } tree && tree.TryGet("batch"u8, out ReadOnlySpan<byte> value)
                ? int.Parse(value, CultureInfo.InvariantCulture) : 0;
            Assert.True(state >= acknowledged && state <= Last, $"seed {_seed}, cut {Cuts}: batch {acknowledged} was acknowledged, {state} is there");
            _states.RemoveRange(state + 1, Last - state);
            Compare(searcher, state, 8);
        }

        _acknowledged = state;
        Assert.Empty(SegmentEngine.Instance.Verify(_branch));
        Assert.Empty(EnvironmentVerifier.Verify(_branch));
    }

    private void Compare(Searcher searcher, int state, int searches)
    {
        List<PlainEntry> entries = _states[state];
        string place = $"seed {_seed}, after cut {Cuts}, state {state}";
        Assert.True(entries.Count == searcher.EntryCount, $"{place}: {entries.Count} entries expected, {searcher.EntryCount} found");
        var evaluator = new PlainEvaluator(entries);
        for (int i = 0; i < searches; i++)
        {
            SearchNode node = i == 0 ? new AllNode() : _random.Node(2);
            IReadOnlyList<SortKey> order = _random.Order();
            SearchResults found = searcher.Search(new SearchRequest(node, order, 0, int.MaxValue), default);
            string[] expected = [.. evaluator.Sort(evaluator.Find(node), order).Select(entry => entry.Id)];
            Assert.True(
                expected.Length == found.Total && expected.SequenceEqual(found.Hits.Select(hit => hit.IdText())),
                $"{place}: {RandomSearchTests.Describe(node)} by {string.Join(", ", order)}: expected {string.Join(' ', expected)}, "
                + $"found {string.Join(' ', found.Hits.Select(hit => hit.IdText()))}");
        }
    }

    // All merges end, nothing is left of what they replaced, and the answers are those of an index that is built from the entries.
    private void End()
    {
        _operationsToCut = -1;
        while (_held.TryDequeue(out (SearchSnapshot Snapshot, int State) held))
        {
            held.Snapshot.Dispose();
        }

        while (_index.Maintain(() => false))
        {
        }

        LeftRuns.AssertNone(_branch);
        Assert.Empty(SegmentEngine.Instance.Verify(_branch));
        using StorageEnvironment storage = StorageEnvironment.Open(new MemoryPlatform(), "/db", s_options);
        using SearchIndex rebuilt = SegmentEngine.Instance.Open(storage, RandomSearches.Fields);
        var entry = new IndexEntry();
        using (IndexBatch batch = rebuilt.BeginBatch())
        {
            foreach (PlainEntry added in _states[Last])
            {
                added.CopyTo(entry);
                batch.Add(entry);
            }

            batch.Commit();
        }

        for (int i = 0; i < 60; i++)
        {
            SearchNode node = _random.Node(3);
            var request = new SearchRequest(node, _random.Order(), 0, 50) { WithPlan = true }; // scores count deleted entries until they are merged away
            string Ask(SearchIndex index)
            {
                using Searcher searcher = index.BeginSearch();
                SearchResults found = searcher.Search(request, default);
                string hits = string.Join(' ', found.Hits.Select(hit => $"{hit.IdText()} {string.Join(';', searcher.ReadTerms([hit.Ordinal], default)[0])}"));
                return $"{found.Total} {hits} {string.Join(',', searcher.ListTerms(i % 2 == 0 ? "K" : "T", null, 100))}";
            }

            string one = Ask(_index), other = Ask(rebuilt);
            Assert.True(one == other, $"seed {_seed}: {RandomSearchTests.Describe(node)} gives {one}, and {other} after a rebuild");
        }
    }

    private void Open()
    {
        _platform.BeforeOperation = operation => TakeCut(operation);
        _root = StorageEnvironment.Open(_platform, "/db", s_options);
        _branch = StorageEnvironment.OpenBranch(_root, "/db/Indexes/a", s_options);
        _index = new SegmentSearchIndex(_branch, RandomSearches.Fields, _random.Next(4) == 0 ? null : SmallSizes.Make(isDirect: _random.Next(2) == 0));
    }

    private void Close()
    {
        _held.Clear();
        _index.Dispose();
        _branch.Dispose();
        _root.Dispose();
    }
}
