using System.Diagnostics;
using Jackdaw.Storage.FreeSpace;
using Jackdaw.Storage.Journal;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Resources;
using Jackdaw.Storage.Scratch;

namespace Jackdaw.Storage.Transactions;

/// <summary>The one writer of a storage: begins its write transactions one after the other, orders them, and hands them
/// to the committer.</summary>
/// <remarks>
/// 1. One write transaction is open at a time; the thread that began it holds <see cref="Lock"/> until it is submitted
/// or rolled back.
/// 2. At most one transaction is being written to the journal while the next one is open: ordering waits for it.
/// 3. Space in the journal is reserved before a transaction is ordered; from then on it can no longer be refused.
/// </remarks>
internal sealed unsafe class SingleWriter
{
    /// <summary>Entries that may take more are measured before space is reserved for them.</summary>
    private const long MeasuredFromBytes = 64L * 1024 * 1024;

    private readonly StorageHealth _health;
    private readonly PublishedStates _states;
    private readonly PageTable _table;
    private readonly ScratchPool _scratch;
    private readonly DataFile _dataFile;
    private readonly FreeSpaceMap _freeSpace;
    private readonly Committer _committer;
    private readonly MemoryBudget _memory;
    private readonly Action<Func<bool>> _waitForRoom;
    private readonly Func<long> _findSynced;
    private EnvironmentState _lastSubmitted;
    private PendingCommit? _lastPending;
    private ModifiedPages? _spareModified;
    private volatile bool _isWriting;

    public SingleWriter(
        StorageHealth health,
        PublishedStates states,
        PageTable table,
        ScratchPool scratch,
        DataFile dataFile,
        FreeSpaceMap freeSpace,
        Committer committer,
        long transactionBytesMax,
        MemoryBudget memory,
        Action<Func<bool>> waitForRoom,
        Func<long> findSynced)
    {
        _health = health;
        _states = states;
        _table = table;
        _scratch = scratch;
        _dataFile = dataFile;
        _freeSpace = freeSpace;
        _committer = committer;
        _lastSubmitted = states.Current;
        TransactionBytesMax = transactionBytesMax;
        _memory = memory;
        _waitForRoom = waitForRoom;
        _findSynced = findSynced;
    }

    /// <summary>Held from the beginning of a write transaction to its submission or rollback, and by code that must
    /// exclude writers.</summary>
    public Lock Lock { get; } = new();

    /// <summary>True while a write transaction is open. Any thread; a hint.</summary>
    public bool IsWriting => _isWriting;

    /// <summary>Most memory of changed pages in one transaction.</summary>
    public long TransactionBytesMax { get; }

    /// <summary>Waits until a transaction may grow to a size: one that holds more than its storage's share waits while
    /// the memory of all storages is used up. Writer thread.</summary>
    /// <exception cref="ScratchFullException">There was no memory in time.</exception>
    public void WaitForMemory(long transactionBytes)
    {
        Debug.Assert(Lock.IsHeldByCurrentThread);
        if (!_memory.HasRoomInside(transactionBytes))
        {
            WaitForRoomInside(transactionBytes);
        }
    }

    /// <summary>Folder of the storage.</summary>
    public string Path => _health.Path;

    /// <summary>First page number that the newest ordered transaction does not use. Caller holds
    /// <see cref="Lock"/>.</summary>
    public PageNumber NextPage
    {
        get
        {
            Debug.Assert(Lock.IsHeldByCurrentThread);
            return _lastSubmitted.NextPage;
        }
    }

    /// <exception cref="StoragePoisonedException">The storage was stopped.</exception>
    public void ThrowIfFailed() => _health.ThrowIfFailed();

    /// <summary>Stops the storage; returns the exception for callers.</summary>
    public StoragePoisonedException Fail(Exception cause) => _health.Fail(cause);

    /// <summary>Notes in the map of free space how far the data file is synced. Caller holds <see cref="Lock"/>, and no transaction is
    /// open.</summary>
    public void SettleFreeSpace()
    {
        Debug.Assert(Lock.IsHeldByCurrentThread && !_isWriting);
        _freeSpace.Settle(_findSynced(), _lastSubmitted.TransactionId);
    }

    /// <summary>Begins the write transaction. The caller holds <see cref="Lock"/> once, and passes it to the
    /// transaction, which releases it.</summary>
    public WriteTransaction Begin()
    {
        SettleFreeSpace();
        _states.Enter(ReaderKind.Write, out int slot);
        ModifiedPages modified = Interlocked.Exchange(ref _spareModified, null) ?? new ModifiedPages();
        var transaction = new WriteTransaction(this, _dataFile, _scratch, _lastSubmitted, _freeSpace, slot, modified);
        _isWriting = true;
        return transaction;
    }

    /// <summary>Orders a transaction after the previous one and has it written. Writer thread; releases the
    /// lock.</summary>
    public PendingCommit OrderAndWrite(WriteTransaction transaction, bool onThisThread)
    {
        Debug.Assert(Lock.IsHeldByCurrentThread);
        PendingCommit commit;
        try
        {
            WaitForCommitter();
            commit = transaction.HasChanges ? Order(transaction) : OrderNothing(transaction);
        }
        catch
        {
            RollBack(transaction);
            throw;
        }

        _committer.Write(commit, onThisThread);
        End();
        return commit;
    }

    /// <summary>Drops a transaction. Writer thread; releases the lock.</summary>
    public void RollBack(WriteTransaction transaction)
    {
        Debug.Assert(Lock.IsHeldByCurrentThread);
        try
        {
            Discard(transaction);
        }
        finally
        {
            End();
        }
    }

    /// <summary>Releases everything that a commit pinned. Committer's thread.</summary>
    public void Release(PendingCommit commit)
    {
        _states.Readers.Leave(commit.Slot);
        if (commit.Modified is { } modified && modified.TryReset())
        {
            Interlocked.Exchange(ref _spareModified, modified);
        }
    }

    /// <summary>Waits for the transaction that is being written to the journal. Caller holds
    /// <see cref="Lock"/>.</summary>
    public void WaitForCommitter()
    {
        Debug.Assert(Lock.IsHeldByCurrentThread);
        _lastPending?.WaitUntilCompleted();
        _health.ThrowIfFailed();
    }

    /// <summary>Runs an action on the newest state (its pages, its next page number) while no write transaction is open
    /// or being written, and none can begin.</summary>
    /// <returns>False, without having run it, when there is one.</returns>
    public bool TryWhileAtRest(Action<PageReader, PageNumber> action) =>
        TryWhileAtRest(() => action(new StateReader(_dataFile, _lastSubmitted), _lastSubmitted.NextPage));

    private bool TryWhileAtRest(Action action)
    {
        // Never waits: the writer may hold its lock while it waits for the caller, which is the flush thread.
        if (!Lock.TryEnter())
        {
            return false;
        }

        try
        {
            if (_isWriting || _lastPending is { IsCompleted: false })
            {
                return false;
            }

            action();
            return true;
        }
        finally
        {
            Lock.Exit();
        }
    }

    /// <summary>Releases the memory that the last large entry needed, unless a transaction runs.</summary>
    /// <returns>False when one was running.</returns>
    public bool TryTrimEntries() => TryWhileAtRest(_committer.TrimMemory);

    /// <summary>Releases memory that is only needed under load, unless a writer is active.</summary>
    /// <returns>False when one was active.</returns>
    public bool TryTrimMemory() => TryWhileAtRest(TrimMemory);

    /// <summary>Memory that belongs to the writer, and what its states hold. Nothing is being written to the
    /// journal.</summary>
    private void TrimMemory()
    {
        Debug.Assert(Lock.IsHeldByCurrentThread);
        _committer.TrimMemory();
        _lastPending = null;
        Interlocked.Exchange(ref _spareModified, null);
        lock (_table.ChangeLock)
        {
            if (!_table.TryTrim())
            {
                return;
            }

            _lastSubmitted = _lastSubmitted with { Pages = _table.Recapture(_lastSubmitted.Pages, _lastSubmitted.TransactionId) };
        }

        _states.PublishAgain();
        _states.TrimMemory();
    }

    /// <summary>This is a method of its own, so that a transaction that need not wait allocates nothing.</summary>
    private void WaitForRoomInside(long transactionBytes)
    {
        _waitForRoom(() => _memory.HasRoomInside(transactionBytes));
        _health.ThrowIfFailed();
    }

    private void End()
    {
        Debug.Assert(_isWriting && Lock.IsHeldByCurrentThread);
        _isWriting = false;
        Lock.Exit();
    }

    /// <summary>Nothing to write: the answers may name the previous transaction, which is durable because the committer
    /// is idle.</summary>
    private PendingCommit OrderNothing(WriteTransaction transaction) =>
        new(_lastSubmitted, null, transaction.Slot);

    /// <summary>Reserves space in the journal first; then the transaction is ordered and cannot be refused any
    /// more.</summary>
    private PendingCommit Order(WriteTransaction transaction)
    {
        Debug.Assert(_lastPending is null or { IsCompleted: true }, "at most one transaction is being written");
        ModifiedPages modified = transaction.Modified;
        Invariant.Check(modified.Direct.AreDurable, "a transaction is ordered before its direct runs are durable");
        _committer.Prepare(modified, transaction.TransactionId, MeasureEntry(modified));
        ReturnDead(modified);
        try
        {
            AddPages(transaction, modified, transaction.TransactionId);
        }
        catch (Exception e)
        {
            // The table may already own some of the pages: they are not freed, and nothing more is written.
            modified.ForgetPages();
            _committer.Withdraw();
            throw _health.Fail(e);
        }

        return _lastPending = new PendingCommit(_lastSubmitted, modified, transaction.Slot);
    }

    /// <exception cref="TransactionTooLargeException">No journal entry holds it.</exception>
    private long MeasureEntry(ModifiedPages modified)
    {
        long bytes = EntryBuilder.Bound(modified);
        if (bytes > MeasuredFromBytes)
        {
            bytes = EntryBuilder.Measure(modified);
        }

        return bytes <= JournalFormat.EntryBytesMax
            ? bytes
            : throw new TransactionTooLargeException(Path, bytes, JournalFormat.EntryBytesMax);
    }

    /// <summary>Adds the changed pages to the page table and makes the state that the transaction will
    /// publish.</summary>
    private void AddPages(WriteTransaction transaction, ModifiedPages modified, long id)
    {
        Invariant.Check(id == _lastSubmitted.TransactionId + 1, "a transaction is ordered out of turn");
        lock (_table.ChangeLock)
        {
            EnvironmentState published = _states.Current;
            long floor = _states.FindFloor(out long oldest);
            foreach (ref ModifiedPages.Entry entry in modified.Entries)
            {
                if (entry.Way != PageWay.Journal)
                {
                    Invariant.Check(entry.Way == PageWay.Written && !_table.HasVersion(entry.Number), "a direct run has a version in scratch");
                }
                else if (!entry.IsFreed)
                {
                    _table.Add(entry.Number, entry.Pages, entry.Current, id, floor, published.Sequence);
                }
                else if (_table.HasVersion(entry.Number))
                {
                    _table.Add(entry.Number, 0, null, id, floor, published.Sequence);
                }
            }

            _table.Reclaim(oldest);
            _lastSubmitted = new EnvironmentState(StateSequence.FirstOf(id), id, _table.Capture(id),
                transaction.Root, transaction.NextPage, transaction.ClientState);
        }
    }

    private void Discard(WriteTransaction transaction)
    {
        foreach (ref ModifiedPages.Entry entry in transaction.Modified.Entries)
        {
            if (entry.IsInScratch)
            {
                _scratch.Return(entry.Current, entry.Pages);
            }
        }

        ReturnDead(transaction.Modified);
        try
        {
            ReloadFreeSpace(transaction.Base);
        }
        finally
        {
            _states.Readers.Leave(transaction.Slot); // a slot that is never released would hold back every later flush
        }

        if (transaction.Modified.TryReset())
        {
            Interlocked.Exchange(ref _spareModified, transaction.Modified);
        }
    }

    private void ReloadFreeSpace(EnvironmentState state)
    {
        if (_health.Failure is null)
        {
            _freeSpace.Load(new StateReader(_dataFile, state), state.NextPage);
        }
    }

    private void ReturnDead(ModifiedPages modified)
    {
        foreach ((nint address, int pages) in modified.Dead)
        {
            _scratch.Return((byte*)address, pages);
        }

        modified.Dead.Clear();
    }

    /// <summary>Reads pages of a state that the writer thread holds.</summary>
    private sealed class StateReader(DataFile dataFile, EnvironmentState state) : PageReader
    {
        public override Page GetPage(PageNumber number)
        {
            byte* scratch = state.Pages.Find(number);
            return scratch != null ? new Page(scratch) : dataFile.Read(number, state.NextPage);
        }
    }
}
