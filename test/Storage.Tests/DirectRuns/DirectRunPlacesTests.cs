using Jackdaw.Pal.InMemory;
using Jackdaw.Pal.Simulation;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.FreeSpace;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Verification;

namespace Jackdaw.Storage.Tests.DirectRuns;

/// <summary>Which pages a direct run may take, and when those of a freed one are used or given back.</summary>
public sealed class DirectRunPlacesTests : IDisposable
{
    private readonly RunStorage _runs = new();

    public void Dispose() => _runs.Dispose();

    /// <summary>Pages that were freed are used for ordinary runs at once, and for direct ones when the transaction that freed them is synced.</summary>
    [Theory]
    [InlineData(false, false)]
    [InlineData(false, true)]
    [InlineData(true, false)]
    [InlineData(true, true)]
    public void FreedPages_AreUsedForDirectRunsWhenTheirTransactionIsSynced(bool wasDirect, bool isDirect)
    {
        PageNumber place = _runs.Put(1, 1, wasDirect);
        _runs.FlushAndSync();
        _runs.Delete(1);
        if (!isDirect)
        {
            Assert.Equal(place, _runs.Put(2, 2, isDirect: false));
            return;
        }

        Assert.NotEqual(place, _runs.Put(2, 2));
        _runs.Storage.Flush();
        Assert.NotEqual(place, _runs.Put(3, 3));
        _runs.Storage.Sync();
        Assert.Equal(place, _runs.Put(4, 4));
        _runs.RequireSound();
        _runs.CutPower();
        Assert.All((byte[])[2, 3, 4], key => _runs.RequireRun(key, key));
        _runs.RequireSound();
    }

    [Fact]
    public void FreedPages_OfATransactionThatWasRolledBack_AreNotUsed()
    {
        PageNumber place = _runs.Put(1, 1);
        _runs.FlushAndSync();
        using (WriteTransaction transaction = _runs.Storage.BeginWrite())
        {
            RunStorage.Tree(transaction).Delete(RunStorage.KeyOf(1));
            Assert.NotEqual(place, RunStorage.Put(transaction, 2, 2));
            transaction.WriteDirectRuns();
        }

        _runs.RequireRun(1, 1);
        Assert.NotEqual(place, _runs.Put(3, 3));
        _runs.RequireRun(1, 1);
        _runs.RequireSound();
    }

    /// <summary>In use in a state between the synced one and the newest: free in both.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Pages_TakenAndFreedSinceTheSync_AreNotUsed(bool wasDirect)
    {
        _runs.FlushAndSync();
        PageNumber place = _runs.Put(1, 1, wasDirect);
        using (ReadTransaction reader = _runs.Storage.BeginRead())
        {
            _runs.Delete(1);
            Assert.NotEqual(place, _runs.Put(2, 2));
            RunStorage.RequireRun(reader, 1, 1);
            _runs.Storage.Flush(); // up to what the reader sees
            RunStorage.RequireRun(reader, 1, 1);
            _runs.RequireRun(2, 2);
        }

        _runs.CutPower();
        _runs.RequireRun(2, 2);
        _runs.RequireSound();
    }

    /// <summary>Who freed a page is not stored: after a recovery every free page counts as freed since the sync.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Pages_FreedBeforeAKill_AreUsedAfterTheNextSync(bool isSyncedBefore)
    {
        PageNumber place = _runs.Put(1, 1);
        _runs.Put(2, 2);
        _runs.FlushAndSync();
        _runs.Delete(1);
        if (isSyncedBefore)
        {
            _runs.FlushAndSync();
        }

        _runs.Kill();
        Assert.Equal(isSyncedBefore, place == _runs.Put(3, 3));
        _runs.FlushAndSync();
        Assert.Equal(!isSyncedBefore, place == _runs.Put(4, 4));
        _runs.CutPower();
        Assert.All((byte[])[2, 3, 4], key => _runs.RequireRun(key, key));
        _runs.RequireSound();
    }

    /// <summary>What a reader sees stays, however much is freed, written and synced beside it.</summary>
    [Fact]
    public void DirectRun_ThatAReaderSees_StaysUntilTheReaderEnds()
    {
        PageNumber place = _runs.Put(1, 1);
        _runs.FlushAndSync();
        using (ReadTransaction reader = _runs.Storage.BeginRead())
        {
            _runs.Delete(1);
            for (byte i = 2; i < 30; i++)
            {
                _runs.Put(2, i);
                _runs.FlushAndSync();
                _runs.Storage.PunchHoles();
                RunStorage.RequireRun(reader, 1, 1);
            }
        }

        _runs.FlushAndSync();
        PageNumber[] places = [.. Enumerable.Range(3, 30).Select(key => _runs.Put(key, 3))];
        Assert.Contains(place, places);
    }

    /// <summary>Free in the synced state and in the newest one, and a direct run in between, which a reader sees.</summary>
    [Fact]
    public void PunchHoles_WhereADirectRunWasFreedSinceTheSync_WaitsForTheNextSync()
    {
        // Free in the synced state: a run that was there before.
        _runs.Put(1, 1);
        _runs.FlushAndSync();
        _runs.Delete(1);
        _runs.FlushAndSync();
        PageNumber place = _runs.Put(2, 2);
        using (ReadTransaction reader = _runs.Storage.BeginRead())
        {
            _runs.Delete(2);
            _runs.Storage.PunchHoles();
            RunStorage.RequireRun(reader, 2, 2);
            Assert.DoesNotContain(_runs.Platform.Operations, call =>
                call.Kind == PalOperationKind.PunchHole && call.Offset <= place.Offset && place.Offset < call.Offset + call.Length);
        }

        _runs.FlushAndSync();
        _runs.Storage.PunchHoles();
        Assert.Contains(_runs.Platform.Operations, call =>
            call.Kind == PalOperationKind.PunchHole && call.Offset <= place.Offset && place.Offset < call.Offset + call.Length);
        _runs.RequireSound();
    }

    [Fact]
    public void DirectRun_InAHole_GetsItsBlocksBeforeItIsWritten()
    {
        PageNumber place = _runs.Put(1, 1);
        _runs.Put(2, 2);
        _runs.FlushAndSync();
        _runs.Delete(1);
        _runs.FlushAndSync();
        Assert.True(_runs.Storage.PunchHoles());
        Assert.NotEqual(0, _runs.Storage.HoleBytes);
        List<string> calls = _runs.Record(() => Assert.Equal(place, _runs.Put(3, 3)));
        Assert.Equal(["FillHole data", "WritePages data", "Sync data", "WriteJournal journal"], calls);
        _runs.CutPower();
        _runs.RequireRun(3, 3);
        _runs.RequireSound();
    }

    [Fact]
    public void DirectRun_InAHoleOfAFullDisk_IsRefusedAndChangesNothing()
    {
        _runs.Put(1, 1);
        _runs.Put(2, 2);
        _runs.FlushAndSync();
        _runs.Delete(1);
        _runs.FlushAndSync();
        _runs.Storage.PunchHoles();
        _runs.Platform.CapacityBytes = _runs.Platform.UsedBytes + (4 * Page.Size);
        Assert.Throws<DiskFullException>(() => _runs.Put(3, 3));
        Assert.Null(_runs.Storage.Failure);
        _runs.RequireNone(3);
        _runs.Platform.CapacityBytes = 1L << 40;
        _runs.Put(3, 3);
        _runs.RequireRun(3, 3);
        _runs.RequireSound();
    }

    [Fact]
    public void DirectRun_AtTheEndOfTheFile_GrowsItFirst()
    {
        const int large = 4 << 20;
        _runs.Put(1, 1);
        List<string> calls = _runs.Record(() => _runs.Put(2, 2, bytes: large));
        Assert.Equal(["Allocate data", "WritePages data", "Sync data", "WriteJournal journal"], calls.Where(call => call != "FillHole data"));
        _runs.CutPower();
        _runs.RequireRun(2, 2, large);
        _runs.RequireSound();
    }

    /// <summary>Pages behind the end of a transaction that never was: the next one takes them again.</summary>
    [Fact]
    public void DirectRun_OfATransactionThatAPowerCutTook_LeavesNothing()
    {
        PageNumber place;
        using (WriteTransaction transaction = _runs.Storage.BeginWrite())
        {
            place = RunStorage.Put(transaction, 1, 1);
            transaction.WriteDirectRuns();
            SimulatedPlatform left = _runs.Platform.Crash(new CrashOptions { Retention = CrashRetention.All });
            using StorageEnvironment recovered = StorageEnvironment.Open(left, RunStorage.Path, RunStorage.Options);
            Assert.Empty(EnvironmentVerifier.Verify(recovered));
            using WriteTransaction next = recovered.BeginWrite();
            Assert.Equal(place, RunStorage.Put(next, 2, 2));
            next.Commit();
            using ReadTransaction read = recovered.BeginRead();
            RunStorage.RequireRun(read, 2, 2);
        }

        _runs.RequireNone(1);
    }

    /// <summary>Half a gigabyte: a run that does not fit what is left of a section begins the next one.</summary>
    [Fact]
    [Trait("Tier", "Full")]
    public void DirectRun_ThatDoesNotFitTheSection_BeginsTheNext()
    {
        using StorageEnvironment storage = StorageEnvironment.Open(
            new MemoryPlatform(), RunStorage.Path, RunStorage.Options with { ScratchBytesMax = 1L << 30 });
        List<PageNumber> places = [];
        for (byte i = 1; i < 4; i++)
        {
            using WriteTransaction transaction = storage.BeginWrite();
            places.Add(RunStorage.Put(transaction, i, i, bytes: Page.OverflowBytesMax / 3 * 2));
            transaction.Commit();
        }

        Assert.True(places[1].Value < FreeSpaceMap.SectionPages);
        Assert.Equal(FreeSpaceMap.SectionPages + FreeSpaceMap.FirstIndex, places[^1].Value);
        using ReadTransaction read = storage.BeginRead();
        RunStorage.RequireRun(read, 3, 3, Page.OverflowBytesMax / 3 * 2);
        Assert.Empty(EnvironmentVerifier.Verify(storage));
    }
}
