using Jackdaw.Storage.Journal;

namespace Jackdaw.Storage.Environments;

/// <summary>How a storage behaves. The defaults are right for servers; tests make things smaller.</summary>
public sealed record StorageOptions
{
    /// <summary>Scratch bytes that are worth a flush on the smallest machine.</summary>
    internal const long FlushAtScratchBytesMin = 64L << 20;

    /// <summary>Clock for time stamps and policies.</summary>
    public TimeProvider Time { get; init; } = TimeProvider.System;

    /// <summary>False: pages are flushed and synced only when the owner calls <c>Flush</c> and <c>Sync</c> (deterministic tests).</summary>
    public bool BackgroundFlush { get; init; } = true;

    /// <summary>Bytes of the first journal file.</summary>
    public long JournalFileBytes { get; init; } = JournalSpace.DefaultFileBytes;

    /// <summary>Scratch bytes in use that start a flush. Default: a sixteenth of the memory this process may use, 64 MB to 4 GB.
    /// Less means that a page changed again and again reaches the disk more often.</summary>
    public long FlushAtScratchBytes { get; init; } = Math.Clamp(AvailableMemory / 16, FlushAtScratchBytesMin, 4L << 30);

    /// <summary>Journal bytes since the last flush that start one: bounds recovery. Default 512 MB, one to two seconds to replay.</summary>
    public long FlushAtJournalBytes { get; init; } = 512L << 20;

    /// <summary>Scratch bytes at which writers wait for the flush. Default: a quarter of the memory this process may use.</summary>
    public long ScratchBytesMax { get; init; } = Math.Max(AvailableMemory / 4, 256L << 20);

    /// <summary>Scratch bytes of all storages of the process from which on each flushes at <see cref="FlushAtScratchBytesMin"/> already.
    /// Default: an eighth of the memory this process may use.</summary>
    internal long ProcessScratchBytesMax { get; init; } = AvailableMemory / 8;

    /// <summary>How long after the last commit an idle storage flushes and syncs, in milliseconds.</summary>
    public int IdleFlushMs { get; init; } = 2000;

    /// <summary>Time without load after which spare memory and pooled journals go, in milliseconds. Within a minute, and not much sooner: what load
    /// needs again after a pause costs the first gigabyte seconds of clearing where the host takes free memory back.</summary>
    internal int TrimAfterMs { get; init; } = 45_000;

    /// <summary>Pages that are given back to the file system together: a power of two, at most 512. 1 MB: smaller holes would cost
    /// the file system a record each for little space, and break what is read in one go.</summary>
    internal int HolePages { get; init; } = 128;

    /// <summary>True: free pages are never used again; the control of benchmarks.</summary>
    internal bool AppendOnly { get; init; }

    /// <summary>Called during recovery with the bytes read and the bytes of the current file.</summary>
    public Action<long, long>? RecoveryProgress { get; init; }

    private static long AvailableMemory => GC.GetGCMemoryInfo().TotalAvailableMemoryBytes;
}
