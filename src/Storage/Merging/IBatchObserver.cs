using Jackdaw.Storage.Transactions;

namespace Jackdaw.Storage.Merging;

/// <summary>Is notified of each merged transaction that ended.</summary>
public interface IBatchObserver
{
    /// <summary>A merged transaction is durable and visible, or failed; its callers have not been answered yet. Thread pool, one call for
    /// each transaction, in any order. Must be short, for the callers wait, and must not throw.</summary>
    /// <param name="batch">Valid during the call only: its commands are reused afterwards.</param>
    void OnEnded(in EndedBatch batch);
}

/// <summary>A merged transaction that ended.</summary>
/// <param name="Commands">Its commands in the order of their execution.</param>
/// <param name="Started">When it was opened, as a timestamp of <see cref="System.Diagnostics.Stopwatch"/>.</param>
/// <param name="TransactionId">Its id.</param>
/// <param name="Commit">What its commit cost; zeros when it changed nothing or failed.</param>
/// <param name="Failure">Why it did not become durable; null when it did.</param>
public readonly record struct EndedBatch(
    IReadOnlyList<WriteCommand> Commands, long Started, long TransactionId, CommitCosts Commit, Exception? Failure);
