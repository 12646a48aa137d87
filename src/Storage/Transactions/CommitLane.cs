using System.Diagnostics;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Journal;

namespace Jackdaw.Storage.Transactions;

/// <summary>The journal lane: one thread that turns submitted transactions into durable journal entries, publishes them and
/// completes them, in order, while the writer thread already runs the next transaction.</summary>
/// <remarks>
/// Per transaction: 1. checksums, diff, compression; 2. one durable write; 3. publish (one reference write); 4. complete.
/// Nothing is published before it is durable, and nothing is answered before it is published.
/// A failure in 1 or 2 stops the storage: this transaction and all that were submitted after it fail with the same cause.
/// When no transaction came for a moment, a footer is written, so that damage to the last entry cannot pass for a torn write.
/// </remarks>
internal sealed class CommitLane : IDisposable
{
    /// <summary>How long the lane looks for the next transaction before it sleeps: about the time that one batch takes to execute.</summary>
    private const int SpinMicroseconds = 25;

    /// <summary>Idle time after which the footer is written: longer than the pauses between the commits of a busy client.</summary>
    private const int FooterAfterMs = 20;

    private readonly StorageEnvironment _environment;
    private readonly JournalWriter _writer;
    private readonly EntryBuilder _builder;
    private readonly WakeSignal _signal = new(SpinMicroseconds);
    private readonly Lock _lock = new(); // guards _queue
    private readonly Queue<PendingCommit> _queue = new();
    private readonly Thread _thread;
    private long _durable;
    private bool _footerDue;
    private volatile bool _stopping;

    public CommitLane(StorageEnvironment environment, JournalWriter writer, ulong salt, long durableTransaction)
    {
        _environment = environment;
        _writer = writer;
        _builder = new EntryBuilder(salt);
        _durable = durableTransaction;
        _thread = new Thread(Run) { IsBackground = true, Name = "journal lane" };
        _thread.Start();
    }

    /// <summary>Puts a transaction in the row. Writer thread.</summary>
    public void Enqueue(PendingCommit commit)
    {
        lock (_lock)
        {
            _queue.Enqueue(commit);
        }

        _signal.Set();
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
                WriteFooter();
            }
        }
    }

    private bool TryDequeue([System.Diagnostics.CodeAnalysis.NotNullWhen(true)] out PendingCommit? commit)
    {
        lock (_lock)
        {
            return _queue.TryDequeue(out commit);
        }
    }

    private void Process(PendingCommit commit)
    {
        Exception? failure = _environment.Failure;
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

    private void WriteAndPublish(PendingCommit commit, ModifiedPages modified)
    {
        long started = Stopwatch.GetTimestamp();
        BuiltEntry entry = _builder.Build(modified);
        ref JournalEntryHeader header = ref entry.Header;
        header.TransactionId = commit.TransactionId;
        header.NextPage = commit.State.NextPage;
        header.Root = commit.State.Root;
        long rawBytes = header.RawBytes;
        long built = Stopwatch.GetTimestamp();
        JournalPosition position = _writer.Write(entry, _durable);
        long written = Stopwatch.GetTimestamp();
        Invariant.Check(commit.TransactionId == _durable + 1, "transactions became durable out of order");
        _durable = commit.TransactionId;
        _footerDue = true;
        commit.State = commit.State with { Journal = position };
        commit.Costs = new CommitCosts(modified.Count, CountBytes(modified), rawBytes, entry.Bytes,
            Microseconds(built - started), Microseconds(written - built));
        _environment.Publish(commit);
    }

    private void WriteFooter()
    {
        _footerDue = false;
        _builder.Trim();
        if (_environment.Failure is not null || !_writer.HasRoomForFooter)
        {
            return;
        }

        try
        {
            BuiltEntry footer = _builder.BuildFooter();
            footer.Header.TransactionId = _durable;
            _writer.Write(footer, _durable);
        }
        catch (Exception e)
        {
            _environment.Fail(e);
        }
    }

    private static long CountBytes(ModifiedPages modified)
    {
        long pages = 0;
        foreach (ref ModifiedPages.Entry entry in modified.Entries)
        {
            pages += entry.Pages;
        }

        return pages * Paging.Page.Size;
    }

    private static long Microseconds(long ticks) => ticks * 1_000_000 / Stopwatch.Frequency;
}
