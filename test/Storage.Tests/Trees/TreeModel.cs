using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Trees;
using Jackdaw.Storage.Verification;
using Jackdaw.TestKit;

namespace Jackdaw.Storage.Tests.Trees;

/// <summary>A tree beside a sorted dictionary that must always tell the same.</summary>
internal sealed class TreeModel : IDisposable
{
    private const uint OwnerTag = 0x7E57;
    private readonly SortedDictionary<byte[], byte[]> _expected = new(KeyComparer.Instance);
    private readonly List<byte[]> _keys = [];

    public TreeModel() => Tree = new BTree(Pages, BTree.EmptyHeader(OwnerTag));

    public HeapPages Pages { get; } = new();

    public BTree Tree { get; private set; }

    public int Count => _expected.Count;

    /// <summary>Keys ever put, in no order; some may be gone.</summary>
    public IReadOnlyList<byte[]> KnownKeys => _keys;

    public void Put(byte[] key, byte[] value)
    {
        Tree.Put(key, value);
        Expect(key, value);
    }

    public void PutReserved(byte[] key, byte[] value)
    {
        PageNumber run = default;
        bool isRun = value.Length > BTree.InlineValueBytesMax;
        Span<byte> space = !isRun ? Tree.Reserve(key, value.Length)
            : value[0] % 2 == 0 ? Tree.ReserveDirectRun(key, value.Length, out run)
            : Tree.ReserveRun(key, value.Length, out run);
        Assert.Equal(value.Length, space.Length);
        Assert.Equal(!run.IsNone, Tree.TryGetRun(key, out PageNumber first, out int bytes));
        Assert.Equal((run, run.IsNone ? 0 : value.Length), (first, bytes));
        value.CopyTo(space);
        Expect(key, value);
    }

    public void Delete(byte[] key) => Assert.Equal(_expected.Remove(key), Tree.Delete(key));

    /// <summary>Exactly those entries go that the rule names: in order, up to the one that reaches the number of bytes.</summary>
    public PrefixDeletion DeletePrefix(byte[] prefix, long bytesMax)
    {
        List<byte[]> going = [];
        long bytes = 0;
        KeyValuePair<byte[], byte[]>[] alike = [.. _expected.Where(entry => entry.Key.AsSpan().StartsWith(prefix))];
        foreach ((byte[] key, byte[] value) in alike)
        {
            if (bytes >= bytesMax)
            {
                break;
            }

            going.Add(key);
            bytes += key.Length + value.Length;
        }

        going.ForEach(key => _expected.Remove(key));
        PrefixDeletion deleted = Tree.DeletePrefix(prefix, bytesMax);
        Assert.Equal(new PrefixDeletion(going.Count, bytes, going.Count == alike.Length), deleted);
        return deleted;
    }

    public void Get(byte[] key)
    {
        bool expected = _expected.TryGetValue(key, out byte[]? value);
        Assert.Equal(expected, Tree.TryGet(key, out ReadOnlySpan<byte> stored));
        Assert.True(stored.SequenceEqual(value));
    }

    public byte[] FirstKey() => _expected.First().Key;

    /// <summary>Ends the transaction and goes on in the next one, with the tree opened anew.</summary>
    public void EndTransaction()
    {
        Pages.EndTransaction();
        Tree = new BTree(Pages, Tree.Header);
    }

    /// <summary>Everything that can be told of the tree, compared with the dictionary.</summary>
    public void Check()
    {
        Verify();
        Assert.Equal(_expected.Count, Tree.EntryCount);
        KeyValuePair<byte[], byte[]>[] entries = [.. _expected];
        using BTreeCursor cursor = Tree.OpenCursor();
        bool more = cursor.SeekFirst();
        foreach ((byte[] key, byte[] value) in entries)
        {
            Assert.True(more);
            Assert.True(cursor.Key.SequenceEqual(key));
            Assert.True(cursor.Value.SequenceEqual(value));
            more = cursor.MoveNext();
        }

        Assert.False(more);
        for (int i = entries.Length - 1; i >= 0; i--)
        {
            Assert.True(cursor.MovePrevious());
            Assert.True(cursor.Key.SequenceEqual(entries[i].Key));
        }

        Assert.False(cursor.MovePrevious());
        Assert.Equal(entries.Length > 0, cursor.SeekLast());
    }

    /// <summary>Seeks a key and compares the neighbours.</summary>
    public void CheckSeek(byte[] key)
    {
        byte[][] keys = [.. _expected.Keys];
        int index = Array.BinarySearch(keys, key, KeyComparer.Instance);
        index = index < 0 ? ~index : index;
        using BTreeCursor cursor = Tree.OpenCursor();
        Assert.Equal(index < keys.Length, cursor.Seek(key));
        if (index < keys.Length)
        {
            Assert.True(cursor.Key.SequenceEqual(keys[index]));
        }

        Assert.Equal(index > 0, cursor.MovePrevious());
        if (index > 0)
        {
            Assert.True(cursor.Key.SequenceEqual(keys[index - 1]));
        }
    }

    /// <summary>Runs the verifier; the pages it finds are exactly the pages in use.</summary>
    public void Verify()
    {
        var owned = new SortedSet<long>();
        var verifier = new TreeVerifier(Pages, (number, _) => Assert.True(owned.Add(number.Value)));
        verifier.Verify(Tree.Header);
        Assert.Empty(verifier.Problems);
        Assert.Equal(Pages.UsedPages.Order(), owned);
    }

    /// <summary>Share of the leaves' bytes that hold nodes and slots.</summary>
    public double LeafDensity()
    {
        long used = 0;
        foreach (long number in Pages.UsedPages)
        {
            var page = new TreePage(Pages.GetPage(new PageNumber(number)));
            used += page.Header.Type == PageType.TreeLeaf ? page.UsedBytes : 0;
        }

        return (double)used / (Tree.Header.LeafPages * TreePage.Capacity);
    }

    public void Dispose() => Pages.Dispose();

    private void Expect(byte[] key, byte[] value)
    {
        if (!_expected.ContainsKey(key))
        {
            _keys.Add(key);
        }

        _expected[key] = value;
    }
}
