using Jackdaw.Documents.Identity;
using Jackdaw.Storage.Tables;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Documents.Revisions;

/// <summary>The revisions of one snapshot. It is valid within its read scope.</summary>
/// <param name="read">The snapshot.</param>
/// <param name="replica">The replica whose change vectors need not be stored.</param>
internal sealed class RevisionReader(ReadTransaction read, Replica replica)
{
    private readonly Table _table = RevisionTable.Open(read);

    public RevisionTrees Trees { get; } = new(read.Trees);

    /// <summary>Finds a revision by the etag of its version.</summary>
    public bool TryGet(Etag etag, out RevisionRow revision)
    {
        bool isThere = _table.TryGetByNumber(RevisionTable.ByEtag, etag.Value, out TableRow row);
        revision = new RevisionRow(row);
        return isThere && !Trees.IsPurged(revision.DocumentKey, etag);
    }

    /// <summary>Finds a revision by its change vector.</summary>
    public bool TryGet(ReadOnlySpan<byte> vector, out RevisionRow revision)
    {
        revision = default;
        return replica.TryReadPlain(vector, out Etag plain)
            ? TryGet(plain, out revision) && revision.ChangeVector.IsEmpty
            : Trees.TryFindVector(vector, out Etag etag) && TryGet(etag, out revision) && revision.ChangeVector.SequenceEqual(vector);
    }

    /// <summary>Finds the newest revision of a document that is not younger than a time.</summary>
    /// <remarks>It walks back from the newest one.</remarks>
    /// <param name="key">The key of the document.</param>
    /// <param name="ticks">UTC.</param>
    public bool TryGetAt(ReadOnlySpan<byte> key, long ticks, out RevisionRow revision)
    {
        Etag position = Etag.Maximum;
        TrySearchAt(key, ticks, static () => false, ref position, out Etag found);
        return TryGet(found, out revision);
    }

    /// <summary>Does the same, for some revisions at a time.</summary>
    /// <param name="isSpent">Called for each revision that is passed. It returns true when enough revisions were examined.</param>
    /// <param name="position">At first <see cref="Etag.Maximum"/>; afterwards the position at which the search continues in another snapshot.</param>
    /// <param name="found">None when nothing was found so far.</param>
    /// <returns>False when there may be more.</returns>
    public bool TrySearchAt(ReadOnlySpan<byte> key, long ticks, Func<bool> isSpent, ref Etag position, out Etag found)
    {
        found = Etag.None;
        using RevisionCursor cursor = Open(key, position);
        while (cursor.MoveNext())
        {
            position = cursor.CurrentEtag;
            if (cursor.Current.LastModifiedTicks <= ticks)
            {
                found = position;
                return true;
            }

            if (isSpent())
            {
                return false;
            }
        }

        return true;
    }

    /// <summary>The revisions of a document, newest first.</summary>
    /// <param name="below">Only revisions with smaller etags.</param>
    public RevisionCursor Open(ReadOnlySpan<byte> key, Etag below) => new(_table, key, below, Trees.PurgedTo(key));
}
