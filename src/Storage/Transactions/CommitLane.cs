namespace Jackdaw.Storage.Transactions;

/// <summary>The way of a storage's transactions to its journal: one at a time, in order.</summary>
/// <remarks>
/// Per transaction: 1. room in the journal; 2. checksums, diff, compression; 3. one durable write; 4. publish (one reference
/// write); 5. complete. Nothing is published before it is durable, and nothing is answered before it is published.
/// A failure in 3 stops every storage whose entry may be in the write.
/// </remarks>
internal abstract class CommitLane : IDisposable
{
    /// <summary>Makes sure of the journal's room for a transaction. Writer thread, while the lane has nothing of the storage; ends
    /// with <see cref="Submit"/> or <see cref="Withdraw"/>.</summary>
    /// <param name="modified">Changes of the transaction.</param>
    /// <param name="transactionId">Its id.</param>
    /// <param name="bytesMax">Most bytes that its entry can take.</param>
    /// <exception cref="Environments.DiskFullException">No room for another journal; nothing changed.</exception>
    /// <exception cref="Environments.ResourceShortageException">The same, for want of open files or memory.</exception>
    public abstract void Prepare(ModifiedPages modified, long transactionId, long bytesMax);

    /// <summary>Gives back what <see cref="Prepare"/> made sure of. Writer thread.</summary>
    public abstract void Withdraw();

    /// <summary>Puts a transaction in the row. Writer thread.</summary>
    /// <param name="commit">The ordered transaction.</param>
    /// <param name="onThisThread">True: the caller waits for it in any case, and may do the work.</param>
    public abstract void Submit(PendingCommit commit, bool onThisThread);

    /// <summary>Gives back what only load needed. The caller is the writer, and the last transaction is completed.</summary>
    public abstract void TrimMemory();

    /// <summary>Ends what runs, and completes what was submitted.</summary>
    public abstract void Dispose();
}
