using Jackdaw.Storage.Compaction;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Reports;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Trees;
using Jackdaw.TestKit;

namespace Jackdaw.Storage.Tests.DirectRuns;

/// <summary>Runs that are written to the data file at once: order of the calls, what readers and the transaction itself see, what it costs.</summary>
public sealed class DirectRunTests : IDisposable
{
    private const int LargeBytes = 1 << 20;
    private readonly RunStorage _runs = new();

    public void Dispose() => _runs.Dispose();

    [Fact]
    public void Commit_OfADirectRun_WritesAndSyncsItBeforeItsEntry_AndTheJournalOnlyNamesIt()
    {
        _runs.Put(1, 1); // grows the file, and opens it for direct runs
        CommitCosts before = _runs.Storage.Statistics.Sum;
        List<string> calls = _runs.Record(() => _runs.Put(2, 2, bytes: LargeBytes / 8));
        Assert.Equal(["FillHole data", "WritePages data", "Sync data", "WriteJournal journal"], calls);
        CommitCosts costs = _runs.Storage.Statistics.Sum;
        Assert.Equal(before.DirectRuns + 1, costs.DirectRuns);
        Assert.Equal(before.DirectBytes + (17 * Page.Size), costs.DirectBytes);
        Assert.InRange(costs.RawBytes - before.RawBytes, 1, 1500);
        Assert.InRange(costs.DirectMicroseconds, before.DirectMicroseconds, long.MaxValue);
    }

    [Fact]
    public void Commit_OfManyDirectRuns_SyncsOnce()
    {
        _runs.Put(1, 1);
        List<string> calls = _runs.Record(() => _runs.Write(transaction =>
        {
            for (int i = 0; i < 20; i++)
            {
                RunStorage.Put(transaction, i, (byte)i);
                if (i % 6 == 5)
                {
                    transaction.WriteDirectRuns();
                    transaction.WriteDirectRuns(); // nothing is left
                }
            }
        }));
        Assert.Equal(4, calls.Count(call => call == "WritePages data"));
        Assert.Equal(1, calls.Count(call => call == "Sync data"));
        Assert.Equal(["Sync data", "WriteJournal journal"], calls[^2..]);
        for (int i = 0; i < 20; i++)
        {
            _runs.RequireRun(i, (byte)i);
        }
    }

    /// <summary>What is on its way to the disk at once is bounded, whether the transaction writes its runs in time or at its end.</summary>
    [Theory]
    [InlineData(100)]
    [InlineData(3)]
    public void Commit_OfMuch_SyncsEachSliceOfIt(int perWrite)
    {
        _runs.Put(1, 1);
        List<string> calls = _runs.Record(() => _runs.Write(transaction =>
        {
            for (int i = 0; i < 30; i++)
            {
                RunStorage.Put(transaction, i, (byte)i, bytes: LargeBytes);
                if (i % perWrite == perWrite - 1)
                {
                    transaction.WriteDirectRuns();
                }
            }
        }));
        string[] writes = [.. calls.Where(call => call is "WritePages data" or "Sync data" or "WriteJournal journal")];
        Assert.Equal(["Sync data", "WriteJournal journal"], writes[^2..]);
        Assert.InRange(writes.Count(call => call == "Sync data"), 3, 6);
        Assert.InRange(writes.Count(call => call == "WritePages data"), 4, 10);
        Assert.DoesNotContain("WritePages data|WritePages data|WritePages data|WritePages data", string.Join('|', writes), StringComparison.Ordinal);
        CommitCosts costs = _runs.Storage.Statistics.Sum;
        Assert.Equal((31, (RunStorage.RunPages + (30L * 129)) * Page.Size), (costs.DirectRuns, costs.DirectBytes));
        _runs.CutPower();
        for (int i = 0; i < 30; i++)
        {
            _runs.RequireRun(i, (byte)i, LargeBytes);
        }

        _runs.RequireSound();
    }

    [Fact]
    public void Commit_WithoutDirectRuns_TouchesTheDataFileNot()
    {
        _runs.Put(1, 1, isDirect: false);
        List<string> calls = _runs.Record(() => _runs.Put(2, 2, isDirect: false));
        Assert.DoesNotContain(calls, call => call is "WritePages data" or "Sync data");
        Assert.Equal(0, _runs.Storage.Statistics.Sum.DirectBytes);
    }

    /// <summary>The reader after the commit reads the data file, before any flush, and no memory is held.</summary>
    [Theory]
    [InlineData(BTree.InlineValueBytesMax + 1)]
    [InlineData(Page.BodySize)]
    [InlineData(Page.BodySize + 1)]
    [InlineData(3 * LargeBytes)]
    public void Readers_OfADirectRun_ReadTheDataFileAtOnce(int bytes)
    {
        using ReadTransaction older = _runs.Storage.BeginRead();
        PageNumber first = _runs.Put(1, 7, bytes: bytes);
        using ReadTransaction read = _runs.Storage.BeginRead();
        Assert.True(read.IsInDataFile(first));
        RunStorage.RequireRun(read, 1, 7, bytes);
        Assert.False(older.Trees.FindTree("parts"u8)!.Contains(RunStorage.KeyOf(1)));
        Assert.Equal(bytes, read.GetPage(first).OverflowValue.Length);
        Assert.InRange(_runs.Storage.Scratch.RentedBytes, 0, 20 * Page.Size);
        _runs.RequireSound();
        _runs.FlushAndSync();
        _runs.RequireRun(1, 7, bytes);
        _runs.RequireSound();
    }

    [Fact]
    public void Transaction_BeforeAndAfterItWroteItsRuns_ReadsThem_AndTheirMemoryIsReturned()
    {
        using WriteTransaction transaction = _runs.Storage.BeginWrite();
        PageNumber first = RunStorage.Put(transaction, 1, 9);
        Require(9);
        long before = transaction.ScratchBytes;
        transaction.WriteDirectRuns();
        Assert.Equal(before - (RunStorage.RunPages * Page.Size), transaction.ScratchBytes);
        Require(9);
        Assert.Equal(transaction.TransactionId, transaction.GetPage(first).Header.LastTransactionId);
        transaction.Commit();
        _runs.RequireRun(1, 9);

        void Require(byte fill)
        {
            Assert.True(RunStorage.Tree(transaction).TryGet(RunStorage.KeyOf(1), out ReadOnlySpan<byte> value));
            Assert.Equal(RunStorage.RunBytes, value.Length);
            Assert.False(value.ContainsAnyExcept(fill));
        }
    }

    /// <summary>A transaction with more direct runs than memory may hold, as long as it writes them in time.</summary>
    [Fact]
    public void Transaction_ThatWritesItsRunsInTime_IsNotBoundByMemory()
    {
        using var runs = new RunStorage(RunStorage.Options with { ScratchBytesMax = 4 * LargeBytes });
        runs.Write(transaction =>
        {
            for (int i = 0; i < 16; i++)
            {
                RunStorage.Put(transaction, i, (byte)i, bytes: LargeBytes);
                transaction.WriteDirectRuns();
            }
        });
        Assert.Throws<TransactionTooLargeException>(() => runs.Write(transaction =>
        {
            for (int i = 0; i < 16; i++)
            {
                RunStorage.Put(transaction, i, (byte)i, bytes: LargeBytes);
            }
        }));
        runs.RequireRun(15, 15, LargeBytes);
        runs.RequireSound();
    }

    [Theory]
    [InlineData(int.MinValue)]
    [InlineData(0)]
    [InlineData(BTree.InlineValueBytesMax)]
    [InlineData(Page.OverflowBytesMax + 1)]
    public void ReserveDirectRun_OfALengthThatIsNoRun_IsRefusedBeforeAnyChange(int length)
    {
        using WriteTransaction transaction = _runs.Storage.BeginWrite();
        Assert.ThrowsAny<ArgumentException>(() => RunStorage.Tree(transaction).ReserveDirectRun([1], length, out _));
        Assert.Throws<ArgumentOutOfRangeException>(() => RunStorage.Tree(transaction).ReserveDirectRun(new byte[BTree.KeyBytesMax + 1], 3000, out _));
        Assert.ThrowsAny<ArgumentException>(() => transaction.AllocateDirect(Math.Min(length, 0), 1));
        Assert.ThrowsAny<ArgumentException>(() => transaction.AllocateDirect(Page.OverflowBytesMax + 1, 1));
        Assert.False(transaction.HasChanges);
    }

    /// <summary>Every way a value under a key may be replaced, in one transaction or in two, written early or not; each recovered, too.</summary>
    [Theory]
    [CombinatorialRuns]
    public void Value_ReplacedInAllWays_IsTheLastOne(Kind first, bool writesBetween, bool isSameTransaction, Kind second, bool isSameSize)
    {
        int bytes = isSameSize ? RunStorage.RunBytes : RunStorage.RunBytes / 2;
        using (WriteTransaction transaction = _runs.Storage.BeginWrite())
        {
            PutKind(transaction, first, 1, RunStorage.RunBytes);
            if (writesBetween)
            {
                transaction.WriteDirectRuns();
            }

            if (isSameTransaction)
            {
                PutKind(transaction, second, 2, bytes);
            }

            transaction.Commit();
        }

        if (!isSameTransaction)
        {
            using ReadTransaction before = _runs.Storage.BeginRead();
            _runs.Write(transaction => PutKind(transaction, second, 2, bytes));
            RequireKind(before, first, 1, RunStorage.RunBytes);
        }

        for (int round = 0; round < 4; round++)
        {
            using (ReadTransaction read = _runs.Storage.BeginRead())
            {
                RequireKind(read, second, 2, bytes);
            }

            _runs.RequireSound();
            (round switch { 0 => (Action)_runs.CutPower, 1 => _runs.FlushAndSync, _ => _runs.Reopen })();
        }
    }

    /// <summary>A new direct run never takes the place of the one that it replaces, however equal they are.</summary>
    [Fact]
    public void ReserveDirectRun_OverARunOfTheSameSize_IsElsewhere_AndDirect()
    {
        PageNumber first = _runs.Put(1, 1);
        long runs = _runs.Storage.Statistics.Sum.DirectRuns;
        PageNumber second = _runs.Put(1, 2);
        Assert.NotEqual(first, second);
        Assert.Equal(runs + 1, _runs.Storage.Statistics.Sum.DirectRuns);
        _runs.RequireRun(1, 2);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void DirectRun_FreedByItsOwnTransaction_LeavesNothing(bool isWritten)
    {
        long free = _runs.CountFree();
        _runs.Write(transaction =>
        {
            RunStorage.Put(transaction, 1, 1);
            if (isWritten)
            {
                transaction.WriteDirectRuns();
            }

            Assert.True(RunStorage.Tree(transaction).Delete(RunStorage.KeyOf(1)));
            RunStorage.Put(transaction, 2, 2);
        });
        Assert.Equal(1, _runs.Storage.Statistics.Sum.DirectRuns);
        _runs.RequireNone(1);
        _runs.RequireRun(2, 2);
        Assert.InRange(_runs.CountFree(), free + RunStorage.RunPages - 1, free + RunStorage.RunPages);
        _runs.RequireSound();
        _runs.CutPower();
        _runs.RequireNone(1);
        _runs.RequireRun(2, 2);
        _runs.RequireSound();
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Rollback_OfDirectRuns_LeavesTheirPagesFree(bool isWritten)
    {
        _runs.Put(1, 1);
        _runs.FlushAndSync();
        long free = _runs.CountFree();
        PageNumber next = _runs.Storage.Current.NextPage;
        PageNumber first;
        using (WriteTransaction transaction = _runs.Storage.BeginWrite())
        {
            first = RunStorage.Put(transaction, 2, 2);
            if (isWritten)
            {
                transaction.WriteDirectRuns();
            }
        }

        Assert.Equal((free, next), (_runs.CountFree(), _runs.Storage.Current.NextPage));
        Assert.InRange(_runs.Storage.Scratch.RentedBytes, 0, 0);
        _runs.RequireSound();
        Assert.Equal(first, _runs.Put(3, 3));
        _runs.RequireRun(3, 3);
        _runs.CutPower();
        _runs.RequireNone(2);
        _runs.RequireRun(3, 3);
        _runs.RequireSound();
    }

    /// <summary>What a recovery has to read makes a storage flush, whether it is in the journal or in the data file.</summary>
    [Fact]
    public void DirectBytes_CountForTheNextFlush()
    {
        using StorageEnvironment storage = StorageEnvironment.Open(new Pal.InMemory.MemoryPlatform(), "/db", new StorageOptions
        {
            FlushAtJournalBytes = 2 * LargeBytes,
            IdleFlushMs = int.MaxValue / 2,
        });
        using (WriteTransaction transaction = storage.BeginWrite())
        {
            RunStorage.Put(transaction, 1, 1, bytes: 3 * LargeBytes);
            transaction.Commit();
        }

        Eventually.IsTrue(() => storage.Flusher.SyncedTransaction == 1);
    }

    [Fact]
    public void Reports_KnowDirectRunsBeforeTheyAreFlushed()
    {
        long before = FolderReport.Read(_runs.Platform, RunStorage.Path).Storages[0].DataBytes;
        _runs.Put(1, 1, bytes: 2 * LargeBytes);
        FolderReport report = FolderReport.Read(_runs.Platform, RunStorage.Path);
        Assert.InRange(report.Storages[0].DataBytes, before + LargeBytes, before + (4 * LargeBytes));
        Assert.InRange(report.Journals.Sum(journal => journal.Bytes), 0, LargeBytes);
        StorageContents contents = StorageContents.Read(_runs.Storage, 10);
        Assert.Equal(Page.CountPages(2 * LargeBytes) + 1, contents.Trees.Single(tree => tree.Name == "parts").Pages);
        Assert.InRange(_runs.Storage.FileBytes, 2 * LargeBytes, 8 * LargeBytes);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Compaction_CopiesDirectRuns(bool isFlushed)
    {
        for (byte i = 0; i < 20; i++)
        {
            _runs.Put(i, i);
        }

        for (int i = 0; i < 20; i += 2)
        {
            _runs.Delete(i);
        }

        if (isFlushed)
        {
            _runs.FlushAndSync();
        }

        _runs.Storage.Abandon();
        CompactionResult result = StorageCompaction.Run(_runs.Platform, RunStorage.Path, [], RunStorage.Options);
        Assert.Equal(10, result.Entries);
        _runs.Open();
        for (byte i = 1; i < 20; i += 2)
        {
            _runs.RequireRun(i, i);
        }

        _runs.RequireSound();
    }

    private static void PutKind(WriteTransaction transaction, Kind kind, byte fill, int bytes)
    {
        if (kind is Kind.Direct or Kind.Ordinary)
        {
            RunStorage.Put(transaction, 1, fill, kind == Kind.Direct, bytes);
        }
        else if (kind == Kind.Small)
        {
            RunStorage.Tree(transaction).Put(RunStorage.KeyOf(1), [fill]);
        }
        else
        {
            RunStorage.Tree(transaction).Delete(RunStorage.KeyOf(1));
        }
    }

    private static void RequireKind(ReadTransaction read, Kind kind, byte fill, int bytes)
    {
        if (kind == Kind.None)
        {
            Assert.False(read.Trees.FindTree("parts"u8)!.Contains(RunStorage.KeyOf(1)));
        }
        else
        {
            RunStorage.RequireRun(read, 1, fill, kind == Kind.Small ? 1 : bytes);
        }
    }

    /// <summary>What is under a key.</summary>
    public enum Kind
    {
        Direct,
        Ordinary,
        Small,
        None,
    }

    /// <summary>All combinations of the arguments.</summary>
    [AttributeUsage(AttributeTargets.Method)]
    private sealed class CombinatorialRunsAttribute : Xunit.Sdk.DataAttribute
    {
        public override IEnumerable<object[]> GetData(System.Reflection.MethodInfo testMethod) =>
            from first in Enum.GetValues<Kind>()
            from writesBetween in (bool[])[false, true]
            from isSameTransaction in (bool[])[false, true]
            from second in Enum.GetValues<Kind>()
            from isSameSize in (bool[])[false, true]
            where first == Kind.Direct || second == Kind.Direct
            select new object[] { first, writesBetween, isSameTransaction, second, isSameSize };
    }
}
