using Jackdaw.Pal.Simulation;

namespace Jackdaw.Pal.Tests.Simulation;

/// <summary>Injected faults hit the call they were meant for, and only that.</summary>
public sealed unsafe class FaultTests
{
    private const int Page = 4096;

    private readonly SimulatedPlatform _platform = new(seed: 11);

    [Fact]
    public void EveryCallOfAScenario_FailedOnce_SurfacesAsPalException()
    {
        int failures = 0;
        for (int n = 1; ; n++)
        {
            var platform = new SimulatedPlatform(n);
            SimulatedFault fault = platform.Inject(new SimulatedFault { Effect = FaultEffect.IoError, Occurrence = n });
            PalException? exception = RunScenario(platform);
            if (fault.Fired == 0)
            {
                Assert.Null(exception);
                break;
            }

            Assert.Equal(PalStatus.IoError, exception?.Status);
            failures++;
        }

        // Two folder calls, two opens, three allocations or syncs, and so on: each has failed once.
        Assert.Equal(19, failures);
    }

    [Fact]
    public void Interrupted_AtEveryCall_IsNotNoticed()
    {
        SimulatedFault fault = _platform.Inject(
            new SimulatedFault { Effect = FaultEffect.Interrupted, Repeats = true });
        Assert.Null(RunScenario(_platform));
        Assert.Equal(19, fault.Fired);
    }

    [Fact]
    public void ShortTransfer_OfPageWrites_IsOneMoreCall()
    {
        using PalFile file = Create("/file");
        SimulatedFault fault = _platform.Inject(new SimulatedFault { Effect = FaultEffect.ShortTransfer });
        using var buffer = new AlignedBuffer(Page, 1);
        Assert.Equal(new PalWriteCounts(2, 1, Page), file.WritePages([buffer.PageAt(0)]));
        Assert.Equal(new PalWriteCounts(1, 1, Page), file.WritePages([buffer.PageAt(0)]));
        Assert.Equal(1, fault.Fired);
    }

    [Fact]
    public void NthCallOfAKind_OnAPath_IsTheOneThatFails()
    {
        using PalFile a = Create("/a");
        using PalFile b = Create("/b");
        SimulatedFault fault = _platform.Inject(new SimulatedFault
        {
            Effect = FaultEffect.NoSpace,
            Kind = PalOperationKind.Sync,
            PathContains = "b",
            Occurrence = 2,
        });
        a.Sync(SyncKind.Data);
        b.Sync(SyncKind.Data);
        b.WriteAt(0, 1, Page);
        a.Sync(SyncKind.Data);
        Assert.Equal(0, fault.Fired);
        Assert.Equal(PalStatus.NoSpace, Assert.Throws<PalException>(() => b.Sync(SyncKind.Data)).Status);
        b.Sync(SyncKind.Data);
        Assert.Equal(1, fault.Fired);
    }

    [Fact]
    public void DeadDisk_FailsEverythingFromThatCallOn()
    {
        using PalFile file = Create("/file");
        _platform.Inject(new SimulatedFault { Effect = FaultEffect.IoError, Repeats = true });
        Assert.Throws<PalException>(() => file.WriteAt(0, 1, Page));
        Assert.Throws<PalException>(() => file.Sync(SyncKind.Data));
        Assert.Throws<PalException>(() => file.ReadAt(0, 1));
        _platform.ClearFaults();
        file.Sync(SyncKind.Data);
    }

    [Fact]
    public void FailedSync_KeepingTheCache_LiesFromThenOn()
    {
        using PalFile file = Create("/file");
        file.WriteAt(0, 1, 2 * Page);
        file.Sync(SyncKind.Data);
        file.WriteAt(0, 2, 2 * Page);
        _platform.Inject(new SimulatedFault { Effect = FaultEffect.SyncFailsKeepingCache });
        Assert.Throws<PalException>(() => file.Sync(SyncKind.Data));
        file.Sync(SyncKind.Data);
        Assert.Equal(2, file.ReadAt(0, 1)[0]);
        SimulatedPlatform state = _platform.Crash(new CrashOptions { Retention = CrashRetention.All });
        using PalFile lost = state.OpenFile("/file", FileOpening.Existing, FileUse.Data);
        Assert.Equal(FileExtensions.Filled(1, 2 * Page), lost.ReadAt(0, 2 * Page));

        // Only writing the data again brings it to the disk.
        file.WriteAt(0, 2, Page);
        file.Sync(SyncKind.Data);
        state = _platform.Crash(new CrashOptions { Retention = CrashRetention.None });
        using PalFile half = state.OpenFile("/file", FileOpening.Existing, FileUse.Data);
        Assert.Equal([2, 1], [half.ReadAt(0, 1)[0], half.ReadAt(Page, 1)[0]]);
    }

    [Fact]
    public void FailedSync_Reverting_ShowsTheOldDataInReadsAndMappings()
    {
        using PalFile file = Create("/file");
        file.WriteAt(0, 1, Page);
        file.Sync(SyncKind.Data);
        using PalMapping mapping = file.Map(1 << 20);
        file.WriteAt(0, 2, 2 * Page);
        Assert.Equal(2, mapping.Address[0]);
        _platform.Inject(new SimulatedFault { Effect = FaultEffect.SyncFailsReverting });
        Assert.Throws<PalException>(() => file.Sync(SyncKind.Data));
        Assert.Equal(1, file.ReadAt(0, 1)[0]);
        Assert.Equal(1, mapping.Address[0]);
        Assert.Equal(0, mapping.Address[Page]);
    }

    [Fact]
    public void FailedJournalWrite_LeavesAnySectors()
    {
        var kept = new HashSet<int>();
        for (int seed = 0; seed < 50; seed++)
        {
            var platform = new SimulatedPlatform(seed);
            using PalFile journal = platform.OpenFile("/journal", FileOpening.CreateNew, FileUse.Journal);
            platform.Inject(new SimulatedFault { Effect = FaultEffect.IoError, Kind = PalOperationKind.WriteJournal });
            Assert.Throws<PalException>(() => journal.JournalAt(0, 7, 2 * Page));
            kept.Add(journal.ReadAt(0, 2 * Page).Chunk(512).Count(sector => sector[0] == 7));
        }

        Assert.True(kept.Count > 3, $"{kept.Count} different outcomes");
    }

    [Fact]
    public void FailedPageWrites_LeaveAnyOfThemButNotAll()
    {
        var left = new SortedSet<string>(StringComparer.Ordinal);
        using var buffer = new AlignedBuffer(Page, 1);
        for (int seed = 0; seed < 200; seed++)
        {
            var platform = new SimulatedPlatform(seed);
            using PalFile file = platform.OpenFile("/file", FileOpening.CreateNew, FileUse.Data);
            platform.Inject(new SimulatedFault { Effect = FaultEffect.IoError, Kind = PalOperationKind.WritePages });
            PalPageWrite[] writes = [.. Enumerable.Range(0, 3).Select(i => buffer.PageAt(i * Page))];
            Assert.Throws<PalException>(() => file.WritePages(writes));
            file.SetLength(3 * Page);
            left.Add(string.Concat(Enumerable.Range(0, 3).Select(i => file.ReadAt(i * Page, 1)[0])));
        }

        Assert.Equal(["000", "001", "010", "011", "100", "101", "110"], left);
    }

    [Fact]
    public void CreateDirectory_WhoseSyncFailed_IsDurableAfterTheNextTry()
    {
        _platform.Inject(new SimulatedFault { Effect = FaultEffect.TooManyFiles, Kind = PalOperationKind.CreateDirectorySync });
        Assert.True(Assert.Throws<PalException>(() => _platform.CreateDirectory("/a/b/c")).IsShortage);
        _platform.CreateDirectory("/a/b/c");
        Assert.True(_platform.Crash(new CrashOptions { Retention = CrashRetention.None }).Exists("/a/b/c"));
    }

    [Theory]
    [InlineData(PalOperationKind.Sync)]
    [InlineData(PalOperationKind.SyncDirectory)]
    [InlineData(PalOperationKind.RenameSync)]
    [InlineData(PalOperationKind.CreateDirectorySync)]
    [InlineData(PalOperationKind.WriteJournal)]
    public void SkippedBarrier_ReportsSuccessAndIsNotDurable(PalOperationKind kind)
    {
        string complete = DurableState(null);
        Assert.Equal(complete, DurableState(PalOperationKind.Read));
        Assert.NotEqual(complete, DurableState(kind));
    }

    [Fact]
    public void SkippedSync_FollowedByARealOne_LosesNothing()
    {
        using PalFile file = Create("/file");
        file.WriteAt(0, 1, Page);
        SimulatedFault fault = _platform.Inject(new SimulatedFault { Effect = FaultEffect.SkipDurability });
        file.Sync(SyncKind.Data);
        Assert.Equal(1, fault.Fired);
        Assert.NotEqual(0, _platform.UnsyncedChangeCount);
        file.Sync(SyncKind.Data);
        Assert.Equal(0, _platform.UnsyncedChangeCount);
    }

    private static string DurableState(PalOperationKind? skipped)
    {
        var platform = new SimulatedPlatform();
        if (skipped != null)
        {
            platform.Inject(new SimulatedFault { Effect = FaultEffect.SkipDurability, Kind = skipped, Repeats = true });
        }

        Assert.Null(RunScenario(platform));
        SimulatedPlatform state = platform.Crash(new CrashOptions { Retention = CrashRetention.None });
        var facts = new List<string>();
        foreach (string folder in new[] { "/", "/a", "/a/b" })
        {
            foreach (string name in state.ListDirectory(folder))
            {
                facts.Add($"{folder}/{name}");
            }
        }

        foreach (string path in new[] { "/a/data", "/a/b/renamed" })
        {
            if (state.Exists(path))
            {
                using PalFile file = state.OpenFile(path, FileOpening.Existing, FileUse.ReadOnly);
                facts.Add($"{path} {file.ReadAt(0, 4 * Page).Sum(value => value)}");
            }
        }

        return string.Join('\n', facts);
    }

    private static PalException? RunScenario(SimulatedPlatform platform)
    {
        try
        {
            platform.CreateDirectory("/a/b");
            using PalFile data = platform.OpenFile("/a/data", FileOpening.CreateNew, FileUse.Data);
            using PalFile journal = platform.OpenFile("/a/journal", FileOpening.CreateNew, FileUse.Journal);
            data.Allocate(4 * Page);
            data.WriteAt(0, 1, Page);
            data.Sync(SyncKind.Data);
            journal.ZeroFill(0, 2 * Page);
            platform.SyncDirectories(["/a"]);
            journal.JournalAt(0, 2, Page);
            platform.Link("/a/journal", "/a/b/linked");
            platform.SyncDirectories(["/a/b"]);
            platform.RenameDurable("/a/b/linked", "/a/b/renamed");
            data.ReadAt(0, Page);
            data.PunchHole(0, Page);
            data.SetLength(2 * Page);
            data.Map(Page).Dispose();
            Assert.Equal(2 * Page, data.GetLength());
            return null;
        }
        catch (PalException exception)
        {
            return exception;
        }
    }

    private PalFile Create(string path)
    {
        PalFile file = _platform.OpenFile(path, FileOpening.CreateNew, FileUse.Data);
        _platform.SyncDirectories(["/"]);
        return file;
    }
}
