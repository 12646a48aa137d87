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
            due = _timers.FindAll(timer => timer.DueAt <= _elapsed);
            _timers.RemoveAll(due.Contains);
        }

        due.ForEach(timer => timer.Fire());
    }

    /// <summary>Turns the clock step by step until what other threads do is done.</summary>
    /// <param name="step">Time of a step.</param>
    /// <param name="isDone">Looked at before each step.</param>
    /// <param name="otherwise">What it means when it is not done after 20 real seconds.</param>
    public async Task AdvanceUntilAsync(TimeSpan step, Func<Task<bool>> isDone, string otherwise)
    {
        using var deadline = new CancellationTokenSource(TimeSpan.FromSeconds(20));
        while (!await isDone())
        {
            if (deadline.IsCancellationRequested)
            {
                throw new InvalidOperationException(otherwise);
            }

            Advance(step);
            await Task.Delay(1);
        }
    }

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
        public TimeSpan DueAt { get; private set; }

        public bool Change(TimeSpan dueTime, TimeSpan period)
        {
            lock (owner._lock)
            {
                owner._timers.Remove(this);
                if (dueTime != Timeout.InfiniteTimeSpan)
                {
                    DueAt = owner._elapsed + dueTime;
                    owner._timers.Add(this);
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
