using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using Jackdaw.Pal.Native;
using Jackdaw.Storage.Headers;
using Jackdaw.Storage.Journal;
using Jackdaw.Storage.Scratch;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Storage.Committing;

/// <summary>The committer of a storage with journals of its own: writes its transactions durably, and those of its branches with them,
/// while the writer thread already runs the next one.</summary>
/// <remarks>
/// When nothing else waits, the writer thread does the steps itself: two hand-overs between threads cost as much as a
/// write to a fast disk, and the pages are in that processor's cache.
/// Entries of branches are added to the root's writes. When the root has nothing to write, the committer's thread
/// writes them; it also publishes and completes them, so that the root's own transaction never waits for that. When no
/// transaction has been committed for a moment, a footer is written, so that damage to the last entry cannot be
/// mistaken for a torn write.
/// </remarks>
internal sealed class JournalCommitter : Committer
{
    /// <summary>How long the committer polls for the next transaction before it sleeps: about the time one batch takes
    /// to execute.</summary>
    private const int SpinMicroseconds = 25;

    /// <summary>Idle time after which the footer is written: longer than the pauses between the commits of a busy client.</summary>
    private const int FooterAfterMs = 20;

    private readonly ICommittingStorage _storage;
    private readonly StorageHealth _health;
    private readonly EntryOwner _owner;
    private readonly JournalPreallocator _space;
    private readonly JournalWriter _writer;
    private readonly EntryBuilder _builder;
    private readonly FooterEntry _footer = new();
    private readonly WakeSignal _signal = new(SpinMicroseconds);
    private readonly Lock _queueLock = new(); // guards _queue
    private readonly Queue<PendingCommit> _queue = new();
    private readonly List<GroupedEntry> _group = [];
    private readonly PendingEntries _pending;
    private readonly Thread _thread;
    private long _promised; // of the transaction that is prepared or under way: there is one at most
    private long _lastWrite;
    private volatile bool _footerDue;
    private volatile bool _stopping;

    /// <param name="storage">The storage.</param>
    /// <param name="owner">Its identity and the chain of its entries.</param>
    /// <param name="folder">Its journals.</param>
    /// <param name="headers">Header of the storage.</param>
    /// <param name="nextJournal">Number of the next journal file.</param>
    /// <param name="options">Clock, and bytes of the first journal file.</param>
    public JournalCommitter(
        ICommittingStorage storage, EntryOwner owner, JournalFolder folder, HeaderFile headers, long nextJournal, StorageOptions options)
    {
        _storage = storage;
        _health = storage.Health;
        _owner = owner;
        _space = new JournalPreallocator(
            folder, headers, nextJournal, options.Time, options.JournalFileBytes, cause => _health.Fail(cause), file => _pending!.LinkAhead(file),
            storage.OnJournalClosed, storage.Share);
        _writer = new JournalWriter(options.Time, _space);
        _builder = new EntryBuilder(headers.Current.Salt, new CompressionPolicy(_writer.Cost), storage.Share.Memory);
        _pending = new PendingEntries(owner, _writer, _space, _signal.Set, () => storage.IsWriting);
        _thread = new Thread(Run) { IsBackground = true, Name = "committer" };
        _thread.Start();
    }

    /// <summary>Guards everything that builds and writes: one write at a time.</summary>
    public Lock WriteLock => _writer.Lock;

    /// <summary>The branches, and their pending entries.</summary>
    public PendingEntries PendingEntries => _pending;

    /// <summary>Folder of the storage.</summary>
    public string StoragePath => _health.Path;

    /// <summary>Durable writes since the storage was opened.</summary>
    public long Writes => _writer.Writes;

    /// <summary>What its durable writes cost.</summary>
    public DurableWriteCost WriteCost => _writer.Cost;

    /// <summary>Why the next journal could not be prepared ahead; null when it was.</summary>
    public Exception? JournalProblem => _space.Problem;

    /// <inheritdoc/>
    public override void Prepare(ModifiedPages modified, long transactionId, long bytesMax)
    {
        Debug.Assert(_promised == 0, "one transaction is in progress at most");
        _space.Reserve(bytesMax);
        _promised = bytesMax;
    }

    /// <inheritdoc/>
    public override void Withdraw() => _space.Reservation.Withdraw(TakePromised());

    /// <summary>Reserves space in the journal for a branch. Called on the branch's writer thread.</summary>
    public void Reserve(long bytes) => _space.Reserve(bytes);

    /// <summary>Switches to the next file, for a branch that cannot use the current one. Called on the branch's writer
    /// thread.</summary>
    public void MoveOn(JournalFile from)
    {
        while (_writer.Current == from && _health.Failure is null)
        {
            _space.PrepareForAll();
            lock (WriteLock)
            {
                _writer.TryMoveOn(from);
            }
        }
    }

    /// <summary>Releases a reservation of a branch.</summary>
    public void Withdraw(long promised) => _space.Reservation.Withdraw(promised);

    /// <summary>Writes a transaction whose entry was built for another journal, publishes and completes it. Any thread, while the
    /// storage waits for this transaction.</summary>
    public void WriteBuilt(PendingCommit commit, BuiltEntry entry) => Process(commit, () =>
    {
        Debug.Assert(_promised == 0, "one transaction is in progress at most");
        _space.Reserve(entry.Bytes);
        _promised = entry.Bytes;
        return entry;
    });

    /// <inheritdoc/>
    public override void Write(PendingCommit commit, bool onThisThread)
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
            _pending.Dispose();
            _signal.Dispose();
            _footer.Dispose();
            _builder.Dispose();
            _space.Dispose();
            _writer.Current?.Close();
        }
    }

    /// <summary>Writes, publishes and completes a transaction. The committer's thread, or the writer thread while the committer is idle.</summary>
    private void Process(PendingCommit commit, Func<BuiltEntry>? built)
    {
        Exception? failure = _health.Failure is { } cause ? _health.Fail(cause) : null;
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

        _storage.Release(commit);
        commit.Complete(failure);
    }

    private void Run()
    {
        PalThread.RequestShortSlices();
        while (true)
        {
            bool isStopping = _stopping; // read before the queue, which then has everything that was submitted
            if (TryDequeue(out PendingCommit? commit))
            {
                Process(commit, null);
            }
            else if (_pending.CompleteWritten())
            {
                continue;
            }
            else if (isStopping)
            {
                return;
            }
            else if (_pending.AreWaiting)
            {
                WritePending();
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
        lock (WriteLock)
        {
            // Checked again under the lock: a failed write of a footer or of a branch's entry has stopped the storage.
            _health.ThrowIfFailed();
            try
            {
                WriteDurably(commit, modified, makeEntry);
            }
            catch (Exception e)
            {
                throw _health.Fail(e); // before another thread gets the lock, and with it a half-built group
            }
        }

        Invariant.Check(_owner.DurableTransaction == commit.TransactionId, "a transaction is published that is not durable");
        _storage.Publish(commit);
        NoteFooter();
    }

    private void WriteDurably(PendingCommit commit, ModifiedPages modified, Func<BuiltEntry>? makeEntry)
    {
        Debug.Assert(WriteLock.IsHeldByCurrentThread);
        Debug.Assert(_group.Count == 0, "each write begins with an empty group");
        long started = Stopwatch.GetTimestamp();
        BuiltEntry entry = makeEntry is null ? Build(commit, modified) : makeEntry();
        long rawBytes = entry.Header.RawBytes;
        long built = Stopwatch.GetTimestamp();
        JournalFile file = _writer.MakeRoom(entry.Bytes / JournalFormat.BlockSize);
        _group.Add(new GroupedEntry(_owner, entry, file, TakePromised()));
        bool hasPending = _pending.TryJoinWrite(_group, entry.Bytes);
        WriteGroup();
        commit.State = commit.State with { EntryHash = entry.Header.PayloadHash };
        commit.Costs = new CommitCosts(
            modified.Count, modified.CountBytes(), rawBytes, entry.Bytes, Microseconds(built - started), Microseconds(_lastWrite - built))
            .With(modified.Direct);
        if (hasPending)
        {
            _pending.OnWritten(Microseconds(_lastWrite - built));
        }
    }

    /// <summary>Writes the group. Caller holds the write lock, and stops the storage after a failure before another
    /// thread can take the lock: otherwise the next write would acknowledge data that this one lost.</summary>
    private void WriteGroup()
    {
        Debug.Assert(WriteLock.IsHeldByCurrentThread);
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

    private long TakePromised()
    {
        long promised = _promised;
        Debug.Assert(promised > 0, "a transaction has one reservation, which is used or withdrawn once");
        _promised = 0;
        return promised;
    }

    private void NoteFooter()
    {
        if (!_footerDue)
        {
            // The committer's thread sleeps without a timeout while no footer is due, so it has to be woken once.
            _footerDue = true;
            _signal.Set();
        }
    }

    /// <summary>Writes entries of branches without an entry of the root. Committer's thread.</summary>
    private void WritePending()
    {
        _pending.LinkUnlinked();
        if (_pending.ShouldWaitForRoot)
        {
            _signal.Wait(PendingEntries.RootPauseMs);
            return;
        }

        try
        {
            if (TryWritePending())
            {
                NoteFooter();
            }
            else if (_pending.IsResting)
            {
                _signal.Wait(PendingEntries.RootPauseMs);
            }
        }
        catch (Exception e)
        {
            Stop(e);
        }
    }

    /// <summary>False when no branch with a pending entry has a link to the current file yet.</summary>
    private bool TryWritePending()
    {
        lock (WriteLock)
        {
            _health.ThrowIfFailed();
            try
            {
                if (!_pending.TryStartWrite(_group))
                {
                    return false;
                }

                long started = Stopwatch.GetTimestamp();
                WriteGroup();
                _pending.OnWritten(Microseconds(_lastWrite - started));
                return true;
            }
            catch (Exception e)
            {
                throw _health.Fail(e);
            }
        }
    }

    /// <inheritdoc/>
    public override void TrimMemory()
    {
        lock (WriteLock)
        {
            _builder.Release();
        }
    }

    /// <summary>Stops the storage and all its branches; returns the exception for callers.</summary>
    private StoragePoisonedException Stop(Exception cause)
    {
        StoragePoisonedException told = _health.Fail(cause);
        _pending.Fail(cause);
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
        lock (WriteLock)
        {
            if (Stopwatch.GetElapsedTime(_lastWrite).TotalMilliseconds < FooterAfterMs)
            {
                return;
            }

            _footerDue = _pending.HasFootersDue;
            _builder.Trim();
            if (_health.Failure is not null || _writer.Current is not { } file || !_space.Reservation.TryUse(JournalFormat.BlockSize))
            {
                return;
            }

            try
            {
                BuiltEntry footer = _footer.Build(_owner.DurableTransaction, _pending.ListDurable());
                _group.Add(new GroupedEntry(_owner, footer, file, 0));
                WriteGroup();
            }
            catch (Exception e)
            {
                Stop(e);
            }
        }
    }
}
