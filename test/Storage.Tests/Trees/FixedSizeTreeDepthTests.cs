using Jackdaw.Storage.Trees;
using Jackdaw.Storage.Verification;
using Jackdaw.TestKit;

namespace Jackdaw.Storage.Tests.Trees;

/// <summary>Branch splits, merges and removal, on trees that are deep because their keys are wide.</summary>
public sealed class FixedSizeTreeDepthTests : IDisposable
{
    private readonly HeapPages _pages = new();
    private readonly FixedSizeTree<WideKey, int> _tree;

    public FixedSizeTreeDepthTests() =>
        _tree = new FixedSizeTree<WideKey, int>(_pages, FixedSizeTreeHeader.CreateEmpty<WideKey, int>(9));

    public void Dispose() => _pages.Dispose();

    [Theory]
    [InlineData(1, 200)]
    [InlineData(2, 2_000)]
    [InlineData(3, 6_000)]
    public void RandomChanges_MatchModel(int seed, int keys)
    {
        Console.WriteLine($"FixedSizeTree depth model, seed {seed}");
        var random = new Random(seed);
        var model = new SortedDictionary<int, int>();
        int depth = 0;
        for (int step = 0; step < 30_000; step++)
        {
            int key = random.Next(keys);
            if (random.Next(10) < (step / 7_500 % 2 == 0 ? 7 : 2))
            {
                model[key] = step;
                _tree.Put(new WideKey(key), step);
            }
            else
            {
                Assert.Equal(model.Remove(key), _tree.Delete(new WideKey(key)));
            }

            depth = Math.Max(depth, _tree.Header.Depth);
            if (step % 1_000 == 0)
            {
                _pages.EndTransaction();
                Compare(model);
            }
        }

        Assert.InRange(depth, keys < 1_000 ? 2 : 3, 6);
        foreach (int key in model.Keys.ToArray())
        {
            _tree.Delete(new WideKey(key));
        }

        Assert.Empty(_pages.UsedPages);
    }

    [Theory]
    [InlineData(50)]
    [InlineData(1_500)]
    public void Churn_DeleteFromFrontAppendAtEnd_KeepsDepthAndPages(int live)
    {
        for (int i = 0; i < live; i++)
        {
            _tree.Put(new WideKey(i), i);
        }

        int depth = _tree.Header.Depth;
        int pages = _pages.UsedPages.Count;
        for (int i = 0; i < 20_000; i++)
        {
            _tree.Put(new WideKey(live + i), i);
            Assert.True(_tree.Delete(new WideKey(i)));
            Assert.InRange(_tree.Header.Depth, 1, depth + 1);
            Assert.InRange(_pages.UsedPages.Count, 1, pages + (pages / 4) + 6);
        }

        Check();
    }

    [Theory]
    [InlineData(1)]
    [InlineData(-1)]
    public void DeleteAll_InOrder_FreesEveryPage(int direction)
    {
        const int keys = 5_000;
        for (int i = 0; i < keys; i++)
        {
            _tree.Put(new WideKey(direction * i), i);
        }

        Check();
        for (int i = 0; i < keys; i++)
        {
            Assert.True(_tree.Delete(new WideKey(i - (direction < 0 ? keys - 1 : 0))));
            if (i % 500 == 0)
            {
                Check();
            }
        }

        Assert.Empty(_pages.UsedPages);
        Assert.Equal(0, _tree.Header.BranchPages);
    }

    private void Compare(SortedDictionary<int, int> model)
    {
        Check();
        Assert.Equal(model.Count, _tree.EntryCount);
        FixedSizeTreeCursor<WideKey, int> cursor = _tree.GetCursor();
        bool on = cursor.SeekFirst();
        foreach ((int key, int value) in model)
        {
            Assert.True(on);
            Assert.Equal(key, cursor.Key.Value);
            Assert.Equal(value, cursor.Value);
            on = cursor.MoveNext();
        }

        Assert.False(on);
        on = cursor.SeekLast();
        foreach (int key in model.Keys.Reverse())
        {
            Assert.True(on);
            Assert.Equal(key, cursor.Key.Value);
            on = cursor.MovePrevious();
        }

        Assert.False(on);
    }

    private void Check()
    {
        var reported = new List<long>();
        FixedSizeTreeVerifier.Verify(_tree, (number, _) => reported.Add(number.Value));
        Assert.Equal(_pages.UsedPages.Order(), reported.Order());
    }
}
