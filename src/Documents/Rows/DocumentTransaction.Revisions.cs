using Jackdaw.Documents.Extensions;
using Jackdaw.Documents.Identity;

namespace Jackdaw.Documents.Rows;

/// <summary>Where writes of documents make revisions. Without a configuration and without deleted documents that have some, a write costs
/// one branch.</summary>
internal sealed partial class DocumentTransaction
{
    private readonly RevisionTotals _revisionsBefore;
    private IRevisionWriter? _revisions;

    // Of the current batch: a configuration that has been answered is in force for all batches that begin then.
    private bool _isRevising;
    private bool _isRevisingInserts;

    /// <summary>The kinds of extensions.</summary>
    public DocumentExtensions Extensions => _owner.Extensions;

    /// <summary>Whether versions of any collection are kept.</summary>
    public bool KeepsVersions => _isRevising;

    /// <summary>Of the last document that was written.</summary>
    public DocumentFlags WrittenFlags { get; private set; }

    /// <summary>The revisions in this transaction.</summary>
    public IRevisionWriter Revisions => _revisions ??= _owner.Revisions!.Begin(this);

    /// <summary>Something is written that is not a document and takes no etag.</summary>
    public void NoteWrite() => HasWrittenInBatch = true;

    /// <summary>Sets or clears whether a stored document has revisions. That makes no new version of it.</summary>
    public void SetHasRevisions(ReadOnlySpan<byte> key, bool hasRevisions)
    {
        if (!TryFind(key, out DocumentRow stored))
        {
            return;
        }

        DocumentFlags flags = hasRevisions ? stored.Flags | DocumentFlags.HasRevisions : stored.Flags & ~DocumentFlags.HasRevisions;
        if (flags != stored.Flags)
        {
            byte[] row = stored.Row.Bytes.ToArray();
            DocumentRowBuilding.Complete(row, stored.Etag, stored.LastModifiedTicks, flags);
            Documents.Update(stored.Row, row);
            HasWrittenInBatch = true;
        }

        WrittenFlags = flags;
    }

    private RevisionTotals RevisionTotals => _revisions?.Totals ?? _revisionsBefore;

    private void BeginRevising()
    {
        _isRevising = _owner.Revisions is { IsConfigured: true };
        _isRevisingInserts = _isRevising || RevisionTotals.Deleted > 0;
    }

    private bool BeginDeleteRevision(ReadOnlySpan<byte> key, DocumentRow stored)
    {
        if (!_isRevising && ((stored.Flags & DocumentFlags.HasRevisions) == 0 || _owner.Revisions is null))
        {
            return false;
        }

        Revisions.BeforeDelete(key, stored);
        _isRevisingInserts = true; // A later command of the batch may bring the document back.
        return true;
    }

    // Before the extensions of a document change.
    private void KeepBeforeExtending(ReadOnlySpan<byte> key)
    {
        if (TryFind(key, out DocumentRow stored))
        {
            Revisions.Keep(key, stored, stored.CollectionKey);
        }
    }
}
