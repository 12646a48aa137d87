using System.Diagnostics;
using Jackdaw.Documents.Rows;

namespace Jackdaw.Documents.Revisions.Walks;

/// <summary>One snapshot of a walk over revisions. A snapshot keeps every version of a page that it may see, so it ends after some revisions or some time, and
/// the walk continues from its position in the next one.</summary>
/// <param name="read">The snapshot.</param>
/// <param name="revisions">The revisions of the snapshot.</param>
/// <param name="revisionsMax">The most revisions that are examined in it.</param>
internal sealed class RevisionStep(DocumentReadScope read, RevisionReader revisions, int revisionsMax)
{
    /// <summary>The most revisions of one snapshot, which takes some tens of milliseconds when they are in memory.</summary>
    public const int RevisionsMax = 10_000;

    /// <summary>The longest time that one snapshot is held. This limit counts when revisions come from a slow disk.</summary>
    public static readonly TimeSpan TimeMax = TimeSpan.FromSeconds(1);

    private readonly long _began = Stopwatch.GetTimestamp();
    private int _looked;

    public DocumentReadScope Read => read;

    public RevisionReader Revisions => revisions;

    /// <summary>Whether the snapshot was held long enough.</summary>
    public bool IsSpent => _looked >= revisionsMax || Stopwatch.GetElapsedTime(_began) >= TimeMax;

    /// <summary>Counts a revision that was examined. Returns whether the snapshot was held long enough.</summary>
    public bool IsSpentAfterOne()
    {
        _looked++;
        return IsSpent;
    }
}
