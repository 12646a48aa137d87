using Jackdaw.Storage.Transactions;

namespace Jackdaw.Storage.Merging;

/// <summary>What one command's commit cost, for the answer's timing header.</summary>
/// <param name="TransactionId">Transaction that made it durable.</param>
/// <param name="QueueMicroseconds">From being queued to being executed.</param>
/// <param name="BatchSize">Commands in its transaction.</param>
/// <param name="Commit">Costs of the whole transaction.</param>
public readonly record struct CommandCosts(long TransactionId, long QueueMicroseconds, int BatchSize, CommitCosts Commit);
