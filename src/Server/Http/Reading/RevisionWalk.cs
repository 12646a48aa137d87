using Jackdaw.Documents.Answers;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Reading;
using Jackdaw.Documents.Revisions;

namespace Jackdaw.Server.Http.Reading;

/// <summary>Writes revisions of one document, newest first, or the deleted documents of the bin, the last deleted first. It continues from its position in the
/// next snapshot.</summary>
/// <param name="database">The database of the revisions.</param>
/// <param name="key">The key of the document; null for the bin.</param>
/// <param name="start">The number of revisions that are skipped.</param>
/// <param name="pageSize">The most revisions that are written.</param>
/// <param name="metadataOnly">Whether only the metadata of each is written.</param>
internal sealed class RevisionWalk(DocumentDatabase database, byte[]? key, long start, long pageSize, bool metadataOnly)
{
    private long _toSkip = start;
    private long _toWrite = pageSize;
    private Etag _below = Etag.Maximum;

    /// <summary>The etag of the first revision that was written; None when nothing was written.</summary>
    public Etag First { get; private set; }

    /// <summary>The value of the header ETag that names the first one; null when nothing was written.</summary>
    public string? FirstTag { get; private set; }

    /// <summary>Writes the next ones; false when there are no more.</summary>
    /// <param name="read">Its snapshot must be renewed before the next call.</param>
    /// <param name="output">Receives the revisions, with commas between them.</param>
    public bool WriteStep(RenewedRead read, ResponseBuffer output)
    {
        var revisions = new RevisionReader(read.Scope.Transaction, database.Replica);
        foreach (Etag etag in key is null ? revisions.Trees.ListBin(_below) : Etags(revisions, key))
        {
            if (_toWrite == 0)
            {
                return false;
            }

            _below = etag;
            if (read.IsSpentAfter(WriteIfAsked(revisions, etag, output)))
            {
                return true;
            }
        }

        return false;
    }

    private IEnumerable<Etag> Etags(RevisionReader revisions, byte[] document)
    {
        using RevisionCursor cursor = revisions.Open(document, _below);
        while (cursor.MoveNext())
        {
            yield return cursor.CurrentEtag;
        }
    }

    private int WriteIfAsked(RevisionReader revisions, Etag etag, ResponseBuffer output)
    {
        if (_toSkip-- > 0 || !revisions.TryGet(etag, out RevisionRow revision))
        {
            return 0;
        }

        output.Append(First == Etag.None ? default : ","u8);
        if (First == Etag.None)
        {
            First = etag;
            FirstTag = DocumentTags.TagOf(database, revision.Version);
        }

        RevisionAnswers.Write(output, database, revision, metadataOnly);
        _toWrite--;
        return revision.Row.Bytes.Length;
    }
}
