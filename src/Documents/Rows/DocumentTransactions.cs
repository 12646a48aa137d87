using Jackdaw.Documents.Changes;
using Jackdaw.Documents.Extensions;
using Jackdaw.Documents.Identity;
using Jackdaw.Storage.Tables;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Documents.Rows;

/// <summary>The transactions of one database as its writer thread sees them, and what it keeps from one to the next:
/// buffers, never contents.</summary>
/// <param name="opened">State of the database when it was opened: in force until the first transaction publishes
/// another.</param>
/// <param name="changes">Takes the changes of each transaction.</param>
/// <param name="replica">Identity of the database in change vectors.</param>
/// <param name="extensions">What documents can have besides their text.</param>
/// <param name="revisions">Keeps versions of documents; null: nothing does. Disposed with this.</param>
internal sealed class DocumentTransactions(
    DocumentsState opened, TimeProvider time, ChangeFeed changes, Replica replica, DocumentExtensions extensions,
    IRevisionKeeper? revisions = null) : IDisposable
{
    /// <summary>Buffer kept between transactions. Bytes; a larger one is returned to the pool.</summary>
    private const int KeptBytesMax = 256 * 1024;

    private readonly TableRowBuilder _tombstones = new(TombstoneTable.Schema);
    private TableRowBuilder _rows = new(DocumentTable.Schema);
    private TableRowBuilder? _vectorRows;
    private DocumentTransaction? _current;

    public Replica Replica { get; } = replica;

    public DocumentExtensions Extensions { get; } = extensions;

    /// <summary>Those that documents can have; the other ones are only known by name.</summary>
    public IReadOnlyList<StoredExtension> Stored { get; } = extensions.Of<StoredExtension>();

    public IRevisionKeeper? Revisions { get; } = revisions;

    /// <summary>For rows that only the writer can complete; cleared by its next user.</summary>
    public TableRowBuilder Rows => _rows = Kept(_rows);

    /// <summary>For rows that store a change vector, which are copies of other rows.</summary>
    public TableRowBuilder VectorRows => _vectorRows = Kept(_vectorRows);

    /// <summary>Memory for the change vector of the last write; empty until the first one that stores any.</summary>
    public byte[] Vector { get; private set; } = [];

    /// <summary>As <see cref="Vector"/>, with room for any.</summary>
    public byte[] MakeVector() => Vector = Vector.Length > 0 ? Vector : new byte[ChangeVector.BytesMax];

    /// <summary>Returns the buffers to the pool, after the writer thread has ended.</summary>
    public void Dispose()
    {
        _rows.Dispose();
        _vectorRows?.Dispose();
        _tombstones.Dispose();
        Revisions?.Dispose();
    }

    /// <summary>The store's view of a transaction: one per transaction, shared by all commands in it.</summary>
    public DocumentTransaction For(WriteTransaction transaction)
    {
        // Bound to the object, not to its number: the transaction after a rollback has the same number.
        if (_current is { } current && ReferenceEquals(current.Transaction, transaction))
        {
            return current;
        }

        var before = transaction.ClientState as DocumentsState ?? opened;
        ChangeRecorder? recorder = changes.Begin(transaction.TransactionId);
        return _current = new DocumentTransaction(this, transaction, before, _tombstones, recorder, time.GetUtcNow().UtcTicks);
    }

    private static TableRowBuilder Kept(TableRowBuilder? builder)
    {
        if (builder?.DataBytes > KeptBytesMax)
        {
            builder.Dispose();
            builder = null;
        }

        return builder ?? new TableRowBuilder(DocumentTable.Schema);
    }
}
