using System.Diagnostics;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Storage.Merging;

/// <summary>The commands of one merged transaction. Filled by the merger, completed by one work item of the thread
/// pool: one wake-up per batch, and never on the writer's or the journal's thread. A batch that ran on the thread of a
/// caller is completed by it.</summary>
internal sealed class CommandBatch : IThreadPoolWorkItem
{
    private readonly QueueGate _gate;
    private readonly IBatchObserver? _observer;
    private PendingCommit? _commit;
    private bool _isLeftToPool;

    public CommandBatch(QueueGate gate, IBatchObserver? observer)
    {
        _gate = gate;
        _observer = observer;
    }

    /// <summary>Commands in the order of their execution.</summary>
    public List<WriteCommand> Commands { get; } = [];

    /// <summary>Bytes of the commands as counted by the gate.</summary>
    public long Bytes { get; private set; }

    /// <summary>When it was opened.</summary>
    public long Started { get; } = Stopwatch.GetTimestamp();

    /// <summary>Whether the thread that runs the batch completes the commands, if it also wrote them.</summary>
    public bool IsAnsweredHere { get; init; }

    /// <summary>Why the batch was closed.</summary>
    public BatchCloseReason CloseReason { get; set; }

    public void Add(WriteCommand command)
    {
        Commands.Add(command);
        Bytes += TransactionMerger.CountedBytes(command);
    }

    /// <summary>Completes the commands when the transaction is durable and published.</summary>
    public void CompleteWith(PendingCommit commit)
    {
        Debug.Assert(_commit is null && Commands.Count > 0);
        _commit = commit;
        if (!IsAnsweredHere || !commit.IsCompleted)
        {
            _isLeftToPool = true;
            commit.OnCompleted(_ => ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false));
        }
    }

    /// <summary>Completes the commands on this thread, unless they have failed or another thread still writes them.</summary>
    public void AnswerHere()
    {
        Debug.Assert(IsAnsweredHere);
        Debug.Assert(Commands.Count <= 1, "a caller executes its own command only");
        if (_commit is not null && !_isLeftToPool)
        {
            Answer();
        }
    }

    /// <summary>Fails every command.</summary>
    public void Fail(Exception failure)
    {
        Leave();
        foreach (WriteCommand command in Commands)
        {
            command.Fail(command.Failure ?? failure);
        }
    }

    void IThreadPoolWorkItem.Execute() => Answer();

    private void Answer()
    {
        PendingCommit commit = _commit!;
        Debug.Assert(commit.IsCompleted, "a command is answered only when its transaction is durable and published");
        _observer?.OnEnded(new EndedBatch(Commands, Started, commit.TransactionId, commit.Costs, commit.Failure));
        if (commit.Failure is { } failure)
        {
            Fail(failure);
            return;
        }

        Leave();
        foreach (WriteCommand command in Commands)
        {
            command.Succeed(Commands.Count, commit);
        }
    }

    private void Leave() => _gate.Leave(Commands.Count, Bytes);
}

/// <summary>Why a batch took no more commands.</summary>
public enum BatchCloseReason
{
    /// <summary>No write was running when it opened, and what was queued has been applied.</summary>
    QueueEmpty,

    /// <summary>The previous write was done, and what was queued then has been applied.</summary>
    PreviousWritten,

    /// <summary>It reached the largest size.</summary>
    Bytes,

    /// <summary>It was open for the longest allowed time.</summary>
    Time,

    /// <summary>A command was run alone after others failed.</summary>
    Alone,
}
