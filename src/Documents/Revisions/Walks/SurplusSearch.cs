using Jackdaw.Documents.Identity;

namespace Jackdaw.Documents.Revisions.Walks;

/// <summary>Searches for revisions of a document that rules do not keep, the newest first, in several snapshots when there are many.</summary>
/// <param name="key">The key of the document.</param>
/// <param name="rules">The rules; null when nothing is kept.</param>
/// <param name="includesForced">Whether the rules apply to forced revisions too.</param>
/// <param name="now">UTC ticks.</param>
internal sealed class SurplusSearch(byte[] key, RevisionRules? rules, bool includesForced, long now)
{
    private Etag _position = Etag.Maximum;
    private long _newer;

    public byte[] Key => key;

    /// <summary>The revisions that were found, the newest first.</summary>
    public List<Etag> Surplus { get; } = [];

    /// <summary>Continues the search.</summary>
    /// <returns>False when the step has to end.</returns>
    public bool Run(RevisionStep step)
    {
        using RevisionCursor cursor = step.Revisions.Open(key, _position);
        while (cursor.MoveNext())
        {
            _newer++;
            RevisionRow revision = cursor.Current;
            _position = revision.Etag;
            bool isKept = (revision.IsForced && !includesForced) || rules?.Exceeds(_newer, revision.LastModifiedTicks, now) == false;
            if (!isKept)
            {
                Surplus.Add(_position);
            }

            if (step.IsSpentAfterOne())
            {
                return false;
            }
        }

        return true;
    }
}
