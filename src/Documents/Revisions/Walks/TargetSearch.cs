using Jackdaw.Documents.Identity;

namespace Jackdaw.Documents.Revisions.Walks;

/// <summary>Searches for the revision of a document at a time, the newest revision first, in several snapshots when there are many.</summary>
/// <param name="key">The key of the document.</param>
/// <param name="ticks">The time in UTC ticks.</param>
internal sealed class TargetSearch(byte[] key, long ticks)
{
    private Etag _position = Etag.Maximum;

    public byte[] Key => key;

    /// <summary>The newest revision that is not younger than the time; None when there is none.</summary>
    public Etag Found { get; private set; }

    /// <summary>The oldest examined revision that is not a deletion; None when there is none.</summary>
    public Etag OldestText { get; private set; }

    /// <summary>The size of the last revision that was stored in one of the members above.</summary>
    public int Bytes { get; private set; }

    /// <summary>Whether the last examined revision was forced.</summary>
    public bool IsOldestForced { get; private set; }

    /// <summary>The number of revisions that were examined.</summary>
    public int Looked { get; private set; }

    /// <summary>Continues the search.</summary>
    /// <returns>False when the step has to end.</returns>
    public bool Run(RevisionStep step)
    {
        using RevisionCursor cursor = step.Revisions.Open(key, _position);
        while (cursor.MoveNext())
        {
            RevisionRow revision = cursor.Current;
            _position = revision.Etag;
            Looked++;
            IsOldestForced = revision.IsForced;
            bool isFound = revision.LastModifiedTicks <= ticks;
            if (isFound || !revision.IsDelete)
            {
                Bytes = revision.Row.Bytes.Length;
                OldestText = revision.IsDelete ? OldestText : _position;
            }

            if (isFound)
            {
                Found = _position;
                return true;
            }

            if (step.IsSpentAfterOne())
            {
                return false;
            }
        }

        return true;
    }
}
