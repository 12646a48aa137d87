using System.Globalization;
using System.Text;
using Jackdaw.Pal.InMemory;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Trees;
using Jackdaw.TestKit;
using Xunit.Abstractions;

namespace Jackdaw.Storage.Tests.Concurrency;

/// <summary>Read transactions never wait for a lock, whatever a writer and the flush do beside them.</summary>
[Collection(AloneCollection.Name)]
public sealed class ReadersTakeNoLockTests(ITestOutputHelper output)
{
    private const int ReaderCount = 4;
    private const int Transactions = 400;
    private const int Keys = 2000;
    private static readonly TimeSpan s_deadline = TimeSpan.FromMinutes(1);

    [Fact]
    public async Task Read_BesideWriterAndFlush_WaitsForNoLock()
    {
        using var listener = new ContentionListener();
        using StorageEnvironment storage = StorageEnvironment.Open(new MemoryPlatform(), "/db", new StorageOptions
        {
            FlushAtScratchBytes = 256 * 1024,
            FlushAtJournalBytes = 256 * 1024,
        });
        Write(storage, 0);
        bool stopped = false;
        Task<(long Thread, long Count)>[] reading = [.. Enumerable.Range(0, ReaderCount).Select(seed => Task.Factory.StartNew(
            () => ReadUntil(storage, seed, () => Volatile.Read(ref stopped)), TaskCreationOptions.LongRunning))];
        for (int i = 1; i <= Transactions; i++)
        {
            Write(storage, i);
            if (i % 20 == 0)
            {
                storage.Flush();
                storage.Sync();
            }
        }

        Volatile.Write(ref stopped, true);
        (long Thread, long Count)[] reads = await Task.WhenAll(reading).WaitAsync(s_deadline);

        // The runtime hands its events over later, in their order: when this one is there, all before it are.
        long marker = WaitForALock();
        Eventually.IsTrue(() => listener.Waits.ContainsKey(marker), () => "the runtime reports no waits for locks", s_deadline);
        int others = listener.Waits.Where(wait => wait.Key != marker).Sum(wait => wait.Value);
        output.WriteLine($"{reads.Sum(read => read.Count)} read transactions; waits of other threads: {others}");
        Assert.Equal(ReaderCount, reads.DistinctBy(read => read.Thread).Count());
        Assert.All(reads, read => Assert.True(read.Count > 0));
        Assert.DoesNotContain(listener.Waits.Keys, thread => reads.Any(read => read.Thread == thread));
    }

    private static (long Thread, long Count) ReadUntil(StorageEnvironment storage, int seed, Func<bool> isStopped)
    {
        var random = new Random(seed);
        long reads = 0;
        for (; !isStopped(); reads++)
        {
            using ReadTransaction transaction = storage.BeginRead();
            Assert.True(transaction.Trees.FindTree("t")!.TryGet(Key(random.Next(Keys)), out ReadOnlySpan<byte> value));
            Assert.Equal(100, value.Length);
        }

        return (ContentionListener.GetThisThread(), reads);
    }

    private static void Write(StorageEnvironment storage, int number)
    {
        using WriteTransaction transaction = storage.BeginWrite();
        BTree tree = transaction.Trees.CreateTree("t");
        byte[] value = new byte[100];
        for (int i = number == 0 ? 0 : Keys - 50; i < Keys; i++)
        {
            tree.Put(Key(number == 0 ? i : (i * 37 + number * 61) % Keys), value);
        }

        transaction.Commit();
    }

    private static byte[] Key(int number) => Encoding.UTF8.GetBytes(number.ToString("d6", CultureInfo.InvariantCulture));

    /// <summary>Lets a thread wait for a lock; returns its number.</summary>
    private static long WaitForALock()
    {
        var wanted = new Lock();
        long waiting = 0;
        Thread waiter;
        lock (wanted)
        {
            waiter = new Thread(() =>
            {
                Volatile.Write(ref waiting, ContentionListener.GetThisThread());
                wanted.Enter();
                wanted.Exit();
            });
            waiter.Start();
            Eventually.IsTrue(() => (waiter.ThreadState & ThreadState.WaitSleepJoin) != 0);
        }

        waiter.Join();
        return waiting;
    }
}
