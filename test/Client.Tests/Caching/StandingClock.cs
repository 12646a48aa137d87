namespace Jackdaw.Client.Tests.Caching;

/// <summary>A clock that stands until a test turns it. Timers run within <see cref="Advance"/>, on the thread that turns the clock.</summary>
internal sealed class StandingClock : TimeProvider
{
    private readonly Lock _lock = new(); // guards the timers
    private readonly List<Timer> _timers = [];
    private long _ticks;

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    public override long GetTimestamp() => Volatile.Read(ref _ticks);

    public override DateTimeOffset GetUtcNow() => DateTimeOffset.UnixEpoch.AddTicks(GetTimestamp());

    public void Advance(TimeSpan by)
    {
        Interlocked.Add(ref _ticks, by.Ticks);
        Timer[] due;
        lock (_lock)
        {
            due = [.. _timers.Where(timer => timer.ScheduledAt <= GetTimestamp())];
            _timers.RemoveAll(due.Contains);
        }

        Array.ForEach(due, static timer => timer.Run());
    }

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        Assert.Equal(Timeout.InfiniteTimeSpan, period);
        var timer = new Timer(this, () => callback(state));
        timer.Change(dueTime, period);
        return timer;
    }

    private sealed class Timer(StandingClock clock, Action run) : ITimer
    {
        public long ScheduledAt { get; private set; }

        public void Run() => run();

        public bool Change(TimeSpan dueTime, TimeSpan period)
        {
            lock (clock._lock)
            {
                clock._timers.Remove(this);
                if (dueTime != Timeout.InfiniteTimeSpan)
                {
                    ScheduledAt = clock.GetTimestamp() + dueTime.Ticks;
                    clock._timers.Add(this);
                }
            }

            return true;
        }

        public void Dispose() => Change(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);

        public ValueTask DisposeAsync()
        {
            Dispose();
            return ValueTask.CompletedTask;
        }
    }
}
