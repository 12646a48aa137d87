namespace Jackdaw.Server.Indexing.Running;

/// <summary>The threads on which all indexes of a process do their work. Thread safe; made once, at the start of the process.</summary>
/// <remarks>
/// 1. A run of an index stays on one thread; an index without work holds none.
/// 2. Runnable indexes wait in the order of their priority, those of one priority in the order in which they became runnable. An index that
///    has more work after a run goes behind the others of its priority: none waits for ever.
/// 3. A thread ends after some seconds without work.
/// Their own threads, not the pool's: a run takes up to a second of processor time, and requests are answered on the pool.
/// </remarks>
/// <param name="threadsMax">Runs at the same time; 0 = half of the processors, and at least one.</param>
internal sealed class IndexingWorkers(int threadsMax = 0)
{
    /// <summary>How long a thread without work stays: starting one costs 100 us, and work comes in bursts.</summary>
    private const int IdleMs = 5000;

    private readonly object _gate = new(); // guards everything below; a monitor, because threads wait for it with a time limit
    private readonly PriorityQueue<IndexWork, (int Rank, long Number)> _runnable = new();
    private readonly int _threadsMax = threadsMax > 0 ? threadsMax : Math.Max(1, Environment.ProcessorCount / 2);
    private long _lastNumber;
    private int _threads;
    private int _idle;

    /// <summary>Threads at this moment.</summary>
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

    /// <summary>Has a work run as soon as a thread is free.</summary>
    internal void Enqueue(IndexWork work)
    {
        lock (_gate)
        {
            _runnable.Enqueue(work, (-(int)work.Priority, ++_lastNumber));
            if (_idle > 0)
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
        while (TryTake(out IndexWork? work))
        {
            work.Run();
        }
    }

    private bool TryTake([System.Diagnostics.CodeAnalysis.NotNullWhen(true)] out IndexWork? work)
    {
        lock (_gate)
        {
            while (!_runnable.TryDequeue(out work, out _))
            {
                _idle++;
                bool isTold = Monitor.Wait(_gate, IdleMs);
                _idle--;
                if (!isTold && _runnable.Count == 0)
                {
                    _threads--;
                    return false;
                }
            }

            return true;
        }
    }
}
