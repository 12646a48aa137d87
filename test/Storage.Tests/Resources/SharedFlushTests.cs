using Jackdaw.Pal;
using Jackdaw.Pal.InMemory;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Resources;
using Jackdaw.Storage.Tests.Sharing;
using Jackdaw.TestKit;

namespace Jackdaw.Storage.Tests.Resources;

/// <summary>Storages whose flushes are done by shared workers.</summary>
public sealed class SharedFlushTests : IDisposable
{
    private readonly ProcessResources _resources = new();
    private readonly ManualResetEventSlim _release = new();

    public void Dispose()
    {
        _release.Set();
        _release.Dispose();
    }

    [Fact]
    public void Sync_Hangs_StoragesOfOtherVolumesFlushAndTheHungOnesGoOnLater()
    {
        int hanging = 0;
        bool hangs = false;
        var broken = new HookedPlatform(new MemoryPlatform())
        {
            BeforeSync = () =>
            {
                if (Volatile.Read(ref hangs))
                {
                    Interlocked.Increment(ref hanging);
                    _release.Wait();
                }
            },
        };
        var healthy = new MemoryPlatform();
        StorageEnvironment[] hung = [.. Enumerable.Range(0, VolumeWorkers.WorkersMax + 2).Select(i => Open(broken, $"/hung{i}"))];
        StorageEnvironment[] others = [.. Enumerable.Range(0, 10).Select(i => Open(healthy, $"/db{i}"))];
        Array.ForEach(hung, storage => BranchFamily.Commit(storage)); // the first one makes the journal, which needs a sync itself
        Assert.All(hung, AssertSyncs);
        Volatile.Write(ref hangs, true);
        Array.ForEach(hung, storage => BranchFamily.Commit(storage));
        Eventually.IsTrue(() => Volatile.Read(ref hanging) >= VolumeWorkers.WorkersMax, () => "no sync began");

        for (int round = 0; round < 3; round++)
        {
            Array.ForEach(others, storage => BranchFamily.Commit(storage));
            Assert.All(others, AssertSyncs);
        }

        // Their commits need no sync of the data file: they go on too.
        Array.ForEach(hung, storage => BranchFamily.Commit(storage));
        Assert.All(hung, storage => Assert.Equal(1, storage.Figures.SyncedTransaction));
        Volatile.Write(ref hangs, false);
        _release.Set();
        Assert.All(hung, AssertSyncs);
        Array.ForEach([.. hung, .. others], storage => storage.Dispose());
        Assert.Equal(0, _resources.ThreadCount);
    }

    /// <summary>The steps of one storage never overlap, however many workers there are.</summary>
    [Fact]
    public void Flushes_OfOneStorage_NeverOverlap()
    {
        int writing = 0;
        int most = 0;
        var platform = new HookedPlatform(new MemoryPlatform())
        {
            BeforePageWrites = path =>
            {
                if (path.EndsWith("/data", StringComparison.Ordinal))
                {
                    most = Math.Max(most, Interlocked.Increment(ref writing));
                    Thread.Yield();
                    Interlocked.Decrement(ref writing);
                }
            },
        };
        StorageEnvironment[] others = [.. Enumerable.Range(0, 6).Select(i => Open(new MemoryPlatform(), $"/other{i}"))];
        using (StorageEnvironment storage = Open(platform, "/db"))
        {
            for (int i = 0; i < 300; i++)
            {
                BranchFamily.Commit(storage);
                BranchFamily.Commit(others[i % others.Length]);
            }

            AssertSyncs(storage);
        }

        Array.ForEach(others, storage => storage.Dispose());
        Assert.Equal(1, most);
    }

    [Fact]
    public void Branches_WithoutResourcesOfTheirOwn_ShareThoseOfTheirRoot()
    {
        using var family = new BranchFamily(new MemoryPlatform(), 20, new StorageOptions { IdleFlushMs = 1 });
        family.Branches.ForEach(branch => BranchFamily.Commit(branch));
        Assert.All(family.All, storage => Assert.Same(family.Root.Resources, storage.Resources));
        Assert.All(family.Branches, AssertSyncs);
        Assert.InRange(family.Root.Resources.ThreadCount, 2, 2 * VolumeWorkers.WorkersMax);
    }

    private static void AssertSyncs(StorageEnvironment storage) => Eventually.IsTrue(
        () => storage.Figures.SyncedTransaction == storage.Figures.TransactionId, () => $"{storage.Path} was not synced: {storage.Figures}");

    private StorageEnvironment Open(IPlatform platform, string path) =>
        StorageEnvironment.Open(platform, path, new StorageOptions { Resources = _resources, IdleFlushMs = 1, JournalFileBytes = 64 << 10 });
}
