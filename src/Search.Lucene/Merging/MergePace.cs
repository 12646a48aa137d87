using System.Diagnostics;

namespace Jackdaw.Search.Lucene.Merging;

/// <summary>Decides how long merges continue although somebody waits: as long as the batch before them took, so that they keep up with any load. Only the
/// index's thread uses it.</summary>
internal struct MergePace
{
    /// <summary>The time when no batch came before: an idle index can merge even if other indexes of the same thread always have work.</summary>
    private static readonly TimeSpan s_withoutBatch = TimeSpan.FromMilliseconds(5);

    private long _began;

    public void BatchBegins() => _began = Stopwatch.GetTimestamp();

    public TimeSpan TakeTimeToMerge(TimeSpan most)
    {
        TimeSpan due = _began == 0 ? s_withoutBatch : Stopwatch.GetElapsedTime(_began);
        _began = 0;
        return due < most ? due : most;
    }
}
