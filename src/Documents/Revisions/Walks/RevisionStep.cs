using System.Diagnostics;
using Jackdaw.Documents.Rows;

namespace Jackdaw.Documents.Revisions.Walks;

/// <summary>One snapshot of a walk over revisions. A snapshot keeps every version of a page that it may see, so each ends after some revisions or
/// some time, and the walk goes on from its position in the next one.</summary>
/// <param name="read">The snapshot.</param>
/// <param name="revisions">Its revisions.</param>
/// <param name="revisionsMax">Revisions that are looked at in it.</param>
internal sealed class RevisionStep(DocumentReadScope read, RevisionReader revisions, int revisionsMax)
{
    /// <summary>Revisions of one snapshot: some tens of milliseconds when they are in memory.</summary>
    public const int RevisionsMax = 10_000;

    /// <summary>Time that one snapshot is held: the bound that remains when revisions come from a slow disk.</summary>
    public static readonly TimeSpan TimeMax = TimeSpan.FromSeconds(1);

    private readonly long _began = Stopwatch.GetTimestamp();
    private int _looked;

    public DocumentReadScope Read => read;

    public RevisionReader Revisions => revisions;

    /// <summary>Whether the snapshot was held long enough.</summary>
    public bool IsSpent => _looked >= revisionsMax || Stopwatch.GetElapsedTime(_began) >= TimeMax;

    /// <summary>Counts a revision that was looked at; whether the snapshot was held long enough.</summary>
    public bool IsSpentAfterOne()
    {
        _looked++;
        return IsSpent;
    }
}
