using System.Diagnostics;
using System.Threading.Tasks.Sources;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Storage.Merging;

/// <summary>One request's writes, ready to apply. Built on the request's thread, executed on the merger's.</summary>
/// <remarks>Everything that can be done earlier (parsing, hashing, building rows) should be done on the request's
/// thread. <see cref="Execute"/> may run more than once: when another command of its batch fails, the batch is rolled
/// back and run again. It must therefore change nothing but the transaction and its own results, and set all results
/// anew each time. States: new -> queued -> executed -> completed. An object may be reused after its task was
/// awaited.</remarks>
public abstract class WriteCommand : IValueTaskSource<CommandCosts>
{
    private ManualResetValueTaskSourceCore<CommandCosts> _completion = new() { RunContinuationsAsynchronously = true };
    private long _queuedAt;
    private long _executedAt;

    /// <summary>Bytes that the command holds while it waits; bounds the queue. Zero counts as a small
    /// constant.</summary>
    public virtual int SizeBytes => 0;

    internal Exception? Failure { get; set; }

    /// <summary>Applies the command. Merger thread. An expected outcome is a result of the command, not an exception;
    /// an exception fails only this command, which must then leave no results.</summary>
    protected internal abstract void Execute(WriteTransaction transaction);

    internal ValueTask<CommandCosts> Begin()
    {
        _completion.Reset();
        Failure = null;
        _queuedAt = Stopwatch.GetTimestamp();
        return new ValueTask<CommandCosts>(this, _completion.Version);
    }

    internal void Run(WriteTransaction transaction)
    {
        Debug.Assert(_queuedAt != 0, "a command is queued before it is executed");
        _executedAt = Stopwatch.GetTimestamp();
        Execute(transaction);
    }

    internal void Succeed(int batchSize, PendingCommit commit)
    {
        Debug.Assert(Failure is null && _executedAt >= _queuedAt);
        var queued = (long)Stopwatch.GetElapsedTime(_queuedAt, _executedAt).TotalMicroseconds;
        _completion.SetResult(new CommandCosts(commit.TransactionId, queued, batchSize, commit.Costs));
    }

    internal void Fail(Exception failure) => _completion.SetException(failure);

    CommandCosts IValueTaskSource<CommandCosts>.GetResult(short token) => _completion.GetResult(token);

    ValueTaskSourceStatus IValueTaskSource<CommandCosts>.GetStatus(short token) => _completion.GetStatus(token);

    void IValueTaskSource<CommandCosts>.OnCompleted(
        Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _completion.OnCompleted(continuation, state, token, flags);
}

/// <summary>What one command's commit cost, for the answer's timing header.</summary>
/// <param name="TransactionId">Transaction that made it durable.</param>
/// <param name="QueueMicroseconds">From being queued to being executed.</param>
/// <param name="BatchSize">Commands in its transaction.</param>
/// <param name="Commit">Costs of the whole transaction.</param>
public readonly record struct CommandCosts(long TransactionId, long QueueMicroseconds, int BatchSize, CommitCosts Commit);
