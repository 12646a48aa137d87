using Jackdaw.Pal;
using Jackdaw.Pal.Simulation;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Journal;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Storage.Tests.DirectRuns;

/// <summary>Calls that fail on the way of a direct run: what is told, what is left, and that it goes on where it can.</summary>
public sealed class DirectRunFailureTests : IDisposable
{
    private readonly RunStorage _runs = new();

    public DirectRunFailureTests()
    {
        _runs.Put(1, 1);
        _runs.FlushAndSync();
        _runs.Put(2, 2);
    }

    public void Dispose() => _runs.Dispose();

    /// <summary>A failed write or sync of the data file is final, as a flush's is: nobody knows what the file has.</summary>
    [Theory]
    [InlineData(PalOperationKind.WritePages, FaultEffect.IoError)]
    [InlineData(PalOperationKind.Sync, FaultEffect.IoError)]
    [InlineData(PalOperationKind.Sync, FaultEffect.NoSpace)]
    [InlineData(PalOperationKind.Sync, FaultEffect.SyncFailsKeepingCache)]
    [InlineData(PalOperationKind.Sync, FaultEffect.SyncFailsReverting)]
    public void Commit_WhoseDirectRunsCannotBeWritten_StopsTheStorage_AndLosesNothingElse(PalOperationKind kind, FaultEffect effect)
    {
        SimulatedFault fault = Inject(kind, effect);
        using (WriteTransaction transaction = _runs.Storage.BeginWrite())
        {
            RunStorage.Put(transaction, 3, 3);
            Assert.Throws<StoragePoisonedException>(transaction.Commit);
        }

        Assert.Equal(1, fault.Fired);
        Assert.NotNull(_runs.Storage.Failure);
        Assert.Throws<StoragePoisonedException>(() => _runs.Storage.Flush());
        Assert.Throws<StoragePoisonedException>(() => _runs.Put(4, 4));
        RequireOnlyFirstTwo(_runs.Reopen);
        RequireOnlyFirstTwo(_runs.CutPower);
    }

    /// <summary>No space for the entry: the runs are written, and their pages are free again.</summary>
    [Fact]
    public void Commit_WhoseEntryFindsNoSpace_IsRefused_AndItsPagesAreUsedByTheNext()
    {
        PageNumber place;
        using (WriteTransaction transaction = _runs.Storage.BeginWrite())
        {
            place = RunStorage.Put(transaction, 3, 3);
            for (int i = 0; i < 10; i++)
            {
                RunStorage.Put(transaction, 100 + i, 3, isDirect: false);
            }

            Inject(PalOperationKind.Allocate, FaultEffect.NoSpace, "/pool-");
            Assert.Throws<DiskFullException>(transaction.Commit);
        }

        Assert.Null(_runs.Storage.Failure);
        _runs.RequireNone(3);
        _runs.RequireSound();
        Assert.Equal(place, _runs.Put(5, 5));
        _runs.CutPower();
        _runs.RequireNone(3);
        _runs.RequireRun(5, 5);
        _runs.RequireSound();
    }

    /// <summary>An entry that fails to be written: the transaction may be found or not, and its run with it.</summary>
    [Theory]
    [InlineData(FaultEffect.IoError)]
    [InlineData(FaultEffect.WriteFailsKeepingCache)]
    public void Commit_WhoseEntryCannotBeWritten_IsThereWholeOrNotAtAll(FaultEffect effect)
    {
        Inject(PalOperationKind.WriteJournal, effect, "");
        using (WriteTransaction transaction = _runs.Storage.BeginWrite())
        {
            RunStorage.Put(transaction, 3, 3);
            Assert.Throws<StoragePoisonedException>(transaction.Commit);
        }

        _runs.Reopen();
        using (ReadTransaction read = _runs.Storage.BeginRead())
        {
            bool isThere = read.Trees.FindTree("parts"u8)!.Contains(RunStorage.KeyOf(3));
            Assert.True(isThere || effect == FaultEffect.IoError);
        }

        _runs.RequireSound();
        _runs.Put(4, 4);
        _runs.CutPower();
        _runs.RequireRun(4, 4);
        _runs.RequireSound();
    }

    [Fact]
    public void Write_ThatFindsTheDiskFull_IsRefused_AndTheNextOneGoesOn()
    {
        Inject(PalOperationKind.WritePages, FaultEffect.NoSpace, repeats: true);
        using (WriteTransaction transaction = _runs.Storage.BeginWrite())
        {
            RunStorage.Put(transaction, 3, 3);
            Assert.Throws<DiskFullException>(transaction.WriteDirectRuns);
        }

        _runs.Platform.ClearFaults();
        Assert.Null(_runs.Storage.Failure);
        _runs.RequireNone(3);
        _runs.Put(4, 4);
        _runs.RequireRun(4, 4);
        _runs.RequireSound();
    }

    /// <summary>Some of the runs are written, and the others are still in memory.</summary>
    [Fact]
    public void Write_ThatFindsTheDiskFullInTheMiddle_IsRefused_AndReturnsAllMemory()
    {
        long rented = _runs.Storage.Scratch.RentedBytes;
        SimulatedFault fault = _runs.Platform.Inject(new SimulatedFault
        {
            Effect = FaultEffect.NoSpace,
            Kind = PalOperationKind.WritePages,
            PathContains = RunStorage.DataPath,
            Occurrence = 3,
            Repeats = true,
        });
        using (WriteTransaction transaction = _runs.Storage.BeginWrite())
        {
            for (int i = 3; i < 33; i++)
            {
                RunStorage.Put(transaction, i, 3, bytes: 1 << 20);
            }

            Assert.Throws<DiskFullException>(transaction.Commit);
        }

        Assert.InRange(fault.Fired, 1, 2);
        Assert.Equal(rented, _runs.Storage.Scratch.RentedBytes);
        _runs.Platform.ClearFaults();
        _runs.RequireNone(3);
        _runs.Put(4, 4, bytes: 1 << 20);
        _runs.RequireRun(4, 4, 1 << 20);
        _runs.RequireSound();
    }

    [Fact]
    public void Write_ThatFindsTheDiskFull_TakesTheRoomOfSpareJournals()
    {
        _runs.Storage.Journals.FillPool(2, 64 * 1024);
        SimulatedFault fault = Inject(PalOperationKind.WritePages, FaultEffect.NoSpace);
        _runs.Put(3, 3);
        Assert.Equal(1, fault.Fired);
        Assert.DoesNotContain(_runs.Platform.ListDirectory(RunStorage.Path + "/" + JournalFormat.FolderName),
            name => name.StartsWith("pool-", StringComparison.Ordinal));
        _runs.RequireRun(3, 3);
    }

    /// <summary>The file is opened for direct runs when the first is written.</summary>
    [Fact]
    public void FirstWrite_WithoutAFileDescriptor_IsRefused_AndTheNextOneGoesOn()
    {
        _runs.Reopen();
        Inject(PalOperationKind.Open, FaultEffect.TooManyFiles);
        using (WriteTransaction transaction = _runs.Storage.BeginWrite())
        {
            RunStorage.Put(transaction, 3, 3);
            Assert.Throws<ResourceShortageException>(transaction.Commit);
        }

        Assert.Null(_runs.Storage.Failure);
        _runs.RequireNone(3);
        _runs.Put(4, 4);
        _runs.RequireRun(4, 4);
    }

    /// <summary>Somebody moved the folder, and another storage is in its place: not a byte of that one is touched.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void FirstWrite_WhereAnotherStorageHasTheFolder_StopsTheStorage(bool isThereAnother)
    {
        _runs.Reopen();
        _runs.Platform.RenameDurable(RunStorage.Path, "/moved");
        byte[] before = [];
        if (isThereAnother)
        {
            StorageEnvironment.Open(_runs.Platform, RunStorage.Path, RunStorage.Options).Dispose();
            before = ReadAll(RunStorage.DataPath);
        }

        using (WriteTransaction transaction = _runs.Storage.BeginWrite())
        {
            RunStorage.Put(transaction, 3, 3);
            Assert.Throws<StoragePoisonedException>(transaction.WriteDirectRuns);
        }

        _runs.Storage.Dispose();
        if (isThereAnother)
        {
            Assert.Equal(before, ReadAll(RunStorage.DataPath));
            _runs.Platform.DeleteDirectory(RunStorage.Path);
        }

        _runs.Platform.RenameDurable("/moved", RunStorage.Path);
        _runs.Open();
        RequireOnlyFirstTwo(() => { });
    }

    [Fact]
    public void Write_AfterTheStorageWasStopped_TouchesNothing()
    {
        using (WriteTransaction transaction = _runs.Storage.BeginWrite())
        {
            RunStorage.Put(transaction, 3, 3);
            _runs.Storage.Health.Fail(new IOException("the test stops it"));
            byte[] before = ReadAll(RunStorage.DataPath);
            Assert.Throws<StoragePoisonedException>(transaction.WriteDirectRuns);
            Assert.Throws<StoragePoisonedException>(transaction.Commit);
            Assert.Equal(before, ReadAll(RunStorage.DataPath));
        }

        RequireOnlyFirstTwo(_runs.Reopen);
    }

    /// <summary>A flush and a direct write at the same time each hear of their own failure: the flusher's sync does not count as done because the
    /// writer's was told of the failure.</summary>
    [Fact]
    public void Failure_OfADirectWrite_IsNotTheFlushers()
    {
        _runs.Put(4, 4, isDirect: false);
        _runs.Storage.Flush();
        long synced = _runs.Storage.Flusher.SyncedTransaction;
        Inject(PalOperationKind.Sync, FaultEffect.SyncFailsKeepingCache);
        using (WriteTransaction transaction = _runs.Storage.BeginWrite())
        {
            RunStorage.Put(transaction, 3, 3);
            Assert.Throws<StoragePoisonedException>(transaction.Commit);
        }

        // The flusher may be past the check whether the storage stopped.
        Assert.Equal(PalStatus.IoError, Assert.Throws<PalException>(_runs.Storage.DataFile.Sync).Status);
        Assert.Throws<StoragePoisonedException>(() => _runs.Storage.Sync());
        Assert.Equal(synced, _runs.Storage.Flusher.SyncedTransaction);
        _runs.CutPower();
        _runs.RequireRun(4, 4);
        _runs.RequireSound();
    }

    private SimulatedFault Inject(PalOperationKind kind, FaultEffect effect, string path = RunStorage.DataPath, bool repeats = false) =>
        _runs.Platform.Inject(new SimulatedFault { Effect = effect, Kind = kind, PathContains = path, Repeats = repeats });

    private void RequireOnlyFirstTwo(Action open)
    {
        open();
        _runs.RequireRun(1, 1);
        _runs.RequireRun(2, 2);
        _runs.RequireNone(3);
        _runs.RequireSound();
        _runs.Put(4, 4);
        _runs.RequireRun(4, 4);
        _runs.Delete(4);
    }

    private unsafe byte[] ReadAll(string path)
    {
        using PalFile file = _runs.Platform.OpenFile(path, FileOpening.Existing, FileUse.ReadOnly);
        byte[] bytes = new byte[file.GetLength()];
        fixed (byte* first = bytes)
        {
            file.Read(0, first, bytes.Length);
        }

        return bytes;
    }
}
