using System.Runtime.ExceptionServices;

namespace Jackdaw.Search.Vectors.Graphs;

/// <summary>Runs the items of a round on the calling thread, and on threads of the pool that are free just then. The caller never waits for a thread to
/// begin.</summary>
internal sealed class RoundWorkers : IThreadPoolWorkItem
{
    private readonly Action<int, int> _run;
    private readonly ManualResetEventSlim _ended = new(true);
    private readonly Lock _gate = new();
    private int _count;
    private int _next;
    private int _running;
    private int _workers;
    private Exception? _failure;

    /// <param name="workersMax">The most threads, the calling one included.</param>
    /// <param name="run">Runs an item: the number of the worker, below <paramref name="workersMax"/>, and that of the item.</param>
    public RoundWorkers(int workersMax, Action<int, int> run)
    {
        WorkersMax = workersMax;
        _run = run;
    }

    public int WorkersMax { get; }

    /// <summary>Runs items 0 to <paramref name="count"/> - 1, each once, and returns after the last one.</summary>
    public void Run(int count)
    {
        lock (_gate)
        {
            (_count, _next, _workers, _running, _failure) = (count, 0, 1, 0, null);
        }

        for (int i = 1; i < WorkersMax && i < count; i++)
        {
            ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
        }

        RunItems(0);
        WaitForOthers();
        if (_failure is { } failure)
        {
            ExceptionDispatchInfo.Throw(failure); // As it is: callers tell damage from other failures by its type.
        }
    }

    void IThreadPoolWorkItem.Execute()
    {
        int worker;
        lock (_gate)
        {
            if (_next >= _count || _workers == WorkersMax)
            {
                return; // It begins too late, perhaps after the round that asked for it.
            }

            worker = _workers++;
            _running++;
            _ended.Reset();
        }

        RunItems(worker);
        lock (_gate)
        {
            if (--_running == 0)
            {
                _ended.Set();
            }
        }
    }

    private void RunItems(int worker)
    {
        try
        {
            for (int item = Interlocked.Increment(ref _next) - 1; item < _count; item = Interlocked.Increment(ref _next) - 1)
            {
                _run(worker, item);
            }
        }
        catch (Exception failure)
        {
            _failure = failure;
            Interlocked.Add(ref _next, _count); // The other items are not begun.
        }
    }

    private void WaitForOthers()
    {
        lock (_gate)
        {
            _count = 0; // Nobody begins any more.
            if (_running == 0)
            {
                return;
            }
        }

        _ended.Wait();
    }
}
