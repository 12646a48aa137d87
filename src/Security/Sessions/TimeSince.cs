namespace Jackdaw.Security.Sessions;

/// <summary>A moment from which time is measured by two clocks. The longer time counts: that of the calendar runs on while the machine sleeps, and the other
/// one runs on when the calendar is set back.</summary>
internal readonly record struct TimeSince(DateTimeOffset Date, long Timestamp)
{
    public static TimeSince Start(TimeProvider time) => new(time.GetUtcNow(), time.GetTimestamp());

    public TimeSpan Elapsed(TimeProvider time)
    {
        TimeSpan measured = time.GetElapsedTime(Timestamp);
        TimeSpan dated = time.GetUtcNow() - Date;
        return measured > dated ? measured : dated;
    }
}
