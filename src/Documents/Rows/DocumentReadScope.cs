using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Parsing;
using Jackdaw.Storage.Tables;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Documents.Rows;

/// <summary>One snapshot of one database, from which a request reads everything.</summary>
/// <remarks>
/// 1. A scope sees every write that was acknowledged before it began, and no later one.
/// 2. It pins pages. So it is held only while bytes are copied, never across an await or a network write.
/// 3. Used by one thread at a time. Scopes are pooled, one idle scope per thread: nothing of a scope is used after its disposal. Ids are found
/// by their keys (lower case, made and checked once by the request with <see cref="DocumentIds"/>), ordered as bytes.
/// </remarks>
public sealed class DocumentReadScope : IDisposable
{
    /// <summary>What is loaded of a document that will be read: its columns, and most of a usual text. The processor itself loads what follows.</summary>
    private const int LoadedBytes = 512;

    [ThreadStatic]
    private static DocumentReadScope? s_spare;

    private readonly TableLookup _lookup = new(DocumentTable.Schema);
    private ReadTransaction? _transaction;
    private DocumentsState _state = null!;
    private Table? _documents;
    private bool _isLookupBound;

    private DocumentReadScope()
    {
    }

    /// <summary>The etag of the last write in the snapshot; <see cref="Etag.None"/> for an empty database.</summary>
    public Etag LastEtag => _state.LastEtag;

    /// <summary>Without the documents of <see cref="HiddenCollection"/>.</summary>
    public DocumentCounts Counts =>
        new(_state.Documents.RowCount - HiddenCount, _state.Tombstones, _state.Identities) { Revisions = _state.Revisions.Revisions };

    /// <summary>Tombstones up to this etag may have been trimmed: a reader that has not read up to here has to start from the beginning.</summary>
    public Etag TrimmedEtag => CollectionLedger.ReadTrimmedEtag(Transaction.Trees);

    /// <summary>The snapshot itself, for code that has tables of its own besides the documents.</summary>
    public ReadTransaction Transaction => _transaction ?? throw new ObjectDisposedException(nameof(DocumentReadScope));

    private bool HasHidden => CollectionLedger.Has(Transaction.Trees, HiddenCollection.Key);

    private long HiddenCount => CollectionLedger.Find(Transaction.Trees, HiddenCollection.Key)?.Documents ?? 0;

    private Table Documents => _documents ??= new Table(Transaction, Transaction.Trees, DocumentTable.Schema);

    /// <summary>Takes over a transaction.</summary>
    internal static DocumentReadScope Begin(ReadTransaction transaction, DocumentsState state)
    {
        DocumentReadScope scope = s_spare ?? new DocumentReadScope();
        s_spare = null;
        scope._transaction = transaction;
        scope._state = state;
        return scope;
    }

    /// <summary>Finds one document. Allocates nothing.</summary>
    /// <param name="key">1 to <see cref="DocumentIds.KeyBytesMax"/> bytes.</param>
    public bool TryGet(ReadOnlySpan<byte> key, out StoredDocument document)
    {
        BindLookup();
        bool found = _lookup.TryGet(key, out TableRow row);
        document = found ? new DocumentRow(row).ToStored() : default;
        return found;
    }

    /// <summary>Finds several documents, which takes less time than one after the other. Allocates nothing.</summary>
    /// <param name="keys">Each as for <see cref="TryGet"/>.</param>
    /// <param name="places">Receives where each document is, for <see cref="Read"/>; none where there is no document.</param>
    internal void Find(ReadOnlySpan<byte[]> keys, Span<RowId> places)
    {
        BindLookup();
        _lookup.Find(keys, places, LoadedBytes);
    }

    /// <summary>The document at a place that <see cref="Find"/> gave.</summary>
    internal StoredDocument Read(RowId place) => new DocumentRow(_lookup.Read(place)).ToStored();

    private void BindLookup()
    {
        if (!_isLookupBound)
        {
            _lookup.Rebind(Transaction, _state.Documents);
            _isLookupBound = true;
        }
    }

    /// <summary>Walks the documents whose key starts with <paramref name="prefix"/>, ordered by key.</summary>
    /// <param name="prefix">In lower case; empty means all documents.</param>
    /// <param name="after">Keys up to and including this one are skipped by a seek; empty means that none is skipped.</param>
    /// <param name="isNamed">The caller looks for documents of a certain collection. Otherwise an empty prefix leaves out those of
    /// <see cref="HiddenCollection"/>.</param>
    public DocumentCursor OpenByIdPrefix(ReadOnlySpan<byte> prefix, ReadOnlySpan<byte> after, bool isNamed = false) =>
        new KeyCursor(Documents.OpenKeys(DocumentTable.ByKey), prefix, after, leavesOutHidden: !isNamed && prefix.IsEmpty && HasHidden);

    /// <summary>Walks documents by etag.</summary>
    /// <param name="collection">UTF-8, any casing; empty means all documents, without those of <see cref="HiddenCollection"/>.</param>
    /// <param name="start">The first etag that may be returned: ascending walks begin at or above it, descending ones at or below it.</param>
    public DocumentCursor OpenByEtag(ReadOnlySpan<byte> collection, EtagOrder order, Etag start)
    {
        if (collection.IsEmpty)
        {
            return new EtagCursor(Documents.OpenNumbers(DocumentTable.ByEtag), order, start, leavesOutHidden: HasHidden);
        }

        if (collection.Length > DocumentParser.CollectionBytesMax)
        {
            return new EtagCursor(null, order, start, leavesOutHidden: false); // The collection does not exist, so no document can be in it.
        }

        Span<byte> key = stackalloc byte[DocumentRowBuilding.CollectionKeyBytesMax];
        key = key[..DocumentRowBuilding.MakeCollectionKey(collection, key)];
        return new EtagCursor(Documents.OpenNumbers(DocumentTable.ByCollection, key), order, start, leavesOutHidden: false);
    }

    /// <summary>Walks all documents by etag, oldest first, hidden ones too: for what the server owes to every document.</summary>
    internal DocumentCursor OpenEveryDocument(Etag start) =>
        new EtagCursor(Documents.OpenNumbers(DocumentTable.ByEtag), EtagOrder.Ascending, start, leavesOutHidden: false);

    /// <summary>Walks all documents and tombstones by etag, oldest first, hidden ones too: for those who report changes.</summary>
    /// <param name="after">The last etag that the caller knows already.</param>
    internal ChangeCursor OpenEveryChange(Etag after) => OpenAllChanges(after, leavesOutHidden: false);

    /// <summary>Walks documents and tombstones by etag, oldest first.</summary>
    /// <param name="collection">UTF-8, any casing; empty means all documents, without those of <see cref="HiddenCollection"/>.</param>
    /// <param name="after">The last etag that the caller knows already.</param>
    internal ChangeCursor OpenChanges(ReadOnlySpan<byte> collection, Etag after)
    {
        if (collection.IsEmpty)
        {
            return OpenAllChanges(after, HasHidden);
        }

        var tombstones = new Table(Transaction, Transaction.Trees, TombstoneTable.Schema);
        Span<byte> key = stackalloc byte[DocumentRowBuilding.CollectionKeyBytesMax];
        key = key[..DocumentRowBuilding.MakeCollectionKey(collection, key)];
        return new ChangeCursor(
            Documents.OpenNumbers(DocumentTable.ByCollection, key), tombstones.OpenNumbers(TombstoneTable.ByCollection, key), after, leavesOutHidden: false);
    }

    private ChangeCursor OpenAllChanges(Etag after, bool leavesOutHidden)
    {
        var tombstones = new Table(Transaction, Transaction.Trees, TombstoneTable.Schema);
        return new ChangeCursor(Documents.OpenNumbers(DocumentTable.ByEtag), tombstones.OpenNumbers(TombstoneTable.ByEtag), after, leavesOutHidden);
    }

    /// <summary>Walks tombstones by etag, oldest first.</summary>
    /// <param name="collection">UTF-8, any casing; empty means all collections.</param>
    internal TombstoneCursor OpenTombstones(ReadOnlySpan<byte> collection, Etag start)
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

    /// <summary>The etag of the last document or tombstone of a collection; None when it has neither.</summary>
    /// <param name="collection">UTF-8, any casing; empty means all documents, without those of <see cref="HiddenCollection"/>.</param>
    public Etag LastChangeOf(ReadOnlySpan<byte> collection)
    {
        var tombstones = new Table(Transaction, Transaction.Trees, TombstoneTable.Schema);
        if (collection.IsEmpty)
        {
            return LastShown(Documents.OpenNumbers(DocumentTable.ByEtag), tombstones.OpenNumbers(TombstoneTable.ByEtag));
        }

        Span<byte> key = stackalloc byte[DocumentRowBuilding.CollectionKeyBytesMax];
        key = key[..DocumentRowBuilding.MakeCollectionKey(collection, key)];
        return Last(Documents.OpenNumbers(DocumentTable.ByCollection, key), tombstones.OpenNumbers(TombstoneTable.ByCollection, key));

        static Etag Last(TableNumberCursor documents, TableNumberCursor tombstones) => new(Math.Max(
            documents.SeekLast() ? documents.Number : 0, tombstones.SeekLast() ? tombstones.Number : 0));

        static Etag LastShown(TableNumberCursor documents, TableNumberCursor tombstones)
        {
            bool isOn = documents.SeekLast();
            while (isOn && HiddenCollection.Is(new DocumentRow(documents.Row).CollectionKey))
            {
                isOn = documents.MovePrevious();
            }

            bool isOnTombstone = tombstones.SeekLast();
            while (isOnTombstone && HiddenCollection.Is(new Tombstone(tombstones.Row).CollectionKey))
            {
                isOnTombstone = tombstones.MovePrevious();
            }

            return new(Math.Max(isOn ? documents.Number : 0, isOnTombstone ? tombstones.Number : 0));
        }
    }

    /// <summary>The collections that have documents, ordered by name, without <see cref="HiddenCollection"/>.</summary>
    public IReadOnlyList<CollectionCount> GetCollections() => CollectionLedger.Read(Transaction.Trees);

    /// <summary>One collection; null when it has no documents.</summary>
    /// <param name="name">UTF-8, any casing.</param>
    public CollectionCount? FindCollection(ReadOnlySpan<byte> name)
    {
        if (name.IsEmpty || name.Length > DocumentParser.CollectionBytesMax)
        {
            return null;
        }

        Span<byte> key = stackalloc byte[DocumentRowBuilding.CollectionKeyBytesMax];
        return CollectionLedger.Find(Transaction.Trees, key[..DocumentRowBuilding.MakeCollectionKey(name, key)]);
    }

    /// <summary>Identities, ordered by lower-cased name.</summary>
    /// <returns>The names in lower case, with their trailing <c>|</c>, and the last values that were given out.</returns>
    public IReadOnlyList<KeyValuePair<string, long>> GetIdentities(int start, int count) =>
        IdentityTree.List(Transaction.Trees, start, count);

    public void Dispose()
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
    }
}
