using Jackdaw.Pal.Measurement;
using Jackdaw.Server.SelfTest;

namespace Jackdaw.Server.Tests.Verbs;

/// <summary>Which figures of a disk are believed.</summary>
public sealed class BenchIoTests
{
    [Fact]
    public void FindWarnings_HonestDisk_IsSilent()
    {
        Assert.Empty(BenchIo.FindWarnings(Micros(30), Micros(60), Micros(2), isDirect: true));
    }

    [Fact]
    public void FindWarnings_DurableWriteFasterThanAnyDisk_IsNotBelieved()
    {
        string warning = Assert.Single(BenchIo.FindWarnings(Micros(14), Micros(60), Micros(2), isDirect: true));
        Assert.Contains("does not honour durability", warning, StringComparison.Ordinal);
    }

    [Fact]
    public void FindWarnings_SyncThatCostsNothing_IsNotBelieved()
    {
        string warning = Assert.Single(BenchIo.FindWarnings(Micros(100), Micros(30), Micros(20), isDirect: true));
        Assert.Contains("with a sync", warning, StringComparison.Ordinal);
        Assert.Contains("nearly the same", warning, StringComparison.Ordinal);
    }

    [Fact]
    public void FindWarnings_UnbufferedRefused_IsTold()
    {
        string warning = Assert.Single(BenchIo.FindWarnings(Micros(30), Micros(60), Micros(2), isDirect: false));
        Assert.Contains("O_DIRECT", warning, StringComparison.Ordinal);
    }

    [Fact]
    public void Run_MissingFolderOrSenselessSeconds_FailsWithOneLine()
    {
        Assert.Equal(2, BenchIo.Run("/does/not/exist"));
        Assert.Equal(2, BenchIo.Run(Path.GetTempPath(), secondsPerCell: double.NaN));
    }

    private static WriteResult Micros(double p50) => new(1000, 1, p50, p50 * 2, 1);
}
