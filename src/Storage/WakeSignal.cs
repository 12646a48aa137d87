using System.Diagnostics;

namespace Jackdaw.Storage;

/// <summary>Wakes one thread that waits for work; a signal set before the wait is not lost. Spins briefly before it
/// sleeps.</summary>
/// <remarks>Waking a sleeping thread costs tens of microseconds on a virtual machine, as much as a durable write on a
/// fast disk, so a waiter spins as long as its next work usually takes to arrive, and then, when the last work arrived
/// soon, yields its processor and polls again. An idle thread sleeps.</remarks>
internal sealed class WakeSignal : IDisposable
{
    private const int Clear = 0;
    private const int Signaled = 1;
    private const int Sleeping = 2;

    private readonly AutoResetEvent _event = new(false);
    private readonly long _spinTicks;
    private readonly long _yieldTicks;
    private bool _comesSoon; // used by the waiter: the last wait ended within both times
    private int _state;

    /// <param name="spinMicroseconds">How long it spins without yielding.</param>
    /// <param name="yieldMicroseconds">How long it then polls with yields in between, unless the last work took longer
    /// to arrive.</param>
    public WakeSignal(int spinMicroseconds, int yieldMicroseconds = 0)
    {
        _spinTicks = Stopwatch.Frequency * spinMicroseconds / 1_000_000;
        _yieldTicks = Stopwatch.Frequency * yieldMicroseconds / 1_000_000;
    }

    /// <summary>How often the waiter went to sleep; all other waits ended while polling.</summary>
    public long Sleeps { get; private set; }

    /// <summary>Wakes the waiter, or lets its next wait pass. Any thread; no system call unless the waiter
    /// sleeps.</summary>
    public void Set()
    {
        if (Interlocked.Exchange(ref _state, Signaled) == Sleeping)
        {
            _event.Set();
        }
    }

    /// <summary>Waits for <see cref="Set"/>. One thread.</summary>
    /// <param name="timeoutMs">Milliseconds; -1 = forever.</param>
    /// <returns>False when the time has passed.</returns>
    public bool Wait(int timeoutMs)
    {
        long started = Stopwatch.GetTimestamp();
        if (TrySpin(started))
        {
            return true;
        }

        if (Interlocked.CompareExchange(ref _state, Sleeping, Clear) == Clear)
        {
            Sleeps++;
            bool woken = _event.WaitOne(timeoutMs);
            _comesSoon = Stopwatch.GetTimestamp() - started <= _spinTicks + _yieldTicks;
            if (!woken && Interlocked.CompareExchange(ref _state, Clear, Sleeping) == Sleeping)
            {
                return false;
            }

            if (!woken)
            {
                // Set was called between the timeout and here; the event must not stay set for the next wait.
                _event.WaitOne();
            }
        }

        // A full fence: if the caller checked its work before this store is visible, a Set in between would be lost.
        Interlocked.Exchange(ref _state, Clear);
        return true;
    }

    /// <inheritdoc/>
    public void Dispose() => _event.Dispose();

    private bool TrySpin(long started)
    {
        long yieldFrom = started + _spinTicks;
        long end = _comesSoon ? yieldFrom + _yieldTicks : yieldFrom;
        for (long now = started; ; now = Stopwatch.GetTimestamp())
        {
            if (Interlocked.CompareExchange(ref _state, Clear, Signaled) == Signaled)
            {
                return true;
            }

            if (now >= end)
            {
                return false;
            }

            if (now < yieldFrom)
            {
                Thread.SpinWait(10);
            }
            else
            {
                Thread.Yield();
            }
        }
    }
}
