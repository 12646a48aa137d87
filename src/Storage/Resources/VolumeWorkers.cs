using System.Diagnostics;
using Jackdaw.Pal.Native;

namespace Jackdaw.Storage.Resources;

/// <summary>The threads that do one kind of background work of the storages on the same volumes. Thread safe.</summary>
/// <remarks>
/// The work that has been due for the longest time runs first. A signal never starts a thread, because commits send
/// signals: instead, a worker that takes a work while no other worker is idle starts the next one, up to
/// <see cref="WorkersMax"/>. All workers but one end when they have been idle for a while.
/// </remarks>
internal sealed class VolumeWorkers(string threadName, StorageVolumes volumes)
{
    /// <summary>Threads for one pair of volumes. Flushes wait for the disk, so there may be more than processors; more
    /// than a few would only wait for each other at the same disk, and each holds its lists of pages.</summary>
    public const int WorkersMax = 4;

    /// <summary>How long a worker rests before it ends while another one rests too.</summary>
    private const int RestMsMax = 10_000;

    private static readonly Comparer<BackgroundWork> s_byTime = Comparer<BackgroundWork>.Create(
        (left, right) => left.ScheduledAt != right.ScheduledAt ? left.ScheduledAt.CompareTo(right.ScheduledAt) : left.Number.CompareTo(right.Number));

    private readonly object _gate = new(); // guards everything below, and the states of the works; workers rest on it
    private readonly SortedSet<BackgroundWork> _waiting = new(s_byTime);
    private readonly List<Thread> _threads = [];
    private int _resting;
    private bool _isEnding;
    private int _works;

    /// <summary>The volumes.</summary>
    public StorageVolumes Volumes => volumes;

    /// <summary>Works that were added and not removed. Changed by one thread at a time.</summary>
    public int Works
    {
        get => Volatile.Read(ref _works);
        set => Volatile.Write(ref _works, value);
    }

    /// <summary>Threads at this moment.</summary>
    public int ThreadCount
    {
        get
        {
            lock (_gate)
            {
                return _threads.Count;
            }
        }
    }

    /// <summary>Starts a worker if none rests and there may be one more.</summary>
    public void StartWanted()
    {
        Thread? thread = null;
        lock (_gate)
        {
            if (_resting == 0 && _threads.Count < Math.Min(WorkersMax, Works) && !_isEnding)
            {
                thread = new Thread(Run) { IsBackground = true, Name = threadName };
                _threads.Add(thread);
            }
        }

        // Not under the lock: a commit that signals would wait for the start of a thread.
        if (thread is not null)
        {
            Start(thread);
        }
    }

    /// <summary>Has a work run as soon as a worker is free.</summary>
    public void Wake(BackgroundWork work)
    {
        lock (_gate)
        {
            if (work.State is WorkState.Resting or WorkState.Waiting)
            {
                Enqueue(work, Stopwatch.GetTimestamp());
                Monitor.Pulse(_gate);
            }
        }
    }

    /// <summary>Lets no further run of a work begin. False when one is under way; the work is notified when it
    /// ends.</summary>
    public bool TryEnd(BackgroundWork work)
    {
        lock (_gate)
        {
            if (work.State == WorkState.Running)
            {
                work.State = WorkState.Ending;
                return false;
            }

            _waiting.Remove(work);
            work.State = WorkState.Ended;
            return true;
        }
    }

    /// <summary>Ends the threads and waits for them. Called when all works have ended and no more can be
    /// added.</summary>
    public void End()
    {
        Thread[] threads;
        lock (_gate)
        {
            Debug.Assert(_waiting.Count == 0, "workers end before their works");
            _isEnding = true;
            threads = [.. _threads];
            Monitor.PulseAll(_gate);
        }

        foreach (Thread thread in threads.Where(thread => thread != Thread.CurrentThread))
        {
            thread.Join();
        }
    }

    private void Start(Thread thread)
    {
        try
        {
            thread.Start();
        }
        catch
        {
            lock (_gate)
            {
                _threads.Remove(thread);
            }

            throw;
        }
    }

    private void Run()
    {
        PalThread.LowerPriority();
        while (Take() is { } work)
        {
            TryStartWanted();
            Finish(work, work.Run());
        }
    }

    private void TryStartWanted()
    {
        try
        {
            StartWanted();
        }
        catch (OutOfMemoryException)
        {
            // The existing workers do the work, one after the other.
        }
    }

    /// <summary>Waits for a work whose time has come; null when this worker is no longer needed.</summary>
    private BackgroundWork? Take()
    {
        long restingSince = Stopwatch.GetTimestamp();
        lock (_gate)
        {
            while (true)
            {
                int waitMs = Timeout.Infinite;
                if (_waiting.Min is { } next && (waitMs = MillisecondsUntil(next.ScheduledAt)) == 0)
                {
                    _waiting.Remove(next);
                    next.State = WorkState.Running;
                    next.TakeSignals();
                    PulseForLater();
                    return next;
                }

                if (_isEnding || (_resting > 0 && Stopwatch.GetElapsedTime(restingSince).TotalMilliseconds >= RestMsMax))
                {
                    _threads.Remove(Thread.CurrentThread);
                    PulseForLater();
                    return null;
                }

                Rest(waitMs);
            }
        }
    }

    /// <summary>Wakes another worker, which then waits for the next work in place of this one. Caller holds the
    /// lock.</summary>
    private void PulseForLater()
    {
        Debug.Assert(Monitor.IsEntered(_gate));
        if (_waiting.Count > 0)
        {
            Monitor.Pulse(_gate);
        }
    }

    /// <summary>Caller holds the lock.</summary>
    private void Rest(int waitMs)
    {
        Debug.Assert(Monitor.IsEntered(_gate));
        if (_resting > 0)
        {
            waitMs = waitMs == Timeout.Infinite ? RestMsMax : Math.Min(waitMs, RestMsMax);
        }

        _resting++;
        Monitor.Wait(_gate, waitMs);
        _resting--;
    }

    private void Finish(BackgroundWork work, int waitMs)
    {
        lock (_gate)
        {
            if (work.State == WorkState.Ending)
            {
                work.State = WorkState.Ended;
                work.OnEnded();
                return;
            }

            Debug.Assert(work.State == WorkState.Running, "a work was run by two workers");
            work.State = WorkState.Resting;
            if (work.IsAsked || waitMs != Timeout.Infinite)
            {
                int inMs = work.IsAsked ? 0 : waitMs;
                Enqueue(work, Stopwatch.GetTimestamp() + (inMs * Stopwatch.Frequency / 1000));
            }
        }
    }

    /// <summary>Caller holds the lock.</summary>
    private void Enqueue(BackgroundWork work, long scheduledAt)
    {
        Debug.Assert(Monitor.IsEntered(_gate));
        _waiting.Remove(work); // by its old time
        work.ScheduledAt = scheduledAt;
        work.State = WorkState.Waiting;
        _waiting.Add(work);
    }

    /// <summary>Rounded up: a worker that looks too early would look again at once.</summary>
    private static int MillisecondsUntil(long scheduledAt)
    {
        long ticks = scheduledAt - Stopwatch.GetTimestamp();
        return ticks <= 0 ? 0 : (int)Math.Min(int.MaxValue, ((ticks * 1000) + Stopwatch.Frequency - 1) / Stopwatch.Frequency);
    }
}
