namespace Jackdaw.Documents.Schedules;

/// <summary>Tells that a committed transaction added a time at which something happens.</summary>
internal sealed class ScheduleSignal
{
    /// <summary>Raised after the commit with the earliest time that it added, in UTC ticks, on the thread that completes commits: the handler
    /// must be short.</summary>
    public event Action<long>? Added;

    /// <param name="earliestTicks">The earliest added time; <see cref="long.MaxValue"/> when none was added.</param>
    public void Note(long earliestTicks)
    {
        if (earliestTicks != long.MaxValue)
        {
            Added?.Invoke(earliestTicks);
        }
    }
}
