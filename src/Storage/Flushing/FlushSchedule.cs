using System.Diagnostics;
using Jackdaw.Storage.Resources;

namespace Jackdaw.Storage.Flushing;

/// <summary>Decides when a storage is flushed and synced, and does it on a worker that all storages share.</summary>
/// <remarks>
/// A flush begins when scratch or the journals since the last one pass their limit, when the oldest unflushed transaction is
/// <see cref="UnflushedMsMax"/> old, or when no transaction has come for a moment. Waiting pays off: a page that
/// changes often is written to disk once per flush. An idle, clean storage (<see cref="IdleClock"/>) has no timer and
/// keeps no spare memory.
/// </remarks>
internal sealed class FlushSchedule : IDisposable
{
    /// <summary>Oldest age of an unflushed transaction under steady light load: bounds recovery to seconds of journal.</summary>
    private const int UnflushedMsMax = 30_000;

    /// <summary>Journal bytes after the last sync that count as the whole limit, in flushes: the most that recovery has
    /// to read, as long as no reader holds flushes back.</summary>
    private const int JournalFlushesMax = 4;

    /// <summary>Least time assumed for a flush: the first one has not run yet.</summary>
    private const long FlushMsMin = 1000;

    /// <summary>Bytes of direct runs since the last flush that start one: pages that are freed between two flushes are used for direct runs only after
    /// the second, so that the file grows by as much.</summary>
    private const long FlushAtDirectBytes = 64L << 20;

    /// <summary>Pause after a flush that could do nothing, for example because of a long reader: avoids a busy
    /// loop.</summary>
    private const int RetryMs = 50;

    /// <summary>Pause after a flush that found the disk full, even if a writer waits: each flush collects and sorts all
    /// pages and writes what fits.</summary>
    private const int DiskFullRetryMs = 500;

    /// <summary>Pause after a trim that was prevented by a reader or a writer.</summary>
    private const int TrimRetryMs = 5000;

    /// <summary>Pause between two slices of holes: with 32 MB each, 3 GB/s at most, and a writer waits for one slice only.</summary>
    private const int PunchPauseMs = 10;

    private readonly IFlushedStorage _storage;
    private readonly Flusher _flusher;
    private readonly StorageOptions _options;
    private readonly MemoryBudget _memory;
    private readonly ManualResetEventSlim _flushed = new();
    private readonly BackgroundWork? _work; // null: the owner flushes
    private readonly WritePace _pace;
    private readonly IdleClock _idle;
    private long _flushMs = FlushMsMin;
    private long _journalBytes;
    private long _directBytes;
    private long _flushingBytes; // of journals, whose pages are being written to the data file
    private long _pausedMs;
    private long _lastCommit;
    private long _oldestUnflushed;
    private long _problemSince; // the last flush that found the disk full
    private bool _trimmed = true;
    private bool _isTrimDue; // a flush has ended
    private volatile bool _releaseDue;
    private bool _isDisposed;

    /// <param name="storage">The storage.</param>
    /// <param name="flusher">Flushes, syncs and punches holes.</param>
    /// <param name="options">Limits.</param>
    public FlushSchedule(IFlushedStorage storage, Flusher flusher, StorageOptions options)
    {
        _storage = storage;
        _flusher = flusher;
        _options = options;
        _memory = storage.Share.Memory;
        _pace = new WritePace(TimeProvider.System);
        _idle = new IdleClock(TimeProvider.System, options.TrimAfterMs);
        if (options.BackgroundFlush)
        {
            _oldestUnflushed = _lastCommit = Stopwatch.GetTimestamp();
            _work = storage.Share.AddFlushes(Run);
            _work.Signal();
        }
    }

    /// <summary>Why the last flush could not be done; null when it could. For health and statistics.</summary>
    public Exception? Problem { get; private set; }

    /// <summary>Counts a commit. Committer's thread.</summary>
    /// <param name="journalBytes">Bytes of the entry.</param>
    /// <param name="directBytes">Bytes of the direct runs that it names.</param>
    public void OnCommitted(long journalBytes, long directBytes)
    {
        Debug.Assert(journalBytes > 0);
        long now = Stopwatch.GetTimestamp();
        Volatile.Write(ref _lastCommit, now);
        Interlocked.Add(ref _journalBytes, journalBytes + directBytes); // a recovery would read both
        Interlocked.Add(ref _directBytes, directBytes);
        bool first = Interlocked.CompareExchange(ref _oldestUnflushed, now, 0) == 0;
        if (first || IsOverLimit())
        {
            Signal();
        }
    }

    /// <summary>A journal takes no more entries: a storage with nothing to flush must release it, or it would keep its space forever.</summary>
    public void OnJournalClosed()
    {
        _releaseDue = true;
        Signal();
    }

    /// <summary>Lets a worker check the state again.</summary>
    public void Signal() => _work?.Signal();

    /// <summary>The part of the limit of scratch, or of the journals that recovery would have to read, that waits to be flushed.</summary>
    public double Debt
    {
        get
        {
            long journalBytes = Volatile.Read(ref _journalBytes) + Volatile.Read(ref _flushingBytes);
            double ofScratch = (double)_storage.Scratch.RentedBytes / _options.ScratchBytesMax;
            double ofJournals = (double)journalBytes / (_options.FlushAtJournalBytes * JournalFlushesMax);
            return Math.Max(Math.Max(ofScratch, ofJournals), DebtOfAll);
        }
    }

    /// <summary>How much of the memory of all storages is in use, as a share of the limit.</summary>
    /// <remarks>A storage that holds no more than its share never waits for it.</remarks>
    private double DebtOfAll => _storage.Scratch.RentedBytes <= _memory.WaitShareBytes ? 0 : (double)_memory.UsedBytes / Math.Max(1, _memory.WaitFromBytes);

    /// <summary>Total milliseconds for which writers were slowed down.</summary>
    public long PausedMs => Volatile.Read(ref _pausedMs);

    /// <summary>Slows the writer when flushes do not keep up. Writer thread, before a transaction begins.</summary>
    public void Pace()
    {
        Debug.Assert(_storage.Writer.Lock.IsHeldByCurrentThread);
        if (_work is null || _pace.FindPauseMs(Debt, Volatile.Read(ref _flushMs)) is not (> 0 and var pauseMs))
        {
            return;
        }

        Debug.Assert(pauseMs <= WritePace.PauseMsMax);
        _flushed.Reset();
        _flushed.Wait(pauseMs);
        _pace.Restart(Debt);
        Volatile.Write(ref _pausedMs, _pausedMs + pauseMs);
    }

    /// <summary>Blocks the writer until there is room in scratch.</summary>
    /// <exception cref="ScratchFullException">No room in time: readers or a full disk hold back the flush.</exception>
    public void WaitForRoom(Func<bool> hasRoom, TimeSpan patience)
    {
        Debug.Assert(_storage.Writer.Lock.IsHeldByCurrentThread);
        long started = Stopwatch.GetTimestamp();
        while (!hasRoom() && _storage.Health.Failure is null)
        {
            if (Stopwatch.GetElapsedTime(started) > patience || _work is null)
            {
                throw new ScratchFullException(_storage.Health.Path, _storage.States.Readers.CountActive(), Problem);
            }

            _flushed.Reset();
            Signal();
            _flushed.Wait(RetryMs);

            // Memory that a flush freed may have waited for a reader that has ended since. Without commits, nothing else reuses it.
            _storage.States.ReclaimScratch();
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        if (!_isDisposed)
        {
            _isDisposed = true;
            _work?.Dispose();
            _flushed.Dispose();
        }
    }

    private bool IsDirty => Volatile.Read(ref _oldestUnflushed) != 0;

    private bool IsOverLimit() =>
        _storage.Scratch.RentedBytes >= FlushAtScratchBytes || Volatile.Read(ref _journalBytes) >= _options.FlushAtJournalBytes
        || Volatile.Read(ref _directBytes) >= FlushAtDirectBytes || _storage.PinsJournals;

    /// <summary>One busy storage may use the memory that many share when all are busy.</summary>
    private long FlushAtScratchBytes => _memory.IsShort
        ? Math.Min(Math.Min(_options.FlushAtScratchBytes, StorageOptions.FlushAtScratchBytesMin), _memory.FlushShareBytes)
        : _options.FlushAtScratchBytes;

    /// <summary>Does the work whose time has come. Returns the milliseconds until the next check, or <see cref="Timeout.Infinite"/>. A worker's
    /// thread.</summary>
    private int Run()
    {
        Debug.Assert(!_storage.Writer.Lock.IsHeldByCurrentThread, "a worker waits for flushes, and a writer may wait for the worker");
        if (_storage.Health.Failure is not null)
        {
            return Timeout.Infinite;
        }

        try
        {
            ReleaseJournals();
            int waitMs = IsDirty ? FlushIfDue() : TrimIfIdle();
            return Sooner(Sooner(waitMs, TrimIfShort()), PunchHoles());
        }
        catch (Exception e)
        {
            // The thread is shared, so that an exception would end the process instead of the storage.
            Problem = _storage.Health.Fail(e);
            return Timeout.Infinite;
        }
    }

    private static int Sooner(int aMs, int bMs) =>
        aMs == Timeout.Infinite ? bMs : bMs == Timeout.Infinite ? aMs : Math.Min(aMs, bMs);

    /// <summary>Gives some free space back. Returns the milliseconds until there is more to do, or <see cref="Timeout.Infinite"/>.</summary>
    private int PunchHoles() => _flusher.PunchSome() switch
    {
        PunchResult.More => PunchPauseMs,
        PunchResult.WriterIsBusy => RetryMs,
        _ => Timeout.Infinite,
    };

    /// <summary>Without new transactions no other sync would release closed journals.</summary>
    private void ReleaseJournals()
    {
        if (_releaseDue && !IsDirty)
        {
            _releaseDue = false;
            _flusher.Sync();
        }
    }

    /// <summary>Returns the milliseconds until the next check.</summary>
    private int FlushIfDue()
    {
        if (Problem is not null && Stopwatch.GetElapsedTime(_problemSince).TotalMilliseconds is < DiskFullRetryMs and var problemMs)
        {
            return (int)(DiskFullRetryMs - problemMs) + 1;
        }

        double idleMs = Stopwatch.GetElapsedTime(Volatile.Read(ref _lastCommit)).TotalMilliseconds;
        double oldestMs = Stopwatch.GetElapsedTime(Volatile.Read(ref _oldestUnflushed)).TotalMilliseconds;
        if (!IsOverLimit() && idleMs < _options.IdleFlushMs && oldestMs < UnflushedMsMax)
        {
            return (int)(_options.IdleFlushMs - idleMs) + 1;
        }

        return TryFlush() ? 0 : RetryMs;
    }

    private bool TryFlush()
    {
        Debug.Assert(Volatile.Read(ref _flushingBytes) == 0, "one flush runs at a time");
        long unflushedSince = Interlocked.Exchange(ref _oldestUnflushed, 0);
        long journalBytes = Interlocked.Exchange(ref _journalBytes, 0), directBytes = Interlocked.Exchange(ref _directBytes, 0);
        Volatile.Write(ref _flushingBytes, journalBytes);
        long started = Stopwatch.GetTimestamp();
        bool flushed = false;
        try
        {
            flushed = _flusher.Flush();
            _flusher.Sync();
            Problem = null;
            _trimmed = false;
            _isTrimDue = true;
        }
        catch (DiskFullException e)
        {
            Problem = e;
            _problemSince = Stopwatch.GetTimestamp();
        }

        if (_flusher.FlushedTransaction < _storage.States.Current.TransactionId)
        {
            // Something is left, because a reader or a full disk held it back or because it was added during the flush: keep the timer running.
            Interlocked.CompareExchange(ref _oldestUnflushed, flushed ? Stopwatch.GetTimestamp() : unflushedSince, 0);
            Interlocked.Add(ref _journalBytes, flushed ? 0 : journalBytes);
            Interlocked.Add(ref _directBytes, flushed ? 0 : directBytes);
        }

        Volatile.Write(ref _flushingBytes, 0);
        Volatile.Write(ref _flushMs, Math.Max(FlushMsMin, (long)Stopwatch.GetElapsedTime(started).TotalMilliseconds));
        _flushed.Set();
        return flushed;
    }

    /// <summary>While memory is short, frees what the flush left: spare memory, and what this storage keeps for its next large entry, which is too much
    /// for a hundred storages. A running transaction prevents it for a moment. Returns the milliseconds until the next try, or
    /// <see cref="Timeout.Infinite"/>.</summary>
    private int TrimIfShort()
    {
        _isTrimDue = _isTrimDue && _memory.IsShort && !TryTrim();
        return _isTrimDue ? RetryMs : Timeout.Infinite;
    }

    private bool TryTrim()
    {
        if (!_storage.Writer.TryTrimEntries())
        {
            return false;
        }

        // What a reader holds is freed by later commits and flushes: trying until it ends would free the entries of the writer again and again.
        _storage.States.ReclaimScratch();
        _storage.Scratch.Trim();
        return true;
    }

    private int TrimIfIdle()
    {
        if (_trimmed)
        {
            return Timeout.Infinite;
        }

        if (_idle.FindWaitMs(Volatile.Read(ref _lastCommit), _storage.States.Readers.CountBegun()) is > 0 and var waitMs)
        {
            return waitMs;
        }

        // Memory that a reader keeps can be freed after its end, but no flush would do that.
        _trimmed = _storage.TrimMemory();
        return _trimmed ? Timeout.Infinite : Math.Min(_options.TrimAfterMs, TrimRetryMs);
    }
}
