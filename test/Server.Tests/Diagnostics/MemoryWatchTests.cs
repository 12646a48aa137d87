using Jackdaw.Server.Diagnostics;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Diagnostics;

/// <summary>The memory figures are read seldom, by one thread, and are absent where there are none.</summary>
public sealed class MemoryWatchTests
{
    private readonly ManualTime _time = new();
    private int _reads;
    private TimeSpan _cost;

    [Fact]
    public void Take_WithinThePeriod_ReadsOnce()
    {
        var watch = new MemoryWatch(_time, Read);
        MemorySample first = watch.Take();
        _time.Advance(MemoryWatch.PeriodMin - TimeSpan.FromTicks(1));
        Assert.Same(first, watch.Take());
        Assert.Equal((1, MemoryWatch.PeriodMin - TimeSpan.FromTicks(1)), (_reads, watch.AgeOf(first)));
        _time.Advance(TimeSpan.FromTicks(1));

        Assert.NotSame(first, watch.Take());
        Assert.Equal(2, _reads);
    }

    [Fact]
    public void Take_SlowReading_IsWorthAHundredTimesItsTime()
    {
        _cost = TimeSpan.FromSeconds(2);
        var watch = new MemoryWatch(_time, Read);
        MemorySample first = watch.Take();
        Assert.Equal(_cost, first.Cost);
        _time.Advance(TimeSpan.FromSeconds(199));
        Assert.Same(first, watch.Take());
        _time.Advance(TimeSpan.FromSeconds(1));
        Assert.NotSame(first, watch.Take());
    }

    [Fact]
    public void Take_WhileAnotherThreadReads_AnswersWithTheSampleBefore()
    {
        MemoryWatch? watch = null;
        MemorySample? meanwhile = null;
        watch = new MemoryWatch(_time, path =>
        {
            if (path.EndsWith("rollup", StringComparison.Ordinal) && _reads++ == 1)
            {
                var other = new Thread(() => meanwhile = watch!.Take());
                other.Start();
                other.Join();
            }

            return null;
        });
        MemorySample first = watch.Take();
        _time.Advance(MemoryWatch.PeriodMin);
        watch.Take();
        Assert.Same(first, meanwhile);
        Assert.Equal(2, _reads);
    }

    [Fact]
    public void Take_FilesThatAreNotThereOrBroken_AreAbsentNotZero()
    {
        MemorySample none = new MemoryWatch(_time, _ => null).Take();
        Assert.Equal((null, null, null), (none.Resident, none.Mappings, none.MappingsMax));
        MemorySample broken = new MemoryWatch(_time, _ => "nonsense").Take();
        Assert.Equal((null, 0L, null), (broken.Resident, broken.Mappings, broken.MappingsMax));
    }

    [Fact]
    public void Take_Files_AreCountedAndParsed()
    {
        MemorySample sample = new MemoryWatch(_time, Read).Take();
        Assert.Equal((100L * 1024, 2L, 65530L), (sample.Resident!.Value.Resident, sample.Mappings!.Value, sample.MappingsMax!.Value));
    }

    private string? Read(string path)
    {
        switch (path)
        {
            case "/proc/self/smaps_rollup":
                _reads++;
                _time.Advance(_cost);
                return "Rss: 100 kB\nAnonymous: 60 kB\n";
            case "/proc/self/maps":
                return "a\nb\n";
            default:
                return "65530\n";
        }
    }
}
