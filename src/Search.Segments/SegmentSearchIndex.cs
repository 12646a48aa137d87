using System.Diagnostics;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Segments.Collecting;
using Jackdaw.Search.Segments.Merging;
using Jackdaw.Search.Segments.Removing;
using Jackdaw.Search.Segments.Storing;
using Jackdaw.Search.Segments.Writing;
using Jackdaw.Storage;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Search.Segments;

/// <summary>An index of immutable segments: a batch writes one, and merges write fewer and larger ones.</summary>
/// <remarks>
/// 1. The segments, and which of their entries are deleted, change in the transaction of the batch, together with the caller's own trees.
/// 2. Each state of the storage has the state of the index of its transaction attached, so that a search sees entries and the caller's trees of the same
/// transaction, and reads no list.
/// 3. Small segments are merged in the transaction of the batch that makes them too many, larger ones by <see cref="Maintain"/>.
/// 4. A replaced segment is freed when neither a search nor a snapshot can still see it.
/// </remarks>
internal sealed class SegmentSearchIndex : SearchIndex
{
    private readonly StorageEnvironment _storage;
    private readonly SliceSizes _sizes;
    private volatile IndexFields _fields;
    private SegmentState _state;
    private long _batchBegan;
    private bool _isClosed;

    /// <inheritdoc cref="SegmentEngine.Open"/>
    public SegmentSearchIndex(StorageEnvironment storage, IndexFields fields, SliceSizes? sizes = null)
    {
        _storage = storage;
        _fields = fields;
        _sizes = sizes ?? SliceSizes.Default;
        Writer = new SegmentWriter(_sizes.Runs);
        Merges = new RunningMerge(_sizes);
        using ReadTransaction read = storage.BeginRead();
        _state = SegmentState.Read(this, read.Trees, null, null);
        List<long> unnamed = SegmentTrees.ReadToFree(read.Trees);
        if (unnamed.Find(id => _state.IndexOf(id) >= 0) is var named and not 0)
        {
            throw new CorruptionException($"Segment {named} of the index is to be freed, and the list has it.");
        }

        Replaced = new ReplacedSegments(unnamed);
    }

    public override IndexFields Fields
    {
        get => _fields;
        set => _fields = value;
    }

    internal StorageEnvironment Storage => _storage;

    internal SliceSizes Sizes => _sizes;

    // What the thread of the index writes with.
    internal BatchCollector Collector { get; } = new();

    internal SegmentTools Tools { get; } = new();

    internal SegmentWriter Writer { get; }

    internal EntryRemover Remover { get; } = new();

    internal RunningMerge Merges { get; }

    internal ReplacedSegments Replaced { get; }

    /// <summary>The state of the last commit. The thread of the index.</summary>
    internal SegmentState State
    {
        get => _state;
        set => Volatile.Write(ref _state, value);
    }

    public override IndexBatch BeginBatch()
    {
        _batchBegan = Stopwatch.GetTimestamp();
        return new SegmentBatch(this);
    }

    public override Searcher BeginSearch()
    {
        ReadTransaction read = _storage.BeginRead();
        return new SegmentSearcher(this, read, StateOf(read), null);
    }

    public override bool Maintain(Func<bool> isAwaited)
    {
        ArgumentNullException.ThrowIfNull(isAwaited);
        bool isBehindBatch = _batchBegan != 0;
        TimeSpan due = !isBehindBatch ? _sizes.WithoutBatchTime : Stopwatch.GetElapsedTime(_batchBegan);
        due = due < _sizes.BehindBatchTimeMax ? due : _sizes.BehindBatchTimeMax;
        _batchBegan = 0;
        long began = Stopwatch.GetTimestamp();
        bool HasKeptUp() => Stopwatch.GetElapsedTime(began) >= due;
        bool MustEnd() => isAwaited() && HasKeptUp();
        var slice = new MaintenanceSlice(this, _sizes);
        bool isMore;
        do
        {
            if (MustEnd())
            {
                return true;
            }

            // Another batch may follow soon. The index is idle when it is asked again without a batch before.
            isMore = slice.Run(MustEnd, isIdle: !isBehindBatch && !isAwaited());
        }
        while (isMore && !HasKeptUp());
        return isMore || (isBehindBatch && slice.HasMore);
    }

    protected override void Dispose(bool isDisposing)
    {
        if (!_isClosed)
        {
            _isClosed = true;
            Collector.Dispose();
            Tools.Dispose();
            Writer.Dispose();
            Remover.Dispose();
            Merges.Dispose();
        }
    }

    /// <summary>The state that a transaction sees.</summary>
    private SegmentState StateOf(ReadTransaction read) =>
        read.State.ClientState is SegmentState attached && ReferenceEquals(attached.Owner, this) ? attached : Volatile.Read(ref _state);
}
