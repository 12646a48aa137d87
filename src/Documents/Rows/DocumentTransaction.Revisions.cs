using Jackdaw.Documents.Extensions;
using Jackdaw.Documents.Identity;

namespace Jackdaw.Documents.Rows;

/// <summary>Calls the revisions when documents are written. Without a configuration, and without deleted documents that have revisions, this costs one branch
/// per write.</summary>
internal sealed partial class DocumentTransaction
{
    private readonly RevisionTotals _revisionsBefore;
    private IRevisionWriter? _revisions;

    // Read for each batch, so that a changed configuration is in force for all batches that begin after the answer to the change.
    private bool _isRevising;
    private bool _isRevisingInserts;

    /// <summary>The kinds of extensions.</summary>
    public DocumentExtensions Extensions => _owner.Extensions;

    /// <summary>Whether versions of any collection are kept.</summary>
    public bool KeepsVersions => _isRevising;

    /// <summary>The flags of the last document that was written.</summary>
    public DocumentFlags WrittenFlags { get; private set; }

    /// <summary>The revisions in this transaction.</summary>
    public IRevisionWriter Revisions => _revisions ??= _owner.Revisions!.Begin(this);

    /// <summary>Is called when something is written that is not a document and takes no etag.</summary>
    public void NoteWrite() => HasWrittenInBatch = true;

    /// <summary>Sets or clears the flag that a stored document has revisions, which makes no new version of it.</summary>
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

    // Is called before the extensions of a document change.
    private void KeepBeforeExtending(ReadOnlySpan<byte> key)
    {
        if (TryFind(key, out DocumentRow stored))
        {
            Revisions.Keep(key, stored, stored.CollectionKey);
        }
    }
}
