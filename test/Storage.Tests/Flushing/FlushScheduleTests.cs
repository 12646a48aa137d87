using Jackdaw.Pal;
using Jackdaw.Pal.InMemory;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Resources;
using Jackdaw.Storage.Transactions;
using Jackdaw.TestKit;

namespace Jackdaw.Storage.Tests.Flushing;

/// <summary>When the flush thread flushes.</summary>
public class FlushScheduleTests
{
    private const int ValueBytes = 1 << 20;

    /// <summary>What all storages of the process hold decides whether one may keep more than the least.</summary>
    [Theory]
    [InlineData(0, true)]
    [InlineData(long.MaxValue, false)]
    public void Flush_BeginsEarlier_WhenTheProcessHoldsMuch(long flushFromBytes, bool expected)
    {
        using StorageEnvironment storage = StorageEnvironment.Open(new MemoryPlatform(), "/db", new StorageOptions
        {
            FlushAtScratchBytes = 1L << 30,
            ScratchBytesMax = 2L << 30,
            Resources = new ProcessResources(new MemoryBudget(flushFromBytes, long.MaxValue, long.MaxValue)),
            IdleFlushMs = int.MaxValue,
        });
        for (long written = 0; written <= StorageOptions.FlushAtScratchBytesMin; written += ValueBytes)
        {
            using WriteTransaction transaction = storage.BeginWrite();
            transaction.Trees.CreateTree("t"u8).Put(BitConverter.GetBytes(written), new byte[ValueBytes]);
            transaction.Submit();
        }

        TimeSpan patience = TimeSpan.FromSeconds(expected ? 30 : 1);
        bool flushed = SpinWait.SpinUntil(() => storage.FlushTotal.Bytes > 0, patience); // the schedule has a thread and the machine's clock
        Assert.Equal(expected, flushed);
    }

    /// <summary>Pages that are freed meanwhile are used for direct runs only after it: an index that merges all the time must not make its file grow.</summary>
    [Fact]
    public void Flush_BehindManyDirectRuns_IsNotLeftToTheirJournal()
    {
        const int bytes = 8 << 20;
        using StorageEnvironment storage = StorageEnvironment.Open(
            new MemoryPlatform(), "/db", new StorageOptions { FlushAtJournalBytes = 1L << 40, FlushAtScratchBytes = 1L << 30, IdleFlushMs = int.MaxValue });
        for (int i = 0; i < 8; i++)
        {
            Assert.Equal(0, storage.FlushTotal.Bytes);
            using WriteTransaction transaction = storage.BeginWrite();
            transaction.Trees.CreateTree("t"u8).ReserveDirectRun("k"u8, bytes, out _).Clear();
            transaction.Submit();
        }

        Assert.True(SpinWait.SpinUntil(() => storage.FlushTotal.Bytes > 0, TimeSpan.FromSeconds(20))); // less than the oldest may wait
    }

    /// <summary>Each such flush collects, sorts and writes what fits: not twenty times a second, and soon when there is room again.</summary>
    [Fact]
    public void Flush_ThatFoundTheDiskFull_IsTriedAgainAfterAPause()
    {
        int tries = 0;
        bool isFull = false;
        var platform = new HookedPlatform(new MemoryPlatform())
        {
            BeforePageWrites = path =>
            {
                if (path.EndsWith("/data", StringComparison.Ordinal) && Volatile.Read(ref isFull))
                {
                    Interlocked.Increment(ref tries);
                    throw new PalException(PalStatus.NoSpace, "pwritev", "/db/data", 28, "No space left on device");
                }
            },
        };
        using StorageEnvironment storage = StorageEnvironment.Open(platform, "/db", new StorageOptions { IdleFlushMs = 1 });
        Volatile.Write(ref isFull, true);
        using (WriteTransaction transaction = storage.BeginWrite())
        {
            transaction.Trees.CreateTree("t"u8).Put("key"u8, "value"u8);
            transaction.Submit();
        }

        // Each try writes twice: the spare journals' room is taken in between.
        bool isTooOften = SpinWait.SpinUntil(() => Volatile.Read(ref tries) > 12, TimeSpan.FromSeconds(2)); // the pace by the machine's clock is tested
        Assert.False(isTooOften, "a full disk was tried again too often");
        Assert.InRange(Volatile.Read(ref tries), 2, 12);
        Volatile.Write(ref isFull, false);
        Eventually.IsTrue(() => storage.FlushTotal.Bytes > 0, () => "no flush after there was room again");
    }
}
