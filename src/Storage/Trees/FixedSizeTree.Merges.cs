using Jackdaw.Storage.Paging;

namespace Jackdaw.Storage.Trees;

/// <summary>Removal of pages: empty ones are freed, sparse ones merged, a root with one child is dropped.</summary>
public sealed unsafe partial class FixedSizeTree<TKey, TValue>
{
    // Probing a neighbour costs a page lookup: it is done each capacity/32 deletions below a quarter, not on each.
    private static bool IsMergeDue<TEntry>(int count)
        where TEntry : unmanaged
    {
        int capacity = FixedSizeTreePage<TKey, TEntry>.Capacity;
        return count < capacity / 4 && count % Math.Max(1, capacity / 32) == 0;
    }

    private void RemovePage(ref FixedSizeTreePath path, int level)
    {
        FreePage(path[level].Page, isLeaf: level == _header.Depth - 1);
        if (level == 0)
        {
            _header.Root = PageNumber.None;
            _header.Depth = 0;
            return;
        }

        level--;
        FixedSizeTreePage<TKey, PageNumber> parent = ModifyBranch(path[level].Page);
        parent.RemoveAt(path[level].Index);
        if (parent.Count == 0)
        {
            RemovePage(ref path, level);
        }
        else if (level == 0)
        {
            ShrinkRoot();
        }
        else if (IsMergeDue<PageNumber>(parent.Count))
        {
            TryMerge<PageNumber>(ref path, level);
        }
    }

    private void ShrinkRoot()
    {
        while (_header.Depth > 1)
        {
            FixedSizeTreePage<TKey, PageNumber> root = GetBranch(_header.Root);
            if (root.Count > 1)
            {
                return;
            }

            PageNumber child = root.Value(0);
            FreePage(_header.Root, isLeaf: false);
            _header.Root = child;
            _header.Depth--;
        }
    }

    private void FreePage(PageNumber number, bool isLeaf)
    {
        _lastLeaf = PageNumber.None;
        Writer.FreePage(number);
        if (isLeaf)
        {
            _header.LeafPages--;
        }
        else
        {
            _header.BranchPages--;
        }
    }

    private void TryMerge<TEntry>(ref FixedSizeTreePath path, int level)
        where TEntry : unmanaged
    {
        if (level == 0)
        {
            return;
        }

        int index = path[level - 1].Index;
        int siblings = GetBranch(path[level - 1].Page).Count;
        if (index + 1 >= siblings || !TryMergeRight<TEntry>(ref path, level, index))
        {
            _ = index > 0 && TryMergeRight<TEntry>(ref path, level, index - 1);
        }
    }

    // Moves the entries of child index + 1 into child index when both stay below three quarters: a full page would
    // split at once.
    private bool TryMergeRight<TEntry>(ref FixedSizeTreePath path, int level, int index)
        where TEntry : unmanaged
    {
        FixedSizeTreePage<TKey, PageNumber> parent = GetBranch(path[level - 1].Page);
        PageType type = level == _header.Depth - 1 ? PageType.FixedLeaf : PageType.FixedBranch;
        PageNumber leftNumber = parent.Value(index);
        PageNumber rightNumber = parent.Value(index + 1);
        int total = FixedSizeTreePage<TKey, TEntry>.Checked(Fetch(leftNumber), type, _header.OwnerTag).Count +
            FixedSizeTreePage<TKey, TEntry>.Checked(Fetch(rightNumber), type, _header.OwnerTag).Count;
        if (total > FixedSizeTreePage<TKey, TEntry>.Capacity * 3 / 4)
        {
            return false;
        }

        var left = new FixedSizeTreePage<TKey, TEntry>(Writer.ModifyPage(leftNumber));
        var right = new FixedSizeTreePage<TKey, TEntry>(Writer.ModifyPage(rightNumber));
        if (type == PageType.FixedBranch)
        {
            // The first key of a branch is never read; inside the merged branch it is a separator like any other.
            right.SetKey(0, parent.Key(index + 1));
        }

        right.MoveTailTo(left, 0);
        path[level - 1].Index = index + 1;
        path[level].Page = rightNumber;
        RemovePage(ref path, level);
        return true;
    }
}
