using Jackdaw.Pal;
using Jackdaw.Pal.InMemory;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Transactions;
using Jackdaw.TestKit;

namespace Jackdaw.Storage.Tests.Sharing;

/// <summary>Folders of branches that are renamed, removed and brought back while the root goes on.</summary>
public sealed class BranchMoveTests
{
    private const string Aside = BranchFamily.RootPath + "/Indexes/old/000";
    private readonly MemoryPlatform _platform = new();

    [Fact]
    public void MoveTo_UnderLoad_PutsOneBranchInThePlaceOfAnother()
    {
        using var family = new BranchFamily(_platform, 2, new StorageOptions { JournalFileBytes = 64 * 1024 });
        using var load = new Load(family.All);
        StorageEnvironment old = family.Branches[0];
        StorageEnvironment built = family.Branches[1];
        load.WaitForEach(20);
        old.MoveTo(Aside);
        built.MoveTo(BranchFamily.PathOf(0));
        Assert.Equal(BranchFamily.PathOf(0), built.Path);
        load.WaitForEach(40);
        load.Stop();
        Guid builtId = built.StorageId;
        long[] counts = [.. family.All.Select(storage => storage.Current.TransactionId)];
        family.Abandon();

        using StorageEnvironment root = StorageEnvironment.Open(_platform, BranchFamily.RootPath);
        using StorageEnvironment swapped = StorageEnvironment.OpenBranch(root, BranchFamily.PathOf(0));
        using StorageEnvironment aside = StorageEnvironment.Open(_platform, Aside);
        Assert.Equal(builtId, swapped.StorageId);
        long[] found = [BranchFamily.Check(root), BranchFamily.Check(aside), BranchFamily.Check(swapped)];
        Assert.Equal(counts, found);
        Assert.False(_platform.Exists(BranchFamily.PathOf(1)));
    }

    [Fact]
    public void Folder_RenamedAwayAndBack_HasItsOldState_AndTheOneBetweenIsItsOwn()
    {
        using var family = new BranchFamily(_platform, 1);
        BranchFamily.Commit(family.Root);
        BranchFamily.Commit(family.Branches[0], 7);
        family.Branches[0].Abandon();
        _platform.RenameDurable(BranchFamily.PathOf(0), "/away");
        using (StorageEnvironment anew = family.Open(0))
        {
            Assert.Equal(0, BranchFamily.Check(anew));
            BranchFamily.Commit(anew, 3);
            BranchFamily.Commit(family.Root, 3);
            anew.Abandon();
        }

        _platform.DeleteDirectory(BranchFamily.PathOf(0));
        _platform.RenameDurable("/away", BranchFamily.PathOf(0));
        using StorageEnvironment back = family.Open(0);
        Assert.Equal(7, BranchFamily.Check(back));
        BranchFamily.Commit(back, 2);
        Assert.Equal(9, BranchFamily.Check(back));
        Assert.Equal(4, BranchFamily.Check(family.Root));
    }

    [Fact]
    public void Folder_RenamedBehindItsBack_StopsTheBranchAlone()
    {
        using var family = new BranchFamily(_platform, 2);
        family.Branches.ForEach(branch => BranchFamily.Commit(branch));
        _platform.RenameDurable(BranchFamily.PathOf(0), "/away");
        for (int i = 0; i < 40; i++)
        {
            BranchFamily.Commit(family.Root, 1, 3000); // until the journals that it has names for are full
        }

        var told = Assert.Throws<StoragePoisonedException>(() => BranchFamily.Commit(family.Branches[0]));
        Assert.Contains(BranchFamily.PathOf(0), told.ToString(), StringComparison.Ordinal);
        BranchFamily.Commit(family.Branches[1], 2);
        BranchFamily.Commit(family.Root);
        family.Branches[0].Dispose();
        family.Branches.RemoveAt(0);
        using StorageEnvironment away = family.OpenAlone("/away");
        Assert.Equal(1, BranchFamily.Check(away));
    }

    [Fact]
    public async Task Branch_DeletedWhileItsEntryWaits_LetsTheRootGoOn()
    {
        var hooked = new HookedPlatform(_platform);
        using var family = new BranchFamily(hooked, 2, new StorageOptions { BackgroundFlush = false, JournalFileBytes = 4 << 20 });
        using var hold = new ManualResetEventSlim();
        BranchFamily.Commit(family.Root);
        family.Branches.ForEach(branch => BranchFamily.Commit(branch));
        hooked.BeforeJournalWrite = offset =>
        {
            if (offset > 0)
            {
                hold.Wait();
            }
        };
        PendingCommit ofRoot = BranchFamily.Write(family.Root);
        PendingCommit queued = BranchFamily.Write(family.Branches[0]);
        Task deleting = Task.Run(() =>
        {
            family.Branches[0].Dispose();
            hooked.DeleteDirectory(BranchFamily.PathOf(0));
        });
        Assert.False(deleting.IsCompleted);
        hooked.BeforeJournalWrite = null;
        hold.Set();
        await deleting.WaitAsync(TimeSpan.FromSeconds(20));
        queued.Wait();
        ofRoot.Wait();
        family.Branches.RemoveAt(0);
        BranchFamily.Commit(family.Root, 3);
        BranchFamily.Commit(family.Branches[0], 3);
        Assert.Equal(4, BranchFamily.Check(family.Branches[0]));
    }

    /// <summary>A branch that could not share prepares its own next journal in the background, and asks for the free space of its folder.</summary>
    [Fact]
    public async Task MoveTo_WhileAJournalOfItsOwnIsPrepared_LetsTheBranchGoOn()
    {
        var hooked = new HookedPlatform(_platform) { BeforeNameChange = RefuseLinks };
        using var family = new BranchFamily(hooked, 1);
        StorageEnvironment branch = family.Branches[0];
        Task? moving = null;
        hooked.BeforeFreeSpace = _ =>
        {
            if (Thread.CurrentThread.Name == "journal preparer" && moving is null)
            {
                moving = Task.Run(() => branch.MoveTo(Aside));
                moving.Wait(TimeSpan.FromMilliseconds(300));
            }
        };
        while (Volatile.Read(ref moving) is null)
        {
            BranchFamily.Commit(branch, 1, 3000);
        }

        await moving!.WaitAsync(TimeSpan.FromSeconds(30));
        BranchFamily.Commit(branch, 40, 3000);
        Assert.Equal(Aside, branch.Path);
        Assert.Equal(branch.Current.TransactionId, BranchFamily.Check(branch, 3000));
    }

    [Fact]
    public void MoveTo_ATakenName_IsRefused_AndChangesNothing()
    {
        using var family = new BranchFamily(_platform, 2);
        var told = Assert.Throws<IOException>(() => family.Branches[0].MoveTo(BranchFamily.PathOf(1)));
        Assert.Contains("taken", told.Message, StringComparison.Ordinal);
        BranchFamily.Commit(family.Branches[0]);
        Assert.Equal(BranchFamily.PathOf(0), family.Branches[0].Path);
    }

    [Fact]
    public void MoveTo_OfARoot_IsRefused()
    {
        using var family = new BranchFamily(_platform, 0);
        Assert.Throws<InvalidOperationException>(() => family.Root.MoveTo("/elsewhere"));
    }

    private static void RefuseLinks(NameChange change, string path)
    {
        if (change == NameChange.Link)
        {
            throw new PalException(PalStatus.NotSupported, "link", path, 95, "Operation not supported");
        }
    }

    /// <summary>One thread for each storage that commits all the time.</summary>
    private sealed class Load : IDisposable
    {
        private readonly List<StorageEnvironment> _storages;
        private readonly List<Task> _tasks;
        private volatile bool _stopping;

        public Load(IEnumerable<StorageEnvironment> storages)
        {
            _storages = [.. storages];
            _tasks = [.. _storages.Select(storage => Task.Factory.StartNew(() => Run(storage), TaskCreationOptions.LongRunning))];
        }

        public void WaitForEach(int more)
        {
            long[] targets = [.. _storages.Select(storage => storage.Current.TransactionId + more)];
            Eventually.IsTrue(() => _tasks.Exists(task => task.IsFaulted) || IsThere(targets));
            _tasks.Where(task => task.IsFaulted).ToList().ForEach(task => task.Wait());
        }

        public void Stop()
        {
            _stopping = true;
            Task.WaitAll(_tasks);
        }

        public void Dispose() => Stop();

        private bool IsThere(long[] targets) => !targets.Where((target, i) => _storages[i].Current.TransactionId < target).Any();

        private void Run(StorageEnvironment storage)
        {
            while (!_stopping)
            {
                BranchFamily.Commit(storage);
            }
        }
    }
}
