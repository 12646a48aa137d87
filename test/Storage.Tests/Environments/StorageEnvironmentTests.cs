using System.Text;
using Jackdaw.Pal;
using Jackdaw.Pal.InMemory;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Scratch;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Storage.Tests.Environments;

public sealed class StorageEnvironmentTests
{
    private static readonly StorageOptions s_manual = new() { BackgroundFlush = false, JournalFileBytes = 1 << 20 };
    private readonly MemoryPlatform _platform = new();

    [Fact]
    public void Commit_ThenReopenWithoutFlush_RecoversFromJournal()
    {
        StorageEnvironment storage = StorageEnvironment.Open(_platform, "/db", s_manual);
        Put(storage, "a", "1");
        Put(storage, "b", "2");
        storage.Abandon();

        using StorageEnvironment reopened = StorageEnvironment.Open(_platform, "/db", s_manual);
        Assert.Equal("1", Get(reopened, "a"));
        Assert.Equal("2", Get(reopened, "b"));
    }

    [Fact]
    public void Commit_ThenFlushAndSync_ReopensWithoutReplay()
    {
        StorageEnvironment storage = StorageEnvironment.Open(_platform, "/db", s_manual);
        for (int i = 0; i < 2000; i++)
        {
            Put(storage, "key" + i, new string('x', i % 300));
        }

        Assert.True(storage.Flush());
        Assert.True(storage.Sync());
        storage.Dispose();

        using StorageEnvironment reopened = StorageEnvironment.Open(_platform, "/db", s_manual);
        Assert.Equal(2000, reopened.Current.TransactionId);
        Assert.Equal(new string('x', 299), Get(reopened, "key299"));
    }

    [Fact]
    public void Read_BeganBeforeCommit_KeepsItsSnapshotAcrossFlush()
    {
        using StorageEnvironment storage = StorageEnvironment.Open(_platform, "/db", s_manual);
        Put(storage, "a", "old");
        using ReadTransaction before = storage.BeginRead();
        Put(storage, "a", "new");
        storage.Flush();
        Assert.Equal("old", Get(before, "a"));
        Assert.Equal("new", Get(storage, "a"));
    }

    [Fact]
    public void Dispose_ThenCallsThatWouldReadTheFile_AreRefused()
    {
        StorageEnvironment storage = StorageEnvironment.Open(_platform, "/db", s_manual);
        Put(storage, "a", "1");
        storage.Dispose();
        Assert.Throws<ObjectDisposedException>(() => storage.PunchHoles()); // without the mapping it ended the process
        Assert.Throws<ObjectDisposedException>(() => storage.Flush());
        Assert.Throws<ObjectDisposedException>(() => storage.Sync());
    }

    [Fact]
    public void BeginWrite_WhileTheSameThreadHasOneOpen_IsRefused()
    {
        using StorageEnvironment storage = StorageEnvironment.Open(_platform, "/db", s_manual);
        using (WriteTransaction transaction = storage.BeginWrite())
        {
            Assert.Throws<InvalidOperationException>(() => storage.BeginWrite());
            transaction.Trees.CreateTree("t").Put("a"u8, "1"u8);
            transaction.Commit();
        }

        Put(storage, "b", "2");
        Assert.Equal(2, storage.Current.TransactionId);
    }

    [Fact]
    public void Dispose_WithoutCommit_LeavesNothing()
    {
        using StorageEnvironment storage = StorageEnvironment.Open(_platform, "/db", s_manual);
        Put(storage, "a", "1");
        long scratch = storage.Scratch.RentedBytes;
        using (WriteTransaction transaction = storage.BeginWrite())
        {
            transaction.Trees.CreateTree("t").Put("b"u8, "2"u8);
        }

        Assert.Equal(scratch, storage.Scratch.RentedBytes);
        Assert.Null(Get(storage, "b"));
        Put(storage, "c", "3");
        Assert.Equal("3", Get(storage, "c"));
    }

    [Fact]
    public void Open_FolderInUse_IsRefused()
    {
        using StorageEnvironment storage = StorageEnvironment.Open(_platform, "/db", s_manual);
        PalException refused = Assert.Throws<PalException>(() => StorageEnvironment.Open(_platform, "/db", s_manual));
        Assert.Equal(PalStatus.Locked, refused.Status);
    }

    [Fact]
    public unsafe void Dispose_WithAPageThatIsNotItself_ClosesAndTheNextOpeningRecovers()
    {
        StorageEnvironment storage = StorageEnvironment.Open(_platform, "/db", s_manual);
        Put(storage, "a", "1");
        List<PageTable.PageVersion> versions = [];
        lock (storage.Table.ChangeLock)
        {
            storage.Table.Collect(storage.Current.TransactionId, versions);
        }

        *(long*)versions[^1].Address ^= 1L << 40; // a stray write into memory: the flush of the closing refuses the page
        storage.Dispose();
        Assert.IsType<InvalidOperationException>(storage.Failure);

        using StorageEnvironment reopened = StorageEnvironment.Open(_platform, "/db", s_manual);
        Assert.Equal("1", Get(reopened, "a"));
    }

    private static void Put(StorageEnvironment storage, string key, string value)
    {
        using WriteTransaction transaction = storage.BeginWrite();
        transaction.Trees.CreateTree("t").Put(Encoding.UTF8.GetBytes(key), Encoding.UTF8.GetBytes(value));
        transaction.Commit();
    }

    private static string? Get(StorageEnvironment storage, string key)
    {
        using ReadTransaction transaction = storage.BeginRead();
        return Get(transaction, key);
    }

    private static string? Get(ReadTransaction transaction, string key)
    {
        BTree? tree = transaction.Trees.FindTree("t");
        return tree is not null && tree.TryGet(Encoding.UTF8.GetBytes(key), out ReadOnlySpan<byte> value) ? Encoding.UTF8.GetString(value) : null;
    }
}
