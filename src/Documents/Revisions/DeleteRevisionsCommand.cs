using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;

namespace Jackdaw.Documents.Revisions;

/// <summary>Removes revisions of one document.</summary>
/// <remarks>The revision that records the deletion of a document in the bin is removed last, together with the last other revision, because otherwise nobody
/// would find those.</remarks>
/// <param name="key">The key of the document.</param>
/// <param name="etags">The etags of its revisions. Those that are gone already are skipped.</param>
internal sealed class DeleteRevisionsCommand(byte[] key, IReadOnlyList<Etag> etags) : DocumentCommand
{
    /// <summary>The most revisions of one batch. Like a tombstone, each takes the writer some microseconds in two indexes and two trees.</summary>
    public const int RevisionsMax = 256;

    /// <summary>After it is applied, the number of revisions that were removed.</summary>
    public int Removed { get; private set; }

    internal override int SizeBytes => FixedBytes + (etags.Count * sizeof(long));

    internal override WriteStatus Apply(DocumentTransaction documents)
    {
        Removed = 0;
        var revisions = RevisionWriter.Of(documents);
        Etag deletion = !documents.TryFind(key, out _) && revisions.TryFindNewest(key, out RevisionRow newest) ? newest.Etag : Etag.None;
        bool isDeletionNamed = false;
        foreach (Etag etag in etags)
        {
            isDeletionNamed |= etag == deletion;
            Removed += etag != deletion && revisions.Remove(key, etag) ? 1 : 0;
        }

        Removed += isDeletionNamed && revisions.Count(key) == 1 && revisions.Remove(key, deletion) ? 1 : 0;
        if (Removed > 0)
        {
            revisions.EndRemoval(key);
        }

        return WriteStatus.Applied;
    }
}
