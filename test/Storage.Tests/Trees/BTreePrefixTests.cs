using System.Buffers.Binary;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Trees;
using Jackdaw.TestKit;

namespace Jackdaw.Storage.Tests.Trees;

/// <summary>Entries that are removed by the first bytes of their keys.</summary>
public sealed class BTreePrefixTests
{
    private const int Groups = 12;

    /// <summary>Lengths of the values of a tree.</summary>
    public enum Values
    {
        Small,
        NearALeaf,
        Runs,
        Mixed,
    }

    public static TheoryData<Values, int, int> Forms
    {
        get
        {
            var forms = new TheoryData<Values, int, int>();
            foreach (Values values in Enum.GetValues<Values>())
            {
                foreach (int keyBytes in (int[])[8, 17, 600, BTree.KeyBytesMax])
                {
                    forms.Add(values, keyBytes, (keyBytes * 31) + (int)values);
                }
            }

            return forms;
        }
    }

    /// <summary>Groups of keys go one after the other, in random order and in steps of random size; what is left is sound after each.</summary>
    [Theory]
    [MemberData(nameof(Forms))]
    public void DeletePrefix_OfGroupsInSteps_RemovesExactlyThem(Values values, int keyBytes, int seed)
    {
        var random = new Random(seed);
        using var model = new TreeModel();
        int perGroup = keyBytes > 100 ? 40 : 200;
        for (int i = 0; i < Groups * perGroup; i++)
        {
            model.Put(KeyOf(i % Groups, i / Groups, keyBytes), new byte[LengthOf(values, random)]);
        }

        int[] groups = [.. Enumerable.Range(0, Groups)];
        random.Shuffle(groups);
        foreach (int group in groups)
        {
            byte[] prefix = KeyOf(group, 0, keyBytes)[..4];
            int calls = 0;
            while (!model.DeletePrefix(prefix, 1 + random.Next(1 << random.Next(4, 20))).IsDone)
            {
                Assert.True(++calls <= perGroup, $"seed {seed}: no end");
                if (random.Next(4) == 0)
                {
                    model.EndTransaction();
                }
            }

            model.Check();
            Assert.Equal(new PrefixDeletion(0, 0, true), model.DeletePrefix(prefix, 1));
        }

        Assert.Empty(model.Pages.UsedPages);
        Assert.Equal(BTree.EmptyHeader(model.Tree.Header.OwnerTag), model.Tree.Header);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void DeletePrefix_OfAnyPrefixOfRandomKeys_RemovesExactlyThoseThatBeginWithIt(int seed)
    {
        var random = new Random(seed);
        for (int round = 0; round < 30; round++)
        {
            using var model = new TreeModel();
            for (int i = 0; i < 700; i++)
            {
                // Few different bytes, so that keys are prefixes of each other and separators lie anywhere.
                byte[] key = new byte[random.Next(12)];
                for (int at = 0; at < key.Length; at++)
                {
                    key[at] = (byte)(random.Next(3) * 127);
                }

                model.Put(key, new byte[random.Next(random.Next(8) == 0 ? 9000 : 60)]);
            }

            for (int i = 0; i < 25; i++)
            {
                byte[] key = model.KnownKeys[random.Next(model.KnownKeys.Count)];
                model.DeletePrefix([.. key[..random.Next(key.Length + 1)], .. new byte[random.Next(2)]], 1 + random.Next(20_000));
                model.Verify();
            }

            model.Check();
            model.DeletePrefix([], long.MaxValue);
            Assert.Empty(model.Pages.UsedPages);
        }
    }

    /// <summary>Of three neighbouring groups two go: what is left of each leaf is merged with its neighbours.</summary>
    [Fact]
    public void DeletePrefix_OfMostGroups_MergesLeaves()
    {
        using var model = new TreeModel();
        for (int group = 0; group < 300; group++)
        {
            for (int i = 0; i < 20; i++)
            {
                model.Put(KeyOf(group, i, 8), new byte[100]);
            }
        }

        for (int group = 0; group < 300; group++)
        {
            if (group % 3 != 0)
            {
                Assert.True(model.DeletePrefix(KeyOf(group, 0, 8)[..4], long.MaxValue).IsDone);
            }
        }

        model.Check();
        Assert.InRange(model.LeafDensity(), 0.45, 1);
    }

    [Fact]
    public void DeletePrefix_WithAPrefixThatLiesInTheTree_IsNotChangedByItsOwnWork()
    {
        using var model = new TreeModel();
        for (int i = 0; i < 3000; i++)
        {
            model.Put(KeyOf(i % 3, i / 3, 17), new byte[300]);
        }

        // The page is the transaction's own, so that the bytes of the key are overwritten while its neighbours go.
        byte[] expected = KeyOf(1, 0, 17)[..4];
        PrefixDeletion deleted;
        using (BTreeCursor cursor = model.Tree.OpenCursor())
        {
            Assert.True(cursor.Seek(expected));
            deleted = model.Tree.DeletePrefix(cursor.Key[..4], long.MaxValue);
        }

        Assert.Equal(new PrefixDeletion(1000, 1000 * 317, true), deleted);
        Assert.Equal(2000, model.Tree.EntryCount);
        model.Verify();
    }

    [Fact]
    public void DeletePrefix_BesidesAnOpenCursor_EndsItsPosition()
    {
        using var model = new TreeModel();
        model.Put([1, 1], [1]);
        model.Put([2, 1], [1]);
        using BTreeCursor cursor = model.Tree.OpenCursor();
        Assert.True(cursor.SeekFirst());
        model.DeletePrefix([3], 1);
        Assert.True(cursor.IsOnEntry);
        model.DeletePrefix([2], 1);
        Assert.False(cursor.IsOnEntry);
        Assert.Throws<InvalidOperationException>(() => cursor.Key.Length);
    }

    [Fact]
    public void DeletePrefix_WithWrongArguments_ChangesNothing()
    {
        using var pages = new HeapPages();
        var tree = new BTree(pages, BTree.EmptyHeader(1));
        Assert.Equal(new PrefixDeletion(0, 0, true), tree.DeletePrefix([], 1));
        tree.Put([], []);
        int version = tree.Version;
        Assert.Throws<ArgumentOutOfRangeException>(() => tree.DeletePrefix([], 0));
        Assert.Equal(new PrefixDeletion(0, 0, true), tree.DeletePrefix(new byte[BTree.KeyBytesMax + 1], 1));
        Assert.Equal(version, tree.Version);
        Assert.Throws<InvalidOperationException>(() => new BTree((PageReader)pages, tree.Header).DeletePrefix([], 1));
        Assert.Equal(1, tree.EntryCount);
        Assert.Equal(new PrefixDeletion(1, 0, true), tree.DeletePrefix([], 1));
    }

    [Theory]
    [InlineData(int.MinValue)]
    [InlineData(-1)]
    [InlineData(0)]
    [InlineData(BTree.InlineValueBytesMax)]
    [InlineData(Page.OverflowBytesMax + 1)]
    public void ReserveRun_OfALengthThatIsNoRun_IsRefusedBeforeAnyChange(int length)
    {
        using var model = new TreeModel();
        Assert.ThrowsAny<ArgumentException>(() => model.Tree.ReserveRun([1], length, out _));
        Assert.Throws<ArgumentOutOfRangeException>(() => model.Tree.ReserveRun(new byte[BTree.KeyBytesMax + 1], 3000, out _));
        Assert.Equal(0, model.Tree.EntryCount);
        Assert.Empty(model.Pages.UsedPages);
    }

    [Theory]
    [InlineData(BTree.InlineValueBytesMax + 1)]
    [InlineData(Page.BodySize)]
    [InlineData(Page.BodySize + 1)]
    [InlineData(300_000)]
    public void ReserveRun_NewAndReplaced_TellsWhereTheValueIs(int length)
    {
        using var model = new TreeModel();
        byte[] value = new byte[length];
        Array.Fill(value, (byte)7);
        model.PutReserved([1], value);
        model.PutReserved([1], value[1..].Length > BTree.InlineValueBytesMax ? value[1..] : [1]);
        model.PutReserved([1], [1]);
        model.PutReserved([1], value);
        model.Check();
    }

    private static byte[] KeyOf(int group, int number, int keyBytes)
    {
        byte[] key = new byte[keyBytes];
        key.AsSpan(8).Fill((byte)'k');
        BinaryPrimitives.WriteInt32BigEndian(key, group);
        BinaryPrimitives.WriteInt32BigEndian(key.AsSpan(4), number);
        return key;
    }

    private static int LengthOf(Values values, Random random) => values switch
    {
        Values.Small => random.Next(40),
        Values.NearALeaf => random.Next(1500, BTree.InlineValueBytesMax + 1),
        Values.Runs => random.Next(BTree.InlineValueBytesMax + 1, 30_000),
        _ => random.Next(3) == 0 ? random.Next(20_000) : random.Next(200),
    };
}
