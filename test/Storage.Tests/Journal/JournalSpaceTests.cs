using Jackdaw.Pal;
using Jackdaw.Pal.InMemory;
using Jackdaw.Pal.Simulation;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Transactions;
using Jackdaw.TestKit;

namespace Jackdaw.Storage.Tests.Journal;

/// <summary>How journal files grow, switch and are used again, seen through a storage.</summary>
public sealed class JournalSpaceTests
{
    private const int FileBytes = 64 * 1024;
    private readonly MemoryPlatform _platform = new();

    [Fact]
    public void Files_FilledSlowly_KeepTheirSizeAndAreUsedAgain()
    {
        using StorageEnvironment storage = Open(new LeapingTime());
        for (int round = 0; round < 30; round++)
        {
            Write(storage, 20, 3_000);
            storage.Flush();
            storage.Sync();
        }

        Assert.All(ListSizes(), size => Assert.Equal(FileBytes, size));
        Assert.InRange(ListSizes().Count, 1, 6);
        Assert.InRange(storage.Journals.FileCount, 1, 3);
    }

    [Fact]
    public void Files_FilledInNoTime_Double()
    {
        var time = new ManualTime();
        time.Advance(TimeSpan.FromSeconds(1));
        using StorageEnvironment storage = Open(time);
        Write(storage, 200, 3_000);
        Assert.InRange(ListSizes().Max(), 4 * FileBytes, 64 * FileBytes);
        Assert.All(ListSizes(), size => Assert.Equal(0, size % FileBytes));
    }

    /// <summary>A sixteenth of the room that is left bounds the size, and is seldom a multiple of a block.</summary>
    [Theory]
    [InlineData(100)]
    [InlineData(4097)]
    [InlineData(50_001)]
    public void Files_GrownOnADiskWithLittleRoom_ConsistOfWholeBlocks(int moreBytes)
    {
        var platform = new SimulatedPlatform();
        var time = new ManualTime();
        time.Advance(TimeSpan.FromSeconds(1));
        using StorageEnvironment storage = StorageEnvironment.Open(platform, "/db",
            new StorageOptions { BackgroundFlush = false, JournalFileBytes = FileBytes, Time = time });
        Write(storage, 60, 3_000);
        platform.CapacityBytes = platform.UsedBytes + (16 * (FileBytes + moreBytes));
        Write(storage, 60, 3_000);
        Assert.Null(storage.Failure);
        Assert.Equal(120, storage.Current.TransactionId);
    }

    [Fact]
    public void Write_LargerThanAFile_GetsALargeEnoughFile()
    {
        using StorageEnvironment storage = Open(new LeapingTime());
        Write(storage, 1, 5_000_000);
        Write(storage, 30, 3_000);
        Assert.Contains(ListSizes(), size => size >= 5_000_000);
        storage.Abandon();
        using StorageEnvironment reopened = Open(new LeapingTime());
        Assert.Equal(31, reopened.Current.TransactionId);
    }

    private StorageEnvironment Open(TimeProvider time) => StorageEnvironment.Open(_platform, "/db",
        new StorageOptions { BackgroundFlush = false, JournalFileBytes = FileBytes, Time = time });

    /// <summary>Sizes of all files of the folder. A file gets its number in the background: then it is looked for again.</summary>
    private List<long> ListSizes()
    {
        while (true)
        {
            try
            {
                return [.. _platform.ListDirectory("/db/Journals").Select(name => GetLength("/db/Journals/" + name))];
            }
            catch (PalException e) when (e.Status == PalStatus.NotFound)
            {
                Thread.Yield();
            }
        }
    }

    private long GetLength(string path)
    {
        using PalFile file = _platform.OpenFile(path, FileOpening.Existing, FileUse.ReadOnly);
        return file.GetLength();
    }

    private static void Write(StorageEnvironment storage, int transactions, int bytes)
    {
        byte[] value = new byte[bytes];
        for (int i = 0; i < transactions; i++)
        {
            new Random(i).NextBytes(value);
            using WriteTransaction transaction = storage.BeginWrite();
            transaction.Trees.CreateTree("t").Put([(byte)i], value);
            transaction.Commit();
        }
    }
}
