using Jackdaw.Pal.Native;

namespace Jackdaw.Indexing.Running;

/// <summary>The threads on which all indexes of a process do their work. Thread safe; made once, at the start of the process.</summary>
/// <remarks>
/// 1. A run of an index uses one thread; an index without work uses none.
/// 2. Runnable indexes wait in the order of their priority, and with equal priority in the order in which they became runnable. An index that
///    has more work after a run waits again after the others of its priority, so that none waits for ever.
/// 3. A thread ends after some seconds without work.
/// 4. The threads go behind all others of the process when processors are short: requests wait for somebody, and an index catches up.
/// These are not threads of the pool, because requests are answered there, and a run takes up to a second of processor time.
/// </remarks>
/// <param name="threadsMax">How many runs there are at the same time; 0 for half of the processors, and at least one.</param>
internal sealed class IndexingWorkers(int threadsMax = 0)
{
    /// <summary>A thread ends after this time without work: starting a thread costs 100 us, and work comes in bursts.</summary>
    private const int IdleMs = 5000;

    private readonly object _gate = new(); // guards everything below; a monitor, because threads wait for it with a time limit
    private readonly PriorityQueue<(IndexWork Work, bool IsNew), (int Rank, long Number)> _runnable = new();
    private readonly int _threadsMax = threadsMax > 0 ? threadsMax : Math.Max(1, Environment.ProcessorCount / 2);
    private long _lastNumber;
    private int _threads;
    private int _idle;
    private volatile int _new; // runnable works that are new; also read without the gate

    /// <summary>Whether an index with new work waits for a thread. An index that continues earlier work does not count.</summary>
    public bool IsAwaited => _new > 0;

    /// <summary>The current number of threads.</summary>
    public int ThreadCount
    {
        get
        {
            lock (_gate)
            {
                return _threads;
            }
        }
    }

    /// <summary>Runs a work as soon as a thread is free.</summary>
    /// <param name="isNew">Documents have changed; false when the index continues earlier work.</param>
    internal void Enqueue(IndexWork work, bool isNew)
    {
        lock (_gate)
        {
            _new += isNew ? 1 : 0;
            _runnable.Enqueue((work, isNew), (-(int)work.Priority, ++_lastNumber));
            // A thread that was pulsed counts as idle until it has the monitor.
            if (_idle >= _runnable.Count)
            {
                Monitor.Pulse(_gate);
            }
            else if (_threads < _threadsMax)
            {
                _threads++;
                new Thread(RunThread) { IsBackground = true, Name = "indexing" }.Start();
            }
        }
    }

    private void RunThread()
    {
        PalThread.LowerPriority();
        while (TryTake(out IndexWork? work))
        {
            work.Run();
        }
    }

    private bool TryTake([System.Diagnostics.CodeAnalysis.NotNullWhen(true)] out IndexWork? work)
    {
        lock (_gate)
        {
            (IndexWork Work, bool IsNew) next;
            while (!_runnable.TryDequeue(out next, out _))
            {
                _idle++;
                bool isTold = Monitor.Wait(_gate, IdleMs);
                _idle--;
                if (!isTold && _runnable.Count == 0)
                {
                    _threads--;
                    work = null;
                    return false;
                }
            }

            _new -= next.IsNew ? 1 : 0;
            work = next.Work;
            return true;
        }
    }
}
