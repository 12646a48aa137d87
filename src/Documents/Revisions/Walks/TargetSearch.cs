using Jackdaw.Documents.Identity;

namespace Jackdaw.Documents.Revisions.Walks;

/// <summary>Looks for what a document was at a time, the newest revision first; in several snapshots when it has many.</summary>
/// <param name="key">Of the document.</param>
/// <param name="ticks">The time. UTC.</param>
internal sealed class TargetSearch(byte[] key, long ticks)
{
    private Etag _position = Etag.Maximum;

    public byte[] Key => key;

    /// <summary>The newest revision that is not younger than the time; None: there is none.</summary>
    public Etag Found { get; private set; }

    /// <summary>The oldest one that was looked at and is no deletion; None: there is none.</summary>
    public Etag OldestText { get; private set; }

    /// <summary>Size of the last one that is named above.</summary>
    public int Bytes { get; private set; }

    /// <summary>Whether the last one that was looked at was forced.</summary>
    public bool IsOldestForced { get; private set; }

    /// <summary>Revisions that were looked at.</summary>
    public int Looked { get; private set; }

    /// <summary>Looks on.</summary>
    /// <returns>False: the step is spent.</returns>
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
