using System.Buffers.Binary;
using Jackdaw.Pal;
using Jackdaw.Pal.Simulation;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Headers;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Trees;
using Jackdaw.Storage.Verification;

namespace Jackdaw.Storage.Tests.FreeSpace;

/// <summary>Free space goes back to the file system when nobody can need it any more, and comes back before it is used.</summary>
public sealed class HolePuncherTests : IDisposable
{
    private const string Path = "/db";
    private const int Values = 1000;
    private const int ValueBytes = 5000; // one overflow page each
    private static readonly StorageOptions s_options = new() { BackgroundFlush = false, HolePages = 4 };

    private readonly SimulatedPlatform _platform = new() { RecordsOperations = true };
    private StorageEnvironment _storage;

    public HolePuncherTests()
    {
        _storage = StorageEnvironment.Open(_platform, Path, s_options);
        Put(0, Values);
        FlushAndSync();
    }

    public void Dispose() => _storage.Dispose();

    [Fact]
    public void PunchHoles_AfterDeletes_GivesTheSpaceBackAndReuseTakesItAgain()
    {
        long full = _platform.UsedBytes;
        Delete(0, Values * 9 / 10);
        FlushAndSync();
        Assert.True(_storage.PunchHoles());

        long given = full - _platform.UsedBytes;
        Assert.InRange(given, Values * 9L / 10 * 8192 * 8 / 10, full);
        Assert.Equal(given, _storage.HoleBytes);
        RequireSound(Values * 9 / 10, Values);

        Put(0, Values);
        FlushAndSync();
        Assert.InRange(_storage.HoleBytes, 0, given / 2); // the end of the file is not needed again
        Reopen();
        RequireSound(0, Values);
    }

    [Fact]
    public void PunchHoles_OfWhatAReaderStillSees_WaitsForTheReader()
    {
        using (ReadTransaction reader = _storage.BeginRead())
        {
            Delete(0, Values);
            FlushAndSync();
            _storage.PunchHoles();
            Assert.Equal(0, _storage.HoleBytes);
            RequireValues(reader, 0, Values);
        }

        FlushAndSync();
        _storage.PunchHoles();
        Assert.NotEqual(0, _storage.HoleBytes);
    }

    [Fact]
    public void PunchHoles_BrokenSoThatAReaderIsForgotten_IsNoticedByTheReader()
    {
        using ReadTransaction reader = _storage.BeginRead();
        Delete(0, Values);
        using (ReadTransaction newest = _storage.BeginRead())
        {
            Storage.FreeSpace.FreeSpaceMap.ForEachFreeRun(newest, newest.State.NextPage, (page, count) => _storage.DataFile.PunchHole(page, count));
        }

        Assert.ThrowsAny<Exception>(() => RequireValues(reader, 0, Values));
    }

    [Fact]
    public void PunchHoles_BeforeTheSync_DoesNothing()
    {
        _storage.PunchHoles();
        Delete(0, Values);
        _storage.Flush();
        _storage.PunchHoles();
        Assert.Equal(0, _storage.HoleBytes);
    }

    [Fact]
    public void PunchHoles_AfterAFlushThatFoundTheDiskFull_DoesNothing()
    {
        Delete(0, Values);
        var full = new SimulatedFault { Effect = FaultEffect.NoSpace, Kind = PalOperationKind.WritePages, PathContains = "/data", Repeats = true };
        _platform.Inject(full);
        while (full.Fired < 10)
        {
            Assert.Throws<DiskFullException>(() => _storage.Flush()); // leaves a part of the pages in the file
        }

        _storage.PunchHoles();
        Assert.Equal(0, _storage.HoleBytes);
        _platform.ClearFaults();
        FlushAndSync();
        _storage.PunchHoles();
        Assert.NotEqual(0, _storage.HoleBytes);
    }

    [Fact]
    public void PunchHoles_BesideAWriteTransaction_LeavesItsPagesAlone()
    {
        Delete(0, Values);
        FlushAndSync();
        using (WriteTransaction transaction = _storage.BeginWrite())
        {
            transaction.Trees.CreateTree("t").Put(KeyOf(1), new byte[ValueBytes]);
            Assert.False(_storage.PunchHoles());
            transaction.Commit();
        }

        Assert.Equal(0, _storage.HoleBytes);
        Assert.True(_storage.PunchHoles());
        Assert.NotEqual(0, _storage.HoleBytes);
        Delete(1, 2);
        Put(0, Values);
        FlushAndSync();
        RequireSound(0, Values);
    }

    [Fact]
    public void Put_IntoHolesOfAFullDisk_IsRefusedBeforeItIsAccepted()
    {
        Delete(0, Values);
        FlushAndSync();
        _storage.PunchHoles();
        _platform.CapacityBytes = _platform.UsedBytes + (200 * 1024);
        Assert.Throws<DiskFullException>(() => Put(0, Values));
        Assert.Null(_storage.Failure);

        _platform.CapacityBytes = 1L << 40;
        Put(0, Values);
        _platform.CapacityBytes = _platform.UsedBytes;
        FlushAndSync();
        RequireSound(0, Values);
    }

    [Fact]
    public void Recovery_OfPagesInHoles_MakesThemWholeBeforeTheFlush()
    {
        Delete(0, Values);
        FlushAndSync();
        _storage.PunchHoles();
        Put(0, Values);

        // A cut takes the blocks that were only promised; the journals have the pages.
        SimulatedPlatform cut = _platform.Crash(new CrashOptions { Retention = CrashRetention.None });
        using StorageEnvironment recovered = StorageEnvironment.Open(cut, Path, s_options);
        cut.CapacityBytes = cut.UsedBytes;
        Assert.True(recovered.Flush());
        recovered.Sync();
        Assert.Empty(EnvironmentVerifier.Verify(recovered));
        cut.CapacityBytes = 1L << 40;
    }

    [Fact]
    public void PunchHoles_WhereTheVolumeCannot_IsTriedOnce()
    {
        _platform.Inject(new SimulatedFault { Effect = FaultEffect.NotSupported, Kind = PalOperationKind.PunchHole, Repeats = true });
        RequireOnePunchCall(PalStatus.NotSupported, 1);
    }

    [Fact]
    public void PunchHoles_WhereHolesCannotBeFilled_IsNotTried()
    {
        _platform.Inject(new SimulatedFault { Effect = FaultEffect.NotSupported, Kind = PalOperationKind.FillHole, Repeats = true });
        RequireOnePunchCall(PalStatus.NotSupported, 0);
    }

    [Fact]
    public void PunchHoles_ThatFails_IsNotTriedAgainAndStopsNothing()
    {
        _platform.Inject(new SimulatedFault { Effect = FaultEffect.IoError, Kind = PalOperationKind.PunchHole });
        RequireOnePunchCall(PalStatus.IoError, 1);
    }

    [Fact]
    public void PunchHoles_OnADiskThatIsFullForItsOwnRecords_IsTriedAgainAfterTheNextSync()
    {
        _platform.Inject(new SimulatedFault { Effect = FaultEffect.NoSpace, Kind = PalOperationKind.PunchHole });
        Delete(0, Values);
        FlushAndSync();
        _storage.PunchHoles();
        Assert.NotNull(_storage.HoleProblem);
        Put(0, 1);
        FlushAndSync();
        _storage.PunchHoles();
        Assert.Null(_storage.HoleProblem);
        Assert.NotEqual(0, _storage.HoleBytes);
    }

    [Fact]
    public void PunchHoles_AfterAReopen_FindsTheHolesAgain()
    {
        Delete(0, Values);
        FlushAndSync();
        _storage.PunchHoles();
        long holes = _storage.HoleBytes;
        long used = _platform.UsedBytes;
        Reopen();
        Assert.Equal(0, _storage.HoleBytes);
        Assert.True(_storage.PunchHoles());
        Assert.Equal(holes, _storage.HoleBytes);
        Assert.InRange(_platform.UsedBytes, 0, used);
    }

    /// <summary>The first free unit is a hole of before, and to fill it for a try there is no room: that is no reason to give nothing back.</summary>
    [Fact]
    public void PunchHoles_AfterAReopenOnAFullDisk_GivesSpaceBack()
    {
        Delete(0, Values / 2);
        FlushAndSync();
        Assert.True(_storage.PunchHoles());
        Assert.NotEqual(0, _storage.HoleBytes);
        Reopen();
        Delete(Values / 2, Values);
        FlushAndSync();
        long used = _platform.UsedBytes;
        _platform.CapacityBytes = used;

        Assert.True(_storage.PunchHoles());

        Assert.Null(_storage.HoleProblem);
        Assert.InRange(_platform.UsedBytes, 0, used - (Values / 4 * 8192L));
        _platform.CapacityBytes = 1L << 40;
        Put(0, Values);
        FlushAndSync();
        RequireSound(0, Values);
    }

    [Fact]
    public void PunchHoles_WhenACallIsMade_BothDurableHeadersAreAtTheFlushedState()
    {
        int calls = 0;
        List<string> wrong = [];
        Delete(0, Values);
        FlushAndSync();
        long flushed = _storage.Flusher.FlushedTransaction;
        _platform.BeforeOperation = call =>
        {
            if (call.Kind == PalOperationKind.PunchHole)
            {
                calls++;
                SimulatedPlatform cut = _platform.Crash(new CrashOptions { Retention = CrashRetention.None });
                wrong.AddRange(ReadSynced(cut).Where(synced => synced != flushed).Select(synced => $"a copy is at {synced}, not {flushed}"));
            }
        };
        _storage.PunchHoles();
        _platform.BeforeOperation = null;
        Assert.NotEqual(0, calls);
        Assert.Empty(wrong);
    }

    private static unsafe long[] ReadSynced(SimulatedPlatform platform)
    {
        using PalFile file = platform.OpenFile(Path + "/headers", FileOpening.Existing, FileUse.ReadOnly);
        long[] synced = new long[2];
        for (int copy = 0; copy < 2; copy++)
        {
            StorageHeader header;
            file.Read((long)copy * HeaderFile.CopyBytes, (byte*)&header, StorageHeader.SizeOf);
            synced[copy] = header.IsWhole ? header.SyncedTransaction : -1;
        }

        return synced;
    }

    private void RequireOnePunchCall(PalStatus status, int calls)
    {
        Delete(0, Values);
        FlushAndSync();
        _storage.PunchHoles();
        Put(0, 10);
        Delete(0, 10);
        FlushAndSync();
        _storage.PunchHoles();
        Assert.Equal(status, Assert.IsType<PalException>(_storage.HoleProblem).Status);
        Assert.Equal(calls, _platform.Operations.Count(call => call.Kind == PalOperationKind.PunchHole));
        Assert.Equal(0, _storage.HoleBytes);
        Assert.Null(_storage.Failure);
        Put(0, Values);
        FlushAndSync();
        RequireSound(0, Values);
    }

    private void Put(int first, int end) => Change(first, end, (tree, key) =>
    {
        byte[] value = new byte[ValueBytes];
        value.AsSpan().Fill((byte)(key[7] | 1));
        tree.Put(key, value);
    });

    private void Delete(int first, int end) => Change(first, end, (tree, key) => Assert.True(tree.Delete(key)));

    private void Change(int first, int end, Action<BTree, byte[]> change)
    {
        using WriteTransaction transaction = _storage.BeginWrite();
        BTree tree = transaction.Trees.CreateTree("t");
        for (int i = first; i < end; i++)
        {
            change(tree, KeyOf(i));
        }

        transaction.Commit();
    }

    private static byte[] KeyOf(int number)
    {
        byte[] key = new byte[8];
        BinaryPrimitives.WriteInt64BigEndian(key, number);
        return key;
    }

    private void FlushAndSync()
    {
        _storage.Flush();
        _storage.Sync();
    }

    private void Reopen()
    {
        _storage.Dispose();
        _storage = StorageEnvironment.Open(_platform, Path, s_options);
    }

    private void RequireSound(int first, int end)
    {
        Assert.Empty(EnvironmentVerifier.Verify(_storage));
        using ReadTransaction reader = _storage.BeginRead();
        RequireValues(reader, first, end);
    }

    private static void RequireValues(ReadTransaction reader, int first, int end)
    {
        BTree tree = reader.Trees.FindTree("t")!;
        Assert.Equal(end - first, tree.EntryCount);
        for (int i = first; i < end; i++)
        {
            byte[] key = KeyOf(i);
            Assert.True(tree.TryGet(key, out ReadOnlySpan<byte> value));
            Assert.Equal(ValueBytes, value.Length);
            Assert.False(value.ContainsAnyExcept((byte)(key[7] | 1)));
        }
    }
}
