using Jackdaw.Pal;
using Jackdaw.Pal.Simulation;
using Jackdaw.Storage.Headers;
using Jackdaw.Storage.Journal;
using Jackdaw.Storage.Resources;

namespace Jackdaw.Storage.Tests.Journal;

/// <summary>A journal that cannot be prepared for good stops the storage, and nobody tries again in the moment before it has stopped.</summary>
public sealed class JournalFailureTests
{
    [Theory]
    [InlineData(PalOperationKind.Sync, FaultEffect.SyncFailsKeepingCache, "/headers")]
    [InlineData(PalOperationKind.Sync, FaultEffect.SyncFailsReverting, "/headers")]
    [InlineData(PalOperationKind.WritePages, FaultEffect.IoError, "/headers")]
    [InlineData(PalOperationKind.Open, FaultEffect.IoError, "/pool-")]
    [InlineData(PalOperationKind.WriteJournal, FaultEffect.IoError, "/pool-")]
    [InlineData(PalOperationKind.Rename, FaultEffect.IoError, "/pool-")]
    [InlineData(PalOperationKind.RenameSync, FaultEffect.IoError, "")]
    public void Reserve_AfterAFailureThatStopsTheStorage_IsRefusedWithoutACall(PalOperationKind kind, FaultEffect effect, string path)
    {
        var platform = new SimulatedPlatform { RecordsOperations = true };
        platform.CreateDirectory("/db/Journals");
        using PalFile file = platform.OpenFile("/db/headers", FileOpening.CreateNew, FileUse.Data);
        HeaderFile.Create(file, default, TimeProvider.System);
        using HeaderFile headers = HeaderFile.Open(
            platform.OpenFile("/db/headers", FileOpening.Existing, FileUse.Data), "/db", TimeProvider.System);
        using var folder = new JournalFolder(platform, "/db", Guid.NewGuid());
        using var share = new StorageShare(new ProcessResources(), StorageVolumes.Find(file, platform, "/db/Journals"));
        List<Exception> failures = [];
        using var journals = new JournalPreallocator(
            folder, headers, 1, TimeProvider.System, 64 * 1024, failures.Add, _ => { }, () => { }, share);

        SimulatedFault fault = platform.Inject(new SimulatedFault { Effect = effect, Kind = kind, PathContains = path });
        PalException first = Assert.Throws<PalException>(() => journals.Reserve(5000));
        Assert.Equal(1, fault.Fired);
        platform.ClearOperations();
        Assert.Same(first, Assert.Throws<PalException>(() => journals.Reserve(5000)));
        Assert.Same(first, Assert.Throws<PalException>(() => journals.Reserve(1)));
        Assert.Empty(platform.Operations);
        Assert.Same(first, Assert.Single(failures));
        Assert.Null(journals.Next);
    }
}
