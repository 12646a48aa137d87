using Jackdaw.Pal.InMemory;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Resources;
using Jackdaw.Storage.Tests.Sharing;
using Jackdaw.Storage.Transactions;
using Jackdaw.TestKit;
using Xunit.Abstractions;

namespace Jackdaw.Storage.Tests.Resources;

/// <summary>Storages that have one budget of memory.</summary>
public sealed class MemoryBudgetTests(ITestOutputHelper output)
{
    private const long Megabyte = 1L << 20;
    private const int SlabBytes = 2 << 20;

    [Theory]
    [InlineData(1)]
    [InlineData(12)]
    public void Storages_ThatAllWriteAtOnce_StayWithinTheBudgetAndAllGoOn(int count)
    {
        var budget = new MemoryBudget(64 * Megabyte);
        var resources = new ProcessResources(budget);
        StorageEnvironment[] storages = [.. Enumerable.Range(0, count).Select(i => Open(resources, $"/db{i}"))];
        long most = 0;
        long mostMapped = 0;
        Thread[] writers = [.. storages.Select(storage => new Thread(() =>
        {
            for (int i = 0; i < 1600 / count; i++)
            {
                Write(storage, 64 * 1024).Wait();
                long used = budget.UsedBytes;
                Max(ref most, used);
                Max(ref mostMapped, budget.MappedBytes);
            }
        }))];
        Array.ForEach(writers, writer => writer.Start());
        Array.ForEach(writers, writer => writer.Join());

        // A share for the open transaction of each, and what is left of the slabs: entries use two sizes of runs besides single pages.
        long bound = budget.BytesMax + (count * (budget.WaitShareBytes + (3 * SlabBytes)));
        output.WriteLine($"{count} storages: {most >> 20} MB in use at most, {mostMapped >> 20} MB mapped, {bound >> 20} MB allowed");
        Assert.InRange(most, budget.FlushFromBytes, bound);
        Assert.InRange(mostMapped, 0, bound + budget.FlushFromBytes);
        Array.ForEach(storages, storage => storage.Dispose());
        Assert.Equal(0, budget.UsedBytes);
        Assert.Equal(0, budget.MappedBytes);
    }

    [Fact]
    public void Storage_ThatHoldsEverything_DoesNotStopOneBelowItsShare()
    {
        var budget = new MemoryBudget(32 * Megabyte);
        var resources = new ProcessResources(budget);
        using StorageEnvironment greedy = Open(resources, "/greedy");
        using StorageEnvironment modest = Open(resources, "/modest");
        BranchFamily.Commit(greedy);
        using ReadTransaction reader = greedy.BeginRead(); // what is written from now on cannot be flushed
        while (budget.UsedBytes < budget.WaitFromBytes)
        {
            Write(greedy, 256 * 1024).Wait();
        }

        Assert.False(HasRoom(greedy));
        Assert.True(HasRoom(modest));
        for (int i = 0; i < 10; i++)
        {
            BranchFamily.Commit(modest);
        }

        reader.Dispose();
        Eventually.IsTrue(() => HasRoom(greedy), () => "memory came back, and the writer still waits");
        Write(greedy, 1024).Wait();
    }

    [Fact]
    public void Transaction_LargerThanTheShareWithoutMemory_IsRefusedAndRolledBack()
    {
        var budget = new MemoryBudget(8 * Megabyte);
        var resources = new ProcessResources(budget);
        using var storage = StorageEnvironment.Open(
            new MemoryPlatform(), "/db", new StorageOptions { Resources = resources, BackgroundFlush = false, ScratchBytesMax = 64 * Megabyte });
        budget.Take(budget.BytesMax);
        BranchFamily.Commit(storage); // below its share
        long before = budget.UsedBytes;
        using (WriteTransaction transaction = storage.BeginWrite())
        {
            Assert.Throws<ScratchFullException>(() => transaction.Trees.CreateTree("t").Put("large"u8, new byte[budget.WaitShareBytes + Page.Size]));
        }

        Assert.Equal(1, storage.Current.TransactionId);
        budget.Return(budget.BytesMax);
        using (WriteTransaction transaction = storage.BeginWrite())
        {
            transaction.Trees.CreateTree("t").Put("large"u8, new byte[budget.WaitShareBytes + Page.Size]);
            transaction.Commit();
        }

        Assert.True(before > budget.BytesMax);
        Assert.Equal(2, storage.Current.TransactionId);
    }

    [Fact]
    public void Shares_FollowTheNumberOfOpenStorages()
    {
        var budget = new MemoryBudget(160 * Megabyte);
        var resources = new ProcessResources(budget);
        Assert.Equal((60 * Megabyte, 40 * Megabyte), (budget.FlushShareBytes, budget.WaitShareBytes));
        using (StorageEnvironment root = Open(resources, "/db"))
        {
            StorageEnvironment[] branches = [.. Enumerable.Range(0, 9).Select(i => StorageEnvironment.OpenBranch(root, $"/db/Indexes/{i}"))];
            Assert.Equal((6 * Megabyte, 4 * Megabyte), (budget.FlushShareBytes, budget.WaitShareBytes));
            Array.ForEach(branches, branch => branch.Dispose());
        }

        Assert.Equal((60 * Megabyte, 40 * Megabyte), (budget.FlushShareBytes, budget.WaitShareBytes));
        Assert.Throws<ArgumentOutOfRangeException>(() => budget.Take(-1));
        Assert.Throws<ArgumentOutOfRangeException>(() => budget.Return(-1));
    }

    /// <summary>Entries of a hundred storages, kept for the next large one, are memory too: they are given back after the flush, or after the
    /// transaction that runs during it.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Entries_AfterAFlushWithoutMemory_AreGivenBack(bool isWriting)
    {
        var budget = new MemoryBudget(0, 512 * Megabyte, 1024 * Megabyte);
        using var storage = StorageEnvironment.Open(new MemoryPlatform(), "/db", new StorageOptions
        {
            Resources = new ProcessResources(budget),
            IdleFlushMs = isWriting ? 100 : 1,
            TrimAfterMs = int.MaxValue,
        });
        Write(storage, 3 << 20).Wait();
        if (isWriting)
        {
            using WriteTransaction transaction = storage.BeginWrite();
            Eventually.IsTrue(() => storage.Figures.FlushedTransaction == transaction.TransactionId - 1);
        }

        Eventually.IsTrue(() => budget is { UsedBytes: 0, MappedBytes: 0 }, () => $"{budget.UsedBytes} bytes are kept");
    }

    private static bool HasRoom(StorageEnvironment storage) => storage.Resources.Memory.HasRoomFor(storage.Scratch.RentedBytes);

    /// <summary>A disk that is slower than the writers.</summary>
    private static void Pause()
    {
        using var pause = new ManualResetEventSlim();
        pause.Wait(20);
    }

    private static void Max(ref long most, long value)
    {
        for (long seen = Volatile.Read(ref most); value > seen; seen = Volatile.Read(ref most))
        {
            Interlocked.CompareExchange(ref most, value, seen);
        }
    }

    private static PendingCommit Write(StorageEnvironment storage, int bytes)
    {
        using WriteTransaction transaction = storage.BeginWrite();
        transaction.Trees.CreateTree("t").Put(BitConverter.GetBytes(transaction.TransactionId), new byte[bytes]);
        return transaction.Submit();
    }

    private static StorageEnvironment Open(ProcessResources resources, string path) =>
        StorageEnvironment.Open(new HookedPlatform(new MemoryPlatform()) { BeforePageWrites = _ => Pause() }, path, new StorageOptions
        {
            Resources = resources,
            IdleFlushMs = 50,
            JournalFileBytes = 4 << 20,
        });
}
