using Jackdaw.Pal.Simulation;

namespace Jackdaw.Pal.Tests.Simulation;

/// <summary>What a power cut may and may not do to a simulated volume. Seeds are in the assertion texts.</summary>
public sealed unsafe class CrashTests
{
    private const int Page = 4096;
    private const int Seeds = 250;

    private readonly SimulatedPlatform _platform = new();

    [Fact]
    public void Crash_AfterSync_KeepsSyncedDataInEveryState()
    {
        using PalFile file = CreateDurable("/file");
        file.WriteAt(0, 1, 8 * Page);
        file.Sync(SyncKind.Data);
        file.WriteAt(2 * Page, 2, 2 * Page);
        ForEachState(state =>
        {
            using PalFile found = state.OpenFile("/file", FileOpening.Existing, FileUse.ReadOnly);
            Assert.Equal(8 * Page, found.GetLength());
            byte[] bytes = found.ReadAt(0, 8 * Page);
            Assert.True(bytes.AsSpan(0, 2 * Page).IndexOfAnyExcept((byte)1) < 0);
            Assert.True(bytes.AsSpan(4 * Page).IndexOfAnyExcept((byte)1) < 0);
            Assert.True(bytes.AsSpan(2 * Page, 2 * Page).IndexOfAnyExcept((byte)1, (byte)2) < 0);
        });
    }

    [Fact]
    public void Crash_WithUnsyncedWrites_GivesOldNewAndTornStates()
    {
        using PalFile file = CreateDurable("/file");
        file.WriteAt(0, 1, 2 * Page);
        file.Sync(SyncKind.Data);
        file.WriteAt(0, 2, 2 * Page);
        var states = new HashSet<string>();
        bool isTornInsideAPage = false;
        ForEachState(state =>
        {
            byte[] bytes = Read(state, "/file");
            states.Add(Convert.ToHexString(bytes));
            isTornInsideAPage |= bytes.AsSpan(0, Page).Contains((byte)1) && bytes.AsSpan(0, Page).Contains((byte)2);
        });
        Assert.Contains(Convert.ToHexString(FileExtensions.Filled(1, 2 * Page)), states);
        Assert.Contains(Convert.ToHexString(FileExtensions.Filled(2, 2 * Page)), states);
        Assert.True(isTornInsideAPage);
        Assert.True(states.Count > 10, $"{states.Count} states");
    }

    [Fact]
    public void Crash_OfANewFile_KeepsItsNameOnlyAfterTheFolderIsSynced()
    {
        using PalFile file = _platform.OpenFile("/file", FileOpening.CreateNew, FileUse.Data);
        file.WriteAt(0, 1, Page);
        file.Sync(SyncKind.Full);
        Assert.Equal([false, true], Outcomes(state => state.Exists("/file")));
        _platform.SyncDirectories(["/"]);
        Assert.Equal([true], Outcomes(state => state.Exists("/file")));
    }

    [Fact]
    public void Crash_OfALink_MayLoseItUntilItsFolderIsSynced()
    {
        _platform.CreateDirectory("/a");
        _platform.CreateDirectory("/b");
        using PalFile file = CreateDurable("/a/file");
        file.WriteAt(0, 3, Page);
        file.Sync(SyncKind.Data);
        _platform.Link("/a/file", "/b/file");
        Assert.Equal([false, true], Outcomes(state => state.Exists("/b/file")));
        _platform.SyncDirectories(["/a"]);
        Assert.Equal([false, true], Outcomes(state => state.Exists("/b/file")));
        _platform.SyncDirectories(["/b"]);
        ForEachState(state =>
        {
            Assert.Equal(state.GetIdentity("/a/file"), state.GetIdentity("/b/file"));
            Assert.Equal(file.Identity, state.GetIdentity("/b/file"));
            using PalFile found = state.OpenFile("/b/file", FileOpening.Existing, FileUse.Data);
            Assert.Equal(2, found.GetLinkCount());
        });
    }

    [Fact]
    public void Crash_AfterDelete_MayBringTheFileBackWithItsSyncedData()
    {
        PalFile file = CreateDurable("/file");
        file.WriteAt(0, 4, Page);
        file.Sync(SyncKind.Data);
        file.Dispose();
        _platform.Delete("/file");
        Assert.Equal([false, true], Outcomes(state => state.Exists("/file")));
        ForEachState(state => Assert.True(!state.Exists("/file") || Read(state, "/file")[Page - 1] == 4));
        _platform.SyncDirectories(["/"]);
        Assert.Equal([false], Outcomes(state => state.Exists("/file")));
    }

    [Fact]
    public void Crash_DuringRenameDurable_NeverLosesTheFileAndIsDoneWhenItReturns()
    {
        _platform.CreateDirectory("/pool");
        _platform.CreateDirectory("/journals");
        CreateDurable("/pool/x").Dispose();
        CreateDurable("/journals/x").Dispose();
        FileIdentity identity = _platform.GetIdentity("/pool/x");
        var seen = new HashSet<string>();
        _platform.BeforeOperation = operation => ForEachState(state =>
        {
            bool isOld = state.Exists("/pool/x");
            bool isNew = state.GetIdentity("/journals/x") == identity;
            Assert.True(isOld || isNew);
            seen.Add($"{operation.Kind} {isOld} {isNew}");
        });
        _platform.RenameDurable("/pool/x", "/journals/x");
        _platform.BeforeOperation = null;
        Assert.Contains("Rename True False", seen);
        Assert.Contains("RenameSync True False", seen);
        Assert.Contains("RenameSync True True", seen);
        Assert.Contains("RenameSync False True", seen);
        ForEachState(state =>
        {
            Assert.False(state.Exists("/pool/x"));
            Assert.Equal(identity, state.GetIdentity("/journals/x"));
        });
    }

    [Fact]
    public void Crash_DuringRenameOfAFolder_LeavesItInExactlyOnePlace()
    {
        _platform.CreateDirectory("/a/inner");
        _platform.CreateDirectory("/b");
        CreateDurable("/a/inner/file").Dispose();
        _platform.BeforeOperation = _ => ForEachState(state =>
            Assert.True(state.Exists("/a/inner/file") != state.Exists("/b/inner/file")));
        _platform.RenameDurable("/a/inner", "/b/inner");
        _platform.BeforeOperation = null;
        Assert.Equal([true], Outcomes(state => state.Exists("/b/inner/file")));
    }

    [Fact]
    public void Crash_DuringAJournalWrite_KeepsAnySectorsAndAllOnceItReturned()
    {
        using PalFile journal = CreateDurable("/journal", FileUse.Journal);
        journal.Allocate(8 * Page);
        journal.ZeroFill(0, 8 * Page);
        var kept = new HashSet<int>();
        _platform.BeforeOperation = _ => ForEachState(state =>
        {
            byte[] bytes = Read(state, "/journal");
            Assert.Equal(8 * Page, bytes.Length);
            int sectors = bytes.Chunk(512).Count(sector => sector[0] == 5);
            Assert.True(bytes.Chunk(512).All(sector => sector.Distinct().Count() == 1));
            kept.Add(sectors);
        });
        journal.JournalAt(Page, 5, 2 * Page);
        _platform.BeforeOperation = null;
        Assert.Contains(0, kept);
        Assert.Contains(16, kept);
        Assert.True(kept.Count > 5);
        byte[] written = FileExtensions.Filled(5, 2 * Page);
        ForEachState(state => Assert.Equal(written, Read(state, "/journal").AsSpan(Page, 2 * Page)));
    }

    [Fact]
    public void JournalWrite_ThatReturned_CarriesTheFilesLength()
    {
        using PalFile journal = CreateDurable("/journal", FileUse.Journal);
        journal.JournalAt(4 * Page, 6, Page);
        ForEachState(state => Assert.Equal(5 * Page, Read(state, "/journal").Length));
    }

    [Fact]
    public void JournalWrite_OverOlderCachedData_IsNotUndoneByIt()
    {
        using PalFile data = CreateDurable("/file");
        data.WriteAt(0, 1, 4 * Page);
        using PalFile journal = _platform.OpenFile("/file", FileOpening.Existing, FileUse.Journal);
        journal.JournalAt(Page, 2, Page);
        ForEachState(state => Assert.Equal(FileExtensions.Filled(2, Page), Read(state, "/file").AsSpan(Page, Page)));
        data.Sync(SyncKind.Data);
        Assert.Equal(FileExtensions.Filled(2, Page), data.ReadAt(Page, Page));
    }

    [Fact]
    public void Crash_InOrder_IsAPrefixOfTheChanges()
    {
        using PalFile file = CreateDurable("/file");
        file.Allocate(8 * Page);
        file.Sync(SyncKind.Full);
        for (int i = 0; i < 8; i++)
        {
            file.WriteAt(i * Page, 9, Page);
        }

        var prefixes = new HashSet<int>();
        for (int seed = 0; seed < Seeds; seed++)
        {
            SimulatedPlatform state = _platform.Crash(
                new CrashOptions { Seed = seed, MayReorder = false, TearBytes = 0 });
            int[] pages = [.. Read(state, "/file").Chunk(Page).Select(page => (int)page[0])];
            int length = pages.TakeWhile(value => value == 9).Count();
            Assert.True(pages.Skip(length).All(value => value == 0), $"seed {seed}");
            prefixes.Add(length);
        }

        Assert.Equal(9, prefixes.Count);
    }

    [Fact]
    public void Crash_KeepingAllOrNothing_IsExactlyThat()
    {
        using PalFile file = CreateDurable("/file");
        file.WriteAt(0, 1, Page);
        _platform.Link("/file", "/link");
        SimulatedPlatform all = _platform.Crash(new CrashOptions { Retention = CrashRetention.All });
        SimulatedPlatform none = _platform.Crash(new CrashOptions { Retention = CrashRetention.None });
        Assert.Equal(FileExtensions.Filled(1, Page), Read(all, "/link"));
        Assert.False(none.Exists("/link"));
        Assert.Empty(Read(none, "/file"));
        Assert.Equal(3, _platform.UnsyncedChangeCount);
        Assert.Equal(0, all.UnsyncedChangeCount);
    }

    [Fact]
    public void Crash_WithTheSameSeed_GivesTheSameState()
    {
        using PalFile file = CreateDurable("/file");
        for (int i = 0; i < 50; i++)
        {
            file.WriteAt(i * Page, (byte)i, 2 * Page);
            _platform.Link("/file", $"/link{i}");
        }

        for (int seed = 0; seed < 50; seed++)
        {
            using SimulatedState first = new(_platform.Crash(seed));
            using SimulatedState second = new(_platform.Crash(seed));
            Assert.Equal(first.Names, second.Names);
            Assert.Equal(first.Bytes, second.Bytes);
        }
    }

    [Fact]
    public void Crash_StateAndOriginal_DoNotTouchEachOther()
    {
        using PalFile file = CreateDurable("/file");
        file.WriteAt(0, 1, 4 * Page);
        file.Sync(SyncKind.Data);
        SimulatedPlatform state = _platform.Crash(7);
        using PalFile copy = state.OpenFile("/file", FileOpening.Existing, FileUse.Data);
        copy.WriteAt(0, 2, Page);
        file.WriteAt(Page, 3, Page);
        Assert.Equal(2, copy.ReadAt(0, 1)[0]);
        Assert.Equal(1, copy.ReadAt(Page, 1)[0]);
        Assert.Equal(1, file.ReadAt(0, 1)[0]);
        SimulatedPlatform again = state.Crash(new CrashOptions { Retention = CrashRetention.None });
        Assert.Equal(1, Read(again, "/file")[0]);
    }

    [Fact]
    public void Crash_InALongChangeOfBlocks_LeavesItsBeginning()
    {
        using PalFile file = CreateDurable("/file");
        file.WriteAt(0, 1, 8 * Page);
        file.Sync(SyncKind.Full);
        file.Allocate(16 * Page);
        var lengths = new SortedSet<int>();
        ForEachState(state => lengths.Add(Read(state, "/file").Length / Page));
        Assert.Equal(Enumerable.Range(8, 9), lengths);

        file.Sync(SyncKind.Full);
        file.PunchHole(2 * Page, 4 * Page);
        file.WriteAt(15 * Page, 1, Page);
        var holes = new SortedSet<int>();
        ForEachState(state =>
        {
            byte[] first = [.. Read(state, "/file").Chunk(Page).Take(8).Select(page => page[0])];
            holes.Add(first.Count(value => value == 0));
            Assert.Equal(first.Count(value => value == 0), first.Skip(2).TakeWhile(value => value == 0).Count());
        });
        Assert.Equal(Enumerable.Range(0, 5), holes);
    }

    [Fact]
    public void Crash_TruncatedFile_KeepsTheLogOfLengthsInOrder()
    {
        using PalFile file = CreateDurable("/file");
        file.WriteAt(0, 1, 4 * Page);
        file.Sync(SyncKind.Full);
        file.SetLength(0);
        file.SetLength(4 * Page);
        // Old bytes at the new length would mean that the extension was kept and the cut was not.
        ForEachState(state => Assert.Contains(Read(state, "/file").Length + (4 * Read(state, "/file").Sum(b => b)),
            new[] { 0, 4 * Page, (4 * Page) + (16 * Page) }));
    }

    [Fact]
    public void Crash_StateIsMappable_AndFollowsWrites()
    {
        using PalFile file = CreateDurable("/file");
        file.WriteAt(0, 1, 4 * Page);
        file.Sync(SyncKind.Full);
        SimulatedPlatform state = _platform.Crash(3);
        using PalFile copy = state.OpenFile("/file", FileOpening.Existing, FileUse.Data);
        using PalMapping mapping = copy.Map(1 << 30);
        copy.Allocate(8 * Page);
        copy.WriteAt(7 * Page, 2, Page);
        Assert.Equal(1, mapping.Address[(4 * Page) - 1]);
        Assert.Equal(2, mapping.Address[(8 * Page) - 1]);
    }

    [Fact]
    public void Crash_OfALargeVolume_SharesWhatWasNotWritten()
    {
        using PalFile file = CreateDurable("/file");
        file.WriteAt(0, 1, 8 << 20);
        file.Sync(SyncKind.Full);
        file.WriteAt(0, 2, 16 * Page);
        _platform.Crash(0);
        long before = GC.GetAllocatedBytesForCurrentThread();
        const int states = 200;
        for (int seed = 0; seed < states; seed++)
        {
            _platform.Crash(seed);
        }

        long bytes = (GC.GetAllocatedBytesForCurrentThread() - before) / states;
        Assert.True(bytes < 256 * 1024, $"{bytes} bytes per state of 8 MB");
    }

    private static byte[] Read(SimulatedPlatform state, string path)
    {
        using PalFile file = state.OpenFile(path, FileOpening.Existing, FileUse.ReadOnly);
        return file.ReadAt(0, (int)Math.Max(file.GetLength(), 1));
    }

    private PalFile CreateDurable(string path, FileUse use = FileUse.Data)
    {
        PalFile file = _platform.OpenFile(path, FileOpening.CreateNew, use);
        _platform.SyncDirectories([Path.GetDirectoryName(path)!]);
        return file;
    }

    private void ForEachState(Action<SimulatedPlatform> check)
    {
        for (int seed = 0; seed < Seeds; seed++)
        {
            try
            {
                check(_platform.Crash(seed));
            }
            catch (Exception exception)
            {
                throw new InvalidOperationException($"Fails for seed {seed}: {CrashOptions.FromSeed(seed)}", exception);
            }
        }
    }

    private bool[] Outcomes(Func<SimulatedPlatform, bool> question)
    {
        var outcomes = new SortedSet<bool>();
        ForEachState(state => outcomes.Add(question(state)));
        return [.. outcomes];
    }

    /// <summary>All names and the bytes of one file.</summary>
    private sealed class SimulatedState : IDisposable
    {
        internal SimulatedState(SimulatedPlatform platform)
        {
            Names = platform.ListDirectory("/");
            Bytes = Read(platform, "/file");
        }

        internal IReadOnlyList<string> Names { get; }

        internal byte[] Bytes { get; }

        public void Dispose()
        {
        }
    }
}
