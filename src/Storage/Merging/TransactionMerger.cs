using System.Collections.Concurrent;
using System.Diagnostics;
using Jackdaw.Pal.Native;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Storage.Merging;

/// <summary>Merges the waiting commands of all requests into transactions and applies them one after the other, on a
/// thread of its own, or on the caller's when nobody else writes.</summary>
/// <remarks>
/// One thread at a time has the turn: it takes commands from the queue, executes and submits them. Usually that is the
/// merger's thread; see <see cref="TransactionMerger.TryRunHere"/> for the other case.
/// A batch stays open while the write of the previous batch runs: a slow disk gets larger transactions, a fast one
/// smaller ones. It closes when that write is done and what was queued at that moment has been applied, or at
/// <see cref="BatchBytesMax"/>, or after <see cref="BatchMsMax"/>.
/// A command that throws fails alone: the batch is rolled back and run again without it; after <see cref="RerunsMax"/>
/// such reruns every command gets a transaction of its own. The queue is bounded in commands and bytes: a caller that
/// exceeds the bound waits, and is refused after a while.
/// </remarks>
public sealed partial class TransactionMerger : IDisposable
{
    /// <summary>Commands that may wait: 32 batches of 128 busy connections.</summary>
    public const int QueueCommandsMax = 4096;

    /// <summary>Bytes that may wait.</summary>
    public const long QueueBytesMax = 64L * 1024 * 1024;

    /// <summary>Bytes of commands that close a batch: beyond it a durable write gains no throughput and only adds
    /// latency.</summary>
    private const long BatchBytesMax = 4L * 1024 * 1024;

    /// <summary>Scratch bytes that close a batch: many small commands may touch many pages.</summary>
    private const long BatchScratchBytesMax = 64L * 1024 * 1024;

    /// <summary>Longest time that a batch takes commands, in milliseconds.</summary>
    private const int BatchMsMax = 50;

    /// <summary>Amount of waiting work above which the committer writes a batch, so that the merger runs the next one
    /// at the same time. Two hand-overs between threads and colder caches cost that much; measured with 1 to 512
    /// clients on two processors, where writing on the merger's own thread below it gave 1.2 to 1.7 times the
    /// throughput.</summary>
    private const int HandOverMicroseconds = 500;

    /// <summary>How often a batch is run again without the command that failed, before each command runs alone. Bounds
    /// the work that failing commands can cause.</summary>
    private const int RerunsMax = 3;

    /// <summary>How long the merger polls for the next command without yielding its processor.</summary>
    private const int SpinMicroseconds = 20;

    /// <summary>How long it then polls while yielding its processor: a single client's next request comes 60 to 100 us
    /// after the answer to its last one, and waking the merger for it would cost half as much again. See
    /// docs/decisions/0016.</summary>
    private const int YieldMicroseconds = 150;

    /// <summary>Bytes counted for a command that reports 0, so that the bound in bytes covers the objects
    /// too.</summary>
    private const int CommandBytesMin = 256;

    /// <summary>How long a request waits for room in the queue before it is refused.</summary>
    private static readonly TimeSpan s_queuePatience = TimeSpan.FromSeconds(5);

    private readonly StorageEnvironment _environment;
    private readonly ConcurrentQueue<WriteCommand> _queue = new();
    private readonly QueueGate _gate;
    private readonly WakeSignal _signal = new(SpinMicroseconds, YieldMicroseconds);
    private readonly Thread _thread;
    private readonly Lock _turn = new(); // held by whoever runs batches; guards _previous
    private readonly IBatchObserver? _observer;
    private readonly Func<CommandBatch, WriteTransaction, bool> _fill;
    private PendingCommit? _previous;
    private volatile bool _stopping;
    private volatile bool _hasEnded;

    /// <param name="environment">The storage it writes to; outlives it.</param>
    /// <param name="name">For the name of its thread.</param>
    /// <param name="time">Measures how long a caller waits for room.</param>
    /// <param name="observer">Is notified of each merged transaction; may be null.</param>
    public TransactionMerger(StorageEnvironment environment, string name, TimeProvider time, IBatchObserver? observer = null)
    {
        _observer = observer;
        _environment = environment;
        _fill = TryFill;
        _runBatch = batch => RunBatch((CommandBatch)batch!);
        _gate = new QueueGate(QueueCommandsMax, QueueBytesMax, time);
        _thread = new Thread(Run) { IsBackground = true, Name = $"merger {name}" };
        _thread.UnsafeStart();
    }

    /// <summary>Counters.</summary>
    public MergerStatistics Statistics { get; } = new();

    /// <summary>Commands waiting or being applied.</summary>
    public int QueueLength => _gate.Commands;

    /// <summary>Queues a command; completes when it is durable and visible to readers that begin afterwards.</summary>
    /// <param name="command">What to write.</param>
    /// <param name="mayRunHere">Whether the caller's thread may execute and write the command before this method
    /// returns. It then waits for the disk.</param>
    /// <param name="cancellation">Ends the wait for room.</param>
    /// <exception cref="QueueFullException">The queue had no room for several seconds: the server is
    /// overloaded.</exception>
    /// <exception cref="OperationCanceledException">Only while the command waits for room; later it is carried
    /// out.</exception>
    public ValueTask<CommandCosts> ExecuteAsync(WriteCommand command, bool mayRunHere = false, CancellationToken cancellation = default)
    {
        ObjectDisposedException.ThrowIf(_stopping, this);
        if (!_gate.TryEnter(CountedBytes(command)))
        {
            return WaitAndEnqueueAsync(command, cancellation);
        }

        ValueTask<CommandCosts> completion = command.Begin();
        if (!mayRunHere || !TryRunHere(command))
        {
            Enqueue(command);
        }

        return completion;
    }

    /// <summary>Applies the queued commands, then stops the thread; later commands are refused.</summary>
    public void Dispose()
    {
        if (!_stopping)
        {
            _stopping = true;
            _signal.Set();
            _thread.Join();
            _signal.Dispose();
        }
    }

    internal static int CountedBytes(WriteCommand command) => Math.Max(command.SizeBytes, CommandBytesMin);

    private async ValueTask<CommandCosts> WaitAndEnqueueAsync(WriteCommand command, CancellationToken cancellation)
    {
        if (!await _gate.EnterAsync(CountedBytes(command), s_queuePatience, cancellation).ConfigureAwait(false))
        {
            throw new QueueFullException(_environment.Path, s_queuePatience);
        }

        ValueTask<CommandCosts> completion = command.Begin();
        Enqueue(command);
        return await completion.ConfigureAwait(false);
    }

    private void Enqueue(WriteCommand command)
    {
        _queue.Enqueue(command);

        // A full fence: either the thread's last check finds the command, or its end is seen here.
        _signal.Set();
        if (_hasEnded)
        {
            RefuseQueued();
        }
    }

    /// <summary>Fails commands that arrived after the thread's last check: from callers that had passed the check, or
    /// waited for room. Any thread, once the merger's thread has ended.</summary>
    private void RefuseQueued()
    {
        Debug.Assert(_hasEnded);
        while (_queue.TryDequeue(out WriteCommand? command))
        {
            _gate.Leave(1, CountedBytes(command));
            command.Fail(new ObjectDisposedException(nameof(TransactionMerger)));
        }
    }

    private void Run()
    {
        PalThread.RequestShortSlices();
        _threadContext = ExecutionContext.Capture();
        while (true)
        {
            bool isStopping = _stopping; // read before the queue: everything queued before the stop is in it by then
            if (TryRunQueued())
            {
                continue;
            }

            if (isStopping)
            {
                _hasEnded = true;
                Interlocked.MemoryBarrier();
                RefuseQueued();
                return;
            }

            _signal.Wait(Timeout.Infinite);
        }
    }

    private bool TryRunQueued()
    {
        lock (_turn)
        {
            if (!_queue.TryDequeue(out WriteCommand? command))
            {
                return false;
            }

            var batch = new CommandBatch(_gate, _observer);
            batch.Add(command);
            RunBatch(batch);
            return true;
        }
    }

    private void RunBatch(CommandBatch batch)
    {
        Debug.Assert(_turn.IsHeldByCurrentThread);
        if (!TryTransact(batch, _fill))
        {
            RunAgain(batch);
        }
    }

    /// <summary>Executes a batch in one transaction and submits it; false when a command threw; then the batch was
    /// rolled back. Any other failure fails all its commands.</summary>
    private bool TryTransact(CommandBatch batch, Func<CommandBatch, WriteTransaction, bool> execute)
    {
        Debug.Assert(batch.Commands.Count > 0 && batch.Commands.TrueForAll(command => command.Failure is null));
        try
        {
            using WriteTransaction transaction = _environment.BeginWrite();
            if (!execute(batch, transaction))
            {
                return false;
            }

            CommitBatch(batch, transaction);
        }
        catch (TransactionTooLargeException) when (batch.Commands.Count > 1)
        {
            // Each command may fit alone; only a command that does not fit alone may fail.
            RunEachAlone(batch);
        }
        catch (Exception e)
        {
            batch.Fail(e);
        }

        return true;
    }

    /// <summary>Executes the first command and those that follow until the batch closes; false when one
    /// threw.</summary>
    private bool TryFill(CommandBatch batch, WriteTransaction transaction)
    {
        Debug.Assert(batch.Commands.Count == 1, "a batch is opened with its first command");
        bool runsBesideAWrite = !IsPreviousWritten;
        int left = int.MaxValue;
        WriteCommand? command = batch.Commands[0];
        while (TryRun(batch, command, transaction))
        {
            if (FindLimit(batch, transaction) is { } limit)
            {
                batch.CloseReason = limit;
                return true;
            }

            if (batch.IsAnsweredHere)
            {
                left = 0; // the caller executes its own command only
            }
            else if (left < int.MaxValue)
            {
                left--;
            }
            else if (IsPreviousWritten)
            {
                left = _queue.Count;
            }

            if (left == 0 || !TryTakeNext(out command))
            {
                batch.CloseReason = runsBesideAWrite ? BatchCloseReason.PreviousWritten : BatchCloseReason.QueueEmpty;
                return true;
            }

            batch.Add(command);
        }

        return false;
    }

    /// <summary>True when enough work waits to run it during the write of this batch.</summary>
    private static bool IsWorthHandingOver(in BatchCosts batch) =>
        batch.QueueDepth * batch.ExecuteMicroseconds / batch.Commands >= HandOverMicroseconds;

    private bool IsPreviousWritten => _previous is null or { IsCompleted: true };

    /// <summary>Takes the next queued command. While the previous write runs, it waits for one. False when the batch should be closed.</summary>
    private bool TryTakeNext([System.Diagnostics.CodeAnalysis.NotNullWhen(true)] out WriteCommand? command)
    {
        while (!_queue.TryDequeue(out command))
        {
            if (IsPreviousWritten)
            {
                return false;
            }

            _signal.Wait(BatchMsMax);
        }

        return true;
    }

    /// <summary>With many storages or little memory, a batch stays within its storage's share: beyond that it might
    /// have to wait.</summary>
    private long ScratchBytesMax => Math.Min(BatchScratchBytesMax, _environment.Resources.Memory.WaitShareBytes);

    private BatchCloseReason? FindLimit(CommandBatch batch, WriteTransaction transaction)
    {
        if (batch.Bytes >= BatchBytesMax || transaction.ScratchBytes >= ScratchBytesMax)
        {
            return BatchCloseReason.Bytes;
        }

        return Stopwatch.GetElapsedTime(batch.Started).TotalMilliseconds >= BatchMsMax ? BatchCloseReason.Time : null;
    }

    /// <exception cref="TransactionTooLargeException">Thrown for several commands: which one would fit alone is not
    /// known.</exception>
    private static bool TryRun(CommandBatch batch, WriteCommand command, WriteTransaction transaction)
    {
        try
        {
            command.Run(transaction);
            return true;
        }
        catch (Exception e) when (e is not TransactionTooLargeException || batch.Commands.Count == 1)
        {
            command.Failure = e;
            return false;
        }
    }

    private void CommitBatch(CommandBatch batch, WriteTransaction transaction)
    {
        var executed = (long)Stopwatch.GetElapsedTime(batch.Started).TotalMicroseconds;
        int queued = _queue.Count;
        var costs = new BatchCosts(0, batch.Commands.Count, queued, batch.CloseReason, executed, default);
        PendingCommit commit = transaction.Submit(onThisThread: !IsWorthHandingOver(costs));
        bool isWaitedFor = !commit.IsCompleted; // by the thread that fills the next batch
        Debug.Assert(IsPreviousWritten, "a transaction is ordered after the previous one has completed");
        Statistics.Add(costs);
        _previous = commit;
        batch.CompleteWith(commit);
        commit.OnCompleted(done =>
        {
            if (done.Failure is null)
            {
                Statistics.Recent.Add(costs with { TransactionId = done.TransactionId, Commit = done.Costs });
            }

            if (isWaitedFor)
            {
                _signal.Set();
            }
        });
    }
}
