namespace Jackdaw.Storage.Tests;

/// <summary>Percentiles of durations from counts in buckets.</summary>
public sealed class DurationCountsTests
{
    private readonly DurationCounts _counts = new();
    private readonly long[] _reading = new long[DurationCounts.Buckets];
    private readonly long[] _since = new long[DurationCounts.Buckets];

    [Fact]
    public void Percentile_OfOneTime_IsAtMostOneSixteenthAway()
    {
        for (long microseconds = 0; microseconds < 1L << 26; microseconds += 1 + (microseconds / 50))
        {
            _counts.Add(microseconds);
            long count = _counts.Advance(_reading, _since);
            Assert.Equal(1, count);
            Assert.InRange(DurationCounts.Percentile(_since, count, 0.5), microseconds - (microseconds / 16.0), microseconds + (microseconds / 16.0));
        }
    }

    [Fact]
    public void Percentiles_AreOfWhatCameSinceTheLastReading()
    {
        Add(1000, 5_000_000);
        _counts.Advance(_reading, _since);
        Add(98, 10);
        Add(1, 13);
        Add(1, 15);
        long count = _counts.Advance(_reading, _since);
        Assert.Equal(100, count);
        Assert.Equal((10, 13, 15), (Percentile(0.5), Percentile(0.99), Percentile(1)));
        Assert.Equal(0, _counts.Advance(_reading, _since));
        Assert.Equal(0, DurationCounts.Percentile(_since, 0, 0.99));

        long Percentile(double share) => DurationCounts.Percentile(_since, count, share);
    }

    [Theory]
    [InlineData(-1)]
    [InlineData(1L << 26)]
    [InlineData(long.MaxValue)]
    public void Time_OutsideOfTheBuckets_IsCounted(long microseconds)
    {
        _counts.Add(microseconds);
        Assert.Equal(1, _counts.Advance(_reading, _since));
        Assert.InRange(DurationCounts.Percentile(_since, 1, 0.5), 0, 1L << 26);
    }

    private void Add(int times, long microseconds)
    {
        for (int i = 0; i < times; i++)
        {
            _counts.Add(microseconds);
        }
    }
}
