using Jackdaw.Storage.Flushing;
using Jackdaw.TestKit;

namespace Jackdaw.Storage.Tests.Flushing;

/// <summary>When spare memory goes: after so long without load, and after some minutes without writes however much is read.</summary>
public sealed class IdleClockTests
{
    private const int IdleMs = 45_000;

    private readonly ManualTime _time = new();
    private readonly IdleClock _clock;

    public IdleClockTests() => _clock = new IdleClock(_time, IdleMs);

    [Fact]
    public void FindWait_WithoutReads_IsOverAfterTheIdleTime()
    {
        long commit = _time.GetTimestamp();
        Pass(2000); // until the flush after it
        Assert.InRange(2000 + WaitUntilIdle(commit, _ => 0), IdleMs, IdleMs + 10);
    }

    [Fact]
    public void FindWait_OfReadsBesideTheLastWrites_DoesNotCountThem()
    {
        long commit = _time.GetTimestamp();
        Pass(2000);
        Assert.InRange(2000 + WaitUntilIdle(commit, _ => 1_000_000), IdleMs, IdleMs + 10);
    }

    [Fact]
    public void FindWait_OfAScrapeNowAndThen_IsOverAfterTheIdleTime()
    {
        long commit = _time.GetTimestamp();
        long perLook = IdleClock.ReadsMin - 1;
        Assert.InRange(WaitUntilIdle(commit, ms => ms / IdleClock.LookMs * perLook), IdleMs, IdleMs + 10);
    }

    [Theory]
    [InlineData(30_000)]
    [InlineData(100_000)]
    [InlineData(101_234)]
    public void FindWait_OfReadsThatEnd_IsOverAfterTheIdleTimeSinceThen(int endMs)
    {
        long commit = _time.GetTimestamp();
        long idleAfter = WaitUntilIdle(commit, ms => Math.Min(ms, endMs));
        Assert.InRange(idleAfter, endMs + IdleMs - IdleClock.LookMs, endMs + IdleMs + 10);
    }

    [Fact]
    public void FindWait_OfReadsWithoutEnd_IsOverSomeMinutesAfterTheLastWrite()
    {
        long commit = _time.GetTimestamp();
        long idleAfter = WaitUntilIdle(commit, ms => ms);
        Assert.InRange(idleAfter, IdleClock.WithoutWritesMsMax, IdleClock.WithoutWritesMsMax + IdleClock.LookMs);
    }

    [Fact]
    public void FindWait_AfterAnotherWrite_BeginsAnew()
    {
        long commit = _time.GetTimestamp();
        WaitUntilIdle(commit, _ => 0);
        commit = _time.GetTimestamp();
        Assert.InRange(WaitUntilIdle(commit, _ => 0), IdleMs, IdleMs + 10);
    }

    /// <summary>Waits as the flusher does; returns the milliseconds.</summary>
    /// <param name="commit">Time stamp of the last write.</param>
    /// <param name="reads">Reads that have begun, from the milliseconds waited.</param>
    private long WaitUntilIdle(long commit, Func<long, long> reads)
    {
        long waited = 0;
        while (_clock.FindWaitMs(commit, reads(waited)) is > 0 and var waitMs)
        {
            Assert.InRange(waitMs, 1, IdleClock.LookMs);
            Pass(waitMs);
            waited += waitMs;
            Assert.InRange(waited, 0, 3_600_000);
        }

        return waited;
    }

    private void Pass(long ms) => _time.Advance(TimeSpan.FromMilliseconds(ms));
}
