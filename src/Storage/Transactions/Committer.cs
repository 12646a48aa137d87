using Jackdaw.Storage.Scratch;

namespace Jackdaw.Storage.Transactions;

/// <summary>Takes a storage's ordered transactions through the journal to their completion: one at a time, in
/// order.</summary>
/// <remarks>
/// The way of a transaction, by method: <see cref="WriteTransaction.Submit"/> ends its changes,
/// <see cref="SingleWriter.OrderAndWrite"/> waits for the one before, reserves space (<see cref="Prepare"/>), gives it
/// its place in the order and calls <see cref="Write"/>, which does the rest on this thread or on the committer's. Per
/// transaction: 1. reserve space in the journal; 2. checksums, diff, compression; 3. one durable write; 4. publish (one
/// reference write); 5. complete. Nothing is published before it is durable, and nothing is answered before it is
/// published. A failure in 3 stops every storage whose entry may be in the write.
/// </remarks>
internal abstract class Committer : IDisposable
{
    /// <summary>Reserves space in the journal for a transaction. Writer thread, while no transaction of the storage is
    /// being committed; followed by <see cref="Write"/> or <see cref="Withdraw"/>.</summary>
    /// <param name="modified">Changes of the transaction.</param>
    /// <param name="transactionId">Its id.</param>
    /// <param name="bytesMax">Most bytes that its entry can take.</param>
    /// <exception cref="DiskFullException">No room for another journal; nothing changed.</exception>
    /// <exception cref="ResourceShortageException">The same, because file descriptors or memory ran out.</exception>
    public abstract void Prepare(ModifiedPages modified, long transactionId, long bytesMax);

    /// <summary>Releases the space that <see cref="Prepare"/> reserved. Writer thread.</summary>
    public abstract void Withdraw();

    /// <summary>Writes, publishes and completes a transaction, after those that were handed over before. Writer
    /// thread.</summary>
    /// <param name="commit">The ordered transaction.</param>
    /// <param name="onThisThread">True: the caller waits for it in any case, so its thread may do the work.</param>
    public abstract void Write(PendingCommit commit, bool onThisThread);

    /// <summary>Releases memory that is only needed under load. The caller holds the writer's lock, and the last
    /// transaction is completed.</summary>
    public abstract void TrimMemory();

    /// <summary>Stops the committer, and completes all submitted transactions.</summary>
    public abstract void Dispose();
}
