using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Jackdaw.Storage.Paging;

namespace Jackdaw.Storage.Trees;

/// <summary>Removing all entries whose keys begin alike.</summary>
public sealed unsafe partial class BTree
{
    /// <summary>Removes entries whose keys begin with a prefix, in the order of the keys. Nothing of their overflow runs is read.</summary>
    /// <remarks>Each leaf is found once and changed once, however many entries go from it. A caller with much to remove calls again, in the
    /// next transaction, until the result is done.</remarks>
    /// <param name="prefix">First bytes of the keys; an empty one begins every key.</param>
    /// <param name="bytesMax">About how many bytes of keys and values, overflow runs included, are removed at once: the entry that reaches this
    /// number is the last one. At least 1, so that at least one entry goes.</param>
    [SkipLocalsInit]
    public PrefixDeletion DeletePrefix(ReadOnlySpan<byte> prefix, long bytesMax)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(bytesMax);
        CheckedWriter();
        if (prefix.Length > KeyBytesMax)
        {
            return new PrefixDeletion(0, 0, IsDone: true);
        }

        // A copy, because the prefix may lie in a page that changes.
        Span<byte> copy = stackalloc byte[KeyBytesMax];
        prefix.CopyTo(copy);
        return DeleteWith(copy[..prefix.Length], bytesMax);
    }

    private PrefixDeletion DeleteWith(ReadOnlySpan<byte> prefix, long bytesMax)
    {
        var deleted = new PrefixDeletion(0, 0, IsDone: false);
        while (TryFindFirst(prefix, out TreePage leaf, out int index))
        {
            if (deleted.Bytes >= bytesMax)
            {
                return deleted;
            }

            PrefixDeletion more = DeleteInLeaf(leaf, index, prefix, bytesMax - deleted.Bytes);
            Debug.Assert(more.Entries > 0);
            deleted = new PrefixDeletion(deleted.Entries + more.Entries, deleted.Bytes + more.Bytes, IsDone: false);
        }

        return deleted with { IsDone = true };
    }

    /// <summary>Finds the first entry with a prefix. Afterwards the path leads to its leaf, and must not be used to skip a descent.</summary>
    private bool TryFindFirst(ReadOnlySpan<byte> prefix, out TreePage leaf, out int index)
    {
        leaf = default;
        index = 0;
        if (_header.Depth == 0)
        {
            return false;
        }

        fixed (byte* first = prefix)
        {
            leaf = Descend(first, prefix.Length);
            index = leaf.Find(first, prefix.Length, 0, out _);
        }

        _pathIsValid = false;
        if (index == leaf.Count)
        {
            // The entries that made the separator after this leaf were deleted, and the separator stayed.
            if (!TryStepToNextLeaf(out leaf))
            {
                return false;
            }

            index = 0;
        }

        return leaf.KeyAt(index).StartsWith(prefix);
    }

    private bool TryStepToNextLeaf(out TreePage leaf)
    {
        int leafLevel = _header.Depth - 1;
        for (int level = leafLevel - 1; level >= 0; level--)
        {
            TreePage branch = LoadBranch(_path[level].Page);
            if (_path[level].Index + 1 < branch.Count)
            {
                leaf = DescendFirst(level + 1, branch.ChildAt(++_path[level].Index));
                return true;
            }
        }

        leaf = default;
        return false;
    }

    private TreePage DescendFirst(int level, PageNumber number)
    {
        for (int leafLevel = _header.Depth - 1; level < leafLevel; level++)
        {
            _path[level] = new PathStep { Page = number };
            number = LoadBranch(number).ChildAt(0);
        }

        _path[level] = new PathStep { Page = number };
        return LoadLeaf(number);
    }

    /// <summary>Removes entries of the leaf at the end of the path: neighbours from an index on, which has the prefix.</summary>
    private PrefixDeletion DeleteInLeaf(TreePage leaf, int from, ReadOnlySpan<byte> prefix, long bytesMax)
    {
        Debug.Assert(_writer is not null);
        Version++;
        long bytes = 0;
        int to = from;
        for (; to < leaf.Count && bytes < bytesMax && leaf.KeyAt(to).StartsWith(prefix); to++)
        {
            int field = leaf.FieldAt(to);
            bytes += leaf.KeyAt(to).Length + (field == TreePage.OverflowMark ? FreeUnread(leaf.RunAt(to)) : field);
        }

        leaf = new TreePage(_writer.ModifyPage(leaf.Number));
        for (int i = to - 1; i >= from; i--)
        {
            leaf.Remove(i);
        }

        _header.EntryCount -= to - from;
        HeaderChanged = true;
        if (leaf.UsedBytes < MergeBelowBytes)
        {
            Rebalance(_header.Depth - 1, leaf);
        }

        return new PrefixDeletion(to - from, bytes, IsDone: false);
    }

    /// <summary>Frees a run without a look at it; returns the bytes of its value.</summary>
    private int FreeUnread(RunReference run)
    {
        Debug.Assert(_writer is not null);
        _writer.FreeRun(run.First, run.Bytes);
        _header.OverflowPages -= run.PageCount;
        return run.Bytes;
    }
}

/// <summary>What <see cref="BTree.DeletePrefix"/> removed.</summary>
/// <param name="Entries">Number of entries.</param>
/// <param name="Bytes">Bytes of their keys and values.</param>
/// <param name="IsDone">True when no entry with the prefix is left.</param>
[StructLayout(LayoutKind.Auto)]
public readonly record struct PrefixDeletion(long Entries, long Bytes, bool IsDone);
