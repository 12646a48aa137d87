using System.Buffers.Binary;
using Jackdaw.Pal;
using Jackdaw.Pal.Simulation;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.FreeSpace;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Trees;
using Jackdaw.Storage.Verification;

namespace Jackdaw.Storage.Tests.Transactions;

/// <summary>Overflow runs that are freed without a look at them.</summary>
public sealed class FreedRunTests : IDisposable
{
    private const string Path = "/db";
    private const int Runs = 20;
    private const int RunBytes = 100_000;
    private static readonly StorageOptions s_options = new() { BackgroundFlush = false };

    private readonly SimulatedPlatform _platform = new();
    private StorageEnvironment _storage;

    public FreedRunTests()
    {
        _storage = StorageEnvironment.Open(_platform, Path, s_options);
        Write(transaction =>
        {
            BTree tree = transaction.Trees.CreateTree("parts"u8);
            for (int i = 0; i < Runs; i++)
            {
                tree.ReserveRun(KeyOf(i), RunBytes, out _).Fill((byte)i);
            }
        });
    }

    public void Dispose() => _storage.Dispose();

    [Fact]
    public void DeletePrefix_OfRunsWithDamagedContents_ReadsNothingOfThem()
    {
        DamageAllRuns();
        using (WriteTransaction refused = _storage.BeginWrite())
        {
            Assert.Throws<CorruptedPageException>(() => refused.Trees.CreateTree("parts"u8).Delete(KeyOf(0)));
        }

        Write(transaction => Assert.Equal(
            new PrefixDeletion(Runs, Runs * (RunBytes + 8), true), transaction.Trees.CreateTree("parts"u8).DeletePrefix(KeyOf(0).AsSpan(0, 4), long.MaxValue)));
        Assert.Empty(EnvironmentVerifier.Verify(_storage));
        Reopen();
        Assert.Equal(0, CountRuns());
        Assert.True(CountFree() >= Runs * (RunBytes / Page.Size));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void DeletePrefix_InSteps_TakesAboutAsManyBytesAsItMay(bool isFlushed)
    {
        if (isFlushed)
        {
            _storage.Flush();
        }

        for (int left = Runs; left > 0; left -= 3)
        {
            bool isLast = left <= 3;
            Write(transaction => Assert.Equal(
                new PrefixDeletion(Math.Min(3, left), Math.Min(3, left) * (RunBytes + 8L), isLast),
                transaction.Trees.CreateTree("parts"u8).DeletePrefix([0, 0, 0, 0], (2 * RunBytes) + 100)));
            Assert.Equal(Math.Max(0, left - 3), CountRuns());
            Assert.Empty(EnvironmentVerifier.Verify(_storage));
        }
    }

    /// <summary>A run of the transaction itself, one changed in it, one of scratch, one of the data file: each is freed, committed, rolled back and
    /// recovered alike.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void DeletePrefix_OfRunsInAllPlaces_FreesThem(bool commits)
    {
        _storage.Flush();
        Write(transaction => transaction.Trees.CreateTree("parts"u8).ReserveRun(KeyOf(Runs), RunBytes, out _).Fill(1));
        long free = CountFree();
        using (WriteTransaction transaction = _storage.BeginWrite())
        {
            BTree tree = transaction.Trees.CreateTree("parts"u8);
            tree.ReserveRun(KeyOf(Runs + 1), RunBytes, out _).Fill(1);
            tree.ReserveRun(KeyOf(0), RunBytes, out _).Fill(9);
            Assert.True(tree.DeletePrefix([0, 0, 0, 0], long.MaxValue).IsDone);
            if (commits)
            {
                transaction.Commit();
            }
        }

        Assert.Equal(commits ? 0 : Runs + 1, CountRuns());
        Assert.Equal(commits, CountFree() > free);
        Assert.Empty(EnvironmentVerifier.Verify(_storage));
        _storage.Abandon();
        _storage = StorageEnvironment.Open(_platform, Path, s_options);
        Assert.Equal(commits ? 0 : Runs + 1, CountRuns());
        Assert.Empty(EnvironmentVerifier.Verify(_storage));
    }

    /// <summary>A reference that cannot be right is damage, before any page is taken from its owner.</summary>
    [Theory]
    [InlineData(0, 1)]
    [InlineData(-1, 1)]
    [InlineData(FreeSpaceMap.BitmapIndex, 1)]
    [InlineData(FreeSpaceMap.FirstIndex, 0)]
    [InlineData(FreeSpaceMap.FirstIndex, FreeSpaceMap.SectionPages)]
    [InlineData(FreeSpaceMap.SectionPages, 1)]
    [InlineData(1L << 40, 1)]
    public void FreeRun_OfPagesThatNoRunCanHave_IsDamage(long first, int pages)
    {
        using WriteTransaction transaction = _storage.BeginWrite();
        int bytes = (pages * Page.Size) - PageHeader.SizeOf;
        Assert.Throws<CorruptedPageException>(() => transaction.FreeRun(new PageNumber(first), bytes));
        Assert.False(transaction.HasChanges);
    }

    [Fact]
    public void FreeRun_UpToTheLastPageInUse_IsARunAndNoMoreIsOne()
    {
        using WriteTransaction transaction = _storage.BeginWrite();
        PageNumber next = transaction.NextPage;
        Assert.True(FreeSpaceMap.CanHold(next + -3, 3, next));
        Assert.False(FreeSpaceMap.CanHold(next + -3, 4, next));
        Assert.True(FreeSpaceMap.CanHold(new PageNumber(FreeSpaceMap.FirstIndex), FreeSpaceMap.RunPagesMax, new PageNumber(FreeSpaceMap.SectionPages)));
        Assert.False(FreeSpaceMap.CanHold(new PageNumber(FreeSpaceMap.FirstIndex + 1), FreeSpaceMap.RunPagesMax, new PageNumber(1L << 30)));
    }

    [Fact]
    public void FreeRun_OfARunOfTheTransactionWithAnotherSize_IsDamage()
    {
        using WriteTransaction transaction = _storage.BeginWrite();
        transaction.Trees.CreateTree("parts"u8).ReserveRun(KeyOf(Runs), RunBytes, out PageNumber first).Clear();
        Assert.Throws<CorruptedPageException>(() => transaction.FreeRun(first, RunBytes + Page.Size));
        transaction.FreeRun(first, RunBytes);
        Assert.Throws<CorruptedPageException>(() => transaction.FreeRun(first, RunBytes));
    }

    private static byte[] KeyOf(int number)
    {
        byte[] key = new byte[8];
        BinaryPrimitives.WriteInt32BigEndian(key.AsSpan(4), number);
        return key;
    }

    private void Write(Action<WriteTransaction> change)
    {
        using WriteTransaction transaction = _storage.BeginWrite();
        change(transaction);
        transaction.Commit();
    }

    private long CountRuns()
    {
        using ReadTransaction read = _storage.BeginRead();
        return read.Trees.FindTree("parts"u8)!.EntryCount;
    }

    private long CountFree()
    {
        using ReadTransaction read = _storage.BeginRead();
        long free = 0;
        FreeSpaceMap.ForEachFreeRun(read, read.State.NextPage, (_, count) => free += count);
        return free;
    }

    private void Reopen()
    {
        _storage.Dispose();
        _storage = StorageEnvironment.Open(_platform, Path, s_options);
    }

    private unsafe void DamageAllRuns()
    {
        List<long> places = [];
        using (ReadTransaction read = _storage.BeginRead())
        {
            for (int i = 0; i < Runs; i++)
            {
                Assert.True(read.Trees.FindTree("parts"u8)!.TryGetRun(KeyOf(i), out PageNumber first, out _));
                places.Add(first.Offset);
            }
        }

        _storage.Dispose();
        using (PalFile file = _platform.OpenFile(Path + "/data", FileOpening.Existing, FileUse.Data))
        {
            byte* page = stackalloc byte[Page.Size];
            new Span<byte>(page, Page.Size).Fill(0xEE);
            foreach (long place in places)
            {
                var write = new PalPageWrite { Base = page, Offset = place, Length = Page.Size };
                file.WritePages(new ReadOnlySpan<PalPageWrite>(in write));
            }
        }

        _storage = StorageEnvironment.Open(_platform, Path, s_options);
    }
}
