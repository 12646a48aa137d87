using System.Diagnostics;
using Jackdaw.Documents.Changes;
using Jackdaw.Documents.Extensions;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Schedules;
using Jackdaw.Storage.Tables;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Documents.Rows;

/// <summary>One write transaction of a database: documents, tombstones, collections, etags. Writer thread.</summary>
/// <remarks>
/// 1. It lives exactly as long as the transaction. After a rollback nothing of it is left, not even the etag counter.
/// 2. Each written document and each tombstone takes one etag. Committed transactions never give out an etag twice.
/// 3. All documents of one transaction have the same time.
/// 4. When the transaction is submitted, the new <see cref="DocumentsState"/> is attached to it.
/// </remarks>
internal sealed partial class DocumentTransaction
{
    /// <summary>Flags of one version, which the next one does not have.</summary>
    private const DocumentFlags FlagsOfVersion = DocumentFlags.Reverted;

    /// <summary>Flags that belong to the text: another text does not inherit them, and the same text with other extensions keeps them.</summary>
    private const DocumentFlags FlagsOfText = DocumentFlags.Archived | DocumentFlags.FromClusterTransaction;

    private readonly DocumentTransactions _owner;
    private readonly List<object> _opened = [];
    private readonly CollectionLedger _ledger;
    private readonly TableRowBuilder _tombstones;
    private readonly ChangeRecorder? _changes;
    private readonly long _ticks;
    private readonly Etag _firstEtag;

    /// <param name="owner">The owner, which lends its buffers.</param>
    /// <param name="before">The state after the transaction before this one.</param>
    /// <param name="tombstoneBuilder">A builder that the writer thread lends.</param>
    /// <param name="changes">Receives the changes for the feed; null when it has no consumers.</param>
    /// <param name="ticks">UTC.</param>
    public DocumentTransaction(
        DocumentTransactions owner,
        WriteTransaction transaction,
        DocumentsState before,
        TableRowBuilder tombstoneBuilder,
        ChangeRecorder? changes,
        long ticks)
    {
        _owner = owner;
        Transaction = transaction;
        Documents = new Table(transaction, transaction.Trees, DocumentTable.Schema);
        Tombstones = new Table(transaction, transaction.Trees, TombstoneTable.Schema);
        Schedule = new ScheduleTree(transaction.Trees);
        _ledger = new CollectionLedger(transaction.Trees);
        _tombstones = tombstoneBuilder;
        _changes = changes;
        _ticks = ticks;
        _firstEtag = LastEtag = before.LastEtag;
        _revisionsBefore = before.Revisions;

        // It runs after the handlers of the tables, so that it captures what they have saved.
        transaction.Trees.Flushing += Publish;
    }

    public WriteTransaction Transaction { get; }

    public Table Documents { get; }

    /// <summary>The number of documents, without those of <see cref="HiddenCollection"/>.</summary>
    public long ShownDocuments => Documents.Count - _ledger.CountOf(HiddenCollection.Key);

    public Table Tombstones { get; }

    /// <summary>The scheduled times of documents and values.</summary>
    public ScheduleTree Schedule { get; }

    public Etag LastEtag { get; private set; }

    public long Ticks => _ticks;

    /// <summary>The builder for rows that only the writer can complete; its next user clears it.</summary>
    public TableRowBuilder Rows => _owner.Rows;

    /// <summary>The last etag when the current batch began; larger ones belong to the batch.</summary>
    public Etag EtagBeforeBatch { get; private set; }

    /// <summary>Whether the current batch has changed anything.</summary>
    public bool HasWrittenInBatch { get; private set; }

    /// <summary>A batch begins.</summary>
    public void BeginBatch()
    {
        EtagBeforeBatch = LastEtag;
        HasWrittenInBatch = false;
        _extended?.Clear();
        BeginRevising();
    }

    /// <summary>The state of a kind of command in this transaction: one object per transaction, which its first user makes.</summary>
    public T OpenOnce<T>(Func<DocumentTransaction, T> make)
        where T : class
    {
        foreach (object known in _opened)
        {
            if (known is T wanted)
            {
                return wanted;
            }
        }

        T opened = make(this);
        _opened.Add(opened);
        return opened;
    }

    /// <summary>Reads the state of a transaction from its trees, after the storage was opened.</summary>
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

    /// <summary>The version of a stored document; missing when there is none.</summary>
    public DocumentVersion FindVersion(ReadOnlySpan<byte> key) =>
        TryFind(key, out DocumentRow document) ? document.Version : default;

    /// <summary>Takes the etag of a write. The caller records the change, because an etag without a change is a gap in the feed.</summary>
    private Etag TakeEtag()
    {
        HasWrittenInBatch = true;
        return LastEtag = new Etag(checked(LastEtag.Value + 1));
    }

    /// <summary>Takes the etag of a write to something other than documents, and records its change.</summary>
    /// <param name="kind">The kind of write.</param>
    /// <param name="key">The stored name of the changed thing.</param>
    public Etag TakeEtag(ChangeKind kind, ReadOnlySpan<byte> key)
    {
        Etag etag = TakeEtag();
        _changes?.Add(new Change { Kind = kind, Id = key, Collection = default, Etag = etag, ChangeVector = default });
        return etag;
    }

    /// <summary>Takes the etag of a write to something of an extension, and records its change.</summary>
    /// <param name="id">The stored id of its document.</param>
    /// <param name="collection">The collection of its document.</param>
    /// <param name="name">The stored name in UTF-8.</param>
    /// <param name="payload">The data of the extension about the change: at most 64 KB.</param>
    public Etag TakeEtag(
        ChangeKind kind, DocumentExtension extension, ReadOnlySpan<byte> id, ReadOnlySpan<byte> collection, ReadOnlySpan<byte> name,
        ReadOnlySpan<byte> payload)
    {
        Etag etag = TakeEtag();
        _changes?.Add(new Change
        {
            Kind = kind,
            Id = id,
            Collection = collection,
            Etag = etag,
            ChangeVector = default,
            Extension = extension.Slot,
            Name = name,
            Payload = payload,
        });
        return etag;
    }

    /// <summary>Adds a document that does not exist.</summary>
    /// <param name="given">The change vector of a version that was made elsewhere; empty when the document is written here.</param>
    /// <param name="flags">The flags of the document, in addition to those of its schedule.</param>
    /// <param name="schedule">The scheduled times in its metadata.</param>
    public Etag Insert(
        ReadOnlySpan<byte> key, Span<byte> row, ReadOnlySpan<byte> given = default, DocumentFlags flags = DocumentFlags.None,
        DocumentSchedule? schedule = null)
    {
        if (FindExtended(key) is { IsPending: true })
        {
            return PutExtended(key, row, given, flags, schedule); // the batch has deleted it
        }

        Etag etag = Insert(key, row, default, given, With(flags, schedule), default);
        SetSchedule(key, schedule);
        return etag;
    }

    /// <param name="before">The change vector of the version that is replaced from another collection.</param>
    /// <param name="extensions">The texts of the document's extensions.</param>
    private Etag Insert(
        ReadOnlySpan<byte> key, Span<byte> row, ReadOnlySpan<byte> before, ReadOnlySpan<byte> given, DocumentFlags flags,
        ShownExtensions extensions)
    {
        var view = DocumentRow.Of(row);
        Etag etag = TakeEtag();
        SetWrittenVector(before, given, etag);
        RemoveTombstone(key, view.CollectionKey, etag, given.IsEmpty);
        flags = _isRevisingInserts ? Revisions.BeforeInsert(key, view.CollectionKey, flags) : flags;
        row = Complete(row, etag, flags, extensions);
        Documents.Insert(row);
        _ledger.AddDocuments(view.CollectionKey, view.Collection, 1, row.Length);
        Record(ChangeKind.DocumentPut, view, etag, flags);
        if (_isRevisingInserts)
        {
            Revisions.AfterPut(key, DocumentRow.Of(row));
        }

        return etag;
    }

    /// <summary>Replaces a document.</summary>
    /// <param name="stored">The row as it was found in this transaction; invalid afterwards.</param>
    /// <param name="key">Not a view of pages.</param>
    /// <param name="given">The change vector of a version that was made elsewhere; empty when the document is written here.</param>
    /// <param name="flags">Flags in addition to those that it has, and to those of its schedule.</param>
    /// <param name="schedule">The scheduled times in its metadata.</param>
    public Etag Replace(
        DocumentRow stored,
        ReadOnlySpan<byte> key,
        Span<byte> row,
        ReadOnlySpan<byte> given = default,
        DocumentFlags flags = DocumentFlags.None,
        DocumentSchedule? schedule = null)
    {
        if (FindExtended(key) is { IsPending: true })
        {
            return PutExtended(key, row, given, flags, schedule);
        }

        flags = With(flags | (stored.Flags & ~(FlagsOfText | FlagsOfVersion)), schedule);
        Etag etag = Overwrite(stored, key, row, given, flags, stored.Extensions);
        SetSchedule(key, schedule);
        return etag;
    }

    private Etag Overwrite(
        DocumentRow stored, ReadOnlySpan<byte> key, Span<byte> row, ReadOnlySpan<byte> given, DocumentFlags flags, ShownExtensions extensions)
    {
        var view = DocumentRow.Of(row);
        flags = _isRevising ? Revisions.BeforeReplace(key, view.CollectionKey, stored, flags) : flags;
        if (!stored.CollectionKey.SequenceEqual(view.CollectionKey))
        {
            // For readers of the old collection the document is gone, so it gets a tombstone there and is a new document here. In this order, a reader of all
            // documents and tombstones by etag ends with the document.
            extensions = new ShownExtensions(extensions.Detach());
            Remove(stored, key, ChangeKind.DocumentMove, default);
            return WrittenVector.IsEmpty
                ? Insert(key, row, default, given, flags, extensions)
                : InsertAfter(key, row, given, flags, extensions);
        }

        Etag etag = TakeEtag();
        SetWrittenVector(stored.ChangeVector, given, etag);
        row = Complete(row, etag, flags, extensions);
        _ledger.AddDocuments(view.CollectionKey, view.Collection, 0, row.Length - stored.Row.Bytes.Length);
        Documents.Update(stored.Row, row);
        Record(ChangeKind.DocumentPut, view, etag, flags);
        if (_isRevising)
        {
            Revisions.AfterPut(key, DocumentRow.Of(row));
        }

        return etag;
    }

    /// <summary>Deletes a document and leaves a tombstone.</summary>
    /// <param name="stored">The row as it was found in this transaction; invalid afterwards.</param>
    /// <param name="key">The key, which is not a view of pages.</param>
    /// <param name="given">The change vector of a deletion that was made elsewhere; empty when it is made here.</param>
    /// <returns>The etag of the tombstone.</returns>
    public Etag Delete(DocumentRow stored, ReadOnlySpan<byte> key, ReadOnlySpan<byte> given = default)
    {
        DocumentFlags flags = stored.Flags;
        bool hasRevisions = BeginDeleteRevision(key, stored);
        Etag etag = Remove(stored, key, ChangeKind.DocumentDelete, given);
        if (hasRevisions)
        {
            Revisions.AfterDelete(key, etag);
        }

        DeleteExtensions(key, flags);
        SetSchedule(key, null);
        return etag;
    }

    private static DocumentFlags With(DocumentFlags flags, DocumentSchedule? schedule) =>
        schedule is { IsArchived: true } ? flags | DocumentFlags.Archived : flags;

    private void SetSchedule(ReadOnlySpan<byte> key, DocumentSchedule? schedule)
    {
        Span<ScheduledTime> times = stackalloc ScheduledTime[DocumentSchedule.TimesMax];
        Schedule.Replace(ScheduleDomain.Document, key, schedule is null ? default : times[..schedule.CopyTo(times)]);
    }

    private Etag Remove(DocumentRow stored, ReadOnlySpan<byte> key, ChangeKind kind, ReadOnlySpan<byte> given)
    {
        Etag etag = TakeEtag();
        SetWrittenVector(stored.ChangeVector, given, etag);
        Record(kind, stored, etag, stored.Flags); // while the row still exists
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
            .Add(WrittenVector)
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

    private void Record(ChangeKind kind, DocumentRow row, Etag etag, DocumentFlags flags) => _changes?.Add(new Change
    {
        Kind = kind,
        Id = row.Id,
        Collection = row.Collection,
        Etag = etag,
        ChangeVector = WrittenVector,
        IsArtificial = flags.HasFlag(DocumentFlags.Artificial),
    });

    /// <param name="isWrittenHere">Whether the document continues the tombstone's change vector.</param>
    private void RemoveTombstone(
        ReadOnlySpan<byte> key, ReadOnlySpan<byte> collectionKey, Etag etag, bool isWrittenHere)
    {
        if (Tombstones.Count == 0)
        {
            return;
        }

        Span<byte> tombstoneKey = stackalloc byte[TombstoneKeyBytes(key, collectionKey)];
        MakeTombstoneKey(key, collectionKey, tombstoneKey);
        if (Tombstones.TryGetByKey(TombstoneTable.ByKey, tombstoneKey, out TableRow tombstone))
        {
            if (isWrittenHere && WrittenVector.IsEmpty)
            {
                SetWrittenVector(new Tombstone(tombstone).ChangeVector, default, etag);
            }

            _ledger.AddTombstones(collectionKey, collectionKey, -tombstone.Bytes.Length);
            Tombstones.Delete(tombstone);
        }
    }

    private void Publish(TreeCatalog trees)
    {
        Debug.Assert(ReferenceEquals(trees, Transaction.Trees));
        if (LastEtag != _firstEtag || _ledger.IsChanged)
        {
            _ledger.Save(LastEtag);
        }

        Transaction.ClientState = new DocumentsState(
            LastEtag, Documents.CaptureRoots(), Tombstones.Count, IdentityTree.Count(trees))
        {
            EarliestScheduled = Schedule.EarliestAdded,
            Revisions = RevisionTotals,
        };
    }
}
