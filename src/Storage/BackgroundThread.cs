using Jackdaw.Pal.Native;

namespace Jackdaw.Storage;

/// <summary>A named thread that does one kind of work whenever it is signaled or a period has passed; ends with
/// <see cref="Dispose"/>.</summary>
/// <remarks>Signals during a run cause one more run. The work must not throw; it handles its own failures.</remarks>
internal sealed class BackgroundThread : IDisposable
{
    private readonly WakeSignal _signal = new(spinMicroseconds: 0);
    private readonly Action _work;
    private readonly int _periodMs;
    private readonly Thread _thread;
    private volatile bool _stopping;

    public BackgroundThread(string name, Action work, int periodMs = Timeout.Infinite)
    {
        _work = work;
        _periodMs = periodMs;
        _thread = new Thread(Run) { IsBackground = true, Name = name };
        _thread.Start();
    }

    /// <summary>Asks for one run; returns at once.</summary>
    public void Signal() => _signal.Set();

    /// <summary>Ends the thread after the current run.</summary>
    public void Dispose()
    {
        if (_stopping)
        {
            return;
        }

        _stopping = true;
        _signal.Set();
        if (Thread.CurrentThread != _thread)
        {
            _thread.Join();
            _signal.Dispose();
        }
    }

    private void Run()
    {
        PalThread.LowerPriority();
        while (!_stopping)
        {
            _signal.Wait(_periodMs);
            if (!_stopping)
            {
                _work();
            }
        }
    }
}
