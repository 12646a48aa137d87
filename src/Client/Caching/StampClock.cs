namespace Jackdaw.Client.Caching;

/// <summary>Gives stamps. A stamp is a moment of the clock that is given only once, so that two events never have the same stamp.</summary>
/// <remarks>Stamps order requests and notices, and their differences are times. While the clock stands still, each stamp is one unit ahead of the
/// one before.</remarks>
internal sealed class StampClock(TimeProvider time)
{
    private long _last;

    /// <summary>The clock, for computing ages. This is not a stamp: a notice may get the same value later.</summary>
    public long Now => time.GetTimestamp();

    /// <summary>A stamp that is larger than all stamps before. It is never 0.</summary>
    public long Next()
    {
        while (true)
        {
            long last = Volatile.Read(ref _last);
            long next = Math.Max(time.GetTimestamp(), last + 1);
            if (Interlocked.CompareExchange(ref _last, next, last) == last)
            {
                return next;
            }
        }
    }

    /// <summary>A time in units of stamps; at most a quarter of what a stamp can hold, so that sums do not overflow.</summary>
    public long Units(TimeSpan span) => (long)Math.Min(span.TotalSeconds * time.TimestampFrequency, long.MaxValue / 4);
}
