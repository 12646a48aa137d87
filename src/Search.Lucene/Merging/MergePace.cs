using System.Diagnostics;

namespace Jackdaw.Search.Lucene.Merging;

/// <summary>How long merges go on although somebody waits: as long as the batch before them took, so that they keep up with any load. The
/// index's thread.</summary>
internal struct MergePace
{
    /// <summary>Behind no batch: indexes that always have new work do not keep an idle one of the same thread from merging.</summary>
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
