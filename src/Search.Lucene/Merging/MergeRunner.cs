using Jackdaw.Storage.Transactions;
using Lucene.Net.Index;

namespace Jackdaw.Search.Lucene.Merging;

/// <summary>Runs the merges of one writer, a slice at a time, the smallest first. The index's thread.</summary>
/// <remarks>A large merge takes many slices, and new segments come meanwhile: up to three merges are open at a time, each much smaller
/// than the one before, so that small segments do not pile up behind a large one.</remarks>
internal sealed class MergeRunner(MergeSizes sizes)
{
    /// <summary>Merges open at a time, each with a thread that waits.</summary>
    private const int OpenMax = 3;

    /// <summary>A merge that begins while others are open is at least this many times smaller than each of them.</summary>
    private const int SmallerTimes = 4;

    private readonly List<SlicedMerge> _open = []; // the smallest is the last
    private GrowingMergePolicy _policy = new(sizes);

    public MergeSizes Sizes => sizes;

    /// <summary>Merges that have begun and not ended.</summary>
    public int OpenCount => _open.Count;

    /// <summary>What a new writer asks which segments to merge.</summary>
    public MergePolicy NewPolicy() => _policy = new GrowingMergePolicy(sizes);

    /// <summary>Merges for a while.</summary>
    /// <param name="mustEnd">Asked again and again: whether the while is over before what the sizes allow.</param>
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

    /// <summary>Gives all open merges up.</summary>
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
        _policy.BytesMax = 0; // Lucene asks at other times too
        return writer.GetNextMerge();
    }
}

/// <summary>Sizes that a merge is measured by; tests make them smaller.</summary>
internal sealed record MergeSizes
{
    /// <summary>Smaller segments count as this large, so that many small commits do not build many levels. Bytes.</summary>
    public long LevelBytesMin { get; init; } = 512 << 10;

    /// <summary>A merge of equals up to here may make one segment of the whole index. Bytes.</summary>
    public long EqualsBytesMin { get; init; } = 16 << 20;

    /// <summary>Merges up to here are one slice, on the index's own thread, whoever waits. Bytes: written within some 25 ms.</summary>
    public long WholeBytesMax { get; init; } = 1 << 20;

    /// <summary>What a slice writes. Bytes: 8 MB, so that its entry in the shared journal does not hold up documents for long.</summary>
    public long SliceBytesMax { get; init; } = 8 << 20;

    /// <summary>How long a slice takes when nobody waits for the thread.</summary>
    public TimeSpan SliceTimeMax { get; init; } = TimeSpan.FromMilliseconds(100);

    /// <summary>How long slices follow each other behind a batch: the next batch does not wait longer.</summary>
    public TimeSpan BehindBatchTimeMax { get; init; } = TimeSpan.FromMilliseconds(500);
}

/// <summary>What a slice of merging has come to.</summary>
internal enum MergeProgress
{
    /// <summary>There is nothing to merge.</summary>
    Nothing,

    /// <summary>A merge goes on in another slice; nothing of it is seen yet.</summary>
    Paused,

    /// <summary>Merged segments take the place of their parts with the next commit.</summary>
    Ended,
}
