namespace Jackdaw.Storage.Flushing;

/// <summary>Tells when a storage has been without load for long enough to give its spare memory back. One thread.</summary>
/// <remarks>
/// Spare memory serves writes, and costs seconds of clearing when it is needed again. So it stays while the storage is read a lot as
/// well: who reads will write again soon, but not for ever. A scrape or a health check now and then is no load.
/// </remarks>
/// <param name="time">Its clock, whose time stamps the calls get.</param>
/// <param name="idleMs">How long without load.</param>
internal sealed class IdleClock(TimeProvider time, int idleMs)
{
    /// <summary>Time between two looks at the number of reads.</summary>
    public const int LookMs = 5000;

    /// <summary>Reads between two looks that count as load.</summary>
    public const int ReadsMin = 50;

    /// <summary>How long reads alone keep memory that only writes need.</summary>
    public const int WithoutWritesMsMax = 5 * 60_000;

    private long _lookedAt;
    private long _reads;
    private long _lastLoad;

    /// <summary>Milliseconds until the next look; 0 = idle.</summary>
    /// <param name="lastCommit">Time stamp of the last write.</param>
    /// <param name="reads">Reads that have begun so far.</param>
    public int FindWaitMs(long lastCommit, long reads)
    {
        long now = time.GetTimestamp();
        if (_lookedAt <= lastCommit)
        {
            // Nobody looked since: reads beside writes tell nothing of what comes after them.
            (_lookedAt, _reads, _lastLoad) = (now, reads, lastCommit);
        }
        else if (ElapsedMs(_lookedAt, now) >= LookMs)
        {
            // Load since the last look counts as of then: what ended right after it must not keep memory for longer than a write does.
            _lastLoad = reads - _reads >= ReadsMin ? _lookedAt : _lastLoad;
            (_lookedAt, _reads) = (now, reads);
        }

        double loadedMs = ElapsedMs(_lastLoad, now);
        bool isIdle = loadedMs >= idleMs || ElapsedMs(lastCommit, now) >= WithoutWritesMsMax;
        return isIdle ? 0 : Math.Min(LookMs, (int)(idleMs - loadedMs) + 1);
    }

    private double ElapsedMs(long from, long to) => time.GetElapsedTime(from, to).TotalMilliseconds;
}
