using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Tables;
using Jackdaw.Storage.Verification;
using Jackdaw.TestKit;

namespace Jackdaw.Storage.Tests.Tables;

public sealed class RowHeapTests : IDisposable
{
    private const uint OwnerTag = 77;
    private readonly HeapPages _pages = new();
    private RowHeap _heap;

    public RowHeapTests() => _heap = new RowHeap(_pages, RowHeap.EmptyHeader(OwnerTag));

    public static TheoryData<int> LengthsAroundBounds =>
        new([1, 2, 4057, RowPage.RowBytesMax, RowPage.RowBytesMax + 1, Page.BodySize - 1,
            Page.BodySize, Page.BodySize + 1, Page.BodySize + Page.Size, Page.BodySize + Page.Size + 1, 1_000_000]);

    public void Dispose() => _pages.Dispose();

    [Theory]
    [MemberData(nameof(LengthsAroundBounds))]
    public void Insert_LengthsAroundBounds_ReadBackAndLeaveNothing(int length)
    {
        var ids = new List<RowId>();
        for (int i = 0; i < 20; i++)
        {
            ids.Add(_heap.Insert(MakeRow(i, length)));
        }

        _pages.EndTransaction();
        for (int i = 0; i < ids.Count; i++)
        {
            Assert.True(_heap.Read(ids[i]).SequenceEqual(MakeRow(i, length)));
            Assert.Equal(length > RowPage.RowBytesMax, ids[i].IsOverflow);
        }

        Check(ids);
        ids.ForEach(_heap.Delete);
        Check([]);
        Assert.Equal(0, _heap.Header.OverflowPages);
    }

    [Fact]
    public void Insert_TwoLargestRows_FillOnePage()
    {
        RowId first = _heap.Insert(MakeRow(1, RowPage.RowBytesMax));
        RowId second = _heap.Insert(MakeRow(2, RowPage.RowBytesMax));
        RowId third = _heap.Insert(MakeRow(3, 1));

        Assert.Equal(first.Page, second.Page);
        Assert.NotEqual(first.Page, third.Page);
    }

    [Fact]
    public void Insert_LengthsOutOfRange_AreRefused()
    {
        Assert.Throws<ArgumentOutOfRangeException>(() => _heap.Insert([]));
        Assert.Throws<ArgumentOutOfRangeException>(() => { _heap.Reserve(Page.OverflowBytesMax + 1, out _); });
        Assert.Empty(_pages.UsedPages);
    }

    [Fact]
    public void Insert_BatchOfRows_TouchesFewPages()
    {
        for (int i = 0; i < 2_100; i++)
        {
            _heap.Insert(MakeRow(i, 1_000));
        }

        _pages.EndTransaction();
        long before = _pages.ModifiedPages;
        for (int i = 0; i < 16; i++)
        {
            _heap.Insert(MakeRow(i, 1_000));
        }

        // Directory, and 16 rows at eight to a page.
        Assert.InRange(_pages.ModifiedPages - before, 1, 4);
    }

    [Fact]
    public void InsertAndDelete_ChangeFewBytesBesidesTheRow()
    {
        RowId first = _heap.Insert(MakeRow(1, 100));
        _heap.Insert(MakeRow(2, 100));
        byte[] before = Copy(first.Page);
        byte[] directoryBefore = Copy(_heap.ActiveSection);
        RowId added = _heap.Insert(MakeRow(3, 100));
        byte[] inserted = Copy(first.Page);
        _heap.Delete(first);
        byte[] deleted = Copy(first.Page);

        Assert.Equal(first.Page, added.Page);
        // Row, slot, lower, upper, count.
        Assert.InRange(before.Zip(inserted).Count(pair => pair.First != pair.Second), 90, 100 + 4 + 6);
        // Slot, list of freed slots, garbage.
        Assert.InRange(inserted.Zip(deleted).Count(pair => pair.First != pair.Second), 1, 4 + 2 + 2);
        Assert.InRange(directoryBefore.Zip(Copy(_heap.ActiveSection)).Count(pair => pair.First != pair.Second), 1, 6);
    }

    [Fact]
    public void Sections_GrowWithTheHeap()
    {
        _heap.Insert(MakeRow(1, 100));
        Assert.Equal(RowSection.PageCountMin, _heap.PageCount);
        while (_heap.SectionCount < 8)
        {
            _heap.Insert(MakeRow(1, 4_000));
        }

        // 8, 8, 16, 32, 64, 128, 128, 128 pages with their directories, and a leaf of the section tree.
        Assert.Equal(8 + 8 + 16 + 32 + 64 + (3 * 128) + 1, _heap.PageCount);
        Assert.Equal(_heap.PageCount, _pages.UsedPages.Count);
    }

    [Fact]
    public void Update_FittingItsPage_KeepsTheId()
    {
        RowId[] ids = [.. Enumerable.Range(0, 4).Select(i => _heap.Insert(MakeRow(i, 1_500)))];
        int[] lengths = [10, 3_600, 1_500, 2_000];
        for (int i = 0; i < 4; i++)
        {
            Assert.Equal(ids[i], _heap.Update(ids[i], MakeRow(i + 10, lengths[i])));
            Check(ids);
        }

        for (int i = 0; i < 4; i++)
        {
            Assert.True(_heap.Read(ids[i]).SequenceEqual(MakeRow(i + 10, lengths[i])));
        }

        RowId moved = _heap.Update(ids[0], MakeRow(5, 4_000));
        Assert.NotEqual(ids[0], moved);
        Assert.Throws<CorruptedPageException>(() => { _heap.Read(ids[0]); });
    }

    [Fact]
    public void Update_OverflowRun_KeepsTheIdWhileThePageCountStays()
    {
        RowId id = _heap.Insert(MakeRow(1, Page.BodySize + 1));
        Assert.Equal(id, _heap.Update(id, MakeRow(2, Page.BodySize + Page.Size)));
        Assert.True(_heap.Read(id).SequenceEqual(MakeRow(2, Page.BodySize + Page.Size)));
        RowId moved = _heap.Update(id, MakeRow(3, Page.BodySize));
        Assert.NotEqual(id, moved);
        RowId small = _heap.Update(moved, MakeRow(4, 20));
        Assert.False(small.IsOverflow);
        Check([small]);
    }

    [Fact]
    public void Read_OfRowsThatAreNot_Refuses()
    {
        RowId id = _heap.Insert(MakeRow(1, 100));
        RowId other = _heap.Insert(MakeRow(1, 100));
        _heap.Delete(id);

        Assert.Throws<CorruptedPageException>(() => { _heap.Read(id); });
        Assert.Throws<CorruptedPageException>(() => _heap.Delete(id));
        Assert.Throws<CorruptedPageException>(() => { _heap.Read(RowId.None); });
        Assert.Throws<CorruptedPageException>(() => { _heap.Read(new RowId(other.Page, 5)); });
        var run = new RowId(other.Page, RowId.OverflowSlot);
        Assert.Throws<CorruptedPageException>(() => { _heap.Read(run); });
        Assert.Throws<CorruptedPageException>(() => { _heap.Read(new RowId(_heap.ActiveSection, 0)); });
    }

    [Fact]
    public void Churn_OfAQueue_ReusesSections()
    {
        var ids = new Queue<RowId>();
        for (int i = 0; i < 500; i++)
        {
            ids.Enqueue(_heap.Insert(MakeRow(i, 1_000)));
        }

        long pagesMax = 4 * _heap.PageCount + 300;
        for (int i = 0; i < 20_000; i++)
        {
            ids.Enqueue(_heap.Insert(MakeRow(i, 1_000)));
            _heap.Delete(ids.Dequeue());
            Assert.InRange(_heap.PageCount, 1, pagesMax);
        }

        Check(ids);
    }

    [Fact]
    public void Churn_OfRandomRows_StaysDense()
    {
        var random = new Random(5);
        var ids = new List<RowId>();
        long bytes = 0;
        for (int i = 0; i < 40_000; i++)
        {
            if (ids.Count > 3_000)
            {
                int victim = random.Next(ids.Count);
                bytes -= _heap.Read(ids[victim]).Length;
                _heap.Delete(ids[victim]);
                ids[victim] = ids[^1];
                ids.RemoveAt(ids.Count - 1);
            }

            byte[] row = MakeRow(i, random.Next(100, 1_500));
            bytes += row.Length;
            ids.Add(_heap.Insert(row));
        }

        Check(ids);
        Assert.InRange(_heap.PageCount * Page.Size, 0, bytes * 2);
    }

    [Theory]
    [InlineData(1, 200)]
    [InlineData(2, 5_000)]
    [InlineData(3, 40_000)]
    [InlineData(4, 20)]
    public void RandomChanges_MatchModel(int seed, int lengthMax)
    {
        Console.WriteLine($"RowHeap model, seed {seed}");
        var random = new Random(seed);
        var model = new Dictionary<RowId, byte[]>();
        for (int step = 0; step < 12_000; step++)
        {
            bool shrinking = step / 3_000 % 2 == 1;
            byte[] row = MakeRow(step, 1 + random.Next(random.Next(1, lengthMax)));
            int choice = random.Next(10);
            if (model.Count == 0 || choice < (shrinking ? 2 : 6))
            {
                model.Add(_heap.Insert(row), row);
            }
            else
            {
                RowId id = model.Keys.ElementAt(random.Next(Math.Min(model.Count, 50)));
                model.Remove(id);
                if (choice == 9)
                {
                    model.Add(_heap.Update(id, row), row);
                }
                else
                {
                    _heap.Delete(id);
                }
            }

            if (step % 500 == 0)
            {
                _pages.EndTransaction();
                _heap = new RowHeap(_pages, _heap.Header);
                Compare(model);
            }
        }

        Compare(model);
        foreach (RowId id in model.Keys)
        {
            _heap.Delete(id);
        }

        Check([]);
        Assert.InRange(_heap.PageCount, 0, RowSection.PageCountMax);
    }

    [Fact]
    public void InsertAndRead_OfPageRows_AllocateNothing()
    {
        byte[] row = MakeRow(1, 200);
        RowId id = _heap.Insert(row);
        _heap.Delete(_heap.Insert(row));
        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int i = 0; i < 30; i++)
        {
            _heap.Insert(row);
            _heap.Read(id);
        }

        Assert.Equal(before, GC.GetAllocatedBytesForCurrentThread());
    }

    [Fact]
    public void Changes_OfPagesWithFlippedBits_NeverLeaveThePage()
    {
        Console.WriteLine("RowHeap fuzz, seed 21");
        var random = new Random(21);
        for (int round = 0; round < 400; round++)
        {
            using var pages = new HeapPages();
            var heap = new RowHeap(pages, RowHeap.EmptyHeader(OwnerTag));
            var ids = new List<RowId>();
            for (int i = 0; i < 60; i++)
            {
                ids.Add(heap.Insert(MakeRow(i, random.Next(1, 900))));
            }

            Flip(pages, ids[random.Next(ids.Count)].Page, random);
            Flip(pages, heap.ActiveSection, random);
            for (int i = 0; i < 100; i++)
            {
                TryAnything(heap, ids, random);
            }
        }
    }

    private static unsafe void Flip(HeapPages pages, PageNumber number, Random random)
    {
        // Number and overflow size are the pager's to check; everything else is ours.
        int offset = random.Next(3) == 0 ? random.Next(28, Page.Size) : random.Next(28, 120);
        pages.GetPage(number).Address[offset] ^= (byte)(1 << random.Next(8));
    }

    private static void TryAnything(RowHeap heap, List<RowId> ids, Random random)
    {
        RowId id = ids[random.Next(ids.Count)];
        try
        {
            switch (random.Next(4))
            {
                case 0:
                    heap.Read(id);
                    break;
                case 1:
                    heap.Delete(id);
                    break;
                case 2:
                    heap.Update(id, MakeRow(1, random.Next(1, 3_000)));
                    break;
                default:
                    ids.Add(heap.Insert(MakeRow(1, random.Next(1, 3_000))));
                    break;
            }
        }
        catch (Exception damage) when (damage is CorruptedPageException or InvalidOperationException)
        {
            // InvalidOperationException: the test's pages do not know the number.
        }
    }

    private static byte[] MakeRow(int seed, int length)
    {
        byte[] row = new byte[length];
        new Random(seed).NextBytes(row);
        return row;
    }

    private unsafe byte[] Copy(PageNumber number) =>
        new ReadOnlySpan<byte>(_pages.GetPage(number).Address, Page.Size).ToArray();

    private void Compare(Dictionary<RowId, byte[]> model)
    {
        Check(model.Keys);
        foreach ((RowId id, byte[] row) in model)
        {
            Assert.True(_heap.Read(id).SequenceEqual(row));
        }
    }

    private void Check(IReadOnlyCollection<RowId> ids)
    {
        var reported = new List<long>();
        HashSet<RowId> rows = RowHeapVerifier.Verify(_heap, ids, (number, _) => reported.Add(number.Value));
        Assert.True(rows.SetEquals(ids));
        Assert.Equal(ids.Count, _heap.RowCount);
        Assert.Equal(_pages.UsedPages.Order(), reported.Order());
    }
}
