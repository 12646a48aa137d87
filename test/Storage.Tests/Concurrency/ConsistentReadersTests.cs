using System.Buffers.Binary;
using System.Text;
using Jackdaw.Pal;
using Jackdaw.Pal.InMemory;
using Jackdaw.Pal.Native;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Trees;
using Jackdaw.Storage.Verification;
using Jackdaw.TestKit;

namespace Jackdaw.Storage.Tests.Concurrency;

/// <summary>Every transaction writes its number into several trees, beside values made of it: a reader must find one number
/// everywhere, whatever is written, flushed, synced and recycled meanwhile.</summary>
public sealed class ConsistentReadersTests
{
    private const int KeyCount = 40;
    private static readonly TimeSpan s_deadline = TimeSpan.FromMinutes(2);
    private static readonly string[] s_trees = ["one", "two", "three"];

    [Theory]
    [InlineData(false, 100)]
    [InlineData(true, 30)]
    public Task Readers_WhileWriterFlushAndSyncRun_SeeOneTransactionEach(bool isNative, int transactions) => RunAsync(isNative, transactions);

    [Theory]
    [Trait("Tier", "Full")]
    [InlineData(false, 2000)]
    [InlineData(true, 500)]
    public Task Readers_WhileWriterFlushAndSyncRunAtLength_SeeOneTransactionEach(bool isNative, int transactions) => RunAsync(isNative, transactions);

    [Fact]
    public void BeginRead_MoreReadersThanSlots_EachKeepsItsSnapshot()
    {
        const int readers = ReaderSlots.SlotCount + 200;
        using StorageEnvironment storage = StorageEnvironment.Open(new MemoryPlatform(), "/db", SmallOptions());
        List<(ReadTransaction Transaction, long Expected)> open = [];
        for (int i = 0; i < readers; i++)
        {
            if (i % 10 == 0)
            {
                Write(storage, isLast: true);
            }

            open.Add((storage.BeginRead(), storage.Current.TransactionId));
        }

        storage.Flush();
        storage.Sync();
        Assert.True(storage.Readers.OverflowUses > 0);
        foreach ((ReadTransaction transaction, long expected) in open)
        {
            Assert.Equal(expected, Check(transaction));
            transaction.Dispose();
        }

        storage.Flush();
        Assert.Empty(EnvironmentVerifier.Verify(storage));
    }

    private static async Task RunAsync(bool isNative, int transactions)
    {
        IPlatform platform = isNative ? new NativePlatform() : new MemoryPlatform();
        string path = Path.Combine(Path.GetTempPath(), $"jackdaw-readers-{Guid.NewGuid():N}");
        using (StorageEnvironment storage = StorageEnvironment.Open(platform, path, SmallOptions()))
        {
            Write(storage, isLast: true);
            bool stopped = false;
            Task<long>[] readers = [.. Enumerable.Range(0, 3).Select(seed => Task.Factory.StartNew(
                () => ReadUntil(storage, seed, () => Volatile.Read(ref stopped)), TaskCreationOptions.LongRunning))];
            Task flusher = Task.Factory.StartNew(
                () => FlushUntil(storage, () => Volatile.Read(ref stopped)), TaskCreationOptions.LongRunning);
            for (int i = 0; i < transactions && !readers.Any(reader => reader.IsFaulted); i++)
            {
                Write(storage, isLast: i == transactions - 1);
            }

            Volatile.Write(ref stopped, true);
            long[] reads = await Task.WhenAll(readers).WaitAsync(s_deadline);
            await flusher.WaitAsync(s_deadline);
            Assert.All(reads, count => Assert.True(count > 0));
            Assert.Empty(EnvironmentVerifier.Verify(storage));
        }

        platform.DeleteDirectory(path);
    }

    private static StorageOptions SmallOptions() => new()
    {
        JournalFileBytes = 128 * 1024,
        FlushAtScratchBytes = 128 * 1024,
        FlushAtJournalBytes = 64 * 1024,
        IdleFlushMs = 1,
        Time = new LeapingTime(),
    };

    private static long ReadUntil(StorageEnvironment storage, int seed, Func<bool> isStopped)
    {
        var random = new Random(seed);
        long reads = 0;
        long last = 0;
        while (!isStopped())
        {
            using ReadTransaction transaction = storage.BeginRead();
            long seen = Check(transaction);
            Assert.True(seen >= last, "a reader went back in time");
            last = seen;
            for (int i = random.Next(3); i > 0; i--)
            {
                Assert.Equal(seen, Check(transaction));
            }

            reads++;
        }

        return reads;
    }

    private static void FlushUntil(StorageEnvironment storage, Func<bool> isStopped)
    {
        while (!isStopped())
        {
            storage.Flush();
            storage.Sync();
        }
    }

    /// <summary>Puts the transaction's number and values made of it; all of the keys change their size and often their place.</summary>
    private static void Write(StorageEnvironment storage, bool isLast)
    {
        using WriteTransaction transaction = storage.BeginWrite();
        long id = transaction.TransactionId;
        foreach (string name in s_trees)
        {
            BTree tree = transaction.Trees.CreateTree(name);
            BinaryPrimitives.WriteInt64LittleEndian(tree.Reserve("id"u8, sizeof(long)), id);
            for (int i = 0; i < 5; i++)
            {
                int key = (int)((id + (i * 7)) % KeyCount);
                byte[] value = new byte[16 + (id * 31 % (i == 0 ? 30_000 : 900))];
                value.AsSpan(16).Fill((byte)id);
                BinaryPrimitives.WriteInt64LittleEndian(value, id);
                BinaryPrimitives.WriteUInt64LittleEndian(value.AsSpan(8), Checksum.Compute(value.AsSpan(16), (ulong)id));
                tree.Put(Encoding.UTF8.GetBytes($"key{key}"), value);
            }
        }

        if (isLast)
        {
            transaction.Commit();
        }
        else
        {
            transaction.Submit();
        }
    }

    /// <summary>Checks all that a snapshot holds; returns the transaction it shows.</summary>
    private static long Check(ReadTransaction transaction)
    {
        foreach (string name in s_trees)
        {
            BTree tree = transaction.Trees.FindTree(name)!;
            Assert.True(tree.TryGet("id"u8, out ReadOnlySpan<byte> id));
            Assert.Equal(transaction.TransactionId, BinaryPrimitives.ReadInt64LittleEndian(id));
            using BTreeCursor cursor = tree.OpenCursor();
            for (bool more = cursor.Seek("key"u8); more; more = cursor.MoveNext())
            {
                ReadOnlySpan<byte> value = cursor.Value;
                long written = BinaryPrimitives.ReadInt64LittleEndian(value);
                ulong checksum = BinaryPrimitives.ReadUInt64LittleEndian(value[8..]);
                Assert.InRange(written, 1, transaction.TransactionId);
                Assert.Equal(checksum, Checksum.Compute(value[16..], (ulong)written));
            }
        }

        return transaction.TransactionId;
    }
}
