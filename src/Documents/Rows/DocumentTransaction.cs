using System.Diagnostics;
using Jackdaw.Documents.Changes;
using Jackdaw.Documents.Extensions;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Schedules;
using Jackdaw.Storage.Tables;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Documents.Rows;

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
    /// <summary>Flags of one version: the next one does not have them.</summary>
    private const DocumentFlags FlagsOfVersion = DocumentFlags.Reverted;

    /// <summary>Flags that belong to the text: another one does not inherit them, and the same text with other extensions keeps them.</summary>
    private const DocumentFlags FlagsOfText = DocumentFlags.Archived | DocumentFlags.FromClusterTransaction;

    private readonly DocumentTransactions _owner;
    private readonly List<object> _parts = [];
    private readonly CollectionLedger _ledger;
    private readonly TableRowBuilder _tombstones;
    private readonly ChangeRecorder? _changes;
    private readonly long _ticks;
    private readonly Etag _firstEtag;

    /// <param name="owner">Lends its buffers.</param>
    /// <param name="before">State after the transaction before this one.</param>
    /// <param name="tombstoneBuilder">Lent by the writer thread.</param>
    /// <param name="changes">Takes what is written, for the feed; null when it has no consumers.</param>
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

        // After the handlers of the tables, so that it captures what they saved.
        transaction.Trees.Flushing += Publish;
    }

    public WriteTransaction Transaction { get; }

    public Table Documents { get; }

    public Table Tombstones { get; }

    /// <summary>When something happens to documents and values.</summary>
    public ScheduleTree Schedule { get; }

    public Etag LastEtag { get; private set; }

    public long Ticks => _ticks;

    /// <summary>For rows that only the writer can complete; cleared by its next user.</summary>
    public TableRowBuilder Rows => _owner.Rows;

    /// <summary>The last etag when the current batch began: larger ones are its own.</summary>
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

    /// <summary>What a kind of command keeps besides the documents: one object per transaction, made by its first
    /// user.</summary>
    public TPart Part<TPart>(Func<DocumentTransaction, TPart> make)
        where TPart : class
    {
        foreach (object known in _parts)
        {
            if (known is TPart wanted)
            {
                return wanted;
            }
        }

        TPart part = make(this);
        _parts.Add(part);
        return part;
    }

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

    /// <summary>Version of a stored document; missing when there is none.</summary>
    public DocumentVersion FindVersion(ReadOnlySpan<byte> key) =>
        TryFind(key, out DocumentRow document) ? document.Version : default;

    /// <summary>Takes the etag of a write. The caller records the change: an etag without one is a gap in the
    /// feed.</summary>
    private Etag TakeEtag()
    {
        HasWrittenInBatch = true;
        return LastEtag = new Etag(checked(LastEtag.Value + 1));
    }

    /// <summary>Takes the etag of a write to something other than documents, and records its change.</summary>
    /// <param name="kind">What is done.</param>
    /// <param name="key">Names what is changed, as stored.</param>
    public Etag TakeEtag(ChangeKind kind, ReadOnlySpan<byte> key)
    {
        Etag etag = TakeEtag();
        _changes?.Add(new Change { Kind = kind, Id = key, Collection = default, Etag = etag, ChangeVector = default });
        return etag;
    }

    /// <summary>Takes the etag of a write to something of an extension, and records its change.</summary>
    /// <param name="id">Of its document, as stored.</param>
    /// <param name="collection">Of its document.</param>
    /// <param name="name">UTF-8, as stored.</param>
    /// <param name="payload">What the extension tells of the change: at most 64 KB.</param>
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
    /// <param name="given">Change vector of a version that was made elsewhere; empty: the document is written
    /// here.</param>
    /// <param name="flags">Of the document, beside what its schedule says.</param>
    /// <param name="schedule">What its metadata says about its future.</param>
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

    /// <param name="before">Change vector of the version that is replaced from another collection.</param>
    /// <param name="extensions">What the document shows of its extensions.</param>
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
    /// <param name="stored">As found in this transaction; invalid afterwards.</param>
    /// <param name="key">Not a view of pages.</param>
    /// <param name="given">Change vector of a version that was made elsewhere; empty: the document is written
    /// here.</param>
    /// <param name="flags">Beside those that it has, and what its schedule says.</param>
    /// <param name="schedule">What its metadata says about its future.</param>
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
            // To readers of the old collection the document is gone: a tombstone there, a new document here. In this
            // order a reader of all documents and tombstones by etag ends with the document.
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
    /// <param name="stored">As found in this transaction; invalid afterwards.</param>
    /// <param name="key">Its key, not a view of pages.</param>
    /// <param name="given">Change vector of a deletion that was made elsewhere; empty: it is made here.</param>
    /// <returns>Etag of the tombstone.</returns>
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

    /// <param name="isWrittenHere">The document continues the tombstone's change vector.</param>
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
