using Jackdaw.Pal.InMemory;
using Jackdaw.Pal.Native;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Transactions;
using Jackdaw.TestKit;
using Xunit.Abstractions;

namespace Jackdaw.Storage.Tests.Environments;

/// <summary>What a storage lets go when it is idle, and that it goes on afterwards.</summary>
[Collection(AloneCollection.Name)]
public sealed class TrimMemoryTests(ITestOutputHelper output)
{
    private const int Pages = 30_000;

    [Fact]
    public void TrimMemory_AfterLoad_GivesBackTheTableAndTheBuffers()
    {
        using StorageEnvironment root = Open("/root");
        using StorageEnvironment branch = StorageEnvironment.OpenBranch(root, "/branch", Options());
        foreach (StorageEnvironment storage in new[] { root, branch })
        {
            Load(storage);
            storage.Flush();
            storage.Sync();
            long heap = GC.GetTotalMemory(forceFullCollection: true);
            long native = PalMemory.AllocatedBytes;
            Assert.True(storage.Table.Capacity > 16_384);

            storage.TrimMemory();

            long heapFreed = heap - GC.GetTotalMemory(forceFullCollection: true);
            long nativeFreed = native - PalMemory.AllocatedBytes;
            output.WriteLine($"{storage.Path}: {heapFreed >> 10} KB of the heap, {nativeFreed >> 10} KB of native memory");
            Assert.Equal(1024, storage.Table.Capacity);
            Assert.True(heapFreed > 1 << 20, $"{heapFreed} bytes of the heap");
            Assert.True(nativeFreed >= storage.Scratch.MappedBytes + (512 << 10), $"{nativeFreed} native bytes");
            Put(storage, 7, 99);
            Assert.Equal(99, Get(storage, 7));
            Assert.Equal(8, Get(storage, 8));
        }
    }

    [Fact]
    public void TrimMemory_ReaderOfBefore_KeepsWhatItSees()
    {
        using StorageEnvironment storage = Open("/db");
        Load(storage);
        using ReadTransaction old = storage.BeginRead();
        storage.Flush();
        storage.TrimMemory(); // the reader stands on what was flushed
        using (ReadTransaction middle = storage.BeginRead())
        {
            old.Dispose();
            storage.Flush();
            storage.TrimMemory();
            Put(storage, 5, 50);
            storage.Flush();
            Assert.Equal(5, Get(middle, 5));
        }

        storage.Flush();
        Assert.Equal(50, Get(storage, 5));
    }

    [Fact]
    public void TrimMemory_OfASpareJournalThatSomebodyDeleted_GoesOn()
    {
        var platform = new MemoryPlatform();
        using StorageEnvironment storage = StorageEnvironment.Open(platform, "/db", Options());
        storage.Journals.FillPool(2, 8192);
        platform.Delete("/db/Journals/" + platform.ListDirectory("/db/Journals")[0]);
        Assert.True(storage.TrimMemory());
        Assert.Empty(platform.ListDirectory("/db/Journals"));
        Put(storage, 1, 1);
    }

    [Fact]
    public void Commit_InASpareJournalThatSomebodyDeleted_TakesAnother()
    {
        var platform = new MemoryPlatform();
        using StorageEnvironment storage = StorageEnvironment.Open(platform, "/db", Options() with { JournalFileBytes = 1 << 20 });
        storage.Journals.FillPool(2, 1 << 20);
        foreach (string name in platform.ListDirectory("/db/Journals"))
        {
            platform.Delete("/db/Journals/" + name);
        }

        Put(storage, 1, 1);
        Assert.Equal(1, Get(storage, 1));
    }

    [Fact]
    public void IdleStorage_WhoseLastReaderEndsLate_GivesBackWhatItKept()
    {
        var options = new StorageOptions { IdleFlushMs = 1, TrimAfterMs = 1 };
        using StorageEnvironment storage = StorageEnvironment.Open(new MemoryPlatform(), "/db", options);
        Put(storage, 1, 1);
        ReadTransaction first = storage.BeginRead(); // no flush of what comes now before it ends
        Put(storage, 1, 2);
        using (storage.BeginRead())
        {
            first.Dispose();
            Eventually.IsTrue(() => storage.Figures.SyncedTransaction == 2);
            storage.Journals.FillPool(1, 8192);
            Eventually.IsTrue(() => !storage.Platform.ListDirectory("/db/Journals").Any(name => name.StartsWith("pool-", StringComparison.Ordinal)));
            Assert.NotEqual(0, storage.Scratch.RentedBytes);
        }

        Eventually.IsTrue(() => storage.Scratch.RentedBytes == 0);
    }

    [Fact]
    public void TrimMemory_WhileATransactionIsOpen_LeavesTheWriterAlone()
    {
        using StorageEnvironment storage = Open("/db");
        Put(storage, 1, 1);
        using (WriteTransaction transaction = storage.BeginWrite())
        {
            Set(transaction, 1, 2);
            bool isAll = true;
            var other = new Thread(() => isAll = storage.TrimMemory());
            other.Start();
            other.Join();
            Assert.False(isAll);
            transaction.Commit();
        }

        Assert.Equal(2, Get(storage, 1));
    }

    private static StorageOptions Options() => new() { BackgroundFlush = false };

    private static StorageEnvironment Open(string path) => StorageEnvironment.Open(new MemoryPlatform(), path, Options());

    private static void Load(StorageEnvironment storage)
    {
        using (WriteTransaction transaction = storage.BeginWrite())
        {
            for (int i = 0; i < Pages; i++)
            {
                Set(transaction, i, i);
            }

            transaction.Commit();
        }
    }

    private static void Put(StorageEnvironment storage, int key, int value)
    {
        using WriteTransaction transaction = storage.BeginWrite();
        Set(transaction, key, value);
        transaction.Commit();
    }

    // Two values fill a page.
    private static void Set(WriteTransaction transaction, int key, int value)
    {
        Span<byte> stored = transaction.Trees.CreateTree("t").Reserve(BitConverter.GetBytes(key), 3500);
        stored.Clear();
        BitConverter.TryWriteBytes(stored, value);
    }

    private static int Get(StorageEnvironment storage, int key)
    {
        using ReadTransaction read = storage.BeginRead();
        return Get(read, key);
    }

    private static int Get(ReadTransaction read, int key) =>
        read.Trees.FindTree("t")!.TryGet(BitConverter.GetBytes(key), out ReadOnlySpan<byte> value) ? BitConverter.ToInt32(value) : -1;
}
