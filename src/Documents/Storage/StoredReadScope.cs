using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Parsing;
using Jackdaw.Storage.Tables;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Documents.Storage;

/// <summary>A snapshot of a stored database. Pooled: one idle object per thread.</summary>
internal sealed class StoredReadScope : DocumentReadScope
{
    [ThreadStatic]
    private static StoredReadScope? s_spare;

    private readonly TableLookup _lookup = new(DocumentTable.Schema);
    private ReadTransaction? _transaction;
    private DocumentsState _state = null!;
    private Table? _documents;
    private bool _isLookupBound;

    private StoredReadScope()
    {
    }

    public override Etag LastEtag => _state.LastEtag;

    public override DocumentCounts Counts =>
        new(_state.Documents.RowCount, _state.Tombstones, _state.Identities) { Revisions = _state.Revisions.Revisions };

    /// <summary>Tombstones up to this etag may have been trimmed: a reader that has not read up to here starts from the
    /// beginning.</summary>
    public Etag TrimmedEtag => CollectionLedger.ReadTrimmedEtag(Transaction.Trees);

    public override ReadTransaction Transaction => _transaction ?? throw new ObjectDisposedException(nameof(StoredReadScope));

    private Table Documents => _documents ??= new Table(Transaction, Transaction.Trees, DocumentTable.Schema);

    /// <summary>Takes over a transaction.</summary>
    public static StoredReadScope Begin(ReadTransaction transaction, DocumentsState state)
    {
        StoredReadScope scope = s_spare ?? new StoredReadScope();
        s_spare = null;
        scope._transaction = transaction;
        scope._state = state;
        return scope;
    }

    public override bool TryGet(ReadOnlySpan<byte> key, out StoredDocument document)
    {
        if (!_isLookupBound)
        {
            _lookup.Rebind(Transaction, _state.Documents);
            _isLookupBound = true;
        }

        bool found = _lookup.TryGet(key, out TableRow row);
        document = found ? new DocumentRow(row).ToStored() : default;
        return found;
    }

    public override DocumentCursor OpenByIdPrefix(ReadOnlySpan<byte> prefix, ReadOnlySpan<byte> after) =>
        new KeyCursor(Documents.OpenKeys(DocumentTable.ByKey), prefix, after);

    public override DocumentCursor OpenByEtag(ReadOnlySpan<byte> collection, EtagOrder order, Etag start)
    {
        if (collection.IsEmpty)
        {
            return new EtagCursor(Documents.OpenNumbers(DocumentTable.ByEtag), order, start);
        }

        if (collection.Length > DocumentParser.CollectionBytesMax)
        {
            return new EtagCursor(null, order, start); // No document can be in it.
        }

        Span<byte> key = stackalloc byte[DocumentRowBuilding.CollectionKeyBytesMax];
        key = key[..DocumentRowBuilding.MakeCollectionKey(collection, key)];
        return new EtagCursor(Documents.OpenNumbers(DocumentTable.ByCollection, key), order, start);
    }

    /// <summary>Walks documents and tombstones by etag, oldest first.</summary>
    /// <param name="collection">UTF-8, any casing; empty means all collections.</param>
    /// <param name="after">Last etag that is known already.</param>
    public ChangeCursor OpenChanges(ReadOnlySpan<byte> collection, Etag after)
    {
        var tombstones = new Table(Transaction, Transaction.Trees, TombstoneTable.Schema);
        if (collection.IsEmpty)
        {
            return new ChangeCursor(
                Documents.OpenNumbers(DocumentTable.ByEtag), tombstones.OpenNumbers(TombstoneTable.ByEtag), after);
        }

        Span<byte> key = stackalloc byte[DocumentRowBuilding.CollectionKeyBytesMax];
        key = key[..DocumentRowBuilding.MakeCollectionKey(collection, key)];
        return new ChangeCursor(
            Documents.OpenNumbers(DocumentTable.ByCollection, key), tombstones.OpenNumbers(TombstoneTable.ByCollection, key), after);
    }

    /// <summary>Walks tombstones by etag, oldest first.</summary>
    /// <param name="collection">UTF-8, any casing; empty means all collections.</param>
    public TombstoneCursor OpenTombstones(ReadOnlySpan<byte> collection, Etag start)
    {
        var tombstones = new Table(Transaction, Transaction.Trees, TombstoneTable.Schema);
        if (collection.IsEmpty)
        {
            return new TombstoneCursor(tombstones.OpenNumbers(TombstoneTable.ByEtag), start);
        }

        Span<byte> key = stackalloc byte[DocumentRowBuilding.CollectionKeyBytesMax];
        key = key[..DocumentRowBuilding.MakeCollectionKey(collection, key)];
        return new TombstoneCursor(tombstones.OpenNumbers(TombstoneTable.ByCollection, key), start);
    }

    /// <summary>Etag of the last document or tombstone of a collection; None when it has neither.</summary>
    /// <param name="collection">UTF-8, any casing; empty means all collections.</param>
    public Etag LastChangeOf(ReadOnlySpan<byte> collection)
    {
        var tombstones = new Table(Transaction, Transaction.Trees, TombstoneTable.Schema);
        if (collection.IsEmpty)
        {
            return Last(Documents.OpenNumbers(DocumentTable.ByEtag), tombstones.OpenNumbers(TombstoneTable.ByEtag));
        }

        Span<byte> key = stackalloc byte[DocumentRowBuilding.CollectionKeyBytesMax];
        key = key[..DocumentRowBuilding.MakeCollectionKey(collection, key)];
        return Last(Documents.OpenNumbers(DocumentTable.ByCollection, key), tombstones.OpenNumbers(TombstoneTable.ByCollection, key));

        static Etag Last(TableNumberCursor documents, TableNumberCursor tombstones) => new(Math.Max(
            documents.SeekLast() ? documents.Number : 0, tombstones.SeekLast() ? tombstones.Number : 0));
    }

    public override IReadOnlyList<CollectionCount> GetCollections() => CollectionLedger.Read(Transaction.Trees);

    public override IReadOnlyList<KeyValuePair<string, long>> GetIdentities(int start, int count) =>
        IdentityTree.List(Transaction.Trees, start, count);

    protected override void Dispose(bool disposing)
    {
        if (_transaction is { } transaction)
        {
            _transaction = null;
            _state = null!;
            _documents = null;
            if (_isLookupBound)
            {
                _lookup.Unbind();
                _isLookupBound = false;
            }

            transaction.Dispose();
            s_spare = this;
        }

        base.Dispose(disposing);
    }
}
