using System.Diagnostics;

namespace Jackdaw.Storage.Flushing;

/// <summary>Decides when a storage has been without load long enough to release its spare memory. One thread.</summary>
/// <remarks>
/// Spare memory serves writes, and costs seconds of clearing when it is needed again. So it is also kept while the
/// storage is read a lot, because writes are likely to follow, but not forever. An occasional metrics scrape or health check does not count as
/// load.
/// </remarks>
/// <param name="time">The clock whose time stamps are passed to the methods.</param>
/// <param name="idleMs">Time without load after which the storage counts as idle.</param>
internal sealed class IdleClock(TimeProvider time, int idleMs)
{
    /// <summary>Time between two checks of the number of reads.</summary>
    public const int LookMs = 5000;

    /// <summary>Reads between two checks that count as load.</summary>
    public const int ReadsMin = 50;

    /// <summary>How long reads alone keep memory that only writes need.</summary>
    public const int WithoutWritesMsMax = 5 * 60_000;

    private long _lookedAt;
    private long _reads;
    private long _lastLoad;

    /// <summary>Milliseconds until the next check; 0 = idle.</summary>
    /// <param name="lastCommit">Time stamp of the last write.</param>
    /// <param name="reads">Reads that have begun so far.</param>
    public int FindWaitMs(long lastCommit, long reads)
    {
        long now = time.GetTimestamp();
        if (_lookedAt <= lastCommit)
        {
            // There was no check since: reads during writes say nothing about what follows.
            (_lookedAt, _reads, _lastLoad) = (now, reads, lastCommit);
        }
        else if (ElapsedMs(_lookedAt, now) >= LookMs)
        {
            // Load since the last check is dated to that check: reads that ended right after it must not keep memory
            // longer than a write does.
            _lastLoad = reads - _reads >= ReadsMin ? _lookedAt : _lastLoad;
            (_lookedAt, _reads) = (now, reads);
        }

        Debug.Assert(_lastLoad <= now && _lookedAt <= now);
        double loadedMs = ElapsedMs(_lastLoad, now);
        bool isIdle = loadedMs >= idleMs || ElapsedMs(lastCommit, now) >= WithoutWritesMsMax;
        return isIdle ? 0 : Math.Min(LookMs, (int)(idleMs - loadedMs) + 1);
    }

    private double ElapsedMs(long from, long to) => time.GetElapsedTime(from, to).TotalMilliseconds;
}
