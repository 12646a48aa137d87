using Jackdaw.Storage.Trees;

namespace Jackdaw.Storage.Tests.Trees;

public sealed class BTreeCursorTests
{
    [Fact]
    public void Cursor_WithoutSeek_HasNoPosition()
    {
        using var model = new TreeModel();
        model.Put([1], [2]);
        using BTreeCursor cursor = model.Tree.OpenCursor();
        Assert.False(cursor.IsOnEntry);
        Assert.Throws<InvalidOperationException>(() => cursor.MoveNext());
        Assert.Throws<InvalidOperationException>(() => cursor.Key.Length);
    }

    [Fact]
    public void Cursor_AfterChangeOfTree_RefusesUntilSeek()
    {
        using var model = new TreeModel();
        model.Put([1], [2]);
        using BTreeCursor cursor = model.Tree.OpenCursor();
        Assert.True(cursor.SeekFirst());
        model.Put([2], [3]);
        Assert.Throws<InvalidOperationException>(() => cursor.Key.Length);
        Assert.Throws<InvalidOperationException>(() => cursor.MoveNext());
        Assert.True(cursor.Seek([2]));
        Assert.Equal(3, cursor.Value[0]);
    }

    [Fact]
    public void Cursor_AfterDeleteOfMissingKey_KeepsItsPosition()
    {
        using var model = new TreeModel();
        model.Put([1], [2]);
        using BTreeCursor cursor = model.Tree.OpenCursor();
        Assert.True(cursor.SeekFirst());
        model.Delete([9]);
        Assert.Equal(1, cursor.Key[0]);
    }

    [Fact]
    public void MoveBeyondEnds_ThenBack_ReachesTheEdgeEntries()
    {
        using var model = new TreeModel();
        model.Put([1], [1]);
        model.Put([2], [2]);
        using BTreeCursor cursor = model.Tree.OpenCursor();
        Assert.True(cursor.SeekLast());
        Assert.False(cursor.MoveNext());
        Assert.False(cursor.MoveNext());
        Assert.False(cursor.IsOnEntry);
        Assert.True(cursor.MovePrevious());
        Assert.Equal(2, cursor.Key[0]);
        Assert.True(cursor.MovePrevious());
        Assert.False(cursor.MovePrevious());
        Assert.True(cursor.MoveNext());
        Assert.Equal(1, cursor.Key[0]);
    }

    [Fact]
    public void Dispose_Twice_GivesTheMemoryToOneUserOnly()
    {
        using var model = new TreeModel();
        BTreeCursor first = model.Tree.OpenCursor();
        first.Dispose();
        first.Dispose();
        using BTreeCursor second = model.Tree.OpenCursor();
        using BTreeCursor third = model.Tree.OpenCursor();
        Assert.Same(first, second);
        Assert.NotSame(second, third);
    }

    [Fact]
    public void WalkingAndDeleting_ByCopiedKey_VisitsEachEntryOnce()
    {
        using var model = new TreeModel();
        for (int i = 0; i < 5000; i++)
        {
            model.Put([(byte)(i >> 8), (byte)i], new byte[50]);
        }

        using BTreeCursor cursor = model.Tree.OpenCursor();
        int visited = 0;
        for (bool more = cursor.SeekFirst(); more; visited++)
        {
            byte[] key = cursor.Key.ToArray();
            if (visited % 3 != 0)
            {
                model.Delete(key);
            }

            more = cursor.Seek(key) && (!cursor.Key.SequenceEqual(key) || cursor.MoveNext());
        }

        Assert.Equal(5000, visited);
        model.Check();
    }
}
