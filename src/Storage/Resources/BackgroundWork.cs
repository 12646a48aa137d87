namespace Jackdaw.Storage.Resources;

/// <summary>One kind of background work of one storage: a worker runs it when it was signaled or when its time has
/// come.</summary>
/// <remarks>
/// Two runs of one work never overlap. Signals during a run cause one more run after it.
/// States: resting -> (signal, or a run that names a time) waiting -> running -> resting, waiting or ended.
/// The run must not throw: it handles its own failures.
/// </remarks>
internal sealed class BackgroundWork : IDisposable
{
    private readonly BackgroundWorkers _owner;
    private readonly VolumeWorkers _workers;
    private readonly Func<int> _run;
    private readonly ManualResetEventSlim _ended = new();
    private int _isAsked; // 1 from a signal to the start of the run that answers it
    private int _isDisposed;

    /// <param name="owner">The workers of the process.</param>
    /// <param name="workers">The workers of its volumes.</param>
    /// <param name="number">Unique among the works of these workers.</param>
    /// <param name="run">Returns the milliseconds until the next run without a signal; -1 = none.</param>
    public BackgroundWork(BackgroundWorkers owner, VolumeWorkers workers, long number, Func<int> run)
    {
        _owner = owner;
        _workers = workers;
        _run = run;
        Number = number;
    }

    /// <summary>Distinguishes works that are due at the same time.</summary>
    public long Number { get; }

    /// <summary>Time stamp of the next run, while it waits. Guarded by the workers' lock.</summary>
    public long ScheduledAt { get; set; }

    /// <summary>Guarded by the workers' lock.</summary>
    public WorkState State { get; set; }

    /// <summary>True when a signal came that no run has answered yet.</summary>
    public bool IsAsked => Volatile.Read(ref _isAsked) != 0;

    /// <summary>Asks for one run; returns at once. Any thread.</summary>
    public void Signal()
    {
        // A full fence: either the run that begins next sees what the caller wrote before, or this call asks for
        // another one.
        if (Interlocked.Exchange(ref _isAsked, 1) == 0)
        {
            _workers.Wake(this);
        }
    }

    /// <summary>Waits for the current run; no other one begins.</summary>
    public void Dispose()
    {
        if (Interlocked.Exchange(ref _isDisposed, 1) == 0)
        {
            if (!_workers.TryEnd(this))
            {
                _ended.Wait();
            }

            _owner.Remove(_workers);
            _ended.Dispose();
        }
    }

    /// <summary>Takes the signals so far: the run that begins now answers them.</summary>
    public void TakeSignals() => Interlocked.Exchange(ref _isAsked, 0);

    /// <summary>One run, on the thread of a worker.</summary>
    public int Run() => _run();

    /// <summary>The last run is over.</summary>
    public void OnEnded() => _ended.Set();
}

/// <summary>State of a background work.</summary>
internal enum WorkState
{
    /// <summary>Nothing to do until a signal comes.</summary>
    Resting,

    /// <summary>Waits for its time, or for a free worker.</summary>
    Waiting,

    /// <summary>A worker runs it.</summary>
    Running,

    /// <summary>A worker runs it for the last time.</summary>
    Ending,

    /// <summary>Will not run again.</summary>
    Ended,
}
