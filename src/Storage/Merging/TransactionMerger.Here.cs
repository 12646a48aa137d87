using System.Diagnostics;

namespace Jackdaw.Storage.Merging;

/// <content>Runs a lone command on its caller's thread.</content>
/// <remarks>
/// A client that sends one write after the other would wake two threads for each: the merger, and one of the pool for the answer. To be awake in time they
/// would have to poll. When nobody else writes, the caller executes the command itself, writes it, and goes on with the answer. As soon as two callers
/// meet, the merger's thread does the work again, which then polls and merges (docs/decisions/0063).
/// </remarks>
public sealed partial class TransactionMerger
{
    /// <summary>How long the merger's thread does the work after two callers met. Busy clients meet more often.</summary>
    private const int CrowdedMilliseconds = 5;

    /// <summary>How long the merger's thread does the work after a command took <see cref="SlowMilliseconds"/>: threads of the pool must not wait for a slow
    /// disk.</summary>
    private const int AfterSlowMilliseconds = 100;

    private const int SlowMilliseconds = 2;

    /// <summary>Threads of the pool that run a command at the same time, over all mergers of the process: the others have requests to answer.</summary>
    private const int RunningHereMax = 1;

    /// <summary>A larger command is worth the hand-over: its caller prepares the next one while it runs.</summary>
    private const int RunHereBytesMax = 64 * 1024;

    /// <summary>With one processor the pool has one thread at first, which must not wait for the disk.</summary>
    private static readonly bool s_hasOtherProcessors = Environment.ProcessorCount > 1;

    private static readonly ContextCallback s_answer = batch => ((CommandBatch)batch!).AnswerHere();

    private static int s_runningHere;

    private readonly ContextCallback _runBatch;
    private ExecutionContext? _threadContext; // of the merger's thread: the trace and the locals of a caller must not reach the commit
    private long _crowdedUntil; // a timestamp

    /// <summary>Runs a command on this thread if nobody else writes, and if it is likely to be quick. False: nothing was done.</summary>
    private bool TryRunHere(WriteCommand command)
    {
        if (!s_hasOtherProcessors || _threadContext is null || CountedBytes(command) > RunHereBytesMax)
        {
            return false;
        }

        if (!_queue.IsEmpty || _turn.IsHeldByCurrentThread)
        {
            LeaveToThread(CrowdedMilliseconds);
            return false;
        }

        if (Stopwatch.GetTimestamp() < Volatile.Read(ref _crowdedUntil))
        {
            return false;
        }

        if (Interlocked.Increment(ref s_runningHere) > RunningHereMax)
        {
            Interlocked.Decrement(ref s_runningHere);
            return false;
        }

        try
        {
            return TryTakeTurn(command);
        }
        finally
        {
            Interlocked.Decrement(ref s_runningHere);
        }
    }

    private bool TryTakeTurn(WriteCommand command)
    {
        if (!_turn.TryEnter())
        {
            LeaveToThread(CrowdedMilliseconds);
            return false;
        }

        var batch = new CommandBatch(_gate, _observer) { IsAnsweredHere = true };
        try
        {
            if (_stopping || !IsPreviousWritten)
            {
                return false;
            }

            batch.Add(command);
            ExecutionContext.Run(_threadContext!, _runBatch, batch);
        }
        finally
        {
            _turn.Exit();
        }

        if (Stopwatch.GetElapsedTime(batch.Started).TotalMilliseconds >= SlowMilliseconds)
        {
            LeaveToThread(AfterSlowMilliseconds);
        }

        ExecutionContext.Run(_threadContext!, s_answer, batch);
        return true;
    }

    private void LeaveToThread(int milliseconds) =>
        Volatile.Write(ref _crowdedUntil, Stopwatch.GetTimestamp() + (Stopwatch.Frequency * milliseconds / 1000));
}
