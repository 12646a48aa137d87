using Jackdaw.Search.Segments.Writing;

namespace Jackdaw.Search.Segments.Merging;

/// <summary>The sizes of slices of maintenance; tests make them smaller.</summary>
internal sealed record SliceSizes
{
    /// <summary>Those of indexes that are opened with no others; the tests of whole servers make them smaller.</summary>
    public static SliceSizes Default { get; set; } = new();

    /// <summary>The bytes that a slice writes: 8 MB, so that its entry in the shared journal does not delay documents for long.</summary>
    public long SliceBytesMax { get; init; } = 8 << 20;

    /// <summary>The time of a slice when nobody waits for the thread.</summary>
    public TimeSpan SliceTimeMax { get; init; } = TimeSpan.FromMilliseconds(100);

    /// <summary>The time for which slices follow each other after a batch: the next batch does not wait longer.</summary>
    public TimeSpan BehindBatchTimeMax { get; init; } = TimeSpan.FromMilliseconds(500);

    /// <summary>The time for which slices follow each other when no batch came before: an idle index can merge even if other indexes of the same thread always
    /// have work.</summary>
    public TimeSpan WithoutBatchTime { get; init; } = TimeSpan.FromMilliseconds(5);

    /// <summary>The bytes of segments whose merge writes its larger runs past the journal. A smaller one is written in one transaction, where a sync of the
    /// data file costs more than the bytes in the journal.</summary>
    public long DirectMergeBytesMin { get; init; } = 4 << 20;

    /// <summary>The bytes of collected entries whose segment is written past the journal. Those of smaller batches are not: with a sync for each batch of
    /// 4,096 entries, building took three times as long.</summary>
    public long DirectBatchBytesMin { get; init; } = 8 << 20;

    /// <summary>The entries up to which a batch merges segments in its own transaction.</summary>
    public int BatchMergeEntriesMax { get; init; } = 2048;

    /// <summary>The time for which nothing is merged after the disk was full.</summary>
    public TimeSpan FullDiskPause { get; init; } = TimeSpan.FromSeconds(30);

    public RunSizes Runs { get; init; } = new();

    /// <summary>About the bytes of replaced segments that a slice frees.</summary>
    public long FreedBytesMax { get; init; } = 256 << 20;
}
