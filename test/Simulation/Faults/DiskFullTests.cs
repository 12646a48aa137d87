using Jackdaw.Pal.Simulation;
using Jackdaw.Simulation.Harness;
using Jackdaw.Storage;
using Jackdaw.Storage.Environments;

namespace Jackdaw.Simulation.Faults;

/// <summary>A full disk refuses writes, loses nothing, and the storage goes on without a reopen when there is room again.</summary>
public sealed class DiskFullTests(ITestOutputHelper output)
{
    private const int Cycles = 20;
    private const int CommitsMax = 3000;
    private const int Seed = 21;

    [Fact]
    public void Flush_ThatFoundTheDiskFull_WritesTheSamePagesNextTime()
    {
        var platform = new SimulatedPlatform();
        var workload = new Workload(platform, new Oracle(), Seed);
        workload.Open();
        workload.Commit();
        platform.Inject(new SimulatedFault { Effect = FaultEffect.NoSpace, Kind = PalOperationKind.WritePages });
        Assert.Throws<DiskFullException>(() => workload.Storage.Flush());

        Assert.True(workload.Storage.Flush());
        Assert.Equal(workload.Storage.Current.TransactionId, workload.Storage.Flusher.FlushedTransaction);
        workload.CheckContents();
        workload.Close();
    }

    [Fact]
    public void Flush_ThatFoundTheDiskFull_TakesTheRoomOfSpareJournals()
    {
        var platform = new SimulatedPlatform();
        var workload = new Workload(platform, new Oracle(), Seed);
        workload.Open();
        workload.Commit();
        workload.Storage.Journals.FillPool(2, 64 * 1024);
        SimulatedFault fault = platform.Inject(new SimulatedFault { Effect = FaultEffect.NoSpace, Kind = PalOperationKind.WritePages });
        Assert.True(workload.Storage.Flush());
        Assert.Equal(1, fault.Fired);
        Assert.DoesNotContain(platform.ListDirectory(SmallStorage.JournalFolder), name => name.StartsWith("pool-", StringComparison.Ordinal));
        workload.CheckContents();
        workload.Close();
    }

    [Fact]
    public void Journal_ThatFoundTheDiskFull_LeavesNoFileBehind()
    {
        var platform = new SimulatedPlatform();
        var workload = new Workload(platform, new Oracle(), Seed);
        workload.Open();
        foreach (PalOperationKind kind in new[] { PalOperationKind.Allocate, PalOperationKind.ZeroFill, PalOperationKind.WriteJournal })
        {
            SimulatedFault fault = platform.Inject(new SimulatedFault { Effect = FaultEffect.NoSpace, Kind = kind, PathContains = "/pool-" });
            Assert.Throws<DiskFullException>(workload.Commit);
            Assert.Equal(1, fault.Fired);
            Assert.Empty(platform.ListDirectory(SmallStorage.JournalFolder));
        }

        workload.Commit();
        workload.CheckContents();
        workload.Close();
    }

    [Fact]
    public void Storage_OnAFullDisk_RefusesWritesAndGoesOnWhenThereIsRoom()
    {
        var platform = new SimulatedPlatform(Seed);
        var workload = new Workload(platform, new Oracle(), Seed);
        workload.Open();
        workload.Commit();
        StorageEnvironment storage = workload.Storage;
        int commits = 0;
        for (int cycle = 0; cycle < Cycles; cycle++)
        {
            platform.CapacityBytes = platform.UsedBytes + (cycle * 24 * 1024);
            commits += CommitUntilFull(workload);
            Assert.Null(storage.Failure);
            workload.CheckContents();
            CrashedState cut = new(platform.Crash(cycle), workload.Oracle.View, $"cycle {cycle}", cycle);
            cut.Platform.CapacityBytes = 1L << 30;
            Assert.Null(StateChecker.FindViolation(cut));
            platform.CapacityBytes = 1L << 30;
            workload.Commit();
            storage.Flush();
            storage.Sync();
            Assert.Same(storage, workload.Storage);
        }

        workload.CheckContents();
        workload.Close();
        output.WriteLine($"seed {Seed}: {Cycles} cycles, {commits} commits before the disk was full");
    }

    /// <summary>Journals are retired only by a sync, so that commits alone fill the disk.</summary>
    private static int CommitUntilFull(Workload workload)
    {
        for (int commits = 0; commits < CommitsMax; commits++)
        {
            try
            {
                workload.Commit();
            }
            catch (DiskFullException)
            {
                return commits;
            }
        }

        throw new SimulationViolationException("the disk never became full");
    }
}
