using Jackdaw.Pal.InMemory;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Storage.Tests.Transactions;

public sealed class ReadTransactionAllocationTests
{
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void BeginReadGetPageDispose_SteadyState_AllocatesNothing(bool isFlushed)
    {
        using StorageEnvironment storage = StorageEnvironment.Open(
            new MemoryPlatform(), "/db", new StorageOptions { BackgroundFlush = false });
        using (WriteTransaction transaction = storage.BeginWrite())
        {
            transaction.Trees.CreateTree("t").Put("key"u8, "value"u8);
            transaction.Commit();
        }

        if (isFlushed)
        {
            storage.Flush();
        }

        Read(storage, 1000);
        long before = GC.GetAllocatedBytesForCurrentThread();
        Read(storage, 10_000);
        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
    }

    /// <summary>What a long-lived reader does for each request: a snapshot, its trees, a value, a run, a walk.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void FindTreeInKeptObjects_SteadyState_AllocatesNothing(bool isFlushed)
    {
        using StorageEnvironment storage = StorageEnvironment.Open(
            new MemoryPlatform(), "/db", new StorageOptions { BackgroundFlush = false });
        Write(storage, 0);
        if (isFlushed)
        {
            storage.Flush();
        }

        BTree? parts = null;
        BTree? names = null;
        BTree? missing = null;
        Use(storage, 1000, ref parts, ref names, ref missing);
        long before = GC.GetAllocatedBytesForCurrentThread();
        int found = Use(storage, 10_000, ref parts, ref names, ref missing);
        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
        Assert.Equal(50_000, found);
    }

    /// <summary>The catalog of a snapshot is used again for the next one: each must see its own trees only.</summary>
    [Fact]
    public void Trees_OfSnapshotsOneAfterTheOtherAndBesideEachOther_AreTheirOwn()
    {
        using StorageEnvironment storage = StorageEnvironment.Open(
            new MemoryPlatform(), "/db", new StorageOptions { BackgroundFlush = false });
        Write(storage, 1);
        using ReadTransaction first = storage.BeginRead();
        Assert.Equal(1, first.Trees.FindTree("names")!.EntryCount);
        for (byte i = 2; i < 10; i++)
        {
            Write(storage, i);
            using ReadTransaction later = storage.BeginRead();
            Assert.NotSame(first.Trees, later.Trees);
            Assert.Equal(i, later.Trees.FindTree("names")!.EntryCount);
            Assert.Same(later.Trees.FindTree("names"), later.Trees.FindTree("names"));
            Assert.Equal(1, first.Trees.FindTree("names")!.EntryCount);
        }
    }

    [Fact]
    public void Trees_OfASnapshotThatOpenedVeryMany_KeepNoRoomForThem()
    {
        using StorageEnvironment storage = StorageEnvironment.Open(
            new MemoryPlatform(), "/db", new StorageOptions { BackgroundFlush = false });
        using (WriteTransaction transaction = storage.BeginWrite())
        {
            for (int i = 0; i < 500; i++)
            {
                transaction.Trees.CreateTree("tree " + i);
            }

            transaction.Commit();
        }

        for (int round = 0; round < 3; round++)
        {
            using ReadTransaction read = storage.BeginRead();
            Assert.True(read.Trees.Capacity < 200, $"round {round}: room for {read.Trees.Capacity} trees");
            for (int i = 0; i < 500; i++)
            {
                Assert.NotNull(read.Trees.FindTree("tree " + i));
            }
        }
    }

    private static void Write(StorageEnvironment storage, byte key)
    {
        using WriteTransaction transaction = storage.BeginWrite();
        transaction.Trees.CreateTree("names").Put([key], "value"u8);
        transaction.Trees.CreateTree("segment parts").Put([key], new byte[10_000]);
        transaction.Commit();
    }

    private static int Use(StorageEnvironment storage, int times, ref BTree? parts, ref BTree? names, ref BTree? missing)
    {
        int found = 0;
        for (int i = 0; i < times; i++)
        {
            using ReadTransaction transaction = storage.BeginRead();
            found += transaction.Trees.FindTree("segment parts"u8, ref parts)!.TryGetRun([0], out PageNumber first, out int bytes) ? 1 : 0;
            transaction.Prefetch(first, bytes);
            found += transaction.GetPage(first).OverflowValue.Length == bytes ? 1 : 0;
            BTree byName = transaction.Trees.FindTree("names"u8, ref names)!;
            found += byName.Contains([0]) ? 1 : 0;
            using BTreeCursor cursor = byName.OpenCursor();
            found += cursor.SeekFirst() ? 1 : 0;
            found += transaction.Trees.FindTree("none"u8, ref missing) is null ? 1 : 0;
        }

        return found;
    }

    private static void Read(StorageEnvironment storage, int times)
    {
        for (int i = 0; i < times; i++)
        {
            using ReadTransaction transaction = storage.BeginRead();
            Page page = transaction.GetPage(transaction.State.Root.Root);
            Assert.False(page.IsNone);
        }
    }
}
