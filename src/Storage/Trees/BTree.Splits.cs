using System.Diagnostics;
using System.Runtime.CompilerServices;
using Jackdaw.Storage.Paging;

namespace Jackdaw.Storage.Trees;

/// <summary>Inserting, and splitting pages that are full.</summary>
/// <remarks>
/// Order of a split, which keeps every borrowed key readable:
/// (1) the upper entries are copied to a new page; (2) the old page is truncated, its bytes stay; (3) the parent gets
/// the separator, which may be a slice of those bytes; (4) only then the new entry goes in, which may compact the old
/// page.
/// </remarks>
public sealed unsafe partial class BTree
{
    /// <summary>The side of a middle split that gets the new entry is made smaller by this, as the next insert tends
    /// to come close to the last. 1/16 of a page: more would cost density of random inserts.</summary>
    private const int SplitBiasBytes = TreePage.Capacity / 16;

    /// <summary>Entries of the longest keys that fill a branch.</summary>
    private const int BranchEntriesMin =
        TreePage.Capacity / (TreePage.NodeHeaderBytes + KeyBytesMax + TreePage.ChildBytes + TreePage.SlotBytes);

    /// <summary>Inserts an entry at an index of a page on the current path; splits the page when it is full.</summary>
    /// <returns>The payload to fill.</returns>
    /// <remarks><paramref name="page"/> is the transaction's own copy.</remarks>
    private byte* InsertAt(int level, TreePage page, int index, ReadOnlySpan<byte> key, int field)
    {
        int bytes = TreePage.NodeBytes(key.Length, field) + TreePage.SlotBytes;
        Debug.Assert(bytes <= TreePage.Capacity / 2);
        if (page.MakeRoom(bytes))
        {
            return page.Insert(index, key, field);
        }

        _pathIsValid = false;
        return Split(level, page, index, key, field);
    }

    private byte* Split(int level, TreePage page, int index, ReadOnlySpan<byte> key, int field)
    {
        if (page.IsBranch || (index != 0 && index != page.Count))
        {
            return SplitMiddle(level, page, index, key, field);
        }

        // At either end of a leaf only the new entry moves: ascending and descending runs fill their leaves.
        TreePage added = Allocate(PageType.TreeLeaf, page.Number);
        if (index == 0)
        {
            LinkSplit(level, KeyOrder.ShortestSeparator(key, page.KeyAt(0)), added.Number, page.Number);
        }
        else
        {
            LinkSplit(level, KeyOrder.ShortestSeparator(page.KeyAt(index - 1), key), page.Number, added.Number);
        }

        return added.Insert(0, key, field);
    }

    private byte* SplitMiddle(int level, TreePage page, int index, ReadOnlySpan<byte> key, int field)
    {
        int bytes = TreePage.NodeBytes(key.Length, field) + TreePage.SlotBytes;
        int at = ChooseSplit(page, index, bytes);
        ReadOnlySpan<byte> separator = KeyWith(page, index, key, at);
        if (!page.IsBranch)
        {
            separator = KeyOrder.ShortestSeparator(KeyWith(page, index, key, at - 1), separator);
        }

        // (1)
        bool goesRight = index >= at;
        int stay = goesRight ? at : at - 1;
        int moved = stay;
        TreePage right = Allocate(page.Header.Type, page.Number);
        if (page.IsBranch && index != at)
        {
            right.InsertChild(0, default, page.ChildAt(moved++));
        }

        right.CopyFrom(page, moved, page.Count, right.Count);

        // (2), (3)
        page.Truncate(stay);
        LinkSplit(level, separator, page.Number, right.Number);

        // (4)
        TreePage target = goesRight ? right : page;
        int targetIndex = goesRight ? index - at : index;
        ReadOnlySpan<byte> targetKey = page.IsBranch && goesRight && index == at ? default : key;
        if (!target.MakeRoom(bytes))
        {
            page.ThrowDamaged("a half of it does not fit a page");
        }

        return target.Insert(targetIndex, targetKey, field);
    }

    /// <summary>Records in the parent of a page that the page was split in two.</summary>
    /// <remarks>Either may be the new one; <paramref name="left"/> takes the place of the split page.</remarks>
    private void LinkSplit(int level, ReadOnlySpan<byte> separator, PageNumber left, PageNumber right)
    {
        if (level == 0)
        {
            GrowRoot(separator, left, right);
            return;
        }

        Debug.Assert(_writer is not null);
        PathStep step = _path[level - 1];
        var parent = new TreePage(_writer.ModifyPage(step.Page));
        if (parent.ChildAt(step.Index) != left)
        {
            parent.SetChild(step.Index, left);
        }

        byte* payload = InsertAt(level - 1, parent, step.Index + 1, separator, TreePage.ChildBytes);
        Unsafe.WriteUnaligned(payload, right.Value);
    }

    private void GrowRoot(ReadOnlySpan<byte> separator, PageNumber left, PageNumber right)
    {
        if (_header.Depth == TreePath.DepthMax)
        {
            throw new InvalidOperationException($"Tree {_header.OwnerTag:x8} has reached its largest depth.");
        }

        TreePage root = Allocate(PageType.TreeBranch, left);
        root.InsertChild(0, default, left);
        root.InsertChild(1, separator, right);
        _header.Root = root.Number;
        _header.Depth++;
    }

    /// <summary>Number of entries, counting the new one, that stay left.</summary>
    /// <remarks>Runs of neighbouring keys often end before other keys of the page, as when several collections grow
    /// in turn. A split in the middle would then leave a half-empty page each time: the page is split where the run
    /// is.</remarks>
    private static int ChooseSplit(TreePage page, int index, int bytes)
    {
        int at = 0;
        int before = BytesBefore(page, index);
        if (page.IsBranch && index == page.Count)
        {
            at = index - 1;
        }
        else if (page.LastInsert == index)
        {
            at = before + bytes <= TreePage.Capacity ? index + 1 : index;
        }
        else if (page.LastInsert == index + 1)
        {
            at = page.UsedBytes - before + bytes <= TreePage.Capacity ? index : index + 1;
        }

        if (at == 0 || (page.IsBranch && page.Count < BranchEntriesMin))
        {
            return ChooseMiddle(page, index, bytes);
        }

        // A branch with a single child would be legal, but useless; two or three entries always fit.
        return page.IsBranch ? Math.Clamp(at, 2, page.Count - 1) : at;
    }

    /// <summary>The split near the middle by bytes, always legal.</summary>
    private static int ChooseMiddle(TreePage page, int index, int bytes)
    {
        int total = page.UsedBytes + bytes;
        int target = (total / 2) + (index > page.Count / 2 ? SplitBiasBytes : -SplitBiasBytes);
        int best = 0;
        int bestDistance = int.MaxValue;
        int left = 0;
        for (int at = 1; at <= page.Count; at++)
        {
            int entry = at - 1;
            left += entry == index ? bytes : page.NodeBytesAt(entry < index ? entry : entry - 1) + TreePage.SlotBytes;
            int distance = Math.Abs(left - target);
            if (left <= TreePage.Capacity && total - left <= TreePage.Capacity && distance < bestDistance)
            {
                best = at;
                bestDistance = distance;
            }
        }

        if (best == 0)
        {
            page.ThrowDamaged("its entries cannot be split over two pages");
        }

        return best;
    }

    private static int BytesBefore(TreePage page, int index)
    {
        int bytes = 0;
        for (int i = 0; i < index; i++)
        {
            bytes += page.NodeBytesAt(i) + TreePage.SlotBytes;
        }

        return bytes;
    }

    /// <summary>Key at an index of the page as it would be with the new entry.</summary>
    private static ReadOnlySpan<byte> KeyWith(TreePage page, int newIndex, ReadOnlySpan<byte> newKey, int index) =>
        index == newIndex ? newKey : page.KeyAt(index < newIndex ? index : index - 1);

    private TreePage Allocate(PageType type, PageNumber near)
    {
        Debug.Assert(_writer is not null);
        TreePage page = TreePage.Create(_writer.AllocatePage(type, _header.OwnerTag, near));
        HeaderChanged = true;
        if (type == PageType.TreeLeaf)
        {
            _header.LeafPages++;
        }
        else
        {
            _header.BranchPages++;
        }

        return page;
    }
}
