using System.Numerics;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Storage.Verification;

/// <summary>Walks a fixed-entry tree and proves its invariants: order, separators, equal depth, counts of the
/// header.</summary>
public static class FixedSizeTreeVerifier
{
    /// <summary>Proves one tree.</summary>
    /// <param name="tree">The tree.</param>
    /// <param name="reportPage">Called once for each page: its number and the pages it spans (always 1 here).</param>
    /// <exception cref="CorruptedPageException">The first broken invariant.</exception>
    public static void Verify<TKey, TValue>(FixedSizeTree<TKey, TValue> tree, Action<PageNumber, int> reportPage)
        where TKey : unmanaged, IComparisonOperators<TKey, TKey, bool>
        where TValue : unmanaged
    {
        var walk = new Walk<TKey, TValue>(tree, reportPage);
        if (tree.Header.Depth > 0)
        {
            walk.Visit(tree.Header.Root, 0, hasLow: false, default);
        }

        if (walk.Entries != tree.Header.EntryCount || walk.Leaves != tree.Header.LeafPages ||
            walk.Branches != tree.Header.BranchPages)
        {
            PageDamage.Throw(tree.Header.Root, $"counted {walk.Entries} entries, {walk.Leaves} leaves, " +
                $"{walk.Branches} branches; the header says {tree.Header.EntryCount}, {tree.Header.LeafPages}, " +
                $"{tree.Header.BranchPages}");
        }
    }

    private sealed class Walk<TKey, TValue>(FixedSizeTree<TKey, TValue> tree, Action<PageNumber, int> reportPage)
        where TKey : unmanaged, IComparisonOperators<TKey, TKey, bool>
        where TValue : unmanaged
    {
        private readonly HashSet<PageNumber> _seen = [];
        private bool _hasPrevious;
        private TKey _previous;

        public long Entries { get; private set; }

        public long Leaves { get; private set; }

        public long Branches { get; private set; }

        // Keys are met in order, so one comparison with the key before proves the order and the separators' upper side:
        // the low bound of a child is above or at it only if every earlier key is below the separator.
        public void Visit(PageNumber number, int level, bool hasLow, TKey low)
        {
            if (!_seen.Add(number))
            {
                PageDamage.Throw(number, "two branches name this page");
            }

            if (hasLow && _hasPrevious && _previous >= low)
            {
                PageDamage.Throw(number, "a key before this page is not below its separator");
            }

            reportPage(number, 1);
            if (level == tree.Header.Depth - 1)
            {
                VisitLeaf(number, hasLow, low);
            }
            else
            {
                VisitBranch(number, level, hasLow, low);
            }
        }

        private void VisitBranch(PageNumber number, int level, bool hasLow, TKey low)
        {
            FixedSizeTreePage<TKey, PageNumber> branch = tree.GetBranch(number);
            Branches++;
            if (level == 0 && branch.Count < 2)
            {
                PageDamage.Throw(number, "a root branch has a single child");
            }

            Visit(branch.Value(0), level + 1, hasLow, low);
            for (int i = 1; i < branch.Count; i++)
            {
                Visit(branch.Value(i), level + 1, hasLow: true, branch.Key(i));
            }
        }

        private void VisitLeaf(PageNumber number, bool hasLow, TKey low)
        {
            FixedSizeTreePage<TKey, TValue> leaf = tree.GetLeaf(number);
            Leaves++;
            Entries += leaf.Count;
            for (int i = 0; i < leaf.Count; i++)
            {
                TKey key = leaf.Key(i);
                if ((_hasPrevious && key <= _previous) || (hasLow && key < low))
                {
                    PageDamage.Throw(number, $"key {i} is out of order or below the page's separator");
                }

                _previous = key;
                _hasPrevious = true;
            }
        }
    }
}
