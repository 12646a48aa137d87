using Jackdaw.Pal;
using Jackdaw.Pal.InMemory;
using Jackdaw.Pal.Simulation;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Sharing;
using Jackdaw.Storage.Transactions;
using Jackdaw.TestKit;

namespace Jackdaw.Storage.Tests.Sharing;

/// <summary>Branches whose transactions travel in the root's journals.</summary>
public sealed class BranchTests
{
    private readonly SimulatedPlatform _platform = new();

    [Fact]
    public void Commit_OfBranch_IsFoundByRootAndBranchAfterAKill()
    {
        using (var family = new BranchFamily(_platform, 3))
        {
            BranchFamily.Commit(family.Root, 2);
            family.Branches.ForEach(branch => BranchFamily.Commit(branch, 3));
            BranchFamily.Commit(family.Root, 2);
            family.Abandon();
        }

        using var again = new BranchFamily(_platform, 3);
        Assert.Equal(4, BranchFamily.Check(again.Root));
        Assert.All(again.Branches, branch => Assert.Equal(3, BranchFamily.Check(branch)));
    }

    [Fact]
    public void Commit_OfBranches_GoesToTheRootsFileUnderNamesOfTheirOwn()
    {
        using var family = new BranchFamily(_platform, 3, BranchFamily.OneJournal);
        family.Branches.ForEach(branch => BranchFamily.Commit(branch));
        FileIdentity shared = _platform.GetIdentity(Assert.Single(family.Journals(BranchFamily.RootPath)));
        for (int i = 0; i < 3; i++)
        {
            Assert.Equal(shared, _platform.GetIdentity(Assert.Single(family.Journals(BranchFamily.PathOf(i)))));
        }
    }

    [Fact]
    public void Commit_OfManyDuringAWrite_IsOneWrite()
    {
        const int branches = 20;
        var hooked = new HookedPlatform(new MemoryPlatform());
        using var family = new BranchFamily(hooked, branches, new StorageOptions { BackgroundFlush = false, JournalFileBytes = 4 << 20 });
        using var hold = new ManualResetEventSlim();
        BranchFamily.Commit(family.Root);
        family.Branches.ForEach(branch => BranchFamily.Commit(branch));
        long before = family.Root.JournalWrites;
        hooked.BeforeJournalWrite = offset => HoldEntries(offset, hold);
        List<PendingCommit> pending = [.. family.All.Select(storage => BranchFamily.Write(storage))];
        hooked.BeforeJournalWrite = null;
        hold.Set();
        pending.ForEach(commit => commit.Wait());

        // The root's, that of all branches, and at most a footer of before.
        Assert.InRange(family.Root.JournalWrites - before, 1, 3);
        Assert.All(family.Branches, branch => Assert.Equal(2, BranchFamily.Check(branch)));
    }

    [Fact]
    public void Branch_OpenedAlone_HasItsTransactions_AlthoughTheRootIsGone()
    {
        using (var family = new BranchFamily(_platform, 2))
        {
            family.Branches.ForEach(branch => BranchFamily.Commit(branch, 30, 3000));
            family.Abandon();
            _platform.RenameDurable(BranchFamily.PathOf(0), "/alone");
            _platform.DeleteDirectory(BranchFamily.RootPath);
            using StorageEnvironment alone = family.OpenAlone("/alone");
            Assert.Equal(30, BranchFamily.Check(alone, 3000));
            BranchFamily.Commit(alone, 2, 3000);
        }

        using StorageEnvironment again = StorageEnvironment.Open(_platform, "/alone");
        Assert.Equal(32, BranchFamily.Check(again, 3000));
    }

    [Fact]
    public void Storage_WithJournalsOfItsOwn_SharesFromThenOn()
    {
        using var family = new BranchFamily(_platform, 0);
        using (StorageEnvironment alone = family.OpenAlone(BranchFamily.PathOf(7)))
        {
            BranchFamily.Commit(alone, 5);
            alone.Abandon();
        }

        StorageEnvironment branch = family.Open(7);
        family.Branches.Add(branch);
        BranchFamily.Commit(branch, 5);
        Assert.Equal(10, BranchFamily.Check(branch));
        Assert.Contains(family.Journals(BranchFamily.PathOf(7)),
            path => _platform.GetIdentity(path) == _platform.GetIdentity(family.Journals(BranchFamily.RootPath)[0]));
        family.Abandon();
        using StorageEnvironment again = family.OpenAlone(BranchFamily.PathOf(7));
        Assert.Equal(10, BranchFamily.Check(again));
    }

    [Fact]
    public void Journals_AreLetGoByThoseThatSynced_AndReusedByTheRoot()
    {
        using var family = new BranchFamily(_platform, 3);
        for (int round = 0; round < 20; round++)
        {
            BranchFamily.Commit(family.Root, 3, 4000);
            family.Branches.ForEach(branch => BranchFamily.Commit(branch, 3, 2000));
            foreach (StorageEnvironment storage in family.All)
            {
                storage.Flush();
                storage.Sync();
            }
        }

        Assert.InRange(family.Journals(BranchFamily.RootPath).Count, 1, 3);
        Assert.All(Enumerable.Range(0, 3), i => Assert.InRange(family.Journals(BranchFamily.PathOf(i)).Count, 1, 3));
        Assert.InRange(_platform.ListDirectory(BranchFamily.RootPath + "/Journals").Count, 2, 20);
    }

    [Fact]
    public void Branch_WithNothingNew_KeepsNoJournal()
    {
        using var family = new BranchFamily(_platform, 2);
        StorageEnvironment idle = family.Branches[0];
        BranchFamily.Commit(idle);
        idle.Flush();
        idle.Sync();
        BranchFamily.Commit(family.Root, 40, 4000);
        idle.Sync();
        Assert.Empty(family.Journals(BranchFamily.PathOf(0)));
        BranchFamily.Commit(idle);
        // The file that was written to, and the next one when that was made ready meanwhile: of those before them there are no names.
        List<string> names = family.Journals(BranchFamily.PathOf(0));
        FileIdentity[] newest = [.. family.Journals(BranchFamily.RootPath).Order(StringComparer.Ordinal).TakeLast(2).Select(_platform.GetIdentity)];
        Assert.InRange(names.Count, 1, 2);
        Assert.All(names, name => Assert.Contains(_platform.GetIdentity(name), newest));
        family.Abandon();
        using StorageEnvironment again = family.OpenAlone(BranchFamily.PathOf(0));
        Assert.Equal(2, BranchFamily.Check(again));
    }

    [Fact]
    public void Branch_Closed_KeepsNoJournal()
    {
        using var family = new BranchFamily(_platform, 2);
        family.Branches.ForEach(branch => BranchFamily.Commit(branch));
        family.Branches[0].Dispose();
        Assert.Empty(family.Journals(BranchFamily.PathOf(0)));
        family.Branches[0] = family.Open(0);
        BranchFamily.Commit(family.Branches[0]);
        Assert.Equal(2, BranchFamily.Check(family.Branches[0]));
    }

    [Fact]
    public void Branch_OpenedAgainWhileTheRootGoesOn_FindsItsOwnName()
    {
        using var family = new BranchFamily(_platform, 2, BranchFamily.OneJournal);
        BranchFamily.Commit(family.Branches[0], 3);
        family.Branches[0].Abandon();
        family.Branches[0] = family.Open(0);
        Assert.Equal(3, BranchFamily.Check(family.Branches[0]));
        BranchFamily.Commit(family.Branches[0], 3);
        Assert.Single(family.Journals(BranchFamily.PathOf(0)));
        family.Abandon();
        using StorageEnvironment again = family.OpenAlone(BranchFamily.PathOf(0));
        Assert.Equal(6, BranchFamily.Check(again));
    }

    [Fact]
    public void Journals_KeptByABranchThatDoesNotSync_AreReportedByName()
    {
        using var family = new BranchFamily(_platform, 2);
        for (int i = 0; i < 30; i++)
        {
            family.All.ToList().ForEach(storage => BranchFamily.Commit(storage, 1, 3000));
            family.Branches[1].Flush();
            family.Branches[1].Sync();
        }

        PinnedJournals pinned = Assert.Single(family.Root.PinnedJournals);
        Assert.Equal(BranchFamily.PathOf(0), pinned.Branch);
        Assert.Equal(family.Journals(BranchFamily.PathOf(0)).Count, pinned.Files);
        Assert.InRange(pinned.Bytes, pinned.Files * 64 * 1024, long.MaxValue);
        family.Branches[0].Flush();
        family.Branches[0].Sync();
        Assert.Empty(family.Root.PinnedJournals);
    }

    [Fact]
    public void Journals_OfABranchThatWritesLittle_AreLetGoWhileTheRootGoesOn()
    {
        using var family = new BranchFamily(_platform, 1, new StorageOptions { JournalFileBytes = 64 * 1024, IdleFlushMs = 60_000 });
        for (int i = 0; i < 100; i++)
        {
            BranchFamily.Commit(family.Root, 2, 20_000);
            BranchFamily.Commit(family.Branches[0]);
        }

        Eventually.IsTrue(() => family.Branches[0].Figures.JournalFiles <= 5, () => $"{family.Branches[0].Figures.JournalFiles} journals");
    }

    [Fact]
    public void Branch_OfABranch_IsRefusedAndLeavesItsFolderFree()
    {
        using var family = new BranchFamily(_platform, 1);
        Assert.Throws<ArgumentException>(() => StorageEnvironment.OpenBranch(family.Branches[0], "/other"));
        family.Branches.Add(StorageEnvironment.OpenBranch(family.Root, "/other"));
        BranchFamily.Commit(family.Branches[1]);
    }

    [Fact]
    public void Write_Failed_StopsAllThatShare()
    {
        using var family = new BranchFamily(_platform, 3);
        family.Branches.ForEach(branch => BranchFamily.Commit(branch));
        _platform.Inject(new SimulatedFault { Effect = FaultEffect.IoError, Kind = PalOperationKind.WriteJournal });
        Assert.Throws<StoragePoisonedException>(() => BranchFamily.Commit(family.Branches[1]));
        Assert.All(family.All, storage => Assert.NotNull(storage.Failure));
        Assert.Throws<StoragePoisonedException>(() => BranchFamily.Commit(family.Root));
    }

    [Fact]
    public void Root_ClosedFirst_FailsItsBranches()
    {
        var family = new BranchFamily(_platform, 1);
        BranchFamily.Commit(family.Branches[0]);
        family.Root.Dispose();
        Assert.Throws<StoragePoisonedException>(() => BranchFamily.Commit(family.Branches[0]));
        family.Branches[0].Dispose();
    }

    [Fact]
    public void Branch_WithTheIdOfAnOpenOne_IsRefused()
    {
        using var family = new BranchFamily(_platform, 1);
        BranchFamily.Commit(family.Branches[0]);
        BranchFamily.Copy(_platform, BranchFamily.PathOf(0), BranchFamily.PathOf(1));
        InvalidOperationException refused = Assert.Throws<InvalidOperationException>(() => family.Open(1));
        Assert.Contains("copy", refused.Message, StringComparison.Ordinal);
        family.Branches[0].Dispose();
        family.Branches[0] = family.Open(1);
        Assert.Equal(1, BranchFamily.Check(family.Branches[0]));
    }

    [Fact]
    public void Branch_WithTheIdOfOneThatIsBeingOpened_IsRefused()
    {
        using var family = new BranchFamily(_platform, 1);
        BranchFamily.Commit(family.Branches[0]);
        family.Branches[0].Abandon();
        BranchFamily.Copy(_platform, BranchFamily.PathOf(0), BranchFamily.PathOf(1));
        InvalidOperationException? refused = null;
        var options = new StorageOptions
        {
            BackgroundFlush = false,
            RecoveryProgress = (_, _) => refused ??= Assert.Throws<InvalidOperationException>(() => family.Open(1)),
        };
        family.Branches[0] = StorageEnvironment.OpenBranch(family.Root, BranchFamily.PathOf(0), options);
        Assert.Contains("copy", refused?.Message, StringComparison.Ordinal);
        Assert.Equal(1, BranchFamily.Check(family.Branches[0]));
    }

    [Fact]
    public void Branch_ThatCouldNotBeOpened_CanBeOpenedAgain()
    {
        using var family = new BranchFamily(_platform, 1);
        BranchFamily.Commit(family.Branches[0]);
        family.Branches[0].Abandon();
        var options = new StorageOptions { RecoveryProgress = (_, _) => throw new IOException("stop") };
        Assert.Throws<IOException>(() => StorageEnvironment.OpenBranch(family.Root, BranchFamily.PathOf(0), options));
        family.Branches[0] = family.Open(0);
        Assert.Equal(1, BranchFamily.Check(family.Branches[0]));
    }

    /// <summary>While the root commits without a pause.</summary>
    [Fact]
    public void Commit_ThatDoesNotFitTheFile_MovesOnBeforeTheRootFillsIt()
    {
        using var family = new BranchFamily(
            new MemoryPlatform(), 1, new StorageOptions { BackgroundFlush = false, JournalFileBytes = 64 << 20 });
        BranchFamily.Commit(family.Root);
        BranchFamily.Commit(family.Branches[0], 1, 20 << 20);
        PendingCommit large = BranchFamily.Write(family.Branches[0], 46 << 20);
        int commits = 0;
        for (; !large.IsCompleted; commits++)
        {
            BranchFamily.Commit(family.Root);
        }

        large.Wait();
        Assert.InRange(commits, 0, 2000); // 2,300 to 3,200, the room in the file, when the clock began anew with each of them
    }

    [Fact]
    public void Branch_CopiedFromOneThatWentOn_GetsAFileWithoutTheOthersTransactions()
    {
        using var family = new BranchFamily(_platform, 1, BranchFamily.OneJournal);
        BranchFamily.Commit(family.Branches[0], 3);
        BranchFamily.Copy(_platform, BranchFamily.PathOf(0), BranchFamily.PathOf(1));
        BranchFamily.Commit(family.Branches[0], 4);
        family.Branches[0].Abandon();
        family.Branches[0] = family.Open(1);
        Assert.Equal(3, BranchFamily.Check(family.Branches[0]));
        BranchFamily.Commit(family.Branches[0], 1);
        Assert.Equal(2, family.Journals(BranchFamily.RootPath).Count);
        family.Abandon();
        using StorageEnvironment copy = family.OpenAlone(BranchFamily.PathOf(1));
        using StorageEnvironment original = family.OpenAlone(BranchFamily.PathOf(0));
        Assert.Equal(4, BranchFamily.Check(copy));
        Assert.Equal(7, BranchFamily.Check(original));
    }

    [Fact]
    public void Branch_OpenedAloneMeanwhile_GoesOnInAnotherFile()
    {
        using var family = new BranchFamily(_platform, 1);
        BranchFamily.Commit(family.Branches[0], 3);
        family.Branches[0].Abandon();
        using (StorageEnvironment alone = family.OpenAlone(BranchFamily.PathOf(0)))
        {
            BranchFamily.Commit(alone, 2);
            alone.Abandon();
        }

        family.Branches[0] = family.Open(0);
        BranchFamily.Commit(family.Branches[0], 2);
        family.Abandon();
        using StorageEnvironment again = family.OpenAlone(BranchFamily.PathOf(0));
        Assert.Equal(7, BranchFamily.Check(again));
    }

    private static void HoldEntries(long offset, ManualResetEventSlim hold)
    {
        if (offset > 0)
        {
            hold.Wait();
        }
    }
}
