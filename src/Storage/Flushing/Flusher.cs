using System.Diagnostics;
using System.Runtime.InteropServices;
using Jackdaw.Pal;
using Jackdaw.Storage.Headers;
using Jackdaw.Storage.Journal;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Scratch;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Storage.Flushing;

/// <summary>Brings committed pages from scratch to the data file, makes them durable, and releases their journals.
/// Flush thread.</summary>
/// <remarks>
/// Flush: 1. take the newest published state that every active reader and every running commit may see; 2. collect its newest
/// versions; 3. write them, sorted; 4. only then drop them from the page table, and publish the same transaction again,
/// so that their memory is freed when earlier readers have ended. Sync: 1. remember what is flushed; 2. sync the data
/// file; 3. write the header durably; 4. where journals can be retired, write its other copy too; 5. only then retire
/// them; 6. only then punch holes, as far as <see cref="HolePuncher"/> allows. A failure after the first page write
/// stops the storage, except a full disk: the pages stay in scratch and the next flush writes them again. A failed sync
/// is never repeated.
/// </remarks>
internal sealed unsafe class Flusher
{
    /// <summary>Page table changes per hold of its lock: a commit waits for at most that many, some tens of
    /// microseconds.</summary>
    private const int RemovalsPerLock = 512;

    /// <summary>Number of flushes remembered individually.</summary>
    private const int RecentMax = 32;

    private readonly IFlushedStorage _storage;
    private readonly HolePuncher _holes;
    private readonly Lock _totalLock = new(); // guards _total: readers must not wait for a flush
    private readonly Lock _lock = new(); // one flush or sync at a time
    private readonly List<PageTable.PageVersion> _versions = [];
    private readonly List<PalPageWrite> _writes = [];
    private EnvironmentState _target; // newest state taken for a flush
    private EnvironmentState _flushed;
    private long _synced;
    private FlushCosts _total;
    private bool _isClosed;

    public Flusher(IFlushedStorage storage, EnvironmentState flushed, HolePuncher holes)
    {
        _storage = storage;
        _holes = holes;
        _target = _flushed = flushed;
        _synced = flushed.TransactionId;
    }

    /// <summary>Last transaction whose pages are in the data file.</summary>
    public long FlushedTransaction => Volatile.Read(ref _flushed).TransactionId;

    /// <summary>Last transaction whose pages are durable there.</summary>
    public long SyncedTransaction => Volatile.Read(ref _synced);

    /// <summary>The last flushes; for statistics.</summary>
    public RecentValues<FlushCosts> Recent { get; } = new(RecentMax);

    /// <summary>Sum of all flushes since the storage opened.</summary>
    public FlushCosts Total
    {
        get
        {
            lock (_totalLock)
            {
                return _total;
            }
        }
    }

    /// <summary>Writes all pages that may be written. Returns false when there was nothing new.</summary>
    /// <exception cref="DiskFullException">Nothing is lost; free space and flush again.</exception>
    public bool Flush()
    {
        lock (_lock)
        {
            ThrowIfStopped();
            _storage.States.Enter(ReaderKind.Flush, out int slot);
            try
            {
                return FlushPinned();
            }
            finally
            {
                _storage.States.Readers.Leave(slot);
                _storage.States.ReclaimScratch();
                TrimScratch();
            }
        }
    }

    /// <summary>Makes the flushed pages durable and retires journals. Returns false when there was nothing to do.</summary>
    public bool Sync(bool closing = false)
    {
        lock (_lock)
        {
            ThrowIfStopped();
            EnvironmentState flushed = _flushed;
            bool isNew = flushed.TransactionId != _synced;
            if (!isNew && !closing && !_storage.Journals.HasUnneeded(_synced))
            {
                return false;
            }

            try
            {
                if (isNew || closing)
                {
                    _storage.DataFile.Sync();
                }

                ushort flags = closing && flushed.TransactionId == _storage.States.Current.TransactionId ? StorageHeader.ClosedCleanly : (ushort)0;
                _storage.Headers.Write(header => header with
                {
                    Flags = flags,
                    SyncedTransaction = flushed.TransactionId,
                    SyncedJournal = _storage.Journals.FindFirstNeeded(flushed.TransactionId, header.NewestJournal),
                    SyncedEntryHash = flushed.EntryHash,
                    NextPage = flushed.NextPage,
                    Root = flushed.Root,
                });
                Invariant.Check(flushed.TransactionId >= _synced, "a sync goes back to an earlier transaction");
                Volatile.Write(ref _synced, flushed.TransactionId);
                Retire(flushed.TransactionId);
                _holes.OnSynced();
                return true;
            }
            catch (Exception e)
            {
                throw _storage.Health.Fail(e);
            }
        }
    }

    /// <summary>Why holes are no longer punched; null while they are.</summary>
    public Exception? HoleProblem => _holes.Refusal;

    /// <summary>Gives some free space back to the file system.</summary>
    public PunchResult PunchSome()
    {
        lock (_lock)
        {
            ThrowIfStopped();

            // Pages flushed after the sync, also by a flush that found the disk full, may be bitmaps of a later state,
            // at places where the synced state has free pages: the next sync checks again.
            bool isInFile = _flushed.TransactionId == _synced && _target.TransactionId == _synced;
            return isInFile ? _holes.PunchSome(_flushed) : PunchResult.Done;
        }
    }

    /// <summary>Waits for a running flush and refuses later ones: the files and their mapping are closed
    /// next.</summary>
    public void Close()
    {
        lock (_lock)
        {
            _isClosed = true;
        }
    }

    /// <summary>Releases the lists of the largest flush, and its state.</summary>
    public void TrimMemory()
    {
        lock (_lock)
        {
            // States whose pages are in the file are no longer read. They would keep the table's arrays alive.
            _target = _target with { Pages = default };
            Volatile.Write(ref _flushed, _flushed with { Pages = default });
            _versions.Clear();
            _versions.TrimExcess();
            _writes.Clear();
            _writes.TrimExcess();
        }
    }

    /// <summary>Spare memory saves page faults; while the process is short of memory, others need it more.</summary>
    private void TrimScratch()
    {
        if (_storage.Share.Memory.IsShort)
        {
            _storage.Scratch.Trim();
        }
        else
        {
            _storage.Scratch.TrimUnused();
        }
    }

    private void ThrowIfStopped()
    {
        _storage.Health.ThrowIfFailed();
        ObjectDisposedException.ThrowIf(_isClosed, _storage);
    }

    private void Retire(long synced)
    {
        Debug.Assert(_lock.IsHeldByCurrentThread);
        if (!_storage.Journals.CanRetire(synced, _storage.Headers.Current.SyncedJournal))
        {
            return;
        }

        // The other copy of the header still begins at journals that are retired now: if the new copy were damaged, all
        // would be lost.
        long first = 0;
        List<JournalFile> retired = [];
        _storage.Headers.Write(header =>
        {
            first = header.SyncedJournal; // not the earlier one: a link may have moved it back
            retired = _storage.Journals.TakeRetirable(synced, first);
            return header;
        });
        Invariant.Check(_storage.Headers.Current.SyncedTransaction == synced, "journals are retired that the header still needs");
        Invariant.Check(retired.TrueForAll(file => file.Number < first), "a journal is retired where recovery begins");
        _storage.Journals.Retire(retired);
        _storage.OnJournalsRetired(first);
    }

    private bool FlushPinned()
    {
        Debug.Assert(_lock.IsHeldByCurrentThread);
        EnvironmentState target = Collect();
        if (target.TransactionId == _flushed.TransactionId)
        {
            return false;
        }

        Invariant.Check(target.TransactionId > _flushed.TransactionId, "a flush goes back to an earlier transaction");
        WritePages(target);
        Remove(target.TransactionId);
        Volatile.Write(ref _flushed, target);
        _storage.States.PublishAgain();
        return true;
    }

    /// <summary>Chooses the state to flush and collects its pages, in one hold of the table's lock: while the oldest
    /// reader is determined, a commit must not drop the versions that only that reader needs, because it may end at any
    /// moment.</summary>
    private EnvironmentState Collect()
    {
        _versions.Clear();
        lock (_storage.Table.ChangeLock)
        {
            // Null: the newest allowed state was taken before, and its flush may have found the disk full.
            long floor = _storage.States.FindFloor(out _);
            _target = _storage.States.TakeUpTo(floor) ?? _target;
            Invariant.Check(_target.TransactionId <= floor, "a flush takes a state that some reader must not see");
            if (_target.TransactionId != _flushed.TransactionId)
            {
                _storage.Table.Collect(_target.TransactionId, _versions);
            }
        }

        _versions.Sort((left, right) => left.Page.Value.CompareTo(right.Page.Value));
        return _target;
    }

    private void WritePages(EnvironmentState target)
    {
        long started = Stopwatch.GetTimestamp();
        _writes.Clear();
        long leaves = 0, branches = 0, overflows = 0, rows = 0;
        foreach (PageTable.PageVersion version in _versions)
        {
            if (version.Pages == 0)
            {
                continue;
            }

            var page = new Page((byte*)version.Address);
            Invariant.Check(page.Number == version.Page && page.PageCount == version.Pages, "a page to flush lost its own number");
            Invariant.Check(page.Header.LastTransactionId <= target.TransactionId, "a page to flush is newer than the state");
            Debug.Assert(_writes.Count == 0 || _writes[^1].Offset + _writes[^1].Length <= version.Page.Offset, "pages are sorted and apart");
            _writes.Add(new PalPageWrite { Base = page.Address, Offset = version.Page.Offset, Length = (long)version.Pages * Page.Size });
            leaves += page.Header.Type is PageType.TreeLeaf or PageType.FixedLeaf ? 1 : 0;
            branches += page.Header.Type is PageType.TreeBranch or PageType.FixedBranch ? 1 : 0;
            overflows += page.Header.Type is PageType.Overflow ? 1 : 0;
            rows += page.Header.Type is PageType.Rows ? 1 : 0;
        }

        PalWriteCounts counts = Write();
        var flush = new FlushCosts(target.TransactionId, counts.Bytes / Page.Size, counts.Runs, counts.Calls, counts.Bytes,
            leaves, branches, overflows, rows, (Stopwatch.GetTimestamp() - started) * 1_000_000 / Stopwatch.Frequency);
        Recent.Add(flush);
        lock (_totalLock)
        {
            _total = Add(_total, flush);
        }
    }

    private PalWriteCounts Write()
    {
        try
        {
            try
            {
                return _storage.DataFile.Write(CollectionsMarshal.AsSpan(_writes));
            }
            catch (PalException e) when (e.IsDiskFull && _storage.DataFile.MakeRoom())
            {
                return _storage.DataFile.Write(CollectionsMarshal.AsSpan(_writes));
            }
        }
        catch (PalException e) when (e.IsDiskFull)
        {
            throw new DiskFullException(_storage.Health.Path, e);
        }
        catch (Exception e)
        {
            throw _storage.Health.Fail(e);
        }
    }

    private void Remove(long transactionId)
    {
        Debug.Assert(_lock.IsHeldByCurrentThread);
        for (int done = 0; done < _versions.Count; done += RemovalsPerLock)
        {
            lock (_storage.Table.ChangeLock)
            {
                long sequence = _storage.States.Current.Sequence;
                foreach (PageTable.PageVersion version in CollectionsMarshal.AsSpan(_versions).Slice(done, Math.Min(RemovalsPerLock, _versions.Count - done)))
                {
                    _storage.Table.Remove(version.Page, transactionId, sequence);
                }
            }
        }
    }

    private static FlushCosts Add(FlushCosts a, FlushCosts b) => new(
        b.TransactionId, a.Pages + b.Pages, a.Runs + b.Runs, a.Calls + b.Calls, a.Bytes + b.Bytes, a.Leaves + b.Leaves,
        a.Branches + b.Branches, a.Overflows + b.Overflows, a.Rows + b.Rows, a.Microseconds + b.Microseconds);
}
