namespace Jackdaw.Search.Segments.Merging;

/// <summary>The sizes of slices of maintenance; tests make them smaller.</summary>
internal sealed record SliceSizes
{
    /// <summary>Those of indexes that are opened with no others; the tests of whole servers make them smaller.</summary>
    public static SliceSizes Default { get; set; } = new();

    /// <summary>The entries up to which a batch merges segments in its own transaction.</summary>
    public int SmallEntriesMax { get; init; } = 2048;

    /// <summary>The bytes that a slice writes: 8 MB, so that its entry in the shared journal does not delay documents for long.</summary>
    public long SliceBytesMax { get; init; } = 8 << 20;

    /// <summary>The time of a slice when nobody waits for the thread.</summary>
    public TimeSpan SliceTimeMax { get; init; } = TimeSpan.FromMilliseconds(100);

    /// <summary>The time for which slices follow each other after a batch: the next batch does not wait longer.</summary>
    public TimeSpan BehindBatchTimeMax { get; init; } = TimeSpan.FromMilliseconds(500);

    /// <summary>The time for which slices follow each other when no batch came before: an idle index can merge even if other indexes of the same thread always
    /// have work.</summary>
    public TimeSpan WithoutBatchTime { get; init; } = TimeSpan.FromMilliseconds(5);

    /// <summary>About the bytes of replaced segments that a slice frees.</summary>
    public long FreedBytesMax { get; init; } = 256 << 20;
}
