using Jackdaw.Storage.Environments;

namespace Jackdaw.Storage.Transactions;

/// <summary>Who reads the oldest state of a storage, and what cannot be freed because of it.</summary>
/// <param name="Kind">What it does.</param>
/// <param name="AgeMs">Milliseconds since it began, to some milliseconds.</param>
/// <param name="TransactionId">Last transaction that it sees: flushes write no later one while it reads.</param>
/// <param name="RetainedScratchBytes">Scratch of all later versions of pages, and of those that were flushed but not let go. Without
/// the reader the next flush frees them.</param>
/// <param name="RetainedJournals">Full journals that hold later transactions.</param>
/// <param name="RetainedJournalBytes">Their bytes.</param>
public readonly record struct OldestReader(
    ReaderKind Kind,
    long AgeMs,
    long TransactionId,
    long RetainedScratchBytes,
    int RetainedJournals,
    long RetainedJournalBytes)
{
    /// <summary>Looks at a storage; null when nobody reads. Costs a scan of the reader slots and, with a reader, two short locks.</summary>
    internal static OldestReader? Find(StorageEnvironment storage)
    {
        if (!storage.Readers.TryFindOldest(out ActiveReader reader))
        {
            return null;
        }

        long retained = Math.Max(storage.Table.AddedBytes - reader.AddedBytes, 0);
        lock (storage.Table.ChangeLock)
        {
            retained += storage.Table.ParkedBytesFor(reader.Sequence);
        }

        long transactionId = EnvironmentState.TransactionOf(reader.Sequence);
        (int files, long bytes) = storage.Journals.ClosedBehind(transactionId);
        return new OldestReader(
            reader.Kind,
            Math.Max(Environment.TickCount64 - reader.BeganMs, 0),
            transactionId,
            retained,
            files,
            bytes);
    }
}
