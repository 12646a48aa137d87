using Jackdaw.Documents.Identity;

namespace Jackdaw.Documents.Revisions;

/// <summary>Deletions that remove all revisions. Nobody sees the revisions any more from that moment on, but if there are many, their rows are removed in the
/// background.</summary>
internal sealed partial class RevisionWriter
{
    /// <summary>The most revisions that a deletion removes itself, because a transaction may have very many deletions.</summary>
    public const int PurgedAtOnceMax = 128;

    /// <summary>Removes rows of purged revisions.</summary>
    /// <param name="key">The key of the document.</param>
    /// <param name="rowsMax">The most rows that are removed.</param>
    public void RemovePurged(ReadOnlySpan<byte> key, int rowsMax)
    {
        Etag last = _trees.PurgedTo(key);
        for (int removed = 0; removed < rowsMax; removed++)
        {
            if (!TryFindOldest(key, Etag.None, out RevisionRow oldest) || oldest.Etag.Value > last.Value)
            {
                _trees.EndPurge(key);
                _documents.NoteWrite();
                return;
            }

            RemoveRow(oldest, oldest.Etag);
        }
    }

    private void Purge(ReadOnlySpan<byte> key, Etag tombstone)
    {
        for (int removed = 0; TryFindOldest(key, _trees.PurgedTo(key), out RevisionRow oldest); removed++)
        {
            if (removed == PurgedAtOnceMax)
            {
                _trees.BeginPurge(key, tombstone);
                return;
            }

            Remove(key, oldest.Etag);
        }
    }
}
