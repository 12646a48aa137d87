using Jackdaw.Search.Entries;
using Jackdaw.Search.Segments.Collecting;
using Jackdaw.Search.Segments.Removing;
using Jackdaw.Search.Segments.Storing;
using Jackdaw.Search.Segments.Writing;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Search.Segments;

/// <summary>An index of immutable segments: a batch writes one, and merges write fewer and larger ones.</summary>
/// <remarks>
/// 1. The segments, and which of their entries are deleted, change in the transaction of the batch, together with the caller's own trees.
/// 2. Each state of the storage has the state of the index of its transaction attached, so that a search sees entries and the caller's trees of the same
/// transaction, and reads no list.
/// 3. Small segments are merged in the transaction of the batch that makes them too many, larger ones by <see cref="Maintain"/>.
/// </remarks>
internal sealed class SegmentSearchIndex : SearchIndex
{
    private readonly StorageEnvironment _storage;
    private volatile IndexFields _fields;
    private SegmentState _state;
    private bool _isClosed;

    /// <inheritdoc cref="SegmentEngine.Open"/>
    public SegmentSearchIndex(StorageEnvironment storage, IndexFields fields)
    {
        _storage = storage;
        _fields = fields;
        using ReadTransaction read = storage.BeginRead();
        _state = SegmentState.Read(this, read.Trees, null, null);
    }

    public override IndexFields Fields
    {
        get => _fields;
        set => _fields = value;
    }

    internal StorageEnvironment Storage => _storage;

    // What the thread of the index writes with.
    internal BatchCollector Collector { get; } = new();

    internal SegmentTools Tools { get; } = new();

    internal SegmentWriter Writer { get; } = new();

    internal EntryRemover Remover { get; } = new();

    public override IndexBatch BeginBatch() => new SegmentBatch(this);

    public override Searcher BeginSearch()
    {
        ReadTransaction read = _storage.BeginRead();
        return new SegmentSearcher(this, read, StateOf(read), null);
    }

    public override bool Maintain(Func<bool> isAwaited) => false;

    protected override void Dispose(bool isDisposing)
    {
        if (!_isClosed)
        {
            _isClosed = true;
            Collector.Dispose();
            Tools.Dispose();
            Writer.Dispose();
            Remover.Dispose();
        }
    }

    /// <summary>The state that a transaction sees.</summary>
    internal SegmentState StateOf(ReadTransaction read) =>
        read.State.ClientState is SegmentState attached && ReferenceEquals(attached.Owner, this) ? attached : Volatile.Read(ref _state);

    /// <summary>The state of the last commit. The thread of the index.</summary>
    internal SegmentState State
    {
        get => _state;
        set => Volatile.Write(ref _state, value);
    }
}
