using Jackdaw.Pal;
using Jackdaw.Pal.Simulation;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Journal;
using Jackdaw.Storage.Transactions;
using Jackdaw.TestKit;

namespace Jackdaw.Storage.Tests.Journal;

/// <summary>A journal of before the start that nobody needs: when it is used again, it is no larger than it really is, and has its blocks.</summary>
public sealed class RecycledJournalTests
{
    private const string First = "/db/Journals/0000000000000000001.journal";
    private const string Second = "/db/Journals/0000000000000000002.journal";
    private const int FileBytes = 512 * 1024;

    [Theory]
    [InlineData(FileBytes, true)]
    [InlineData(64 * 1024, true)]
    [InlineData(FileBytes - 4000, false)]
    public void Journal_ThatWasCut_LeavesTheNextOnesWhole(int length, bool hasHeaderRecord)
    {
        var platform = new SimulatedPlatform();
        LeaveJournal(platform, length, hasHeaderRecord);
        StorageEnvironment storage = Open(platform);
        Assert.Equal(1, storage.Journals.FileCount);
        int written = WriteInOneMoreJournal(platform, storage);
        Write(storage, written);
        long last = storage.Current.TransactionId;
        storage.Abandon();
        using StorageEnvironment reopened = Open(platform);
        Assert.Equal(last, reopened.Current.TransactionId);
        Assert.Empty(reopened.Warnings);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Journal_ThatCannotBeRead_KeepsNobodyFromOpeningUnlessItIsNeeded(bool isNeeded)
    {
        var platform = new SimulatedPlatform();
        LeaveJournal(platform, FileBytes, hasHeaderRecord: true);
        if (isNeeded)
        {
            StorageEnvironment killed = Open(platform);
            Write(killed, 1);
            killed.Abandon();
        }

        platform.Inject(new SimulatedFault
        {
            Effect = FaultEffect.IoError,
            Kind = PalOperationKind.Read,
            PathContains = isNeeded ? Second : First,
            Repeats = true,
        });
        if (isNeeded)
        {
            Assert.Equal(PalStatus.IoError, Assert.Throws<PalException>(() => Open(platform)).Status);
            platform.ClearFaults();
        }

        using StorageEnvironment storage = Open(platform);
        Assert.Equal(!isNeeded, storage.Warnings.Any(warning => warning.Contains("cannot be read", StringComparison.Ordinal)));
        Write(storage, 1);
        storage.Flush();
        storage.Sync();
        Assert.False(platform.Exists(First));
    }

    [Fact]
    public void Journal_ThatCameBackWithoutItsZeros_GetsItsBlocksBeforeItIsUsedAgain()
    {
        var platform = new SimulatedPlatform();
        StorageEnvironment original = Open(platform);
        Write(original, 0);
        original.Abandon();
        using (PalFile file = platform.OpenFile(First, FileOpening.Existing, FileUse.Data))
        {
            file.PunchHole(FileBytes / 4, FileBytes / 4 * 3);
            file.Sync(SyncKind.Full);
        }

        using StorageEnvironment storage = Open(platform);
        int written = WriteInOneMoreJournal(platform, storage);
        platform.CapacityBytes = 1;
        Exception? told = null;
        for (int i = 0; i < FileBytes / 512 && told is null; i++)
        {
            told = Record.Exception(() => Write(storage, ++written % 20));
        }

        Assert.IsType<DiskFullException>(told);
        Assert.Null(storage.Failure);
    }

    /// <summary>A storage that was closed, and a journal that was on its way out then.</summary>
    private static void LeaveJournal(SimulatedPlatform platform, int length, bool hasHeaderRecord)
    {
        byte[] journal;
        using (StorageEnvironment storage = Open(platform))
        {
            Write(storage, 0);
            journal = platform.ReadAll(First);
            Assert.Equal(FileBytes, journal.Length);
        }

        Assert.False(platform.Exists(First));
        if (!hasHeaderRecord)
        {
            journal.AsSpan(0, JournalFormat.BlockSize).Clear();
        }

        platform.Create(First, journal.AsSpan(0, length));
    }

    /// <summary>Until the second journal is not needed either; returns how many times.</summary>
    private static int WriteInOneMoreJournal(SimulatedPlatform platform, StorageEnvironment storage)
    {
        int written = 0;
        do
        {
            Write(storage, ++written);
            storage.Flush();
            storage.Sync();
        }
        while (platform.Exists(Second));
        return written;
    }

    private static StorageEnvironment Open(SimulatedPlatform platform) =>
        StorageEnvironment.Open(platform, "/db", new StorageOptions { BackgroundFlush = false, JournalFileBytes = FileBytes });

    private static void Write(StorageEnvironment storage, int key)
    {
        byte[] value = new byte[6000];
        new Random(key).NextBytes(value);
        using WriteTransaction transaction = storage.BeginWrite();
        transaction.Trees.CreateTree($"t{key}").Put(BitConverter.GetBytes(key), value);
        transaction.Commit();
    }
}
