using System.Buffers.Binary;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Storage.Tests.Trees;

/// <summary>Hot paths leave nothing to the garbage collector.</summary>
public sealed class BTreeAllocationTests
{
    private const int Entries = 2000;

    [Fact]
    public void GetsUpdatesAndCursorSteps_AllocateNothing()
    {
        using var model = new TreeModel();
        BTree tree = model.Tree;
        Fill(tree);
        Use(tree);
        long before = GC.GetAllocatedBytesForCurrentThread();
        int steps = Use(tree);
        long allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        Assert.Equal(0, allocated);
        Assert.Equal(3 * Entries, steps);
    }

    [Fact]
    public void InsertsWithoutNewPages_AllocateNothing()
    {
        using var model = new TreeModel();
        BTree tree = model.Tree;
        tree.Put("a"u8, "b"u8);
        InsertAndDelete(tree, 0);
        long before = GC.GetAllocatedBytesForCurrentThread();
        InsertAndDelete(tree, 150);
        long allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        Assert.Equal(0, allocated);
        Assert.Equal(1, tree.Header.LeafPages);
    }

    private static void InsertAndDelete(BTree tree, int from)
    {
        Span<byte> key = stackalloc byte[4];
        for (int i = 0; i < 150; i++)
        {
            BinaryPrimitives.WriteInt32BigEndian(key, from + (i * 7919 % 150));
            tree.Put(key, key);
            tree.Delete(key);
            tree.Put(key, key);
        }
    }

    private static void Fill(BTree tree)
    {
        Span<byte> key = stackalloc byte[4];
        for (int i = 0; i < Entries; i++)
        {
            BinaryPrimitives.WriteInt32BigEndian(key, i);
            tree.Put(key, key);
        }
    }

    private static int Use(BTree tree)
    {
        Span<byte> key = stackalloc byte[4];
        using BTreeCursor cursor = tree.OpenCursor();
        int steps = 0;
        for (int i = 0; i < Entries; i++)
        {
            BinaryPrimitives.WriteInt32BigEndian(key, i * 7919 % Entries);
            steps += tree.TryGet(key, out _) ? 1 : 0;
            tree.Put(key, key);
            steps += cursor.Seek(key) ? 1 : 0;
        }

        for (bool more = cursor.SeekFirst(); more; more = cursor.MoveNext())
        {
            steps += cursor.Key.Length == 4 && cursor.Value.Length == 4 ? 1 : 0;
        }

        return steps;
    }
}
