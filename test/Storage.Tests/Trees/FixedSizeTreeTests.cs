using System.Runtime.CompilerServices;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Trees;
using Jackdaw.Storage.Verification;
using Jackdaw.TestKit;

namespace Jackdaw.Storage.Tests.Trees;

public sealed class FixedSizeTreeTests : IDisposable
{
    private const int LongLeafCapacity = 508;
    private readonly HeapPages _pages = new();

    public void Dispose() => _pages.Dispose();

    [Fact]
    public void Empty_Tree_HasNoPageAndFindsNothing()
    {
        FixedSizeTree<long, long> tree = Create<long>();
        FixedSizeTreeCursor<long, long> cursor = tree.GetCursor();

        Assert.False(tree.TryGet(1, out _));
        Assert.False(tree.Delete(1));
        Assert.False(cursor.SeekFirst() || cursor.SeekLast() || cursor.Seek(1) || cursor.SeekAtMost(1));
        Assert.False(tree.TryGetLast(out _, out _));
        Assert.Equal(0, tree.CountFrom(long.MinValue));
        Assert.Empty(_pages.UsedPages);
        Assert.False(tree.HeaderChanged);
    }

    [Fact]
    public void Put_AscendingKeys_FillsPagesCompletely()
    {
        FixedSizeTree<long, long> tree = Create<long>();
        int count = LongLeafCapacity * LongLeafCapacity + 3;
        for (long key = 0; key < count; key++)
        {
            Assert.True(tree.Put(key, -key));
        }

        Assert.Equal(LongLeafCapacity + 1, tree.Header.LeafPages);
        Assert.Equal(3, tree.Header.Depth);
        Check(tree);
        Assert.True(tree.TryGet(count - 1, out long value));
        Assert.Equal(1 - count, value);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(LongLeafCapacity - 1)]
    [InlineData(LongLeafCapacity)]
    [InlineData(LongLeafCapacity + 1)]
    [InlineData(2 * LongLeafCapacity + 1)]
    public void Cursor_CountsAroundLeafBounds_WalksBothWays(int count)
    {
        FixedSizeTree<long, long> tree = Create<long>();
        for (long key = 0; key < count; key++)
        {
            tree.Put(key * 2, key);
        }

        FixedSizeTreeCursor<long, long> cursor = tree.GetCursor();
        int walked = 0;
        for (bool on = cursor.SeekFirst(); on; on = cursor.MoveNext())
        {
            Assert.Equal(walked * 2, cursor.Key);
            Assert.Equal(walked++, cursor.Value);
        }

        Assert.Equal(count, walked);
        for (bool on = cursor.SeekLast(); on; on = cursor.MovePrevious())
        {
            Assert.Equal(--walked * 2, cursor.Key);
        }

        Assert.Equal(0, walked);
        for (long key = 0; key < count; key++)
        {
            Assert.True(cursor.Seek(key * 2 - 1));
            Assert.Equal(key * 2, cursor.Key);
            Assert.True(cursor.SeekAtMost(key * 2 + 1));
            Assert.Equal(key * 2, cursor.Key);
            Assert.Equal(count - key, tree.CountFrom(key * 2 - 1));
        }

        Assert.False(cursor.Seek(count * 2 - 1));
        Assert.False(cursor.SeekAtMost(-1));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(20)]
    [InlineData(508)]
    [InlineData(3000)]
    public void Churn_DeleteFromFrontAppendAtEnd_KeepsPagesFew(int live)
    {
        FixedSizeTree<long, long> tree = Create<long>();
        long first = 0;
        long next = 0;
        for (; next < live; next++)
        {
            tree.Put(next, next);
        }

        int pagesMax = live / LongLeafCapacity + 4;
        for (int round = 0; round < 5_000; round++)
        {
            Assert.True(tree.Put(next, next++));
            Assert.True(tree.Delete(first++));
            Assert.InRange(_pages.UsedPages.Count, 1, pagesMax);
            if (round % 100 == 0)
            {
                _pages.EndTransaction();
            }
        }

        Check(tree);
        Assert.Equal(live, tree.EntryCount);
        for (; first < next; first++)
        {
            Assert.True(tree.Delete(first, out long value));
            Assert.Equal(first, value);
        }

        Assert.Empty(_pages.UsedPages);
        Assert.Equal(0, tree.Header.Depth);
    }

    [Fact]
    public void Delete_InTheMiddle_MergesPages()
    {
        FixedSizeTree<long, long> tree = Create<long>();
        for (long key = 0; key < 50_000; key++)
        {
            tree.Put(key, key);
        }

        for (long key = 0; key < 50_000; key++)
        {
            if (key % 20 != 0)
            {
                tree.Delete(key);
            }
        }

        Check(tree);
        Assert.InRange(tree.Header.LeafPages, 1, 25);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void RandomChanges_LongValues_MatchModel(int seed) => RunModel(seed, 4_000, key => (key, ~key));

    [Theory]
    [InlineData(4)]
    [InlineData(5)]
    public void RandomChanges_WidestValues_MatchModel(int seed) => RunModel<Wide>(seed, 300, key =>
    {
        var wide = default(Wide);
        wide[0] = (byte)key;
        wide[^1] = (byte)(key >> 8);
        return (wide, wide);
    });

    [Fact]
    public void UnsignedKeys_AboveSignedRange_SortLast()
    {
        var tree = new FixedSizeTree<ulong, int>(_pages, FixedSizeTreeHeader.CreateEmpty<ulong, int>(7));
        tree.Put(ulong.MaxValue, 1);
        tree.Put(5, 2);

        Assert.True(tree.TryGetLast(out ulong key, out int value));
        Assert.Equal(ulong.MaxValue, key);
        Assert.Equal(1, value);
    }

    [Fact]
    public void AppendAndDeleteFirst_ChangeFewBytesOfThePage()
    {
        FixedSizeTree<long, long> tree = Create<long>();
        for (long key = 0; key < 200; key++)
        {
            tree.Put(key, key);
        }

        byte[] before = Copy(tree.Header.Root);
        tree.Put(0x0102030405060708, 0x0102030405060708);
        byte[] appended = Copy(tree.Header.Root);
        tree.Delete(0);
        byte[] deleted = Copy(tree.Header.Root);

        // Key, value and the low byte of the count; then the low bytes of the window's start and of the count.
        Assert.Equal(17, before.Zip(appended).Count(pair => pair.First != pair.Second));
        Assert.Equal(2, appended.Zip(deleted).Count(pair => pair.First != pair.Second));
    }

    [Fact]
    public void Cursor_AfterChange_Refuses()
    {
        FixedSizeTree<long, long> tree = Create<long>();
        tree.Put(1, 1);
        FixedSizeTreeCursor<long, long> cursor = tree.GetCursor();
        Assert.True(cursor.SeekFirst());
        tree.Put(2, 2);

        Assert.Throws<InvalidOperationException>(() => cursor.MoveNext());
    }

    [Fact]
    public void Header_OfOtherSizes_IsRefused() =>
        Assert.Throws<CorruptedPageException>(() =>
            new FixedSizeTree<long, int>(_pages, FixedSizeTreeHeader.CreateEmpty<long, long>(7)));

    [Fact]
    public void PutAndGet_AfterWarmUp_AllocateNothing()
    {
        FixedSizeTree<long, long> tree = Create<long>();
        for (long key = 0; key < 100; key++)
        {
            tree.Put(key, key);
        }

        long before = GC.GetAllocatedBytesForCurrentThread();
        for (long key = 100; key < 400; key++)
        {
            tree.Put(key, key);
            tree.TryGet(key / 2, out _);
        }

        FixedSizeTreeCursor<long, long> cursor = tree.GetCursor();
        for (bool on = cursor.SeekFirst(); on; on = cursor.MoveNext())
        {
        }

        Assert.Equal(before, GC.GetAllocatedBytesForCurrentThread());
    }

    [Fact]
    public unsafe void Reads_OfPagesWithFlippedBits_NeverLeaveThePage()
    {
        FixedSizeTree<long, long> tree = Create<long>();
        for (long key = 0; key < 3_000; key++)
        {
            tree.Put(key * 3, key);
        }

        var random = new Random(11);
        PageNumber[] numbers = [.. _pages.UsedPages.Select(number => new PageNumber(number))];
        for (int round = 0; round < 3_000; round++)
        {
            byte* address = _pages.GetPage(numbers[random.Next(numbers.Length)]).Address;
            // Number and overflow size are the pager's to check; everything else is ours.
            int offset = random.Next(2) == 0 ? random.Next(28, 40) : random.Next(28, Page.Size);
            byte old = address[offset];
            address[offset] ^= (byte)(1 << random.Next(8));
            ReadAll(tree, random.Next(9_000));
            address[offset] = old;
        }

        Check(tree);
    }

    [Fact]
    public unsafe void Changes_OfPagesWithFlippedBits_NeverLeaveThePage()
    {
        Console.WriteLine("FixedSizeTree fuzz of changes, seed 12");
        var random = new Random(12);
        for (int round = 0; round < 200; round++)
        {
            using var pages = new HeapPages();
            var tree = new FixedSizeTree<long, long>(pages, FixedSizeTreeHeader.CreateEmpty<long, long>(7));
            for (long key = 0; key < 3_000; key++)
            {
                tree.Put(random.Next(9_000), key);
            }

            PageNumber[] numbers = [.. pages.UsedPages.Select(number => new PageNumber(number))];
            for (int flip = 0; flip < 3; flip++)
            {
                int offset = random.Next(2) == 0 ? random.Next(28, 40) : random.Next(28, Page.Size);
                pages.GetPage(numbers[random.Next(numbers.Length)]).Address[offset] ^= (byte)(1 << random.Next(8));
            }

            for (int i = 0; i < 500; i++)
            {
                TryChange(tree, random.Next(9_000), random.Next(3) > 0);
            }
        }
    }

    private static void TryChange(FixedSizeTree<long, long> tree, long key, bool deletes)
    {
        try
        {
            _ = deletes ? tree.Delete(key) : tree.Put(key, key);
        }
        catch (Exception damage) when (damage is CorruptedPageException or InvalidOperationException)
        {
            // InvalidOperationException: the test's pages do not know the number.
        }
    }

    private static void ReadAll(FixedSizeTree<long, long> tree, long key)
    {
        try
        {
            tree.TryGet(key, out _);
            FixedSizeTreeCursor<long, long> cursor = tree.GetCursor();
            bool on = cursor.Seek(key);
            for (int i = 0; on && i < 600; i++)
            {
                on = cursor.MovePrevious();
            }
        }
        catch (Exception damage) when (damage is CorruptedPageException or InvalidOperationException)
        {
            // InvalidOperationException: the test's pages do not know the number.
        }
    }

    private unsafe byte[] Copy(PageNumber number) =>
        new ReadOnlySpan<byte>(_pages.GetPage(number).Address, Page.Size).ToArray();

    private FixedSizeTree<long, TValue> Create<TValue>()
        where TValue : unmanaged => new(_pages, FixedSizeTreeHeader.CreateEmpty<long, TValue>(7));

    private void Check<TValue>(FixedSizeTree<long, TValue> tree)
        where TValue : unmanaged
    {
        var reported = new List<long>();
        FixedSizeTreeVerifier.Verify(tree, (number, _) => reported.Add(number.Value));
        Assert.Equal(_pages.UsedPages.Order(), reported.Order());
    }

    private void RunModel<TValue>(int seed, int keys, Func<long, (TValue First, TValue Second)> makeValues)
        where TValue : unmanaged
    {
        Console.WriteLine($"FixedSizeTree model, seed {seed}");
        var random = new Random(seed);
        FixedSizeTree<long, TValue> tree = Create<TValue>();
        var model = new SortedDictionary<long, TValue>();
        for (int step = 0; step < 30_000; step++)
        {
            bool shrinking = step / 6_000 % 2 == 1;
            long key = random.Next(-keys, keys);
            if (random.Next(10) < (shrinking ? 3 : 7))
            {
                TValue value = random.Next(2) == 0 ? makeValues(key).First : makeValues(key).Second;
                Assert.Equal(!model.ContainsKey(key), tree.Put(key, value));
                model[key] = value;
            }
            else
            {
                Assert.Equal(model.Remove(key), tree.Delete(key));
            }

            if (step % 500 == 0)
            {
                _pages.EndTransaction();
                tree = step % 1_000 == 0 ? new FixedSizeTree<long, TValue>(_pages, tree.Header) : tree;
                Compare(tree, model, random.Next(-keys, keys));
            }
        }

        foreach (long key in model.Keys.ToArray())
        {
            Assert.True(tree.Delete(key));
        }

        Assert.Empty(_pages.UsedPages);
    }

    private void Compare<TValue>(FixedSizeTree<long, TValue> tree, SortedDictionary<long, TValue> model, long from)
        where TValue : unmanaged
    {
        Check(tree);
        Assert.Equal(model.Count, tree.EntryCount);
        Assert.Equal(model.Keys.Count(key => key >= from), tree.CountFrom(from));
        FixedSizeTreeCursor<long, TValue> cursor = tree.GetCursor();
        bool on = cursor.SeekFirst();
        foreach ((long key, TValue value) in model)
        {
            Assert.True(on);
            Assert.Equal(key, cursor.Key);
            Assert.True(AreEqual(value, cursor.Value));
            on = cursor.MoveNext();
        }

        Assert.False(on);
        long[] below = [.. model.Keys.Where(key => key <= from).Reverse()];
        on = cursor.SeekAtMost(from);
        foreach (long key in below)
        {
            Assert.True(on);
            Assert.Equal(key, cursor.Key);
            on = cursor.MovePrevious();
        }

        Assert.False(on);
    }

    private static bool AreEqual<TValue>(TValue left, TValue right)
        where TValue : unmanaged =>
        System.Runtime.InteropServices.MemoryMarshal.AsBytes(new ReadOnlySpan<TValue>(ref left)).SequenceEqual(
            System.Runtime.InteropServices.MemoryMarshal.AsBytes(new ReadOnlySpan<TValue>(ref right)));

    [InlineArray(Page.BodySize / 16)]
    private struct Wide
    {
        private byte _byte;
    }
}
