using Jackdaw.Storage.Transactions;
using Lucene.Net.Index;

namespace Jackdaw.Search.Lucene.Merging;

/// <summary>Runs the merges of one writer, slice by slice, the smallest first. Only the index's thread uses it.</summary>
/// <remarks>A large merge takes many slices, between which new segments come. Up to three merges are open at a time, each much smaller than the one before, so
/// that small segments need not wait for a large one.</remarks>
internal sealed class MergeRunner(MergeSizes sizes)
{
    /// <summary>The most merges that are open at a time, each with a thread that waits.</summary>
    private const int OpenMax = 3;

    /// <summary>A merge that begins while others are open is at least this many times smaller than each of them.</summary>
    private const int SmallerTimes = 4;

    private readonly List<SlicedMerge> _open = []; // the smallest one is the last
    private GrowingMergePolicy _policy = new(sizes);

    public MergeSizes Sizes => sizes;

    /// <summary>The number of merges that have begun and not ended.</summary>
    public int OpenCount => _open.Count;

    /// <summary>The policy of a new writer, which chooses the segments to merge.</summary>
    public MergePolicy NewPolicy() => _policy = new GrowingMergePolicy(sizes);

    /// <summary>Merges for some time.</summary>
    /// <param name="mustEnd">Tells whether the time is over, even if the sizes would allow more; it is called many times.</param>
    public MergeProgress Step(IndexWriter writer, WriteTransaction transaction, Func<bool> mustEnd)
    {
        if (Next(writer) is { } next)
        {
            if (next.EstimatedMergeBytes <= sizes.WholeBytesMax)
            {
                writer.Merge(next);
                return MergeProgress.Ended;
            }

            _open.Add(new SlicedMerge(writer, next));
        }

        if (_open.Count == 0)
        {
            return MergeProgress.Nothing;
        }

        SlicedMerge smallest = _open[^1];
        smallest.Run(transaction, sizes.SliceBytesMax, sizes.SliceTimeMax, mustEnd);
        if (!smallest.IsEnded)
        {
            return MergeProgress.Paused;
        }

        _open.Remove(smallest);
        return MergeProgress.Ended;
    }

    /// <summary>Cancels all open merges.</summary>
    public void Abort(WriteTransaction transaction)
    {
        foreach (SlicedMerge merge in _open)
        {
            if (!merge.IsEnded)
            {
                merge.Abort(transaction);
            }
        }

        _open.Clear();
    }

    private MergePolicy.OneMerge? Next(IndexWriter writer)
    {
        _policy.BytesMax = _open.Count switch
        {
            0 => long.MaxValue,
            OpenMax => sizes.WholeBytesMax,
            _ => Math.Max(sizes.WholeBytesMax, _open[^1].Bytes / SmallerTimes),
        };
        writer.MaybeMerge();
        _policy.BytesMax = 0; // Lucene asks for merges at other times too
        return writer.GetNextMerge();
    }
}

/// <summary>The sizes that decide about merges; tests make them smaller.</summary>
internal sealed record MergeSizes
{
    /// <summary>The least size of a segment, in bytes. Smaller segments count as this large, so that many small commits do not build many levels.</summary>
    public long LevelBytesMin { get; init; } = 512 << 10;

    /// <summary>A merge of equals up to this size, in bytes, may make one segment of the whole index.</summary>
    public long EqualsBytesMin { get; init; } = 16 << 20;

    /// <summary>A merge up to this size, in bytes, is one slice on the index's own thread, even if somebody waits: it is written within some 25 ms.</summary>
    public long WholeBytesMax { get; init; } = 1 << 20;

    /// <summary>The bytes that a slice writes: 8 MB, so that its entry in the shared journal does not delay documents for long.</summary>
    public long SliceBytesMax { get; init; } = 8 << 20;

    /// <summary>The time of a slice when nobody waits for the thread.</summary>
    public TimeSpan SliceTimeMax { get; init; } = TimeSpan.FromMilliseconds(100);

    /// <summary>The time for which slices follow each other after a batch: the next batch does not wait longer.</summary>
    public TimeSpan BehindBatchTimeMax { get; init; } = TimeSpan.FromMilliseconds(500);
}

/// <summary>The outcome of a slice of merging.</summary>
internal enum MergeProgress
{
    /// <summary>There is nothing to merge.</summary>
    Nothing,

    /// <summary>A merge continues in another slice; searches do not see it yet.</summary>
    Paused,

    /// <summary>Merged segments take the place of their parts with the next commit.</summary>
    Ended,
}
