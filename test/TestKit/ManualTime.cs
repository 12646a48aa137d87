namespace Jackdaw.TestKit;

/// <summary>A clock that a test turns. Timers run on the turning thread.</summary>
public sealed class ManualTime : TimeProvider
{
    private readonly Lock _lock = new(); // guards everything below
    private readonly List<ManualTimer> _timers = [];
    private TimeSpan _elapsed;

    /// <inheritdoc/>
    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    /// <summary>Timers that wait.</summary>
    public int TimerCount
    {
        get
        {
            lock (_lock)
            {
                return _timers.Count;
            }
        }
    }

    /// <summary>Time until the first of them; null: none waits.</summary>
    public TimeSpan? FirstTimerIn
    {
        get
        {
            lock (_lock)
            {
                return _timers.Count == 0 ? null : _timers.Min(timer => timer.ScheduledAt) - _elapsed;
            }
        }
    }

    /// <summary>Timers that ever waited.</summary>
    public int TimersMade { get; private set; }

    /// <inheritdoc/>
    public override DateTimeOffset GetUtcNow() => DateTimeOffset.UnixEpoch + Elapsed();

    /// <inheritdoc/>
    public override long GetTimestamp() => Elapsed().Ticks;

    /// <inheritdoc/>
    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        var timer = new ManualTimer(this, callback, state);
        timer.Change(dueTime, period);
        return timer;
    }

    /// <summary>Turns the clock and runs the timers that are due.</summary>
    public void Advance(TimeSpan by)
    {
        List<ManualTimer> due;
        lock (_lock)
        {
            _elapsed += by;
            due = _timers.FindAll(timer => timer.ScheduledAt <= _elapsed);
            _timers.RemoveAll(due.Contains);
        }

        due.ForEach(timer => timer.Fire());
    }

    /// <summary>Turns the clock step by step until what other threads do is done.</summary>
    /// <param name="step">Time of a step.</param>
    /// <param name="isDone">Looked at before each step.</param>
    /// <param name="otherwise">What it means when it is not done in time.</param>
    public Task AdvanceUntilAsync(TimeSpan step, Func<Task<bool>> isDone, string otherwise) => Eventually.IsTrueAsync(
        async () =>
        {
            if (await isDone())
            {
                return true;
            }

            Advance(step);
            return false;
        },
        () => otherwise);

    private TimeSpan Elapsed()
    {
        lock (_lock)
        {
            return _elapsed;
        }
    }

    /// <summary>Fires once: nothing here needs a period.</summary>
    private sealed class ManualTimer(ManualTime owner, TimerCallback callback, object? state) : ITimer
    {
        public TimeSpan ScheduledAt { get; private set; }

        public bool Change(TimeSpan dueTime, TimeSpan period)
        {
            lock (owner._lock)
            {
                owner._timers.Remove(this);
                if (dueTime != Timeout.InfiniteTimeSpan)
                {
                    ScheduledAt = owner._elapsed + dueTime;
                    owner._timers.Add(this);
                    owner.TimersMade++;
                }

                return true;
            }
        }

        public void Fire() => callback(state);

        public void Dispose() => Change(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);

        public ValueTask DisposeAsync()
        {
            Dispose();
            return ValueTask.CompletedTask;
        }
    }
}
