using System.Diagnostics;
using Jackdaw.Pal;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.FreeSpace;
using Jackdaw.Storage.Scratch;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Storage.Flushing;

/// <summary>Decides when the background lane flushes and syncs, and does it on its own thread.</summary>
/// <remarks>
/// A flush begins when scratch or the journals since the last one pass their limit, when the oldest unflushed transaction is
/// <see cref="UnflushedMsMax"/> old, or when no transaction came for a moment. Waiting pays: a page that changes often
/// reaches the disk once per flush. An idle, clean storage (<see cref="IdleClock"/>) has no timer and keeps no spare memory.
/// </remarks>
internal sealed class FlushSchedule : IDisposable
{
    /// <summary>Oldest age of an unflushed transaction under steady light load: bounds recovery to seconds of journal.</summary>
    private const int UnflushedMsMax = 30_000;

    /// <summary>Journal bytes behind the last sync that count as the whole limit, in flushes: what recovery has to read at most, as long as
    /// nobody holds flushes back.</summary>
    private const int JournalFlushesMax = 4;

    /// <summary>Time that a flush is taken to need at least: the first one has not run yet.</summary>
    private const long FlushMsMin = 1000;

    /// <summary>Pause after a flush that could do nothing, such as for a long reader: no busy loop.</summary>
    private const int RetryMs = 50;

    /// <summary>Pause after a flush that found the disk full, whoever waits: each one collects and sorts all pages and writes what fits.</summary>
    private const int DiskFullRetryMs = 500;

    /// <summary>Pause after a trim that met a reader or a writer.</summary>
    private const int TrimRetryMs = 5000;

    /// <summary>Pause between two slices of holes: with 32 MB each, 3 GB/s at most, and a writer waits for one slice only.</summary>
    private const int PunchPauseMs = 10;

    private readonly StorageEnvironment _environment;
    private readonly Flusher _flusher;
    private readonly StorageOptions _options;
    private readonly WakeSignal _signal = new(spinMicroseconds: 0);
    private readonly ManualResetEventSlim _flushed = new();
    private readonly Thread? _thread;
    private readonly WritePace _pace;
    private readonly IdleClock _idle;
    private long _flushMs = FlushMsMin;
    private long _journalBytes;
    private long _flushingBytes; // of journals, whose pages are on their way to the data file
    private long _pausedMs;
    private long _lastCommit;
    private long _oldestUnflushed;
    private long _problemSince; // the last flush that found the disk full
    private bool _trimmed = true;
    private volatile bool _releaseDue;
    private volatile bool _stopping;

    public FlushSchedule(StorageEnvironment environment, Flusher flusher, StorageOptions options)
    {
        _environment = environment;
        _flusher = flusher;
        _options = options;
        _pace = new WritePace(TimeProvider.System);
        _idle = new IdleClock(TimeProvider.System, options.TrimAfterMs);
        if (options.BackgroundFlush)
        {
            _oldestUnflushed = _lastCommit = Stopwatch.GetTimestamp();
            _thread = new Thread(Run) { IsBackground = true, Name = "flusher" };
            _thread.Start();
            _signal.Set();
        }
    }

    /// <summary>Why the last flush could not be done; null when it could. For health and statistics.</summary>
    public Exception? Problem { get; private set; }

    /// <summary>Counts a commit. Journal lane.</summary>
    public void OnCommitted(long journalBytes)
    {
        long now = Stopwatch.GetTimestamp();
        Volatile.Write(ref _lastCommit, now);
        Interlocked.Add(ref _journalBytes, journalBytes);
        bool first = Interlocked.CompareExchange(ref _oldestUnflushed, now, 0) == 0;
        if (first || IsOverLimit())
        {
            _signal.Set();
        }
    }

    /// <summary>A journal takes no more entries: a storage with nothing to flush lets it go, or it would keep its space for ever.</summary>
    public void OnJournalClosed()
    {
        _releaseDue = true;
        _signal.Set();
    }

    /// <summary>Lets the thread look at the state again.</summary>
    public void Signal() => _signal.Set();

    /// <summary>What waits to be flushed, as a part of the limit: of scratch, or of the journals that recovery would have to read.</summary>
    public double Debt
    {
        get
        {
            long journalBytes = Volatile.Read(ref _journalBytes) + Volatile.Read(ref _flushingBytes);
            double ofScratch = (double)_environment.Scratch.RentedBytes / _options.ScratchBytesMax;
            double ofJournals = (double)journalBytes / (_options.FlushAtJournalBytes * JournalFlushesMax);
            return Math.Max(ofScratch, ofJournals);
        }
    }

    /// <summary>Milliseconds that writers were slowed down in all.</summary>
    public long PausedMs => Volatile.Read(ref _pausedMs);

    /// <summary>Slows the writer when flushes do not keep up. Writer thread, before a transaction begins.</summary>
    public void Pace()
    {
        if (_thread is null || _pace.FindPauseMs(Debt, Volatile.Read(ref _flushMs)) is not (> 0 and var pauseMs))
        {
            return;
        }

        _flushed.Reset();
        _flushed.Wait(pauseMs);
        _pace.Restart(Debt);
        Volatile.Write(ref _pausedMs, _pausedMs + pauseMs);
    }

    /// <summary>Blocks the writer until there is room in scratch.</summary>
    /// <exception cref="ScratchFullException">No room in time: readers or a full disk hold the flush back.</exception>
    public void WaitForRoom(Func<bool> hasRoom, TimeSpan patience)
    {
        long started = Stopwatch.GetTimestamp();
        while (!hasRoom() && _environment.Failure is null)
        {
            if (Stopwatch.GetElapsedTime(started) > patience || _thread is null)
            {
                throw new ScratchFullException(_environment.Path, _environment.Readers.CountActive(), Problem);
            }

            _flushed.Reset();
            _signal.Set();
            _flushed.Wait(RetryMs);

            // What a flush freed may have waited for a reader that ended since: no commit comes to reuse it.
            _environment.ReclaimScratch();
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        if (!_stopping)
        {
            _stopping = true;
            _signal.Set();
            _thread?.Join();
            _signal.Dispose();
            _flushed.Dispose();
        }
    }

    private bool IsDirty => Volatile.Read(ref _oldestUnflushed) != 0;

    private bool IsOverLimit() =>
        _environment.Scratch.RentedBytes >= FlushAtScratchBytes || Volatile.Read(ref _journalBytes) >= _options.FlushAtJournalBytes
        || _environment.PinsJournals;

    /// <summary>One busy storage may take what many share when all are busy.</summary>
    private long FlushAtScratchBytes => ScratchPool.ProcessMappedBytes < _options.ProcessScratchBytesMax
        ? _options.FlushAtScratchBytes
        : Math.Min(_options.FlushAtScratchBytes, StorageOptions.FlushAtScratchBytesMin);

    private void Run()
    {
        PalThread.LowerPriority();
        int waitMs = 0;
        while (!_stopping)
        {
            _signal.Wait(waitMs);
            if (_stopping || _environment.Failure is not null)
            {
                waitMs = Timeout.Infinite;
                continue;
            }

            waitMs = RunOnce();
        }
    }

    private int RunOnce()
    {
        try
        {
            ReleaseJournals();
            int waitMs = IsDirty ? FlushIfDue() : TrimIfIdle();
            return Sooner(waitMs, PunchHoles());
        }
        catch (Exception e)
        {
            // Nobody waits for this thread: what it throws would end the process instead of the storage.
            Problem = _environment.Fail(e);
            return Timeout.Infinite;
        }
    }

    private static int Sooner(int aMs, int bMs) =>
        aMs == Timeout.Infinite ? bMs : bMs == Timeout.Infinite ? aMs : Math.Min(aMs, bMs);

    /// <summary>Gives some free space back; the milliseconds until there is more to do, or <see cref="Timeout.Infinite"/>.</summary>
    private int PunchHoles() => _flusher.PunchSome() switch
    {
        PunchResult.More => PunchPauseMs,
        PunchResult.WriterIsBusy => RetryMs,
        _ => Timeout.Infinite,
    };

    /// <summary>Without new transactions no sync would come to let closed journals go.</summary>
    private void ReleaseJournals()
    {
        if (_releaseDue && !IsDirty)
        {
            _releaseDue = false;
            _flusher.Sync();
        }
    }

    /// <summary>Returns the milliseconds until the next look.</summary>
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
        long unflushedSince = Interlocked.Exchange(ref _oldestUnflushed, 0);
        long journalBytes = Interlocked.Exchange(ref _journalBytes, 0);
        Volatile.Write(ref _flushingBytes, journalBytes);
        long started = Stopwatch.GetTimestamp();
        bool flushed = false;
        try
        {
            flushed = _flusher.Flush();
            _flusher.Sync();
            Problem = null;
            _trimmed = false;
        }
        catch (DiskFullException e)
        {
            Problem = e;
            _problemSince = Stopwatch.GetTimestamp();
        }

        if (_flusher.FlushedTransaction < _environment.Current.TransactionId)
        {
            // Something is left (a reader held it back, the disk is full, or it came meanwhile): keep the clock running.
            Interlocked.CompareExchange(ref _oldestUnflushed, flushed ? Stopwatch.GetTimestamp() : unflushedSince, 0);
            Interlocked.Add(ref _journalBytes, flushed ? 0 : journalBytes);
        }

        Volatile.Write(ref _flushingBytes, 0);
        Volatile.Write(ref _flushMs, Math.Max(FlushMsMin, (long)Stopwatch.GetElapsedTime(started).TotalMilliseconds));
        _flushed.Set();
        return flushed;
    }

    private int TrimIfIdle()
    {
        if (_trimmed)
        {
            return Timeout.Infinite;
        }

        if (_idle.FindWaitMs(Volatile.Read(ref _lastCommit), _environment.Readers.CountBegun()) is > 0 and var waitMs)
        {
            return waitMs;
        }

        // What a reader keeps goes after its end, and no flush comes to look for it.
        _trimmed = _environment.TrimMemory();
        return _trimmed ? Timeout.Infinite : Math.Min(_options.TrimAfterMs, TrimRetryMs);
    }
}
