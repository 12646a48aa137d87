using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Scratch;

namespace Jackdaw.Storage.Tests.Scratch;

public sealed unsafe class PageTableTests : IDisposable
{
    private readonly ScratchPool _pool = new();
    private readonly PageTable _table;

    public PageTableTests() => _table = new PageTable(_pool);

    public void Dispose() => _pool.Dispose();

    [Fact]
    public void Find_SeesTheNewestVersionOfItsTransaction()
    {
        byte* first = Add(5, 1);
        PageTable.Snapshot one = Capture(1);
        byte* second = Add(5, 2);
        PageTable.Snapshot two = Capture(2);
        Assert.True(one.Find(new PageNumber(5)) == first);
        Assert.True(two.Find(new PageNumber(5)) == second);
        Assert.True(two.Find(new PageNumber(6)) == null);
    }

    /// <summary>The header in memory is only the short way: what it says of another page or transaction does not count.</summary>
    [Fact]
    public void Find_HeaderThatIsWrong_IsDecidedByTheRecord()
    {
        byte* first = Add(5, 1);
        byte* second = Add(5, 2, floor: 1);
        new Page(second).Header.PageNumber = new PageNumber(77);
        Assert.True(Capture(2).Find(new PageNumber(5)) == second);
        Assert.True(Capture(1).Find(new PageNumber(5)) == first);
        Assert.True(Capture(2).Find(new PageNumber(77)) == null);
        new Page(second).Header.PageNumber = new PageNumber(5);
        new Page(second).Header.LastTransactionId = 99;
        Assert.True(Capture(2).Find(new PageNumber(5)) == second);
        Assert.True(Capture(1).Find(new PageNumber(5)) == first);
    }

    [Fact]
    public void Find_FreedPage_IsNotInScratch()
    {
        byte* first = Add(5, 1);
        PageTable.Snapshot one = Capture(1);
        lock (_table.ChangeLock)
        {
            Assert.True(_table.HasVersion(new PageNumber(5)));
            _table.Add(new PageNumber(5), 0, null, 2, 1, SequenceOf(1));
            Assert.False(_table.HasVersion(new PageNumber(5)));
        }

        Assert.True(Capture(2).Find(new PageNumber(5)) == null);
        Assert.True(one.Find(new PageNumber(5)) == first);
    }

    [Fact]
    public void Add_VersionsBelowTheFloor_ArePrunedAndReclaimedOnce()
    {
        for (long transaction = 1; transaction <= 10; transaction++)
        {
            Add(5, transaction, floor: transaction - 1);
        }

        Assert.Equal(2, _table.Count);
        Assert.Equal(10 * Page.Size, _pool.RentedBytes);
        Reclaim(SequenceOf(5));
        Assert.Equal(7 * Page.Size, _pool.RentedBytes);
        Reclaim(long.MaxValue);
        Assert.Equal(2 * Page.Size, _pool.RentedBytes);
    }

    /// <summary>Most pages change once between two flushes: their old version must not wait for the next change.</summary>
    [Fact]
    public void Add_OtherPages_CutTheVersionsThatNoReaderNeedsAnyMore()
    {
        Add(5, 1);
        Add(5, 2, floor: 1);
        Add(6, 3, floor: 1);
        Assert.Equal(3, _table.Count);
        Add(7, 4, floor: 2);
        Assert.Equal(3, _table.Count);
        Reclaim(long.MaxValue);
        Assert.Equal(3 * Page.Size, _pool.RentedBytes);
        byte* newest = Add(5, 5, floor: 4);
        Assert.True(Capture(5).Find(new PageNumber(5)) == newest);
        Assert.Equal(4, _table.Count);
    }

    [Fact]
    public void Add_ReplacedVersionWhoseRecordServesAnotherPage_LeavesThatAlone()
    {
        Add(5, 1);
        Add(5, 2, floor: 1);
        Remove(5, 2, SequenceOf(2));
        Reclaim(long.MaxValue);
        byte* first = Add(8, 3, floor: 0);
        byte* second = Add(8, 4, floor: 0);
        PageTable.Snapshot three = Capture(3);
        Add(9, 5, floor: 2);
        Assert.True(three.Find(new PageNumber(8)) == first);
        Assert.True(Capture(5).Find(new PageNumber(8)) == second);
        Assert.Equal(3, _table.Count);
    }

    /// <summary>A version that a flush took out is not taken out again with the ones behind it.</summary>
    [Fact]
    public void Add_ReplacedVersionThatWasUnlinked_IsGivenBackOnce()
    {
        Add(5, 1);
        Add(5, 2, floor: 1);
        Remove(5, 2, SequenceOf(2));
        Assert.Equal(0, _table.Count);
        Add(9, 3, floor: 2);
        Assert.Equal(1, _table.Count);
        Reclaim(long.MaxValue);
        Assert.Equal(Page.Size, _pool.RentedBytes);
    }

    /// <summary>What a long reader held up is cut a little with each addition, so that no commit pays for all of it.</summary>
    [Fact]
    public void Add_AfterALongReader_CutsAFew()
    {
        const int pageCount = 1000;
        for (long transaction = 1; transaction <= 2; transaction++)
        {
            for (int page = 1; page <= pageCount; page++)
            {
                Add(page, transaction, floor: transaction - 1);
            }
        }

        Add(pageCount + 1, 3, floor: 2);
        Assert.InRange(_table.Count, (2 * pageCount) - 10, 2 * pageCount);
        for (int page = 1; page <= pageCount; page++)
        {
            Add(pageCount + 1 + page, 4, floor: 3);
        }

        Assert.Equal((2 * pageCount) + 1, _table.Count);
    }

    [Fact]
    public void Reclaim_ReaderOfTheUnlinkingState_KeepsTheMemory()
    {
        Add(5, 1);
        Remove(5, 1, SequenceOf(1));
        Reclaim(SequenceOf(1));
        Assert.Equal(Page.Size, _pool.RentedBytes);
        Reclaim(SequenceOf(1) + 1);
        Assert.Equal(0, _pool.RentedBytes);
        Assert.Equal(0, _table.Count);
    }

    /// <summary>A flush looks at the published state and then unlinks; a submitted transaction may be published in between, and
    /// its first readers may stand on what is being unlinked.</summary>
    [Fact]
    public void Reclaim_ReaderOfAStatePublishedWhileUnlinking_KeepsTheMemory()
    {
        Add(5, 1);
        long published = SequenceOf(1);
        Add(6, 2, floor: 1);
        PageTable.Snapshot submitted = Capture(2);
        Assert.True(submitted.Find(new PageNumber(5)) != null);
        Remove(5, 1, published);

        Reclaim(SequenceOf(2));
        Assert.Equal(2 * Page.Size, _pool.RentedBytes);
        Reclaim(SequenceOf(2) + 1);
        Assert.Equal(Page.Size, _pool.RentedBytes);
    }

    [Fact]
    public void Add_GrowthWhileAnOldSnapshotIsRead_LeavesItAlone()
    {
        List<nint> addresses = [];
        for (int page = 1; page <= 1000; page++)
        {
            addresses.Add((nint)Add(page, 1));
        }

        PageTable.Snapshot old = Capture(1);
        for (int page = 1; page <= 10_000; page++)
        {
            Add(page, 2, floor: 1);
        }

        PageTable.Snapshot grown = Capture(2);
        for (int page = 1; page <= 10_000; page++)
        {
            byte* expected = page <= 1000 ? (byte*)addresses[page - 1] : null;
            Assert.True(old.Find(new PageNumber(page)) == expected);
            Assert.True(grown.Find(new PageNumber(page)) != null);
            Assert.True(grown.Find(new PageNumber(page)) != expected);
        }
    }

    [Fact]
    public void Collect_PicksTheNewestVersionUpToATransaction()
    {
        Add(5, 1);
        byte* second = Add(5, 2);
        Add(5, 3);
        Add(6, 3);
        lock (_table.ChangeLock)
        {
            _table.Add(new PageNumber(7), 0, null, 2, 0, 0);
        }

        List<PageTable.PageVersion> versions = [];
        lock (_table.ChangeLock)
        {
            _table.Collect(2, versions);
        }

        Assert.Equal(
            [new PageTable.PageVersion(new PageNumber(5), 1, (nint)second), new PageTable.PageVersion(new PageNumber(7), 0, 0)],
            versions.OrderBy(version => version.Page.Value));
    }

    private static long SequenceOf(long transaction) => StateSequence.FirstOf(transaction);

    private byte* Add(long page, long transaction, long floor = 0)
    {
        byte* address = _pool.Rent(1);
        ref PageHeader header = ref new Page(address).Header;
        header.PageNumber = new PageNumber(page);
        header.LastTransactionId = transaction;
        lock (_table.ChangeLock)
        {
            _table.Add(new PageNumber(page), 1, address, transaction, floor, SequenceOf(transaction - 1));
        }

        return address;
    }

    private void Remove(long page, long transaction, long sequence)
    {
        lock (_table.ChangeLock)
        {
            _table.Remove(new PageNumber(page), transaction, sequence);
        }
    }

    private void Reclaim(long oldest)
    {
        lock (_table.ChangeLock)
        {
            _table.Reclaim(oldest);
        }
    }

    private PageTable.Snapshot Capture(long transaction)
    {
        lock (_table.ChangeLock)
        {
            return _table.Capture(transaction);
        }
    }
}
