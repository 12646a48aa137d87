using System.Diagnostics;
using Jackdaw.Storage.Journal;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Storage.Environments;

/// <summary>The commit path: submit (writer thread), publish and release (journal lane), flush publications (background lane).</summary>
public sealed unsafe partial class StorageEnvironment
{
    /// <summary>Entries that may take more are measured before room is made for them.</summary>
    private const long MeasuredFromBytes = 64L * 1024 * 1024;

    [ThreadStatic]
    private static ReadTransaction? s_spareReader;

    /// <summary>Orders a transaction behind the one before it. Writer thread; ends its hold of the writer lock.</summary>
    internal PendingCommit Submit(WriteTransaction transaction, bool onThisThread)
    {
        Debug.Assert(_writerLock.IsHeldByCurrentThread);
        PendingCommit commit;
        try
        {
            WaitForLane();
            commit = transaction.HasChanges ? Order(transaction) : OrderNothing(transaction);
        }
        catch
        {
            RollBack(transaction);
            throw;
        }

        _lane.Submit(commit, onThisThread);
        EndWrite();
        return commit;
    }

    /// <summary>Drops a transaction. Writer thread; ends its hold of the writer lock.</summary>
    internal void RollBack(WriteTransaction transaction)
    {
        try
        {
            Discard(transaction);
        }
        finally
        {
            EndWrite();
        }
    }

    /// <summary>Makes a durable transaction visible. Journal lane.</summary>
    internal void Publish(PendingCommit commit)
    {
        lock (_publishLock)
        {
            Invariant.Check(commit.TransactionId == _current.TransactionId + 1, "a transaction is published out of order");
            Volatile.Write(ref _current, commit.State);
            _recent.Enqueue(commit.State);
        }

        Statistics.Add(commit.Costs);
        _schedule.OnCommitted(commit.Costs.StoredBytes);
    }

    /// <summary>Publishes the current transaction under a new sequence after pages left scratch. Background lane.</summary>
    internal void PublishAgain()
    {
        lock (Table.ChangeLock)
        {
            lock (_publishLock)
            {
                EnvironmentState current = _current;
                Volatile.Write(ref _current, current with
                {
                    Sequence = current.Sequence + 1,
                    Pages = Table.Recapture(current.Pages, current.TransactionId),
                });
            }
        }
    }

    /// <summary>Newest published state not newer than a transaction, once; null when there is none that was not taken before.</summary>
    internal EnvironmentState? TakeStateUpTo(long transactionId)
    {
        lock (_publishLock)
        {
            EnvironmentState? newest = null;
            while (_recent.TryPeek(out EnvironmentState? state) && state.TransactionId <= transactionId)
            {
                newest = _recent.Dequeue();
            }

            return newest;
        }
    }

    /// <summary>Ends what a commit pinned. Journal lane.</summary>
    internal void Release(PendingCommit commit)
    {
        Readers.Leave(commit.Slot);
        if (commit.Modified is { } modified && modified.TryReset())
        {
            Interlocked.Exchange(ref _spareModified, modified);
        }
    }

    /// <summary>Reuses scratch memory that no reader can see any more; false when there is some that a reader can.</summary>
    internal bool ReclaimScratch()
    {
        lock (Table.ChangeLock)
        {
            return Table.Reclaim(Readers.FindOldest());
        }
    }

    /// <summary>Gives back what only load needed. Background lane, on an idle storage; a writer that comes meanwhile goes first.</summary>
    /// <returns>False when a reader or a writer was in the way: there is more to give back later.</returns>
    internal bool TrimMemory()
    {
        bool isReclaimed = ReclaimScratch();
        Scratch.Trim();
        Journals.TrimPool();
        RecoveredIndex = null;
        _flusher.TrimMemory();
        if (!_writerLock.TryEnter())
        {
            return false;
        }

        try
        {
            if (_lastPending is null or { IsCompleted: true })
            {
                TrimWriter();
            }
        }
        finally
        {
            _writerLock.Exit();
        }

        return isReclaimed;
    }

    /// <summary>Memory that belongs to the writer, and what its states hold. Nothing is on its way to the journal.</summary>
    private void TrimWriter()
    {
        Debug.Assert(_writerLock.IsHeldByCurrentThread);
        _lane.TrimMemory();
        _lastPending = null;
        Interlocked.Exchange(ref _spareModified, null);
        lock (Table.ChangeLock)
        {
            if (!Table.TryTrim())
            {
                return;
            }

            _lastSubmitted = _lastSubmitted with { Pages = Table.Recapture(_lastSubmitted.Pages, _lastSubmitted.TransactionId) };
        }

        PublishAgain();
        lock (_publishLock)
        {
            _recent.TrimExcess();
        }
    }

    /// <summary>The oldest transaction whose versions are kept: of each page the newest version up to it, and all later ones.
    /// Never goes back. Caller holds the table's lock, and keeps it while it relies on the result.</summary>
    /// <remarks>A slot may name an older state for a moment: a reader claims it first and looks afterwards whether the state is
    /// still current. That reader starts over, and what only it would have needed may be gone already.</remarks>
    internal long FindFloor(out long oldest)
    {
        Debug.Assert(Table.ChangeLock.IsHeldByCurrentThread);
        long published = Current.TransactionId; // read before the slots: see ReaderSlots
        oldest = Readers.FindOldest();
        return _floor = Math.Max(_floor, Math.Min(published, EnvironmentState.TransactionOf(oldest)));
    }

    /// <summary>Registers a reader without a transaction object.</summary>
    internal EnvironmentState EnterReader(ReaderKind kind, out int slot) => Readers.Enter(ref _current, kind, out slot);

    internal static void ReturnReader(ReadTransaction transaction) => s_spareReader = transaction;

    /// <summary>Stops the storage; returns what callers are to be told.</summary>
    internal StoragePoisonedException Fail(Exception cause)
    {
        Exception first = Interlocked.CompareExchange(ref _failure, cause, null) ?? cause;
        _schedule?.Signal();
        return first as StoragePoisonedException ?? new StoragePoisonedException(Path, first);
    }

    internal void ThrowIfFailed()
    {
        if (Failure is { } failure)
        {
            throw new StoragePoisonedException(Path, failure);
        }
    }

    private void EndWrite()
    {
        _isWriting = false;
        _writerLock.Exit();
    }

    private void WaitForLane()
    {
        _lastPending?.WaitUntilCompleted();
        ThrowIfFailed();
    }

    /// <summary>Nothing to write: the answers may tell of the transaction before, which is durable by now, for the lane is idle.</summary>
    private PendingCommit OrderNothing(WriteTransaction transaction) =>
        new(_lastSubmitted, null, transaction.Slot);

    /// <summary>Makes sure of the journal's room first; then the transaction is ordered and cannot be refused any more.</summary>
    private PendingCommit Order(WriteTransaction transaction)
    {
        ModifiedPages modified = transaction.Modified;
        _lane.Prepare(modified, transaction.TransactionId, MeasureEntry(modified));
        ReturnDead(modified);
        try
        {
            PagesAndState(transaction, modified, transaction.TransactionId);
        }
        catch (Exception e)
        {
            // The table may own some of the pages by now: they are not given back, and nothing is written any more.
            modified.ForgetPages();
            _lane.Withdraw();
            throw Fail(e);
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

    private void PagesAndState(WriteTransaction transaction, ModifiedPages modified, long id)
    {
        lock (Table.ChangeLock)
        {
            EnvironmentState published = Current;
            long floor = FindFloor(out long oldest);
            foreach (ref ModifiedPages.Entry entry in modified.Entries)
            {
                if (!entry.IsFreed)
                {
                    Table.Add(entry.Number, entry.Pages, entry.Current, id, floor, published.Sequence);
                }
                else if (Table.HasVersion(entry.Number))
                {
                    Table.Add(entry.Number, 0, null, id, floor, published.Sequence);
                }
            }

            Table.Reclaim(oldest);
            _lastSubmitted = new EnvironmentState(EnvironmentState.SequenceOf(id), id, Table.Capture(id),
                transaction.Root, transaction.NextPage, transaction.ClientState);
        }
    }

    private void Discard(WriteTransaction transaction)
    {
        foreach (ref ModifiedPages.Entry entry in transaction.Modified.Entries)
        {
            if (entry.Current != null)
            {
                Scratch.Return(entry.Current, entry.Pages);
            }
        }

        ReturnDead(transaction.Modified);
        try
        {
            ReloadFreeSpace(transaction.Base);
        }
        finally
        {
            Readers.Leave(transaction.Slot); // a slot that is never left holds every later flush back
        }

        if (transaction.Modified.TryReset())
        {
            Interlocked.Exchange(ref _spareModified, transaction.Modified);
        }
    }

    private void ReloadFreeSpace(EnvironmentState state)
    {
        if (Failure is null)
        {
            _freeSpace.Load(new StateReader(this, state), state.NextPage);
        }
    }

    private void ReturnDead(ModifiedPages modified)
    {
        foreach ((nint address, int pages) in modified.Dead)
        {
            Scratch.Return((byte*)address, pages);
        }

        modified.Dead.Clear();
    }

    /// <summary>Reads pages of a state that the writer thread holds.</summary>
    private sealed class StateReader(StorageEnvironment environment, EnvironmentState state) : Paging.PageReader
    {
        public override Paging.Page GetPage(Paging.PageNumber number)
        {
            byte* scratch = state.Pages.Find(number);
            return scratch != null ? new Paging.Page(scratch) : environment.DataFile.Read(number, state.NextPage);
        }
    }
}
