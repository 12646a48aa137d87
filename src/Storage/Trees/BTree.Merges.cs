using System.Diagnostics;
using Jackdaw.Storage.Paging;

namespace Jackdaw.Storage.Trees;

/// <summary>Merging pages that deletes left nearly empty, and freeing empty ones.</summary>
public sealed unsafe partial class BTree
{
    /// <summary>A page with fewer bytes looks for a sibling to merge with. A third: a page fresh from a split is at
    /// about a half, so some of it must go before the next structural change.</summary>
    private const int MergeBelowBytes = TreePage.Capacity / 3;

    /// <summary>Largest result of a merge. Three quarters: a full page would split again at the next insert.</summary>
    private const int MergedBytesMax = TreePage.Capacity / 4 * 3;

    /// <summary>Repairs a page on the current path, and then its ancestors, after an entry was removed from
    /// it.</summary>
    private void Rebalance(int level, TreePage page)
    {
        for (; level > 0; level--)
        {
            if (page.Count == 0)
            {
                Free(page);
                page = RemoveFromParent(level, _path[level - 1].Index);
            }
            else if (page.UsedBytes >= MergeBelowBytes || !TryMerge(level, page, out page))
            {
                return;
            }

            _pathIsValid = false;
        }

        CollapseRoot(page);
    }

    private void CollapseRoot(TreePage root)
    {
        while (root.Count == 0 || (root.IsBranch && root.Count == 1))
        {
            _pathIsValid = false;
            _header.Root = root.Count == 0 ? PageNumber.None : root.ChildAt(0);
            _header.Depth = root.Count == 0 ? 0 : _header.Depth - 1;
            Free(root);
            if (_header.Depth == 0)
            {
                return;
            }

            root = LoadAt(0, _header.Root);
        }
    }

    /// <summary>Merges a page with its right or left sibling when the result leaves room.</summary>
    /// <returns>True when merged; <paramref name="parent"/> is then the changed parent.</returns>
    private bool TryMerge(int level, TreePage page, out TreePage parent)
    {
        PathStep step = _path[level - 1];
        parent = LoadBranch(step.Page);
        if (step.Index + 1 < parent.Count)
        {
            TreePage right = LoadAt(level, parent.ChildAt(step.Index + 1));
            if (FitsMerged(parent, step.Index + 1, page, right))
            {
                parent = Merge(level, parent, step.Index + 1, page, right);
                return true;
            }
        }

        if (step.Index > 0)
        {
            TreePage left = LoadAt(level, parent.ChildAt(step.Index - 1));
            if (FitsMerged(parent, step.Index, left, page))
            {
                parent = Merge(level, parent, step.Index, left, page);
                return true;
            }
        }

        return false;
    }

    /// <summary>Whether two siblings may become one. A branch with one child is merged whenever it fits; otherwise it
    /// would stay forever.</summary>
    private static bool FitsMerged(TreePage parent, int rightIndex, TreePage left, TreePage right)
    {
        int bytes = left.UsedBytes + right.UsedBytes;
        if (!left.IsBranch)
        {
            return bytes <= MergedBytesMax;
        }

        bytes += parent.KeyAt(rightIndex).Length;
        return bytes <= (left.Count == 1 || right.Count == 1 ? TreePage.Capacity : MergedBytesMax);
    }

    /// <summary>Moves the entries of the emptier page to the fuller one, which keeps its number.</summary>
    /// <returns>The changed parent.</returns>
    private TreePage Merge(int level, TreePage parent, int rightIndex, TreePage left, TreePage right)
    {
        Debug.Assert(_writer is not null);
        ReadOnlySpan<byte> separator = parent.KeyAt(rightIndex);
        bool intoLeft = left.UsedBytes >= right.UsedBytes;
        if (intoLeft)
        {
            left = new TreePage(_writer.ModifyPage(left.Number));
            Append(left, separator, right);
            Free(right);
        }
        else
        {
            right = new TreePage(_writer.ModifyPage(right.Number));
            Prepend(right, separator, left);
            Free(left);
            parent = new TreePage(_writer.ModifyPage(parent.Number));
            parent.SetChild(rightIndex - 1, right.Number);
        }

        return RemoveFromParent(level, rightIndex);
    }

    private static void Append(TreePage left, ReadOnlySpan<byte> separator, TreePage right)
    {
        MakeRoomForMerge(left, right.UsedBytes + (right.IsBranch ? separator.Length : 0));
        int from = 0;
        if (right.IsBranch)
        {
            // The first key of the right branch was implicit: it becomes the separator.
            left.InsertChild(left.Count, separator, right.ChildAt(from++));
        }

        left.CopyFrom(right, from, right.Count, left.Count);
    }

    private static void Prepend(TreePage right, ReadOnlySpan<byte> separator, TreePage left)
    {
        if (right.IsBranch)
        {
            PageNumber first = right.ChildAt(0);
            right.Remove(0);
            int bytes = TreePage.NodeBytes(separator.Length, TreePage.ChildBytes) + TreePage.SlotBytes;
            MakeRoomForMerge(right, left.UsedBytes + bytes);
            right.InsertChild(0, separator, first);
        }
        else
        {
            MakeRoomForMerge(right, left.UsedBytes);
        }

        right.CopyFrom(left, 0, left.Count, 0);
    }

    private static void MakeRoomForMerge(TreePage page, int bytes)
    {
        if (!page.MakeRoom(bytes))
        {
            page.ThrowDamaged("it has less room than its header says");
        }
    }

    private TreePage RemoveFromParent(int level, int index)
    {
        Debug.Assert(_writer is not null);
        var parent = new TreePage(_writer.ModifyPage(_path[level - 1].Page));
        parent.Remove(index);
        if (index == 0 && parent.Count > 0)
        {
            parent.ClearFirstKey();
        }

        return parent;
    }

    private void Free(TreePage page)
    {
        Debug.Assert(_writer is not null);
        if (page.IsBranch)
        {
            _header.BranchPages--;
        }
        else
        {
            _header.LeafPages--;
        }

        HeaderChanged = true;
        _writer.FreePage(page.Number);
    }

    private void FreeSubtree(PageWriter writer, PageNumber number, int level)
    {
        TreePage page = LoadAt(level, number);
        for (int i = 0; i < page.Count; i++)
        {
            if (page.IsBranch)
            {
                FreeSubtree(writer, page.ChildAt(i), level + 1);
                continue;
            }

            page.PayloadAt(i, out int field);
            if (field == TreePage.OverflowMark)
            {
                writer.FreePage(CheckedRun(page, i).First);
            }
        }

        writer.FreePage(number);
    }
}
