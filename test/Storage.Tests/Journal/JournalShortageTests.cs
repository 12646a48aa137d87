using Jackdaw.Pal;
using Jackdaw.Pal.InMemory;
using Jackdaw.Pal.Simulation;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Transactions;
using Jackdaw.TestKit;

namespace Jackdaw.Storage.Tests.Journal;

/// <summary>A journal that cannot be prepared because the process has too many files open: nobody minds until a write needs it, and then that
/// write alone is refused.</summary>
public sealed class JournalShortageTests : IDisposable
{
    private const int FileBytes = 512 * 1024;

    /// <summary>For the background, at each of the many writes between the half of a file and its end.</summary>
    private static readonly TimeSpan s_glance = TimeSpan.FromMilliseconds(20);

    private readonly MemoryPlatform _memory = new();
    private readonly HookedPlatform _platform;
    private readonly ManualTime _time = new();
    private readonly StorageEnvironment _storage;
    private volatile bool _isShort;
    private int _written;

    public JournalShortageTests()
    {
        _time.Advance(TimeSpan.FromSeconds(1));
        _platform = new HookedPlatform(_memory) { BeforeNameChange = FailToCreate };
        _storage = Open();
        Write();
    }

    public void Dispose() => _storage.Dispose();

    [Fact]
    public void NextJournal_ThatCannotBeOpened_IsPreparedLater()
    {
        _isShort = true;
        WriteUntil(() => SpinWait.SpinUntil(() => _storage.JournalProblem is not null, s_glance)); // else one write more is needed

        Assert.Null(_storage.Failure);
        Assert.Contains("too many", _storage.Figures.JournalProblem, StringComparison.OrdinalIgnoreCase);
        _isShort = false;
        _time.Advance(TimeSpan.FromSeconds(2));
        Write();
        Eventually.IsTrue(() => _storage.Journals.FileCount == 2);
        Eventually.IsTrue(() => _storage.JournalProblem is null);
        RequireAll(_storage);
    }

    [Fact]
    public void Write_ThatNeedsAJournalWhichCannotBeOpened_IsRefusedAlone()
    {
        _isShort = true;
        Assert.Throws<ResourceShortageException>(() => WriteUntil(() => false));
        Assert.Throws<ResourceShortageException>(Write);
        Assert.Null(_storage.Failure);
        RequireAll(_storage);
        _isShort = false;
        Write();
        RequireAll(_storage);
        _storage.Abandon();
        using StorageEnvironment reopened = Open();
        RequireAll(reopened);
    }

    [Fact]
    public void Journal_WhoseNameCannotBeMadeDurable_GivesItsNumberBack()
    {
        var random = new SimulatedPlatform();
        using StorageEnvironment storage = StorageEnvironment.Open(random, "/db", Options());
        SimulatedFault fault = random.Inject(new SimulatedFault { Effect = FaultEffect.TooManyFiles, Kind = PalOperationKind.RenameSync });
        Assert.Throws<ResourceShortageException>(() => Write(storage, 1));
        Assert.Equal(1, fault.Fired);
        Assert.Null(storage.Failure);
        Assert.Empty(random.ListDirectory("/db/Journals"));
        Write(storage, 1);
        Assert.Single(random.ListDirectory("/db/Journals"), "0000000000000000001.journal");
    }

    [Theory]
    [InlineData(PalOperationKind.Open)]
    [InlineData(PalOperationKind.RenameSync)]
    public void Sync_ThatCannotOpenAJournalToRetireIt_LeavesItToTheNext(PalOperationKind kind)
    {
        var platform = new SimulatedPlatform();
        using StorageEnvironment storage = StorageEnvironment.Open(platform, "/db", Options());
        for (int i = 0; storage.Journals.FileCount < 4; i++)
        {
            Write(storage, i % 50);
        }

        storage.Flush();
        int before = storage.Journals.FileCount;
        SimulatedFault fault = platform.Inject(new SimulatedFault
        {
            Effect = FaultEffect.TooManyFiles,
            Kind = kind,
            PathContains = "/Journals/",
        });
        storage.Sync();
        Assert.Equal(1, fault.Fired);
        Assert.Null(storage.Failure);
        Assert.InRange(storage.Journals.FileCount, 1, before);
        storage.Sync();
        Assert.InRange(storage.Journals.FileCount, 1, 2);
        Write(storage, 0);
        Assert.Null(storage.Failure);
    }

    [Fact]
    public void Sync_WithoutRoomForASpareFilesName_DeletesTheJournal()
    {
        var platform = new SimulatedPlatform();
        using StorageEnvironment storage = StorageEnvironment.Open(platform, "/db", Options());
        for (int i = 0; storage.Journals.FileCount < 3; i++)
        {
            Write(storage, i);
        }

        storage.Flush();
        SimulatedFault fault = platform.Inject(new SimulatedFault { Effect = FaultEffect.NoSpace, Kind = PalOperationKind.Rename });
        storage.Sync();
        Assert.Equal(1, fault.Fired);
        Assert.Null(storage.Failure);
        Assert.DoesNotContain("0000000000000000001.journal", platform.ListDirectory("/db/Journals"));
        Write(storage, 0);
    }

    [Fact]
    public void Sync_ThatCannotDeleteAJournalNobodyNeeds_TellsAndLeavesItToTheNext()
    {
        var platform = new SimulatedPlatform();
        using StorageEnvironment storage = StorageEnvironment.Open(platform, "/db", Options());
        for (int i = 0; storage.Journals.FileCount < 4; i++)
        {
            Write(storage, i % 50);
        }

        // Without a spare name the first two are deleted, of which the first stays.
        storage.Flush();
        platform.Inject(new SimulatedFault { Effect = FaultEffect.NoSpace, Kind = PalOperationKind.Rename });
        SimulatedFault fault = platform.Inject(new SimulatedFault { Effect = FaultEffect.IoError, Kind = PalOperationKind.Delete });
        storage.Sync();

        Assert.Equal(1, fault.Fired);
        Assert.Null(storage.Failure);
        Assert.Equal(1, storage.Figures.FailedJournalDeletions);
        Assert.Contains("0000000000000000001.journal", storage.Figures.JournalDeletionProblem, StringComparison.Ordinal);
        Assert.Contains("0000000000000000001.journal", platform.ListDirectory("/db/Journals"));
        Write(storage, 0);
        platform.ClearFaults();
        storage.Sync();
        Assert.DoesNotContain("0000000000000000001.journal", platform.ListDirectory("/db/Journals"));
        Assert.Null(storage.Figures.JournalDeletionProblem);
        Assert.Equal(1, storage.Figures.FailedJournalDeletions);
    }

    [Fact]
    public void Opening_ThatCannotDeleteASpareJournal_WarnsAndGoesOn()
    {
        var platform = new SimulatedPlatform();
        using (StorageEnvironment storage = StorageEnvironment.Open(platform, "/db", Options()))
        {
            Write(storage, 1);
        }

        platform.OpenFile("/db/Journals/pool-left", FileOpening.CreateNew, FileUse.Journal).Dispose();
        platform.Inject(new SimulatedFault { Effect = FaultEffect.IoError, Kind = PalOperationKind.Delete });
        using (StorageEnvironment storage = StorageEnvironment.Open(platform, "/db", Options()))
        {
            Assert.Contains("pool-left", Assert.Single(storage.Warnings), StringComparison.Ordinal);
            Write(storage, 2);
        }

        platform.ClearFaults();
        using StorageEnvironment reopened = StorageEnvironment.Open(platform, "/db", Options());
        Assert.Empty(reopened.Warnings);
        Assert.DoesNotContain("pool-left", platform.ListDirectory("/db/Journals"));
    }

    private static StorageOptions Options() => new() { BackgroundFlush = false, JournalFileBytes = FileBytes, Time = new LeapingTime() };

    private StorageEnvironment Open() => StorageEnvironment.Open(_platform, "/db", Options() with { Time = _time });

    private void FailToCreate(NameChange change, string path)
    {
        if (_isShort && change == NameChange.Create && path.Contains("/pool-", StringComparison.Ordinal))
        {
            throw new PalException(PalStatus.TooManyFiles, "open", path, 24, "Too many open files");
        }
    }

    private void WriteUntil(Func<bool> isDone)
    {
        while (!isDone())
        {
            Write();
        }
    }

    private void Write()
    {
        Write(_storage, _written);
        _written++;
    }

    private static void Write(StorageEnvironment storage, int key)
    {
        byte[] value = new byte[1500];
        new Random(key).NextBytes(value);
        using WriteTransaction transaction = storage.BeginWrite();
        transaction.Trees.CreateTree("t").Put(BitConverter.GetBytes(key), value);
        transaction.Commit();
    }

    private void RequireAll(StorageEnvironment storage)
    {
        using ReadTransaction read = storage.BeginRead();
        Assert.Equal(_written, read.Trees.FindTree("t")!.EntryCount);
    }
}
