using Jackdaw.Storage.Journal;
using Jackdaw.Storage.Scratch;

namespace Jackdaw.Storage.Transactions;

/// <summary>The reader of the oldest state of a storage, and the memory that cannot be freed because of it.</summary>
/// <param name="Kind">The work of the reader.</param>
/// <param name="AgeMs">Milliseconds since it began, accurate to some milliseconds.</param>
/// <param name="TransactionId">Last transaction that it sees: flushes write no later one while it is active.</param>
/// <param name="RetainedScratchBytes">Scratch of all later versions of pages, and of those that were flushed but not
/// released. Without the reader the next flush frees them.</param>
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
    /// <summary>The oldest reader of a storage; null when there is none. Costs a scan of the reader slots and, with a
    /// reader, two short locks.</summary>
    internal static OldestReader? Find(ReaderSlots readers, PageTable table, JournalFolder journals)
    {
        if (!readers.TryFindOldest(out ActiveReader reader))
        {
            return null;
        }

        long retained = Math.Max(table.AddedBytes - reader.AddedBytes, 0);
        lock (table.ChangeLock)
        {
            retained += table.ParkedBytesFor(reader.Sequence);
        }

        long transactionId = StateSequence.TransactionOf(reader.Sequence);
        (int files, long bytes) = journals.ClosedBehind(transactionId);
        return new OldestReader(
            reader.Kind,
            Math.Max(Environment.TickCount64 - reader.BeganMs, 0),
            transactionId,
            retained,
            files,
            bytes);
    }
}
