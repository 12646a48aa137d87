namespace Jackdaw.Client.Caching;

/// <summary>Stamps: moments of the clock, each one given once, so that two events are never at the same moment.</summary>
/// <remarks>They order requests against notices, and their differences are times. Where the clock stands still, stamps run ahead of it by one unit
/// each.</remarks>
internal sealed class StampClock(TimeProvider time)
{
    private long _last;

    /// <summary>The clock, for ages. Not a stamp: a notice may get the same value later.</summary>
    public long Now => time.GetTimestamp();

    /// <summary>A stamp that is larger than all before. Never 0.</summary>
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
