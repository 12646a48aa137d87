using System.Diagnostics;

namespace Jackdaw.Storage.Transactions;

/// <summary>Wakes one thread that waits for work; set before the wait is not lost. Spins briefly before it sleeps.</summary>
/// <remarks>Waking a sleeping thread costs tens of microseconds on a virtual machine, as much as a durable write on a fast disk,
/// so a waiter spins as long as the work it waits for usually takes to come, then, when the last work came soon, gives its processor
/// to whoever wants it and looks again. An idle thread sleeps.</remarks>
internal sealed class WakeSignal : IDisposable
{
    private const int Clear = 0;
    private const int Signaled = 1;
    private const int Sleeping = 2;

    private readonly AutoResetEvent _event = new(false);
    private readonly long _spinTicks;
    private readonly long _yieldTicks;
    private bool _comesSoon; // the waiter's: the last wait ended within both times
    private int _state;

    /// <param name="spinMicroseconds">Spins so long with its processor held.</param>
    /// <param name="yieldMicroseconds">Then so long with its processor given up in between, unless the last work took longer to come.</param>
    public WakeSignal(int spinMicroseconds, int yieldMicroseconds = 0)
    {
        _spinTicks = Stopwatch.Frequency * spinMicroseconds / 1_000_000;
        _yieldTicks = Stopwatch.Frequency * yieldMicroseconds / 1_000_000;
    }

    /// <summary>Times that the waiter went to sleep; the rest was caught spinning.</summary>
    public long Sleeps { get; private set; }

    /// <summary>Wakes the waiter, or lets its next wait pass. Any thread; no system call unless the waiter sleeps.</summary>
    public void Set()
    {
        if (Interlocked.Exchange(ref _state, Signaled) == Sleeping)
        {
            _event.Set();
        }
    }

    /// <summary>Waits for <see cref="Set"/>. One thread.</summary>
    /// <param name="timeoutMs">Milliseconds; -1 = for ever.</param>
    /// <returns>False when the time is over.</returns>
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
                // Set came between the timeout and here; its event must not stay set for the next wait.
                _event.WaitOne();
            }
        }

        // A full fence: were the caller's look at its work done before this store is seen, a Set in between would be lost.
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
