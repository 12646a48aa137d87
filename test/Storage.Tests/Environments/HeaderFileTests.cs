using Jackdaw.Pal;
using Jackdaw.Pal.Simulation;
using Jackdaw.Storage.Headers;

namespace Jackdaw.Storage.Tests.Environments;

public sealed class HeaderFileTests
{
    private const string Name = "/headers";

    /// <summary>What recovery begins at must not be older than the holes in the data file, whichever copy is left.</summary>
    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    public void CoverBothCopies_AfterASyncThatFailedBeforeTheOpen_LeavesNoOlderCopy(int damaged)
    {
        var platform = new SimulatedPlatform();
        using (PalFile file = platform.OpenFile(Name, FileOpening.CreateNew, FileUse.Data))
        {
            HeaderFile.Create(file, default, TimeProvider.System);
            platform.SyncDirectories(["/"]);
        }

        using (HeaderFile headers = Open(platform))
        {
            platform.Inject(new SimulatedFault { Effect = FaultEffect.SyncFailsKeepingCache });
            Assert.Throws<PalException>(() => headers.Write(header => header with { SyncedTransaction = 7 }));
        }

        using (HeaderFile headers = Open(platform))
        {
            Assert.Equal(7, headers.Current.SyncedTransaction);
            headers.Write(header => header);
            headers.CoverBothCopies(7);
        }

        SimulatedPlatform cut = platform.Crash(new CrashOptions { Retention = CrashRetention.None });
        using (PalFile file = cut.OpenFile(Name, FileOpening.Existing, FileUse.Data))
        {
            file.ZeroFill(damaged * HeaderFile.CopyBytes, HeaderFile.CopyBytes);
        }

        using HeaderFile left = Open(cut);
        Assert.Equal(7, left.Current.SyncedTransaction);
    }

    /// <summary>A thread that waits for the file while another one's sync fails must not sync it again.</summary>
    [Fact]
    public void Write_AfterASyncThatFailed_IsRefusedWithoutACall()
    {
        var platform = new SimulatedPlatform { RecordsOperations = true };
        using PalFile file = platform.OpenFile(Name, FileOpening.CreateNew, FileUse.Data);
        HeaderFile.Create(file, default, TimeProvider.System);
        using HeaderFile headers = Open(platform);
        platform.Inject(new SimulatedFault { Effect = FaultEffect.SyncFailsReverting });
        PalException first = Assert.Throws<PalException>(() => headers.Write(header => header with { SyncedTransaction = 7 }));
        platform.ClearOperations();
        Assert.Same(first, Assert.Throws<PalException>(() => headers.Write(header => header)));
        Assert.Same(first, Assert.Throws<PalException>(() => headers.CoverBothCopies(0)));
        Assert.Empty(platform.Operations);
        Assert.Equal(0, headers.Current.SyncedTransaction);
    }

    private static HeaderFile Open(SimulatedPlatform platform) =>
        HeaderFile.Open(platform.OpenFile(Name, FileOpening.Existing, FileUse.Data), "/", TimeProvider.System);
}
