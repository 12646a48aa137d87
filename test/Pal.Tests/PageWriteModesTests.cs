using Jackdaw.Pal.Measurement;
using Jackdaw.Pal.Native;
using Jackdaw.Pal.Simulation;

namespace Jackdaw.Pal.Tests;

/// <summary>The names of the write modes and the trial write that chooses one.</summary>
public sealed class PageWriteModesTests
{
    private const string Folder = "/data";

    [Fact]
    public void Names_OfAllModes_AreFoundAgain()
    {
        foreach (PageWriteMode mode in Enum.GetValues<PageWriteMode>())
        {
            Assert.Equal(mode, PageWriteModes.Find(PageWriteModes.NameOf(mode).ToUpperInvariant()));
        }

        Assert.Null(PageWriteModes.Find("auto"));
        Assert.Null(PageWriteModes.Find(""));
    }

    [Fact]
    public void CanWrite_OnAVolumeThatWorks_IsTrueAndLeavesNothing()
    {
        var platform = new SimulatedPlatform();
        Assert.True(PageWriteModes.CanWrite(platform, Folder));
        Assert.Empty(platform.ListDirectory(Folder));
    }

    [Theory]
    [InlineData(PalOperationKind.WritePages)]
    [InlineData(PalOperationKind.Sync)]
    [InlineData(PalOperationKind.Open)]
    public void CanWrite_WhenAStepFails_IsFalse(PalOperationKind kind)
    {
        var platform = new SimulatedPlatform();
        platform.Inject(new SimulatedFault { Effect = FaultEffect.IoError, Kind = kind });
        Assert.False(PageWriteModes.CanWrite(platform, Folder));
    }

    [Fact]
    public void Probe_OfAFolderThatCannotBeMade_LeavesTheErrorToTheOpening()
    {
        NativePlatform platform = PageWriteModes.Probe("/proc/no/such/folder", PageWriteMode.Mmap);
        Assert.Equal(PageWriteMode.VectoredFileIo, platform.WriteMode);
    }
}
