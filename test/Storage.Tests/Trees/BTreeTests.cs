using System.Buffers.Binary;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Trees;
using Jackdaw.Storage.Verification;

namespace Jackdaw.Storage.Tests.Trees;

/// <summary>Single claims of the tree: edges of sizes, density, runs, freeing.</summary>
public sealed class BTreeTests
{
    private const int ManyEntries = 20_000;

    [Fact]
    public void EmptyTree_OwnsNoPage_AndFindsNothing()
    {
        using var model = new TreeModel();
        Assert.False(model.Tree.TryGet("a"u8, out _));
        Assert.False(model.Tree.Delete("a"u8));
        Assert.False(model.Tree.HeaderChanged);
        model.CheckSeek([1]);
        model.Check();
        Assert.Empty(model.Pages.UsedPages);
    }

    [Fact]
    public void Put_EmptyKeyAndEmptyValue_IsAnEntry()
    {
        using var model = new TreeModel();
        model.Put([], []);
        model.Put([0], [1]);
        model.Get([]);
        model.CheckSeek([]);
        model.Check();
        model.Delete([]);
        model.Check();
    }

    [Fact]
    public void Put_LongestKeys_SplitLegally()
    {
        using var model = new TreeModel();
        for (int i = 0; i < 300; i++)
        {
            // The keys differ in the last bytes only: separators are as long as keys, branches hold four entries.
            byte[] key = new byte[BTree.KeyBytesMax];
            BinaryPrimitives.WriteInt32BigEndian(key.AsSpan(BTree.KeyBytesMax - 4), i * 7919 % 300);
            model.Put(key, new byte[BTree.InlineValueBytesMax]);
        }

        model.Check();
        Assert.True(model.Tree.Header.Depth > 4);
    }

    [Theory]
    [InlineData(0, 1, 20)]
    [InlineData(1, 2, 20)]
    [InlineData(100, 3, 20)]
    [InlineData(20_000, 4, 20)]
    [InlineData(20_000, 5, 3)]
    [InlineData(3_000, 6, BTree.KeyBytesMax)]
    public void GetNumbers_RandomKeys_GivesTheValuesOfTryGet(int entries, int seed, int keyBytesMax)
    {
        var random = new Random(seed);
        using var model = new TreeModel();
        byte[][] stored = [.. Enumerable.Range(0, entries).Select(_ => RandomKey(random, keyBytesMax))];
        foreach (byte[] key in stored)
        {
            model.Tree.Put(key, BitConverter.GetBytes(random.NextInt64() | 1));
        }

        foreach (int count in new[] { 0, 1, 31, 32, 33, 100 })
        {
            byte[][] keys =
            [
                .. Enumerable.Range(0, count)
                    .Select(_ => random.Next(2) == 0 && entries > 0 ? stored[random.Next(entries)] : RandomKey(random, keyBytesMax)),
            ];
            ulong[] numbers = [.. Enumerable.Repeat(7UL, count + 1)];
            model.Tree.GetNumbers(keys, numbers);
            Assert.Equal(keys.Select(key => model.Tree.TryGet(key, out ReadOnlySpan<byte> value) ? BitConverter.ToUInt64(value) : 0), numbers.Take(count));
            Assert.Equal(7UL, numbers[^1]);
        }
    }

    [Fact]
    public void GetNumbers_ValueThatIsNone_IsDamage()
    {
        using var model = new TreeModel();
        model.Put([1], [1, 2, 3]);
        Assert.Contains("3 bytes", Assert.Throws<CorruptedPageException>(() => model.Tree.GetNumbers([[1]], new ulong[1])).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Put_KeyTooLong_IsRefusedBeforeAnyChange()
    {
        using var model = new TreeModel();
        Assert.Throws<ArgumentOutOfRangeException>(() => model.Tree.Put(new byte[BTree.KeyBytesMax + 1], []));
        Assert.Throws<ArgumentOutOfRangeException>(() => model.Tree.Reserve([1], -1));
        Assert.Throws<ArgumentOutOfRangeException>(() => model.Tree.Reserve([1], Page.OverflowBytesMax + 1));
        Assert.False(model.Tree.TryGet(new byte[BTree.KeyBytesMax + 1], out _));
        Assert.Empty(model.Pages.UsedPages);
    }

    [Theory]
    [InlineData(BTree.InlineValueBytesMax - 1, 0)]
    [InlineData(BTree.InlineValueBytesMax, 0)]
    [InlineData(BTree.InlineValueBytesMax + 1, 1)]
    [InlineData(Page.Size - PageHeader.SizeOf, 1)]
    [InlineData(Page.Size - PageHeader.SizeOf + 1, 2)]
    [InlineData(1_000_000, 123)]
    public void Put_ValueAtLimit_UsesOverflowPagesOnlyBeyondIt(int length, int overflowPages)
    {
        using var model = new TreeModel();
        byte[] value = new byte[length];
        new Random(length).NextBytes(value);
        model.Put([1], value);
        model.Check();
        Assert.Equal(overflowPages, model.Tree.Header.OverflowPages);
        model.EndTransaction();
        model.Put([1], [2]);
        model.Check();
        Assert.Equal(0, model.Tree.Header.OverflowPages);
    }

    [Fact]
    public void Put_LastByteOfPage_FitsWithoutSplit()
    {
        using var model = new TreeModel();
        int left = TreePage.Capacity;
        for (byte i = 0; left > 0; i++)
        {
            int bytes = Math.Min(left, 1000);
            left -= bytes;
            bytes -= left is > 0 and < 10 ? 10 : 0;
            left += left is > 0 and < 10 ? 10 : 0;
            model.Put([i], new byte[bytes - TreePage.NodeHeaderBytes - TreePage.SlotBytes - 1]);
        }

        Assert.Equal(1, model.Tree.Header.LeafPages);
        Assert.Equal(1.0, model.LeafDensity());
        model.Put([200], []);
        Assert.Equal(2, model.Tree.Header.LeafPages);
        model.Check();
    }

    [Fact]
    public void Put_SameOrSmallerLength_ChangesInPlace()
    {
        using var model = new TreeModel();
        for (byte i = 0; i < 50; i++)
        {
            model.Put([i], new byte[100]);
        }

        int upper = Leaf(model).Header.Upper;
        model.EndTransaction();
        model.Tree.Put([7], new byte[100]);
        Assert.False(model.Tree.HeaderChanged);
        Assert.Equal(upper, Leaf(model).Header.Upper);
        Assert.Equal(0, Leaf(model).FragmentedBytes);
        model.Put([7], new byte[60]);
        Assert.Equal(40, Leaf(model).FragmentedBytes);
        model.Check();
    }

    [Fact]
    public void Put_BytesOfTheSameTree_AreCopiedRight()
    {
        using var model = new TreeModel();
        byte[] large = new byte[5000];
        Array.Fill(large, (byte)9);
        for (byte i = 0; i < 100; i++)
        {
            byte[] value = new byte[i * 3];
            Array.Fill(value, i);
            model.Put([i], value);
        }

        for (byte i = 99; i > 1; i--)
        {
            Assert.True(model.Tree.TryGet([(byte)(i - 1)], out ReadOnlySpan<byte> stored));
            byte[] copy = stored.ToArray();
            model.Tree.Put([i], stored);
            Assert.True(model.Tree.TryGet([i], out ReadOnlySpan<byte> moved));
            Assert.True(moved.SequenceEqual(copy));
        }

        model.Tree.Put([50], large);
        Assert.True(model.Tree.TryGet([50], out ReadOnlySpan<byte> run));
        model.Tree.Put([50], run[..1500]);
        Assert.True(model.Tree.TryGet([50], out ReadOnlySpan<byte> part));
        Assert.True(part.SequenceEqual(large.AsSpan(0, 1500)));
        large[^1] = 8;
        model.Tree.Put([50], large);
        Assert.True(model.Tree.TryGet([50], out run));
        model.Tree.Put([50], run[100..]); // into the run that holds it
        Assert.True(model.Tree.TryGet([50], out part));
        Assert.True(part.SequenceEqual(large.AsSpan(100)));
        using BTreeCursor cursor = model.Tree.OpenCursor();
        cursor.SeekFirst();
        model.Tree.Put(cursor.Key, new byte[1999]);
        model.Verify();
    }

    [Theory]
    [InlineData(false, 0.95)]
    [InlineData(true, 0.95)]
    public void Put_InOrder_FillsLeaves(bool descending, double densityMin)
    {
        using var model = new TreeModel();
        for (int i = 0; i < ManyEntries; i++)
        {
            model.Put(Key(descending ? ManyEntries - i : i), new byte[20]);
        }

        model.Check();
        Assert.InRange(model.LeafDensity(), densityMin, 1.0);
    }

    [Fact]
    public void Put_SeveralAscendingRuns_FillsLeaves()
    {
        using var model = new TreeModel();
        for (int i = 0; i < ManyEntries; i++)
        {
            model.Put(Key((i % 4 * 1_000_000) + i), new byte[20]);
        }

        model.Check();
        Assert.InRange(model.LeafDensity(), 0.9, 1.0);
    }

    [Fact]
    public void Put_InRandomOrder_KeepsDensity()
    {
        using var model = new TreeModel();
        var random = new Random(11);
        for (int i = 0; i < ManyEntries; i++)
        {
            model.Put(Key(random.Next()), new byte[20]);
        }

        model.Check();
        Assert.InRange(model.LeafDensity(), 0.6, 1.0);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Delete_InOrder_FreesPagesOnTheWay(bool descending)
    {
        using var model = new TreeModel();
        for (int i = 0; i < ManyEntries; i++)
        {
            model.Put(Key(i), new byte[20]);
        }

        long leaves = model.Tree.Header.LeafPages;
        for (int i = 0; i < ManyEntries; i++)
        {
            model.Delete(Key(descending ? ManyEntries - 1 - i : i));
            if (i % 5000 == 4999)
            {
                model.Verify();
                Assert.True(model.Tree.Header.LeafPages <= (leaves * (ManyEntries - i) / ManyEntries) + 2);
            }
        }

        Assert.Empty(model.Pages.UsedPages);
    }

    [Fact]
    public void Delete_MostEntries_MergesLeaves()
    {
        using var model = new TreeModel();
        for (int i = 0; i < ManyEntries; i++)
        {
            model.Put(Key(i), new byte[20]);
        }

        long leaves = model.Tree.Header.LeafPages;
        for (int i = 0; i < ManyEntries; i++)
        {
            if (i % 10 != 0)
            {
                model.Delete(Key(i));
            }
        }

        model.Check();
        Assert.InRange(model.Tree.Header.LeafPages, 1, leaves / 3);
    }

    [Fact]
    public void DeleteAndPut_AtTheMergeThreshold_DoesNotThrash()
    {
        using var model = new TreeModel();
        for (int i = 0; i < ManyEntries; i++)
        {
            model.Put(Key(i), new byte[20]);
        }

        // Whatever the fill, one entry that comes and goes may change the structure once, not each time.
        for (int i = 0; i < 1000; i++)
        {
            model.Delete(Key(i + 5000));
            long before = model.Tree.Header.LeafPages;
            for (int again = 0; again < 3; again++)
            {
                model.Put(Key(i + 5000), new byte[20]);
                model.Delete(Key(i + 5000));
            }

            Assert.InRange(model.Tree.Header.LeafPages, before - 1, before);
        }

        model.Check();
    }

    [Fact]
    public void Clear_FreesEverything_AndTreeIsUsableAgain()
    {
        using var model = new TreeModel();
        for (int i = 0; i < 2000; i++)
        {
            model.Tree.Put(Key(i), new byte[i % 50 == 0 ? 10_000 : 20]);
        }

        model.Tree.Clear();
        Assert.Empty(model.Pages.UsedPages);
        model.Check();
        model.Put([1], [2]);
        model.Check();
    }

    [Fact]
    public void ReaderTree_RefusesChanges()
    {
        using var model = new TreeModel();
        model.Put([1], [2]);
        var snapshot = new BTree((PageReader)model.Pages, model.Tree.Header);
        Assert.True(snapshot.Contains([1]));
        Assert.Throws<InvalidOperationException>(() => snapshot.Put([1], [3]));
        Assert.Throws<InvalidOperationException>(() => snapshot.Delete([1]));
        Assert.Throws<InvalidOperationException>(snapshot.Clear);
    }

    [Fact]
    public void Verifier_WrongCounts_AreReported()
    {
        using var model = new TreeModel();
        model.Put([1], [2]);
        TreeHeader wrong = model.Tree.Header;
        wrong.EntryCount = 2;
        var verifier = new TreeVerifier(model.Pages);
        Assert.False(verifier.Verify(wrong));
        Assert.Contains("1 entries", Assert.Single(verifier.Problems).Reason, StringComparison.Ordinal);
    }

    private static TreePage Leaf(TreeModel model) => new(model.Pages.GetPage(model.Tree.Header.Root));

    private static byte[] Key(int number)
    {
        byte[] key = new byte[4];
        BinaryPrimitives.WriteInt32BigEndian(key, number);
        return key;
    }

    // Keys with long common beginnings, and keys that begin with others.
    private static byte[] RandomKey(Random random, int bytesMax)
    {
        byte[] key = new byte[random.Next(bytesMax + 1)];
        key.AsSpan().Fill((byte)'x');
        for (int i = 0; i < Math.Min(3, key.Length); i++)
        {
            key[^(i + 1)] = (byte)random.Next(256);
        }

        return key;
    }
}
