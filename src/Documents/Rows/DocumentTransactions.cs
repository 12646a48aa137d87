using Jackdaw.Documents.Changes;
using Jackdaw.Documents.Extensions;
using Jackdaw.Documents.Identity;
using Jackdaw.Storage.Tables;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Documents.Rows;

/// <summary>Makes the transactions of one database for its writer thread, and keeps buffers, but never contents, from one transaction to the next.</summary>
/// <param name="opened">The state of the database when it was opened, which is valid until the first transaction publishes another.</param>
/// <param name="changes">Receives the changes of each transaction.</param>
/// <param name="replica">The identity of the database in change vectors.</param>
/// <param name="extensions">The kinds of things that documents can have besides their text.</param>
/// <param name="revisions">Keeps versions of documents; null when nothing does. Disposed with this object.</param>
internal sealed class DocumentTransactions(
    DocumentsState opened, TimeProvider time, ChangeFeed changes, Replica replica, DocumentExtensions extensions,
    IRevisionKeeper? revisions = null) : IDisposable
{
    /// <summary>The largest buffer, in bytes, that is kept between transactions; a larger one is returned to the pool.</summary>
    private const int CachedBytesMax = 256 * 1024;

    private readonly TableRowBuilder _tombstones = new(TombstoneTable.Schema);
    private TableRowBuilder _rows = new(DocumentTable.Schema);
    private TableRowBuilder? _vectorRows;
    private DocumentTransaction? _current;

    public Replica Replica { get; } = replica;

    public DocumentExtensions Extensions { get; } = extensions;

    /// <summary>The extensions that documents can have; the other ones are only known by name.</summary>
    public IReadOnlyList<StoredExtension> Stored { get; } = extensions.Of<StoredExtension>();

    public IRevisionKeeper? Revisions { get; } = revisions;

    /// <summary>The builder for rows that only the writer can complete; its next user clears it.</summary>
    public TableRowBuilder Rows => _rows = Reuse(_rows);

    /// <summary>The builder for rows that store a change vector, which are copies of other rows.</summary>
    public TableRowBuilder VectorRows => _vectorRows = Reuse(_vectorRows);

    /// <summary>The memory for the change vector of the last write; empty until the first write that stores one.</summary>
    public byte[] Vector { get; private set; } = [];

    /// <summary>The same as <see cref="Vector"/>, with room for any change vector.</summary>
    public byte[] MakeVector() => Vector = Vector.Length > 0 ? Vector : new byte[ChangeVector.BytesMax];

    /// <summary>Returns the buffers to the pool, after the writer thread has ended.</summary>
    public void Dispose()
    {
        _rows.Dispose();
        _vectorRows?.Dispose();
        _tombstones.Dispose();
        Revisions?.Dispose();
    }

    /// <summary>The view of a transaction, which all its commands share.</summary>
    public DocumentTransaction For(WriteTransaction transaction)
    {
        // The view is bound to the object and not to its number, because the transaction after a rollback has the same number.
        if (_current is { } current && ReferenceEquals(current.Transaction, transaction))
        {
            return current;
        }

        var before = transaction.ClientState as DocumentsState ?? opened;
        ChangeRecorder? recorder = changes.Begin(transaction.TransactionId);
        return _current = new DocumentTransaction(this, transaction, before, _tombstones, recorder, time.GetUtcNow().UtcTicks);
    }

    private static TableRowBuilder Reuse(TableRowBuilder? builder)
    {
        if (builder?.DataBytes > CachedBytesMax)
        {
            builder.Dispose();
            builder = null;
        }

        return builder ?? new TableRowBuilder(DocumentTable.Schema);
    }
}
