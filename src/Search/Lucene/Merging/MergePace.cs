using System.Diagnostics;

namespace Jackdaw.Search.Lucene.Merging;

/// <summary>How long merges go on behind a batch: as long as the batch took, so that they keep up with any load. The index's thread.</summary>
internal struct MergePace
{
    private long _began;

    public void BatchBegins() => _began = Stopwatch.GetTimestamp();

    /// <summary>Zero when no batch has begun since the last time: then a slice at a time is enough.</summary>
    public TimeSpan TakeTimeToMerge(TimeSpan most)
    {
        if (_began == 0)
        {
            return TimeSpan.Zero;
        }

        TimeSpan batch = Stopwatch.GetElapsedTime(_began);
        _began = 0;
        return batch < most ? batch : most;
    }
}
