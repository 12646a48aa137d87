using Jackdaw.Storage.Transactions;

namespace Jackdaw.Storage.Merging;

/// <summary>One merged transaction and what it cost.</summary>
/// <param name="TransactionId">Its id.</param>
/// <param name="Commands">Commands in it.</param>
/// <param name="QueueDepth">Commands that were waiting when it was closed.</param>
/// <param name="CloseReason">Why it was closed.</param>
/// <param name="ExecuteMicroseconds">From its first command to its close.</param>
/// <param name="Commit">Pages, bytes and times of its commit.</param>
public readonly record struct BatchCosts(
    long TransactionId, int Commands, int QueueDepth, BatchCloseReason CloseReason, long ExecuteMicroseconds, CommitCosts Commit);
