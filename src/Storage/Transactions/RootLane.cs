using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using Jackdaw.Pal;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Journal;
using Jackdaw.Storage.Sharing;

namespace Jackdaw.Storage.Transactions;

/// <summary>The lane of a storage with journals of its own: writes its transactions durably, and those of its branches with them,
/// while the writer thread already runs the next one.</summary>
/// <remarks>
/// When nothing else waits, the writer thread does the steps itself: two hand-overs between threads cost as much as a
/// write to a fast disk, and the pages are in that processor's cache.
/// Entries of branches ride in the root's writes. When the root has none, the lane's thread writes them; it also publishes
/// and completes them, so that the root's own transaction never waits for that.
/// When no transaction came for a moment, a footer is written, so that damage to a last entry cannot pass for a torn write.
/// </remarks>
internal sealed class RootLane : CommitLane
{
    /// <summary>How long the lane looks for the next transaction before it sleeps: about the time one batch takes to execute.</summary>
    private const int SpinMicroseconds = 25;

    /// <summary>Idle time after which the footer is written: longer than the pauses between the commits of a busy client.</summary>
    private const int FooterAfterMs = 20;

    private readonly StorageEnvironment _environment;
    private readonly EntryOwner _owner;
    private readonly JournalSpace _space;
    private readonly JournalWriter _writer;
    private readonly EntryBuilder _builder;
    private readonly FooterEntry _footer = new();
    private readonly WakeSignal _signal = new(SpinMicroseconds);
    private readonly Lock _queueLock = new(); // guards _queue
    private readonly Lock _writeLock = new(); // guards everything that builds and writes: one write at a time
    private readonly Queue<PendingCommit> _queue = new();
    private readonly List<GroupedEntry> _group = [];
    private readonly Riders _riders;
    private readonly Thread _thread;
    private long _promised; // of the transaction that is prepared or under way: there is one at most
    private long _lastWrite;
    private volatile bool _footerDue;
    private volatile bool _stopping;

    public RootLane(StorageEnvironment environment, EntryOwner owner, JournalSpace space, JournalWriter writer, ulong salt)
    {
        _environment = environment;
        _owner = owner;
        _space = space;
        _writer = writer;
        _builder = new EntryBuilder(salt, new CompressionPolicy(writer.Cost));
        _riders = new Riders(owner, writer, space, _signal.Set, () => environment.IsWriting);
        space.Prepared = _riders.LinkAhead;
        _thread = new Thread(Run) { IsBackground = true, Name = "journal lane" };
        _thread.Start();
    }

    /// <summary>The branches, and their entries on the way.</summary>
    public Riders Riders => _riders;

    /// <summary>Folder of the storage.</summary>
    public string StoragePath => _environment.Path;

    /// <summary>Durable writes since the storage was opened.</summary>
    public long Writes => _writer.Writes;

    /// <summary>What its durable writes cost.</summary>
    public DurableWriteCost WriteCost => _writer.Cost;

    /// <summary>Why the next journal could not be prepared ahead; null when it was.</summary>
    public Exception? JournalProblem => _space.Problem;

    /// <inheritdoc/>
    public override void Prepare(ModifiedPages modified, long transactionId, long bytesMax)
    {
        _space.Reserve(bytesMax);
        _promised = bytesMax;
    }

    /// <inheritdoc/>
    public override void Withdraw() => _space.Room.Withdraw(_promised);

    /// <summary>Promises room of the journal to a branch. The branch's writer thread.</summary>
    public void Reserve(long bytes) => _space.Reserve(bytes);

    /// <summary>Goes on in the next file, for a branch that cannot use a current one. The branch's writer thread.</summary>
    public void MoveOn(JournalFile from)
    {
        while (_writer.Current == from && _environment.Failure is null)
        {
            _space.PrepareForAll();
            lock (_writeLock)
            {
                _writer.TryMoveOn(from);
            }
        }
    }

    /// <summary>Ends a promise to a branch.</summary>
    public void Withdraw(long promised) => _space.Room.Withdraw(promised);

    /// <summary>Writes a transaction whose entry was built for another journal, publishes and completes it. Any thread, while the
    /// storage waits for this transaction.</summary>
    public void WriteBuilt(PendingCommit commit, BuiltEntry entry) => Process(commit, () =>
    {
        _space.Reserve(entry.Bytes);
        _promised = entry.Bytes;
        return entry;
    });

    /// <inheritdoc/>
    public override void Submit(PendingCommit commit, bool onThisThread)
    {
        if (onThisThread || commit.Modified is null)
        {
            Process(commit, null);
            return;
        }

        lock (_queueLock)
        {
            _queue.Enqueue(commit);
        }

        _signal.Set();
    }

    /// <summary>Writes what is queued and ends the thread.</summary>
    public override void Dispose()
    {
        if (!_stopping)
        {
            _stopping = true;
            _signal.Set();
            _thread.Join();
            _riders.Dispose();
            _signal.Dispose();
            _footer.Dispose();
            _builder.Dispose();
            _space.Dispose();
            _writer.Current?.Close();
        }
    }

    /// <summary>Writes, publishes and completes a transaction. The lane's thread, or the writer thread while the lane is idle.</summary>
    private void Process(PendingCommit commit, Func<BuiltEntry>? built)
    {
        Exception? failure = _environment.Failure is { } cause ? _environment.Fail(cause) : null;
        if (failure is null && commit.Modified is not null)
        {
            try
            {
                WriteAndPublish(commit, commit.Modified, built);
            }
            catch (Exception e)
            {
                failure = Stop(e);
            }
        }

        _environment.Release(commit);
        commit.Complete(failure);
    }

    private void Run()
    {
        PalThread.RunSoon();
        while (true)
        {
            bool isStopping = _stopping; // looked at before the queue: what was submitted before the stop is in it by now
            if (TryDequeue(out PendingCommit? commit))
            {
                Process(commit, null);
            }
            else if (_riders.CompleteWritten())
            {
                continue;
            }
            else if (isStopping)
            {
                return;
            }
            else if (_riders.AreWaiting)
            {
                WriteRiders();
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

    private void WriteAndPublish(PendingCommit commit, ModifiedPages modified, Func<BuiltEntry>? makeEntry)
    {
        lock (_writeLock)
        {
            // Again under the lock: a footer or a branch's entry that could not be written meanwhile has stopped the storage.
            _environment.ThrowIfFailed();
            try
            {
                WriteDurably(commit, modified, makeEntry);
            }
            catch (Exception e)
            {
                throw _environment.Fail(e); // before anybody else gets the lock, and with it a group that is half made
            }
        }

        _environment.Publish(commit);
        NoteFooter();
    }

    private void WriteDurably(PendingCommit commit, ModifiedPages modified, Func<BuiltEntry>? makeEntry)
    {
        long started = Stopwatch.GetTimestamp();
        BuiltEntry entry = makeEntry is null ? Build(commit, modified) : makeEntry();
        long rawBytes = entry.Header.RawBytes;
        long built = Stopwatch.GetTimestamp();
        JournalFile file = _writer.MakeRoom(entry.Bytes / JournalFormat.BlockSize);
        _group.Add(new GroupedEntry(_owner, entry, file, _promised));
        bool hasRiders = _riders.TryBoard(_group, entry.Bytes);
        Write();
        commit.State = commit.State with { EntryHash = entry.Header.PayloadHash };
        commit.Costs = new CommitCosts(
            modified.Count, modified.CountBytes(), rawBytes, entry.Bytes, Microseconds(built - started), Microseconds(_lastWrite - built));
        if (hasRiders)
        {
            _riders.OnWritten(Microseconds(_lastWrite - built));
        }
    }

    /// <summary>Writes the group. Caller holds the write lock, and stops the storage after a failure before anybody else can get it: the
    /// next write would take along, and acknowledge, what this one lost.</summary>
    private void Write()
    {
        try
        {
            _writer.Write(_group);
            _lastWrite = Stopwatch.GetTimestamp();
        }
        finally
        {
            _group.Clear();
        }
    }

    private void NoteFooter()
    {
        if (!_footerDue)
        {
            // The lane's thread sleeps without a limit as long as no footer is due: once, it has to be told.
            _footerDue = true;
            _signal.Set();
        }
    }

    /// <summary>Writes entries of branches without one of the root. Lane's thread.</summary>
    private void WriteRiders()
    {
        _riders.LinkUnlinked();
        if (_riders.ShouldWaitForRoot)
        {
            _signal.Wait(Riders.RootPauseMs);
            return;
        }

        try
        {
            if (TryWriteRiders())
            {
                NoteFooter();
            }
            else if (_riders.IsResting)
            {
                _signal.Wait(Riders.RootPauseMs);
            }
        }
        catch (Exception e)
        {
            Stop(e);
        }
    }

    /// <summary>False when none of those that wait has a name for the current file yet.</summary>
    private bool TryWriteRiders()
    {
        lock (_writeLock)
        {
            _environment.ThrowIfFailed();
            try
            {
                if (!_riders.TryStartWrite(_group))
                {
                    return false;
                }

                long started = Stopwatch.GetTimestamp();
                Write();
                _riders.OnWritten(Microseconds(_lastWrite - started));
                return true;
            }
            catch (Exception e)
            {
                throw _environment.Fail(e);
            }
        }
    }

    /// <inheritdoc/>
    public override void TrimMemory()
    {
        lock (_writeLock)
        {
            _builder.Release();
        }
    }

    /// <summary>Stops the storage and all its branches; returns what callers are to be told.</summary>
    private StoragePoisonedException Stop(Exception cause)
    {
        StoragePoisonedException told = _environment.Fail(cause);
        _riders.Fail(cause);
        return told;
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

            _footerDue = _riders.HasFootersDue;
            _builder.Trim();
            if (_environment.Failure is not null || _writer.Current is not { } file || !_space.Room.TryUse(JournalFormat.BlockSize))
            {
                return;
            }

            try
            {
                BuiltEntry footer = _footer.Build(_owner.DurableTransaction, _riders.ListDurable());
                _group.Add(new GroupedEntry(_owner, footer, file, 0));
                Write();
            }
            catch (Exception e)
            {
                Stop(e);
            }
        }
    }
}
