using Jackdaw.Pal;
using Jackdaw.Storage.Flushing;
using Jackdaw.Storage.Sharing;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Storage.Environments;

/// <summary>Sizes and positions of a storage at one moment.</summary>
public sealed record StorageFigures
{
    /// <summary>Last published transaction.</summary>
    public required long TransactionId { get; init; }

    /// <summary>Last transaction whose pages are in the data file.</summary>
    public required long FlushedTransaction { get; init; }

    /// <summary>Last transaction whose pages are durable in the data file: recovery begins after it.</summary>
    public required long SyncedTransaction { get; init; }

    /// <summary>Bytes of the data file.</summary>
    public required long DataBytes { get; init; }

    /// <summary>Bytes of all journal files, including those that are kept for reuse.</summary>
    public required long JournalBytes { get; init; }

    /// <summary>Journal files in use.</summary>
    public required int JournalFiles { get; init; }

    /// <summary>Why the next journal could not be prepared ahead; null when all is well. See
    /// <see cref="StorageEnvironment.JournalProblem"/>.</summary>
    public required string? JournalProblem { get; init; }

    /// <summary>Why a journal that is no longer needed could not be deleted; null when all is well. The deletion is tried again.</summary>
    public required string? JournalDeletionProblem { get; init; }

    /// <summary>Number of deletions of journals that failed since the storage was opened.</summary>
    public required long FailedJournalDeletions { get; init; }

    /// <summary>Bytes of pages that are not in the data file yet, or that a reader still sees.</summary>
    public required long ScratchBytes { get; init; }

    /// <summary>Bytes of memory mapped for such pages.</summary>
    public required long ScratchMappedBytes { get; init; }

    /// <summary>The part of the limit that waits to be flushed: from one half on, writers are slowed down, and at 1 they wait.</summary>
    public required double FlushDebt { get; init; }

    /// <summary>Milliseconds for which writers were slowed down since the storage was opened.</summary>
    public required long WritersPausedMs { get; init; }

    /// <summary>Branches that keep more of the storage's journals than usual; see
    /// <see cref="StorageEnvironment.PinnedJournals"/>.</summary>
    public required IReadOnlyList<PinnedJournals> PinnedJournals { get; init; }

    /// <summary>Transactions that hold a snapshot.</summary>
    public required int ActiveTransactions { get; init; }

    /// <summary>The active transaction that reads the oldest state; null when there is none.</summary>
    public required OldestReader? OldestReader { get; init; }

    /// <summary>The way in which flushes write pages at present.</summary>
    public required PageWriteMode WriteMode { get; init; }

    /// <summary>Sum of all flushes since the storage was opened.</summary>
    public required FlushCosts Flushes { get; init; }
}
