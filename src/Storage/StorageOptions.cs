using Jackdaw.Storage.Resources;

namespace Jackdaw.Storage;

/// <summary>The settings of a storage. The defaults are meant for servers; tests use smaller values.</summary>
public sealed record StorageOptions
{
    /// <summary>Scratch bytes that start a flush on the smallest machine.</summary>
    internal const long FlushAtScratchBytesMin = 64L << 20;

    /// <summary>Bytes of the first journal file. 16 MB hold the largest batch of small documents and are filled with
    /// zeros in 5 ms.</summary>
    internal const long JournalFileBytesMin = 16L << 20;

    /// <summary>Clock for time stamps and policies.</summary>
    public TimeProvider Time { get; init; } = TimeProvider.System;

    /// <summary>False: pages are flushed and synced only when the owner calls <c>Flush</c> and <c>Sync</c>
    /// (deterministic tests).</summary>
    public bool BackgroundFlush { get; init; } = true;

    /// <summary>Bytes of the first journal file.</summary>
    public long JournalFileBytes { get; init; } = JournalFileBytesMin;

    /// <summary>Scratch bytes in use that start a flush. Default: a sixteenth of the memory this process may use, 64 MB
    /// to 4 GB. A smaller value means that pages that change often are written to disk more often.</summary>
    public long FlushAtScratchBytes { get; init; } = Math.Clamp(AvailableMemory / 16, FlushAtScratchBytesMin, 4L << 30);

    /// <summary>Journal bytes since the last flush that start one: bounds recovery. Default 512 MB, one to two seconds
    /// to replay.</summary>
    public long FlushAtJournalBytes { get; init; } = 512L << 20;

    /// <summary>Scratch bytes at which writers wait for the flush. Default: a quarter of the memory this process may
    /// use. When all storages together use that much, their writers wait too: see <see cref="MemoryBudget"/>.</summary>
    public long ScratchBytesMax { get; init; } = Math.Max(AvailableMemory / 4, 256L << 20);

    /// <summary>How long after the last commit an idle storage flushes and syncs, in milliseconds.</summary>
    public int IdleFlushMs { get; init; } = 2000;

    /// <summary>Time without load after which spare memory and pooled journals are released, in milliseconds. Within a
    /// minute, but not much sooner: when load resumes, the first gigabyte can take seconds to clear where the host of a
    /// virtual machine takes free memory back.</summary>
    internal int TrimAfterMs { get; init; } = 45_000;

    /// <summary>Pages that are given back to the file system together: a power of two, at most 512. 1 MB: smaller holes
    /// would cost the file system a record each for little space, and split sequential reads.</summary>
    internal int HolePages { get; init; } = 128;

    /// <summary>True: free pages are never reused; a baseline for benchmarks.</summary>
    internal bool AppendOnly { get; init; }

    /// <summary>Threads and memory that it shares with the other storages of the process. Default: a branch uses those
    /// of its root, a root has its own.</summary>
    public ProcessResources? Resources { get; init; }

    /// <summary>Called during recovery with the bytes read and the bytes of the current file.</summary>
    public Action<long, long>? RecoveryProgress { get; init; }

    /// <summary>Notified of each committed transaction; null for none.</summary>
    public ICommitObserver? CommitObserver { get; init; }

    private static long AvailableMemory => GC.GetGCMemoryInfo().TotalAvailableMemoryBytes;
}
