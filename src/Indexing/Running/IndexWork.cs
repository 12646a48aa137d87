using System.Diagnostics;
using Jackdaw.Indexing.Definitions.Model;

namespace Jackdaw.Indexing.Running;

/// <summary>The background work of one index, one run at a time. Any thread.</summary>
/// <remarks>
/// <code>
/// idle --Signal--> runnable --a thread is free--> running --no more work--> idle
///                     ^                              |
///                     +------------------------------+  signaled during the run, or more work
/// any --StopAsync--> stopping --the run has ended--> stopped
/// </code>
/// </remarks>
/// <param name="run">One run, bounded in time and memory. Returns whether there is more to do. Must not throw.</param>
internal sealed class IndexWork(IndexingWorkers workers, Func<bool> run)
{
    private readonly Lock _lock = new(); // guards the fields below
    private readonly TaskCompletionSource _stopped = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private bool _isQueued; // waiting for a thread, or running
    private volatile bool _isSignaled; // while it was queued
    private bool _isRunning;
    private bool _isStopping;

    /// <summary>Read when the work becomes runnable.</summary>
    public IndexPriority Priority { get; set; } = IndexPriority.Normal;

    /// <summary>Whether new work waits for the end of the run: of this index, or of another one that has no thread.</summary>
    public bool IsAwaited => _isSignaled || workers.IsAwaited;

    /// <summary>Says that there may be work: a run will begin that sees everything that was written before this call.</summary>
    public void Signal()
    {
        lock (_lock)
        {
            if (_isStopping)
            {
                return;
            }

            if (_isQueued)
            {
                _isSignaled = true;
                return;
            }

            _isQueued = true;
        }

        workers.Enqueue(this, isNew: true);
    }

    /// <summary>Prevents further runs; completes when the current one has ended.</summary>
    public Task StopAsync()
    {
        lock (_lock)
        {
            _isStopping = true;
            if (!_isRunning)
            {
                _stopped.TrySetResult();
            }
        }

        return _stopped.Task;
    }

    /// <summary>Does one run. Called by a thread of the workers.</summary>
    internal void Run()
    {
        lock (_lock)
        {
            Debug.Assert(_isQueued && !_isRunning);
            if (_isStopping)
            {
                return;
            }

            _isRunning = true;
            _isSignaled = false;
        }

        bool isMore = run();
        bool isNew;
        lock (_lock)
        {
            _isRunning = false;
            if (_isStopping)
            {
                _stopped.TrySetResult();
                return;
            }

            isNew = _isSignaled;
            _isQueued = isMore || isNew;
            if (!_isQueued)
            {
                return;
            }
        }

        workers.Enqueue(this, isNew);
    }
}
