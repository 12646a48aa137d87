using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Jackdaw.Storage.Paging;

namespace Jackdaw.Storage.Trees;

/// <summary>Changes of the tree: put with splits, delete with merges.</summary>
public sealed unsafe partial class FixedSizeTree<TKey, TValue>
{
    // Entries are moved to the front of their page for an append only when that gains this much room; otherwise a new
    // leaf is cheaper.
    private static int SlideRoomMin => FixedSizeTreePage<TKey, TValue>.Capacity / 4;

    /// <summary>Sets the value of a key.</summary>
    /// <returns>True when the key is new, false when its value was replaced.</returns>
    public bool Put(TKey key, TValue value) => Put(key, value, replaces: true);

    /// <summary>Adds a key that is not there yet; false, and nothing changed, when it is.</summary>
    public bool TryAdd(TKey key, TValue value) => Put(key, value, replaces: false);

    private bool Put(TKey key, TValue value, bool replaces)
    {
        if (TryAppend(key, value))
        {
            return true;
        }

        if (_header.Depth == 0)
        {
            PutFirst(key, value);
            return true;
        }

        Unsafe.SkipInit(out FixedSizeTreePath path);
        bool isRightmost = Descend(key, ref path);
        FixedSizeTreeStep step = path[_header.Depth - 1];
        FixedSizeTreePage<TKey, TValue> leaf = GetLeaf(step.Page);
        if (step.Index < leaf.Count && leaf.Key(step.Index) == key)
        {
            if (replaces)
            {
                Replace(step, value);
            }

            return false;
        }

        Changed(+1);
        bool isAppend = isRightmost && step.Index == leaf.Count;
        if (isAppend ? HasRoomToAppend(leaf) : !leaf.IsFull)
        {
            ModifyLeaf(step.Page).Insert(step.Index, key, value);
            _lastLeaf = isRightmost ? step.Page : _lastLeaf;
        }
        else
        {
            SplitLeaf(ref path, isAppend, key, value);
        }

        return true;
    }

    /// <summary>Removes a key.</summary>
    /// <returns>False when the tree does not have it.</returns>
    public bool Delete(TKey key) => Delete(key, out _);

    /// <summary>Removes a key and returns the value it had.</summary>
    /// <returns>False when the tree does not have it.</returns>
    public bool Delete(TKey key, out TValue value)
    {
        value = default;
        if (_header.Depth == 0)
        {
            return false;
        }

        Unsafe.SkipInit(out FixedSizeTreePath path);
        Descend(key, ref path);
        int level = _header.Depth - 1;
        FixedSizeTreeStep step = path[level];
        FixedSizeTreePage<TKey, TValue> leaf = GetLeaf(step.Page);
        if (step.Index >= leaf.Count || leaf.Key(step.Index) != key)
        {
            return false;
        }

        value = leaf.Value(step.Index);
        Changed(-1);
        leaf = ModifyLeaf(step.Page);
        leaf.RemoveAt(step.Index);
        if (leaf.Count == 0)
        {
            RemovePage(ref path, level);
        }
        else if (IsMergeDue<TValue>(leaf.Count))
        {
            TryMerge<TValue>(ref path, level);
        }

        return true;
    }

    private static bool HasRoomToAppend(FixedSizeTreePage<TKey, TValue> leaf) =>
        leaf.First + leaf.Count < FixedSizeTreePage<TKey, TValue>.Capacity || leaf.First >= SlideRoomMin;

    private bool TryAppend(TKey key, TValue value)
    {
        if (_lastLeaf.IsNone)
        {
            return false;
        }

        FixedSizeTreePage<TKey, TValue> leaf = GetLeaf(_lastLeaf);
        int count = leaf.Count;
        if (key <= leaf.Key(count - 1) || !HasRoomToAppend(leaf))
        {
            return false;
        }

        Changed(+1);
        ModifyLeaf(_lastLeaf).Insert(count, key, value);
        return true;
    }

    private void PutFirst(TKey key, TValue value)
    {
        FixedSizeTreePage<TKey, TValue> leaf = AllocateLeaf(PageNumber.None);
        leaf.Insert(0, key, value);
        Changed(+1);
        _header.Root = leaf.Number;
        _header.Depth = 1;
        _lastLeaf = leaf.Number;
    }

    private void Replace(FixedSizeTreeStep step, TValue value)
    {
        TValue old = GetLeaf(step.Page).Value(step.Index);
        if (!MemoryMarshal.AsBytes(new ReadOnlySpan<TValue>(ref old)).SequenceEqual(
            MemoryMarshal.AsBytes(new ReadOnlySpan<TValue>(ref value))))
        {
            Version++;
            ModifyLeaf(step.Page).SetValue(step.Index, value);
        }
    }

    private void Changed(int entries)
    {
        _ = Writer;
        Version++;
        _header.EntryCount += entries;
        HeaderChanged = true;
    }

    private FixedSizeTreePage<TKey, TValue> ModifyLeaf(PageNumber number) => new(Writer.ModifyPage(number));

    private FixedSizeTreePage<TKey, PageNumber> ModifyBranch(PageNumber number) => new(Writer.ModifyPage(number));

    private FixedSizeTreePage<TKey, TValue> AllocateLeaf(PageNumber near)
    {
        var leaf = new FixedSizeTreePage<TKey, TValue>(Writer.AllocatePage(PageType.FixedLeaf, _header.OwnerTag, near));
        leaf.Format();
        _header.LeafPages++;
        return leaf;
    }

    private FixedSizeTreePage<TKey, PageNumber> AllocateBranch(PageNumber near)
    {
        var branch = new FixedSizeTreePage<TKey, PageNumber>(
            Writer.AllocatePage(PageType.FixedBranch, _header.OwnerTag, near));
        branch.Format();
        _header.BranchPages++;
        return branch;
    }

    // An append leaves the left page as it is, so ascending keys fill pages to the last entry; anything else splits in
    // half.
    private void SplitLeaf(ref FixedSizeTreePath path, bool isAppend, TKey key, TValue value)
    {
        int level = _header.Depth - 1;
        FixedSizeTreeStep step = path[level];
        FixedSizeTreePage<TKey, TValue> right = AllocateLeaf(step.Page);
        _lastLeaf = PageNumber.None;
        if (isAppend)
        {
            right.Insert(0, key, value);
            _lastLeaf = right.Number;
        }
        else
        {
            FixedSizeTreePage<TKey, TValue> left = ModifyLeaf(step.Page);
            int half = left.Count / 2;
            left.MoveTailTo(right, half);
            bool goesLeft = step.Index <= half;
            (goesLeft ? left : right).Insert(goesLeft ? step.Index : step.Index - half, key, value);
        }

        InsertChild(ref path, level - 1, right.Key(0), right.Number, isAppend);
    }

    private void InsertChild(ref FixedSizeTreePath path, int level, TKey separator, PageNumber child, bool isAppend)
    {
        if (level < 0)
        {
            GrowRoot(separator, child);
            return;
        }

        FixedSizeTreeStep step = path[level];
        FixedSizeTreePage<TKey, PageNumber> branch = ModifyBranch(step.Page);
        if (!branch.IsFull)
        {
            branch.Insert(step.Index + 1, separator, child);
            return;
        }

        FixedSizeTreePage<TKey, PageNumber> right = AllocateBranch(step.Page);
        if (isAppend)
        {
            Debug.Assert(step.Index == branch.Count - 1);
            right.Insert(0, separator, child);
        }
        else
        {
            int half = branch.Count / 2;
            branch.MoveTailTo(right, half);
            bool goesLeft = step.Index < half;
            (goesLeft ? branch : right).Insert(goesLeft ? step.Index + 1 : step.Index + 1 - half, separator, child);
        }

        InsertChild(ref path, level - 1, right.Key(0), right.Number, isAppend);
    }

    private void GrowRoot(TKey separator, PageNumber child)
    {
        if (_header.Depth == FixedSizeTreePath.DepthMax)
        {
            throw new InvalidOperationException("The fixed-entry tree has reached its largest depth.");
        }

        FixedSizeTreePage<TKey, PageNumber> root = AllocateBranch(_header.Root);
        root.Insert(0, separator, _header.Root);
        root.Insert(1, separator, child);
        _header.Root = root.Number;
        _header.Depth++;
    }
}
