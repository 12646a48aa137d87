using Jackdaw.Documents.Identity;

namespace Jackdaw.Documents.Changes;

/// <summary>One item of a feed: the changes of a transaction, a gap, or the end.</summary>
/// <remarks>There are no holes between the etags of items: <see cref="After"/> of an item is <see cref="Last"/> of the one before, and for the first item
/// <see cref="ChangeSubscription.Start"/>. Its changes are in memory of the subscription, and valid until the next item is requested.</remarks>
public readonly record struct FeedItem
{
    private readonly ReadOnlyMemory<byte> _changes;

    internal FeedItem(FeedItemKind kind, Etag after, Etag last, long transactionId, int count, ReadOnlyMemory<byte> changes)
    {
        Kind = kind;
        After = after;
        Last = last;
        TransactionId = transactionId;
        Count = count;
        _changes = changes;
    }

    public FeedItemKind Kind { get; }

    /// <summary>The last etag before the item.</summary>
    public Etag After { get; }

    /// <summary>The last etag of the item. For a gap, all changes above <see cref="After"/> up to here were missed. Any snapshot that begins now contains those
    /// of them that are still in force.</summary>
    public Etag Last { get; }

    /// <summary>The id of the transaction, or of the last transaction of a gap; 0 for the end.</summary>
    public long TransactionId { get; }

    /// <summary>The number of changes; 0 for a gap and the end.</summary>
    public int Count { get; }

    /// <summary>End: why.</summary>
    public FeedEndReason Reason { get; internal init; }

    /// <summary>The changes, ordered by etag.</summary>
    public Enumerator GetEnumerator() => new(_changes.Span);

    /// <summary>Walks the changes of an item.</summary>
    public ref struct Enumerator
    {
        private ReadOnlySpan<byte> _rest;

        internal Enumerator(ReadOnlySpan<byte> changes) => _rest = changes;

        public Change Current { get; private set; }

        public bool MoveNext()
        {
            if (_rest.IsEmpty)
            {
                return false;
            }

            Current = ChangeFormat.Read(_rest, out int bytes);
            _rest = _rest[bytes..];
            return true;
        }
    }
}

/// <summary>The kinds of items that a consumer of a feed gets.</summary>
public enum FeedItemKind
{
    /// <summary>All changes of one transaction.</summary>
    Changes,

    /// <summary>Changes were not reported, because the consumer was too slow or the transaction too large. They can be read from the storage by etag.</summary>
    Gap,

    /// <summary>The feed has ended.</summary>
    End,
}

/// <summary>Why a feed ended for a consumer.</summary>
public enum FeedEndReason
{
    /// <summary>The feed has not ended.</summary>
    None,

    /// <summary>The consumer unsubscribed.</summary>
    Unsubscribed,

    /// <summary>The database was closed, because it was disabled or the server stops. A new feed starts when it is opened again.</summary>
    DatabaseClosed,

    /// <summary>The database is being deleted.</summary>
    DatabaseDeleted,

    /// <summary>The storage stopped after a failure. The database is recovered and opened again, with a new
    /// feed.</summary>
    StorageFailed,
}
