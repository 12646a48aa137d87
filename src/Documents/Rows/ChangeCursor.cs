using System.Diagnostics;
using Jackdaw.Documents.Changes;
using Jackdaw.Documents.Identity;
using Jackdaw.Storage.Tables;

namespace Jackdaw.Documents.Rows;

/// <summary>Walks the current documents and tombstones by etag, oldest first, for consumers that begin or had a gap. It is valid within its read
/// scope.</summary>
/// <remarks>The changes above an etag, applied to the state at that etag, give the state of the snapshot, for one collection or for all documents: a document
/// that changes its collection has a larger etag than its tombstone in the old one. Tombstones up to <see cref="DocumentReadScope.TrimmedEtag"/> may be gone,
/// so that a consumer which has read less has to start with an empty state.</remarks>
internal sealed class ChangeCursor
{
    private TableNumberCursor _documents;
    private TableNumberCursor _tombstones;
    private bool _hasDocument;
    private bool _hasTombstone;
    private readonly bool _leavesOutHidden;
    private bool _isStarted;

    /// <param name="after">Changes up to this etag are skipped.</param>
    /// <param name="leavesOutHidden">Whether documents of <see cref="HiddenCollection"/> are passed over, and their tombstones.</param>
    public ChangeCursor(TableNumberCursor documents, TableNumberCursor tombstones, Etag after, bool leavesOutHidden)
    {
        _leavesOutHidden = leavesOutHidden;
        _documents = documents;
        _tombstones = tombstones;
        bool isEnd = after == Etag.Maximum;
        _hasDocument = !isEnd && _documents.Seek(after.Value + 1);
        _hasTombstone = !isEnd && _tombstones.Seek(after.Value + 1);
        PassHidden();
    }

    /// <summary>The change at the position; valid only after <see cref="MoveNext"/> returned true.</summary>
    public Change Current => IsAtTombstone ? OfTombstone(new Tombstone(_tombstones.Row)) : OfDocument(new DocumentRow(_documents.Row));

    private bool IsAtTombstone => _hasTombstone && (!_hasDocument || _tombstones.Number < _documents.Number);

    /// <summary>Whether the document was deleted. Then only <see cref="Key"/> and <see cref="Current"/> are
    /// valid.</summary>
    public bool IsTombstone => IsAtTombstone;

    /// <summary>The key of the document at the position.</summary>
    public ReadOnlySpan<byte> Key => IsAtTombstone
        ? new Tombstone(_tombstones.Row).Key
        : new DocumentRow(_documents.Row).ToStored().Key;

    public Etag Etag => new(IsAtTombstone ? _tombstones.Number : _documents.Number);

    /// <summary>The document at the position; not valid at a tombstone.</summary>
    public StoredDocument Document => new DocumentRow(_documents.Row).ToStored();

    public bool MoveNext()
    {
        if (_isStarted)
        {
            Debug.Assert(_hasDocument || _hasTombstone);
            if (IsAtTombstone)
            {
                _hasTombstone = _tombstones.MoveNext();
            }
            else
            {
                _hasDocument = _documents.MoveNext();
            }

            PassHidden();
        }

        _isStarted = true;
        return _hasDocument || _hasTombstone;
    }

    private void PassHidden()
    {
        while (_leavesOutHidden && _hasTombstone && HiddenCollection.Is(new Tombstone(_tombstones.Row).CollectionKey))
        {
            _hasTombstone = _tombstones.MoveNext();
        }

        while (_leavesOutHidden && _hasDocument && HiddenCollection.Is(new DocumentRow(_documents.Row).CollectionKey))
        {
            _hasDocument = _documents.MoveNext();
        }
    }

    private static Change OfDocument(DocumentRow document) => new()
    {
        Kind = ChangeKind.DocumentPut,
        Id = document.Id,
        Collection = document.Collection,
        Etag = document.Etag,
        ChangeVector = document.ChangeVector,
        IsArtificial = document.Flags.HasFlag(DocumentFlags.Artificial),
    };

    private static Change OfTombstone(Tombstone tombstone) => new()
    {
        Kind = ChangeKind.DocumentDelete,
        Id = tombstone.Id,
        Collection = tombstone.Collection,
        Etag = tombstone.Etag,
        ChangeVector = tombstone.ChangeVector,
    };
}
