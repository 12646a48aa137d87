using System.Runtime.ExceptionServices;
using Jackdaw.Storage.Scratch;

namespace Jackdaw.Storage.Transactions;

/// <summary>A submitted transaction that is not durable yet. Completes once, when it is durable and published, or with
/// the failure that stopped the storage.</summary>
public sealed class PendingCommit
{
    private readonly Lock _lock = new(); // guards _callback against completion
    private Action<PendingCommit>? _callback;
    private volatile bool _completed;

    internal PendingCommit(EnvironmentState state, ModifiedPages? modified, int slot)
    {
        State = state;
        Modified = modified;
        Slot = slot;
    }

    /// <summary>Transaction id; the id of the previous transaction when nothing was changed.</summary>
    public long TransactionId => State.TransactionId;

    /// <summary>True when the transaction is durable and visible, or failed.</summary>
    public bool IsCompleted => _completed;

    /// <summary>Why it failed; null while it runs and when it succeeded.</summary>
    public Exception? Failure { get; private set; }

    /// <summary>What it cost; filled when it completes.</summary>
    public CommitCosts Costs { get; internal set; }

    internal EnvironmentState State { get; set; }

    /// <summary>Null when there is nothing to write.</summary>
    internal ModifiedPages? Modified { get; }

    internal int Slot { get; }

    /// <summary>Blocks until it completed; throws its failure.</summary>
    public void Wait()
    {
        WaitUntilCompleted();
        if (Failure is { } failure)
        {
            ExceptionDispatchInfo.Throw(failure);
        }
    }

    /// <summary>Blocks until it completed, whether it succeeded or failed.</summary>
    internal void WaitUntilCompleted()
    {
        if (!_completed)
        {
            // A disk is slower than any useful spinning.
            using var done = new ManualResetEventSlim(initialState: false, spinCount: 0);
            OnCompleted(_ => done.Set());
            done.Wait();
        }
    }

    /// <summary>Calls back once, on the committer's thread, when it completes; immediately when it already has. The
    /// callback must be short.</summary>
    public void OnCompleted(Action<PendingCommit> callback)
    {
        lock (_lock)
        {
            if (!_completed)
            {
                _callback += callback;
                return;
            }
        }

        callback(this);
    }

    internal void Complete(Exception? failure)
    {
        Action<PendingCommit>? callback;
        lock (_lock)
        {
            Invariant.Check(!_completed, "a transaction completes twice");
            Failure = failure;
            _completed = true;
            callback = _callback;
            _callback = null;
        }

        callback?.Invoke(this);
    }
}

/// <summary>The cost of one committed transaction, or of several together.</summary>
/// <param name="Pages">Changed and new pages and runs.</param>
/// <param name="ChangedBytes">Bytes of those pages: what a page-writing engine would have written.</param>
/// <param name="RawBytes">Journal payload after the diff.</param>
/// <param name="StoredBytes">Journal bytes written, after compression and padding.</param>
/// <param name="PrepareMicroseconds">Checksums, diff and compression.</param>
/// <param name="WriteMicroseconds">The durable write.</param>
public readonly record struct CommitCosts(
    long Pages, long ChangedBytes, long RawBytes, long StoredBytes, long PrepareMicroseconds, long WriteMicroseconds)
{
    /// <summary>Overflow runs that are in the data file and not in the journal.</summary>
    public long DirectRuns { get; init; }

    /// <summary>Bytes written to the data file for such runs, before the transaction was ordered.</summary>
    public long DirectBytes { get; init; }

    /// <summary>Writing and syncing them.</summary>
    public long DirectMicroseconds { get; init; }

    /// <summary>With what a transaction's direct runs cost.</summary>
    internal CommitCosts With(DirectRuns direct) => this with
    {
        DirectRuns = direct.Count,
        DirectBytes = direct.WrittenBytes,
        DirectMicroseconds = direct.Microseconds,
    };
}
