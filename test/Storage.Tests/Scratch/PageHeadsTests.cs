using Jackdaw.Storage.Scratch;

namespace Jackdaw.Storage.Tests.Scratch;

public sealed unsafe class PageHeadsTests
{
    private const int Size = 1024;
    private const long Unit = 4096;

    private readonly PageHeads _heads = new(Size);
    private readonly LineArray<VersionRecord> _records = new(Size * 4);
    private int _used = 1;

    [Fact]
    public void Find_PagesOfOneBucket_GoOnInFurtherLines()
    {
        List<long> pages = PagesOfOneBucket(23);
        pages.ForEach(page => Assert.True(TryAdd(page)));
        pages.ForEach(AssertFound);
        Assert.True(_heads.Find(PagesOfOneBucket(24)[^1], _records.Items).IsNone);

        foreach (long page in pages.Where((_, i) => i % 3 == 0))
        {
            _heads.Find(page, _records.Items).Clear();
        }

        Assert.All(pages.Where((_, i) => i % 3 == 0), page => Assert.True(_heads.Find(page, _records.Items).IsNone));
        Assert.All(pages.Where((_, i) => i % 3 != 0), AssertFound);
        Assert.True(TryAdd(pages[0]));
        AssertFound(pages[0]);
        Assert.Equal(16, _heads.ListRecords().Count());
    }

    [Fact]
    public void TryAdd_NoLineLeft_IsRefusedAndLosesNothing()
    {
        List<long> pages = PagesOfOneBucket(400);
        List<long> added = pages.TakeWhile(TryAdd).ToList();
        Assert.Equal(5 * (1 + (Size / 4 / 4)), added.Count);
        added.ForEach(AssertFound);
        Assert.Equal(added.Count, _heads.ListRecords().Distinct().Count());
    }

    [Fact]
    public void Find_SlotOfAnEqualTag_IsToldApartByItsRecord()
    {
        // Tag and bucket are made of 44 of the 64 bits of the hash: this page has those of page 1 in a table of any size up to 64 k pages.
        long twin = TwinOf(1);
        Assert.True(TryAdd(1));
        Assert.True(_heads.Find(twin, _records.Items).IsNone);
        PageHeads.Candidates candidates = _heads.Look(twin);
        Assert.True(candidates.MoveNext());
        Assert.Equal(1, _records.Items[candidates.Slot.Record].Page);
        Assert.True(TryAdd(twin));
        AssertFound(1);
        AssertFound(twin);
    }

    private static ulong HashOf(long page) => (ulong)page * 0x9E3779B97F4A7C15;

    private static List<long> PagesOfOneBucket(int count)
    {
        const int shift = 64 - 8; // of 1024 / 4 buckets
        return [.. Enumerable.Range(1, int.MaxValue - 1).Select(page => (long)page).Where(page => HashOf(page) >> shift == 7).Take(count)];
    }

    /// <summary>Multiplies by the inverse of the hash's factor: a hash that differs in one of its lowest bits only.</summary>
    private static long TwinOf(long page)
    {
        ulong inverse = 1;
        for (int i = 0; i < 6; i++)
        {
            inverse *= 2 - (0x9E3779B97F4A7C15 * inverse);
        }

        return (long)((HashOf(page) ^ 1) * inverse);
    }

    private bool TryAdd(long page)
    {
        _records.Items[_used] = new VersionRecord { Page = page, Address = (nint)(_used * Unit) };
        return _heads.TryAdd(page, (nint)(_used * Unit), _used++);
    }

    private void AssertFound(long page)
    {
        PageHeads.Slot slot = _heads.Find(page, _records.Items);
        Assert.False(slot.IsNone);
        Assert.Equal(page, _records.Items[slot.Record].Page);
        PageHeads.Candidates candidates = _heads.Look(page);
        List<nint> addresses = [];
        while (candidates.MoveNext())
        {
            addresses.Add(candidates.Address);
        }

        Assert.Contains(_records.Items[slot.Record].Address, addresses);
    }
}
