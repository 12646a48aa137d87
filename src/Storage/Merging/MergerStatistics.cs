using System.Diagnostics;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Storage.Merging;

/// <summary>Counters of a merger since it was made; always on. Written by the merger thread, read by any.</summary>
public sealed class MergerStatistics
{
    /// <summary>Number of batches remembered individually.</summary>
    private const int RecentMax = 64;

    private readonly long[] _closeReasons = new long[Enum.GetValues<BatchCloseReason>().Length];
    private long _batches;
    private long _commands;
    private long _waiting;
    private long _rollbacks;
    private long _largestBatch;

    /// <summary>Merged transactions.</summary>
    public long Batches => Volatile.Read(ref _batches);

    /// <summary>Commands in them.</summary>
    public long Commands => Volatile.Read(ref _commands);

    /// <summary>Sum over the batches of the commands that were waiting when each was closed.</summary>
    public long Waiting => Volatile.Read(ref _waiting);

    /// <summary>Batches rolled back because a command failed.</summary>
    public long Rollbacks => Volatile.Read(ref _rollbacks);

    /// <summary>Most commands in one transaction.</summary>
    public long LargestBatch => Volatile.Read(ref _largestBatch);

    /// <summary>The last batches that became durable, oldest first.</summary>
    public RecentValues<BatchCosts> Recent { get; } = new(RecentMax);

    /// <summary>Number of batches closed for a reason.</summary>
    public long ClosedFor(BatchCloseReason reason) => Volatile.Read(ref _closeReasons[(int)reason]);

    internal void Add(in BatchCosts batch)
    {
        Debug.Assert(batch.Commands > 0);
        Volatile.Write(ref _batches, _batches + 1);
        Volatile.Write(ref _commands, _commands + batch.Commands);
        Volatile.Write(ref _waiting, _waiting + batch.QueueDepth);
        Volatile.Write(ref _largestBatch, Math.Max(_largestBatch, batch.Commands));
        Volatile.Write(ref _closeReasons[(int)batch.CloseReason], _closeReasons[(int)batch.CloseReason] + 1);
    }

    internal void AddRollback() => Volatile.Write(ref _rollbacks, _rollbacks + 1);
}

/// <summary>One merged transaction and its cost.</summary>
/// <param name="TransactionId">Its id.</param>
/// <param name="Commands">Commands in it.</param>
/// <param name="QueueDepth">Commands that were waiting when it was closed.</param>
/// <param name="CloseReason">Why it was closed.</param>
/// <param name="ExecuteMicroseconds">From its first command to its close.</param>
/// <param name="Commit">Pages, bytes and times of its commit.</param>
public readonly record struct BatchCosts(
    long TransactionId, int Commands, int QueueDepth, BatchCloseReason CloseReason, long ExecuteMicroseconds, CommitCosts Commit);
