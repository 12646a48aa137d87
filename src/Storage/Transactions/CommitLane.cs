using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Journal;

namespace Jackdaw.Storage.Transactions;

/// <summary>The journal lane: writes submitted transactions durably, publishes and completes them, in order, while the writer
/// thread already runs the next transaction.</summary>
/// <remarks>
/// Per transaction: 1. checksums, diff, compression; 2. one durable write; 3. publish (one reference write); 4. complete.
/// Nothing is published before it is durable, and nothing is answered before it is published.
/// A failure in 1 or 2 stops the storage: this transaction and all that were submitted after it fail with the same cause.
/// When nothing else waits, the writer thread does the steps itself: two hand-overs between threads cost as much as a
/// write to a fast disk, and the pages are in that processor's cache.
/// When no transaction came for a moment, a footer is written, so that damage to the last entry cannot pass for a torn write.
/// </remarks>
internal sealed class CommitLane : IDisposable
{
    /// <summary>How long the lane looks for the next transaction before it sleeps: about the time one batch takes to execute.</summary>
    private const int SpinMicroseconds = 25;

    /// <summary>Idle time after which the footer is written: longer than the pauses between the commits of a busy client.</summary>
    private const int FooterAfterMs = 20;

    private readonly StorageEnvironment _environment;
    private readonly JournalWriter _writer;
    private readonly EntryBuilder _builder;
    private readonly CompressionPolicy _compression = new();
    private readonly FooterEntry _footer = new();
    private readonly WakeSignal _signal = new(SpinMicroseconds);
    private readonly Lock _queueLock = new(); // guards _queue
    private readonly Lock _writeLock = new(); // guards everything that builds and writes: one entry at a time
    private readonly Queue<PendingCommit> _queue = new();
    private readonly Thread _thread;
    private long _durable;
    private long _lastWrite;
    private volatile bool _footerDue;
    private volatile bool _stopping;

    public CommitLane(StorageEnvironment environment, JournalWriter writer, ulong salt, long durableTransaction)
    {
        _environment = environment;
        _writer = writer;
        _builder = new EntryBuilder(salt, _compression);
        _durable = durableTransaction;
        _thread = new Thread(Run) { IsBackground = true, Name = "journal lane" };
        _thread.Start();
    }

    /// <summary>Puts a transaction in the row. Writer thread.</summary>
    public void Enqueue(PendingCommit commit)
    {
        lock (_queueLock)
        {
            _queue.Enqueue(commit);
        }

        _signal.Set();
    }

    /// <summary>Writes, publishes and completes a transaction. The lane's thread, or the writer thread while the lane is idle.</summary>
    public void Process(PendingCommit commit)
    {
        Exception? failure = _environment.Failure is { } cause ? _environment.Fail(cause) : null;
        if (failure is null && commit.Modified is not null)
        {
            try
            {
                WriteAndPublish(commit, commit.Modified);
            }
            catch (Exception e)
            {
                failure = _environment.Fail(e);
            }
        }

        _environment.Release(commit);
        commit.Complete(failure);
    }

    /// <summary>Writes what is queued and ends the thread.</summary>
    public void Dispose()
    {
        if (!_stopping)
        {
            _stopping = true;
            _signal.Set();
            _thread.Join();
            _signal.Dispose();
            _footer.Dispose();
            _builder.Dispose();
        }
    }

    private void Run()
    {
        while (true)
        {
            if (TryDequeue(out PendingCommit? commit))
            {
                Process(commit);
            }
            else if (_stopping)
            {
                return;
            }
            else if (!_signal.Wait(_footerDue ? FooterAfterMs : Timeout.Infinite))
            {
                WriteFooterIfIdle();
            }
        }
    }

    private bool TryDequeue([NotNullWhen(true)] out PendingCommit? commit)
    {
        lock (_queueLock)
        {
            return _queue.TryDequeue(out commit);
        }
    }

    private void WriteAndPublish(PendingCommit commit, ModifiedPages modified)
    {
        lock (_writeLock)
        {
            // Again under the lock: a footer that could not be written meanwhile has stopped the storage.
            _environment.ThrowIfFailed();
            Invariant.Check(commit.TransactionId == _durable + 1, "transactions become durable out of order");
            long started = Stopwatch.GetTimestamp();
            BuiltEntry entry = Build(commit, modified);
            long rawBytes = entry.Header.RawBytes;
            long built = Stopwatch.GetTimestamp();
            JournalPosition position = _writer.Write(entry, _durable);
            _lastWrite = Stopwatch.GetTimestamp();
            _compression.OnWritten(entry.Bytes, _lastWrite - built);
            _durable = commit.TransactionId;
            commit.State = commit.State with { Journal = position };
            commit.Costs = new CommitCosts(
                modified.Count, modified.CountBytes(), rawBytes, entry.Bytes, Microseconds(built - started), Microseconds(_lastWrite - built));
        }

        _environment.Publish(commit);
        if (!_footerDue)
        {
            // The lane's thread sleeps without a limit as long as no footer is due: once, it has to be told.
            _footerDue = true;
            _signal.Set();
        }
    }

    private BuiltEntry Build(PendingCommit commit, ModifiedPages modified)
    {
        BuiltEntry entry = _builder.Build(modified, commit.TransactionId);
        entry.Header.NextPage = commit.State.NextPage;
        entry.Header.Root = commit.State.Root;
        return entry;
    }

    private static long Microseconds(long ticks) => ticks * 1_000_000 / Stopwatch.Frequency;

    private void WriteFooterIfIdle()
    {
        lock (_writeLock)
        {
            if (Stopwatch.GetElapsedTime(_lastWrite).TotalMilliseconds < FooterAfterMs)
            {
                return;
            }

            _footerDue = false;
            _builder.Trim();
            if (_environment.Failure is not null || !_writer.HasRoomForFooter)
            {
                return;
            }

            try
            {
                _writer.Write(_footer.Build(_durable), _durable);
            }
            catch (Exception e)
            {
                _environment.Fail(e);
            }
        }
    }
}
