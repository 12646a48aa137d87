namespace Jackdaw.TestKit;

/// <summary>The system's clock on a machine that is too busy to look at it: every timer fires this much too late.</summary>
public sealed class LateTime(TimeSpan late) : TimeProvider
{
    /// <inheritdoc/>
    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period) => base.CreateTimer(
        callback, state, dueTime == Timeout.InfiniteTimeSpan ? dueTime : dueTime + late, period == Timeout.InfiniteTimeSpan ? period : period + late);
}
