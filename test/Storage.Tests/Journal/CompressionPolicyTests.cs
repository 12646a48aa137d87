using System.Diagnostics;
using Jackdaw.Storage.Journal;

namespace Jackdaw.Storage.Tests.Journal;

/// <summary>When entries are compressed, on disks whose every write costs a part for itself and a part for each byte.</summary>
public sealed class CompressionPolicyTests
{
    private const int Seed = 6;

    /// <summary>LZ4 on one of the processors that this was measured on: 0.4 GB/s, half of the bytes saved.</summary>
    private const double CompressionBytesPerSecond = 0.4e9;

    private readonly DurableWriteCost _disk = new();
    private readonly Random _random = new(Seed);
    private readonly CompressionPolicy _policy;

    public CompressionPolicyTests() => _policy = new CompressionPolicy(_disk);

    [Fact]
    public void Cost_OfWritesThatCostMuchForThemselves_IsThatOfAByte()
    {
        WriteMany(500, write: 200e-6, bytesPerSecond: 2e9);

        double bytesPerSecond = Stopwatch.Frequency / _disk.TicksPerByte;
        Assert.InRange(bytesPerSecond, 1.5e9, 2.5e9);
    }

    [Fact]
    public void Cost_OfWritesOfOneSize_IsTheirTimeByTheirBytes()
    {
        for (int i = 0; i < 500; i++)
        {
            Write(1 << 20, write: 0, bytesPerSecond: 100e6);
        }

        Assert.InRange(Stopwatch.Frequency / _disk.TicksPerByte, 99e6, 101e6);
    }

    [Fact]
    public void Cost_OfWritesThatAreFasterWhenTheyAreLarger_IsNotNegative()
    {
        for (int i = 0; i < 500; i++)
        {
            _disk.Add(4096, 1_000_000);
            _disk.Add(1 << 20, 1_000);
        }

        Assert.Equal(0, _disk.TicksPerByte);
    }

    [Fact]
    public void ShouldCompress_OnADiskWhoseWritesWait_SaysNo()
    {
        // Entries of 64 to 128 KB in 300 us: 0.3 GB/s by the clock, of which the bytes are not to blame.
        Learn();
        WriteMany(500, write: 300e-6, bytesPerSecond: 2e9);

        Assert.False(_policy.ShouldCompress(100_000));
    }

    [Fact]
    public void ShouldCompress_OnADiskOfSlowBytes_SaysYes_UntilItIsFast()
    {
        Learn();
        WriteMany(500, write: 1e-3, bytesPerSecond: 100e6);
        Assert.True(_policy.ShouldCompress(100_000));

        WriteMany(500, write: 100e-6, bytesPerSecond: 2e9);
        Assert.False(_policy.ShouldCompress(100_000));
    }

    [Fact]
    public void ShouldCompress_OfBytesThatDoNotShrink_SaysNo()
    {
        _policy.ShouldCompress(100_000);
        _policy.OnCompressed(100_000, 100_400, Ticks(100_000 / CompressionBytesPerSecond));
        WriteMany(500, write: 1e-3, bytesPerSecond: 10e6);

        Assert.False(_policy.ShouldCompress(100_000));
    }

    [Fact]
    public void ShouldCompress_BelowTheSizeThatCostsTheSame_SaysNo()
    {
        Learn();
        WriteMany(500, write: 0, bytesPerSecond: 1e6);

        Assert.False(_policy.ShouldCompress(CompressionPolicy.RawBytesMin - 1));
        Assert.True(_policy.ShouldCompress(CompressionPolicy.RawBytesMin));
    }

    [Fact]
    public void ShouldCompress_BeforeAnythingIsKnown_SaysYes()
    {
        Assert.True(_policy.ShouldCompress(100_000));
        Assert.True(_policy.ShouldCompress(100_000));
        Learn();
        Assert.False(_policy.ShouldCompress(100_000));
    }

    /// <summary>The system gave the processor to somebody else for 10 ms.</summary>
    [Fact]
    public void ShouldCompress_AfterAnInterruptedCompression_StillSaysYesOnADiskOfSlowBytes()
    {
        Learn();
        WriteMany(500, write: 1e-3, bytesPerSecond: 100e6);
        _policy.OnCompressed(100_000, 50_000, Ticks(10e-3));

        Assert.True(_policy.ShouldCompress(100_000));
    }

    [Fact]
    public void ShouldCompress_OnAFastDisk_ProbesNowAndThen()
    {
        Learn();
        WriteMany(500, write: 100e-6, bytesPerSecond: 2e9);

        int compressed = Enumerable.Range(0, 4 * CompressionPolicy.ProbeInterval).Count(_ => _policy.ShouldCompress(100_000));
        Assert.Equal(4, compressed);
    }

    private static long Ticks(double seconds) => (long)(seconds * Stopwatch.Frequency);

    /// <summary>The first large entry is a probe.</summary>
    private void Learn()
    {
        Assert.True(_policy.ShouldCompress(100_000));
        _policy.OnCompressed(100_000, 50_000, Ticks(100_000 / CompressionBytesPerSecond));
    }

    private void WriteMany(int count, double write, double bytesPerSecond)
    {
        for (int i = 0; i < count; i++)
        {
            Write(_random.Next(1, 32) * 4096, write, bytesPerSecond);
        }
    }

    private void Write(long bytes, double write, double bytesPerSecond)
    {
        double noise = 0.8 + (0.4 * _random.NextDouble());
        _disk.Add(bytes, Ticks((write * noise) + (bytes / bytesPerSecond)));
    }
}
