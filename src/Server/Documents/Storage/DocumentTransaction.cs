using System.Diagnostics;
using Jackdaw.Server.Documents.Json;
using Jackdaw.Storage.Tables;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Server.Documents.Storage;

/// <summary>One write transaction as the document store sees it: documents, tombstones, collections, etags. Writer
/// thread.</summary>
/// <remarks>
/// 1. Lives exactly as long as the transaction: after a rollback nothing of it is left, the etag counter included.
/// 2. Each document written and each tombstone takes one etag; etags are never given out twice by committed
/// transactions.
/// 3. All documents of one transaction have the same time.
/// 4. When the transaction is submitted, the new <see cref="DocumentsState"/> goes with it.
/// </remarks>
internal sealed partial class DocumentTransaction
{
    private readonly CollectionLedger _ledger;
    private readonly TableRowBuilder _tombstones;
    private readonly long _ticks;
    private readonly Etag _firstEtag;

    /// <param name="before">State after the transaction before this one.</param>
    /// <param name="tombstoneBuilder">Lent by the writer thread.</param>
    /// <param name="ticks">UTC.</param>
    public DocumentTransaction(
        WriteTransaction transaction, DocumentsState before, TableRowBuilder tombstoneBuilder, long ticks)
    {
        Transaction = transaction;
        Documents = new Table(transaction, transaction.Trees, DocumentTable.Schema);
        Tombstones = new Table(transaction, transaction.Trees, TombstoneTable.Schema);
        _ledger = new CollectionLedger(transaction.Trees);
        _tombstones = tombstoneBuilder;
        _ticks = ticks;
        _firstEtag = LastEtag = before.LastEtag;

        // Behind the handlers of the tables, so that what is captured is what they saved.
        transaction.Trees.Flushing += Publish;
    }

    public WriteTransaction Transaction { get; }

    public Table Documents { get; }

    public Table Tombstones { get; }

    public Etag LastEtag { get; private set; }

    public long Ticks => _ticks;

    /// <summary>State of a transaction, from its trees alone: after the storage was opened.</summary>
    public static DocumentsState ReadState(Jackdaw.Storage.Paging.PageReader pages, TreeCatalog trees)
    {
        var documents = new Table(pages, trees, DocumentTable.Schema);
        var tombstones = new Table(pages, trees, TombstoneTable.Schema);
        long last = CollectionLedger.ReadLastEtag(trees).Value;
        last = Math.Max(last, LastNumber(documents, DocumentTable.ByEtag));
        last = Math.Max(last, LastNumber(tombstones, TombstoneTable.ByEtag));
        return new DocumentsState(
            new Etag(last), documents.CaptureRoots(), tombstones.Count, IdentityTree.Count(trees));
    }

    public bool TryFind(ReadOnlySpan<byte> key, out DocumentRow document)
    {
        bool found = Documents.TryGetByKey(DocumentTable.ByKey, key, out TableRow row);
        document = new DocumentRow(row);
        return found;
    }

    /// <summary>Etag of a stored document; None when there is none.</summary>
    public Etag FindEtag(ReadOnlySpan<byte> key) => TryFind(key, out DocumentRow document) ? document.Etag : Etag.None;

    /// <summary>Adds a document that is not there.</summary>
    public Etag Insert(ReadOnlySpan<byte> key, Span<byte> row)
    {
        var view = DocumentRow.Of(row);
        RemoveTombstone(key, view.CollectionKey);
        Etag etag = TakeEtag();
        DocumentRowBuilding.Complete(row, etag, _ticks, DocumentFlags.None);
        Documents.Insert(row);
        _ledger.AddDocuments(view.CollectionKey, view.Collection, 1, row.Length);
        return etag;
    }

    /// <summary>Replaces a document.</summary>
    /// <param name="stored">As found in this transaction; invalid afterwards.</param>
    /// <param name="key">Not a view of pages.</param>
    public Etag Replace(DocumentRow stored, ReadOnlySpan<byte> key, Span<byte> row)
    {
        var view = DocumentRow.Of(row);
        if (!stored.CollectionKey.SequenceEqual(view.CollectionKey))
        {
            // To readers of the old collection the document is gone: a tombstone there, a new document here.
            Delete(stored, key);
            return Insert(key, row);
        }

        _ledger.AddDocuments(view.CollectionKey, view.Collection, 0, row.Length - stored.Row.Bytes.Length);
        Etag etag = TakeEtag();
        DocumentRowBuilding.Complete(row, etag, _ticks, stored.Flags);
        Documents.Update(stored.Row, row);
        return etag;
    }

    /// <summary>Deletes a document and leaves a tombstone.</summary>
    /// <param name="stored">As found in this transaction; invalid afterwards.</param>
    /// <param name="key">Its key, not a view of pages.</param>
    /// <returns>Etag of the tombstone.</returns>
    public Etag Delete(DocumentRow stored, ReadOnlySpan<byte> key)
    {
        Etag etag = TakeEtag();
        Span<byte> tombstoneKey = stackalloc byte[TombstoneKeyBytes(key, stored.CollectionKey)];
        MakeTombstoneKey(key, stored.CollectionKey, tombstoneKey);
        _tombstones.Reset();
        Memory<byte> tombstone = _tombstones
            .AddInt64(etag.Value)
            .AddInt64(_ticks)
            .Add(tombstoneKey)
            .Add(stored.Row.GetColumn(DocumentTable.IdColumn))
            .Add(stored.CollectionKey)
            .Add(stored.Row.GetColumn(DocumentTable.CollectionColumn))
            .Finish();
        Tombstones.Insert(tombstone.Span);
        _ledger.AddTombstones(stored.CollectionKey, stored.Collection, tombstone.Length);
        _ledger.AddDocuments(stored.CollectionKey, stored.Collection, -1, -stored.Row.Bytes.Length);
        Documents.Delete(stored.Row);
        return etag;
    }

    private static long LastNumber(Table table, TableIndex index)
    {
        TableNumberCursor cursor = table.OpenNumbers(index);
        return cursor.SeekLast() ? cursor.Number : 0;
    }

    private static int TombstoneKeyBytes(ReadOnlySpan<byte> key, ReadOnlySpan<byte> collectionKey) =>
        key.Length + 1 + collectionKey.Length;

    private static void MakeTombstoneKey(
        ReadOnlySpan<byte> key, ReadOnlySpan<byte> collectionKey, Span<byte> tombstoneKey)
    {
        key.CopyTo(tombstoneKey);
        tombstoneKey[key.Length] = 0;
        collectionKey.CopyTo(tombstoneKey[(key.Length + 1)..]);
    }

    private Etag TakeEtag() => LastEtag = new Etag(checked(LastEtag.Value + 1));

    private void RemoveTombstone(ReadOnlySpan<byte> key, ReadOnlySpan<byte> collectionKey)
    {
        if (Tombstones.Count == 0)
        {
            return;
        }

        Span<byte> tombstoneKey = stackalloc byte[TombstoneKeyBytes(key, collectionKey)];
        MakeTombstoneKey(key, collectionKey, tombstoneKey);
        if (Tombstones.TryGetByKey(TombstoneTable.ByKey, tombstoneKey, out TableRow tombstone))
        {
            _ledger.AddTombstones(collectionKey, collectionKey, -tombstone.Bytes.Length);
            Tombstones.Delete(tombstone);
        }
    }

    private void Publish(TreeCatalog trees)
    {
        Debug.Assert(ReferenceEquals(trees, Transaction.Trees));
        if (LastEtag != _firstEtag)
        {
            _ledger.Save(LastEtag);
        }

        Transaction.ClientState = new DocumentsState(
            LastEtag, Documents.CaptureRoots(), Tombstones.Count, IdentityTree.Count(trees));
    }
}
