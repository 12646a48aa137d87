using Jackdaw.Pal;
using Jackdaw.Pal.Simulation;
using Jackdaw.Storage.Environments;
using Jackdaw.TestKit;

namespace Jackdaw.Storage.Tests.Sharing;

/// <summary>Branches whose names for the root's journals are refused: by the file system, a full disk, or for want of open files.</summary>
public sealed class LinkRefusalTests
{
    private readonly SimulatedPlatform _platform = new();

    /// <summary>An entry that was built for the root's journal finds a third file there, which cannot be linked any more. The branch's
    /// next transactions are submitted before it is durable, and keep behind it.</summary>
    [Theory]
    [InlineData(1)]
    [InlineData(4)]
    public void Link_RefusedWhileAnEntryWaits_WritesItToAJournalOfItsOwn(int submitted)
    {
        using var family = new BranchFamily(
            _platform, 1, new StorageOptions { BackgroundFlush = false, JournalFileBytes = 64 * 1024, Time = new LeapingTime() });
        Thread writer = Thread.CurrentThread;
        SimulatedFault refusal = _platform.Inject(new SimulatedFault
        {
            Effect = FaultEffect.TooManyLinks,
            Kind = PalOperationKind.Link,
            Where = _ => Thread.CurrentThread != writer, // neither ahead nor while it waits
            Repeats = true,
        });
        long commits = 0;
        var load = new Thread(() =>
        {
            while (family.Branches[0].SharingProblem is null && Volatile.Read(ref commits) < 3000)
            {
                BranchFamily.Commit(family.Root, 1, 40_000);
            }
        });
        load.Start();
        while (family.Branches[0].SharingProblem is null && commits < 3000)
        {
            BranchFamily.WriteTogether(family.Branches[0], submitted, 20_000);
            Interlocked.Add(ref commits, submitted);
        }

        load.Join();
        Assert.True(refusal.Fired > 0);
        Assert.Contains("link", family.Branches[0].SharingProblem, StringComparison.Ordinal);
        BranchFamily.Commit(family.Branches[0], 3, 20_000);
        BranchFamily.Commit(family.Root, 3, 40_000);
        family.Abandon();
        using StorageEnvironment alone = family.OpenAlone(BranchFamily.PathOf(0));
        Assert.Equal(commits + 3, BranchFamily.Check(alone, 20_000));
    }

    /// <summary>As above, but the folder of the name cannot be synced for want of an open file: the entry waits, and the others go on.</summary>
    [Fact]
    public void Link_ShortOfOpenFilesWhileAnEntryWaits_IsTriedAgain()
    {
        using var family = new BranchFamily(
            _platform, 2, new StorageOptions { BackgroundFlush = false, JournalFileBytes = 64 * 1024, Time = new LeapingTime() });
        SimulatedFault shortage = _platform.Inject(new SimulatedFault
        {
            Effect = FaultEffect.TooManyFiles,
            Kind = PalOperationKind.SyncDirectory,
            PathContains = BranchFamily.PathOf(0),
            Where = _ => Thread.CurrentThread.Name == "committer",
            Repeats = true,
        });
        long commits = 0;
        int others = 0;
        var load = new Thread(() =>
        {
            while (shortage.Fired < 3 && family.Branches[0].Failure is null && Volatile.Read(ref commits) < 3000)
            {
                BranchFamily.Commit(family.Root, 1, 40_000);
                BranchFamily.Commit(family.Branches[1]);
                others++;
            }

            _platform.ClearFaults();
        });
        load.Start();
        for (; shortage.Fired == 0 && commits < 3000; Interlocked.Increment(ref commits))
        {
            BranchFamily.Commit(family.Branches[0], 1, 20_000);
        }

        load.Join();
        Assert.InRange(shortage.Fired, 3, int.MaxValue);
        Assert.All(family.All, storage => Assert.Null(storage.Failure));
        family.Abandon();
        using StorageEnvironment alone = family.OpenAlone(BranchFamily.PathOf(0));
        using StorageEnvironment other = family.OpenAlone(BranchFamily.PathOf(1));
        Assert.Equal(commits, BranchFamily.Check(alone, 20_000));
        Assert.Equal(others, BranchFamily.Check(other));
    }

    [Theory]
    [InlineData(FaultEffect.LinkAcrossVolumes)]
    [InlineData(FaultEffect.TooManyLinks)]
    [InlineData(FaultEffect.NoLinks)]
    public void Link_Refused_MakesTheBranchWriteItsOwnJournal(FaultEffect refusal)
    {
        using (var family = new BranchFamily(_platform, 2))
        {
            BranchFamily.Commit(family.Branches[0], 1, 2000);
            SimulatedFault fault = _platform.Inject(new SimulatedFault { Effect = refusal, Repeats = true });
            BranchFamily.Commit(family.Branches[1], 40, 2000);
            Assert.True(fault.Fired > 0);
            Assert.Equal(1, fault.Fired);
            Assert.NotNull(family.Branches[1].SharingProblem);
            Assert.Null(family.Branches[0].SharingProblem);
            BranchFamily.Commit(family.Branches[0], 100, 2000);
            Assert.NotNull(family.Branches[0].SharingProblem);
            _platform.ClearFaults();
            family.Abandon();
        }

        using var again = new BranchFamily(_platform, 2);
        Assert.Equal(101, BranchFamily.Check(again.Branches[0], 2000));
        Assert.Equal(40, BranchFamily.Check(again.Branches[1], 2000));
        BranchFamily.Commit(again.Branches[1], 1, 2000);
        Assert.Null(again.Branches[1].SharingProblem);
    }

    [Fact]
    public void Link_OnAFullDisk_RefusesTheTransactionAndPromisesNoRoom()
    {
        using var family = new BranchFamily(_platform, 1);
        BranchFamily.Commit(family.Root);
        SimulatedFault fault = _platform.Inject(new SimulatedFault { Effect = FaultEffect.NoSpace, Kind = PalOperationKind.Link, Repeats = true });
        for (int i = 0; i < 40; i++)
        {
            Assert.Throws<DiskFullException>(() => BranchFamily.Commit(family.Branches[0], 1, 20_000));
        }

        Assert.True(fault.Fired >= 40);
        _platform.ClearFaults();
        BranchFamily.Commit(family.Branches[0], 1, 20_000);
        Assert.Equal(1, BranchFamily.Check(family.Branches[0], 20_000));
        foreach (string path in family.Journals(BranchFamily.RootPath))
        {
            using PalFile file = _platform.OpenFile(path, FileOpening.Existing, FileUse.ReadOnly);
            Assert.InRange(file.GetLength(), 1, 128 * 1024);
        }
    }

    [Fact]
    public void Write_WhoseNameCannotBeSyncedForWantOfAnOpenFile_IsRefusedAlone()
    {
        using var family = new BranchFamily(_platform, 1);
        BranchFamily.Commit(family.Root);
        SimulatedFault fault = _platform.Inject(new SimulatedFault
        {
            Effect = FaultEffect.TooManyFiles,
            Kind = PalOperationKind.SyncDirectory,
            PathContains = BranchFamily.PathOf(0),
            Repeats = true,
        });
        for (int i = 0; i < 3; i++)
        {
            Assert.Throws<ResourceShortageException>(() => BranchFamily.Commit(family.Branches[0]));
        }

        Assert.All(family.All, storage => Assert.Null(storage.Failure));
        Assert.True(fault.Fired >= 3);
        Assert.Single(family.Journals(BranchFamily.PathOf(0)));
        _platform.ClearFaults();
        BranchFamily.Commit(family.Branches[0], 30, 5000);
        BranchFamily.Commit(family.Root, 30, 5000);
        family.Branches[0].Flush();
        family.Branches[0].Sync();
        Assert.InRange(family.Journals(BranchFamily.PathOf(0)).Count, 0, 2); // the name that waited pins nothing
        BranchFamily.Commit(family.Branches[0], 1, 5000);
        family.Abandon();
        using StorageEnvironment alone = family.OpenAlone(BranchFamily.PathOf(0));
        Assert.Equal(31, BranchFamily.Check(alone, 5000));
    }
}
