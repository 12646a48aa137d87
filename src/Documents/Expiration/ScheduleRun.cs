using Jackdaw.Documents.Schedules;

namespace Jackdaw.Documents.Expiration;

/// <summary>Counts the items of one kind that were processed in the current interval. Intervals are measured by a clock that cannot be set.</summary>
internal sealed class ScheduleRun
{
    /// <summary>The most items that are left out at a time.</summary>
    private const int SteppedOverMax = 1000;

    private static readonly TimeSpan s_stepOverTime = TimeSpan.FromHours(1);

    private readonly HashSet<(long Ticks, string Key)> _steppedOver = [];
    private long _steppedOverFrom;
    private long _began;
    private long _done;
    private long _pausedFrom;
    private TimeSpan _paused;

    /// <summary>The number of items that may still be processed in this interval.</summary>
    public long Left(ScheduleSettings settings, long now, TimeProvider time)
    {
        if (PausedFor(time) > TimeSpan.Zero)
        {
            return 0;
        }

        if (_done == 0 || time.GetElapsedTime(_began, now) >= settings.Interval)
        {
            (_began, _done) = (now, 0);
        }

        if (_done >= settings.ItemsMax)
        {
            PauseUntil(settings.Interval - time.GetElapsedTime(_began, now), now);
            return 0;
        }

        return settings.ItemsMax - _done;
    }

    /// <summary>The number of items of the next batch.</summary>
    public int BatchMax { get; private set; } = ScheduledBatch.ItemsMax;

    /// <summary>Notes that a batch was written.</summary>
    public void Count(int items)
    {
        _done += items;
        BatchMax = Math.Min(ScheduledBatch.ItemsMax, BatchMax * 2);
    }

    /// <summary>Notes that a batch could not be written because of its content. <paramref name="items"/> is the number of its items.</summary>
    public void NarrowBatch(int items) => BatchMax = Math.Max(1, items / 2);

    /// <summary>Leaves an item out for some time.</summary>
    /// <returns>False when too many are left out already.</returns>
    public bool TryStepOver(in ScheduledItem item, TimeProvider time)
    {
        if (_steppedOver.Count == 0)
        {
            _steppedOverFrom = time.GetTimestamp();
        }

        return _steppedOver.Count < SteppedOverMax && _steppedOver.Add(NameOf(item));
    }

    /// <summary>The number of items that are left out at present.</summary>
    public int SteppedOver(TimeProvider time)
    {
        if (_steppedOver.Count > 0 && time.GetElapsedTime(_steppedOverFrom) >= s_stepOverTime)
        {
            _steppedOver.Clear();
        }

        return _steppedOver.Count;
    }

    public bool IsSteppedOver(in ScheduledItem item) => _steppedOver.Count > 0 && _steppedOver.Contains(NameOf(item));

    public void PauseUntil(TimeSpan pause, long now) => (_pausedFrom, _paused) = (now, pause);

    /// <summary>The rest of the pause; zero or less when it may work.</summary>
    public TimeSpan PausedFor(TimeProvider time) =>
        _paused == TimeSpan.Zero ? TimeSpan.Zero : _paused - time.GetElapsedTime(_pausedFrom, time.GetTimestamp());

    private static (long Ticks, string Key) NameOf(in ScheduledItem item) => (item.Ticks, Convert.ToHexString(item.Key));
}
