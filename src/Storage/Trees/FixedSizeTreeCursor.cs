using System.Diagnostics;
using System.Numerics;
using Jackdaw.Storage.Paging;

namespace Jackdaw.Storage.Trees;

/// <summary>A position in a fixed-entry tree; moves both ways without allocation. Any change of the tree makes it invalid.</summary>
/// <remarks>A seek costs one page per level, a move touches another page only at the end of a leaf. After a seek or
/// move that returned false the cursor has no position and must seek again.</remarks>
public struct FixedSizeTreeCursor<TKey, TValue>
    where TKey : unmanaged, IComparisonOperators<TKey, TKey, bool>
    where TValue : unmanaged
{
    private readonly FixedSizeTree<TKey, TValue> _tree;
    private FixedSizeTreePath _path;
    private FixedSizeTreePage<TKey, TValue> _leaf;
    private int _index;
    private int _count;
    private int _version;

    internal FixedSizeTreeCursor(FixedSizeTree<TKey, TValue> tree)
    {
        _tree = tree;
        _index = -1;
    }

    /// <summary>True when there is an entry under the cursor.</summary>
    public readonly bool IsValid => (uint)_index < (uint)_count;

    /// <summary>Key of the entry.</summary>
    public readonly TKey Key
    {
        get
        {
            CheckPosition();
            return _leaf.Key(_index);
        }
    }

    /// <summary>Value of the entry.</summary>
    public readonly TValue Value
    {
        get
        {
            CheckPosition();
            return _leaf.Value(_index);
        }
    }

    /// <summary>Goes to the smallest key.</summary>
    public bool SeekFirst() => SeekEdge(toLast: false);

    /// <summary>Goes to the largest key.</summary>
    public bool SeekLast() => SeekEdge(toLast: true);

    /// <summary>Goes to the first key that is not below the given one.</summary>
    public bool Seek(TKey key)
    {
        if (!Begin())
        {
            return false;
        }

        _tree.Descend(key, ref _path);
        int last = _tree.Header.Depth - 1;
        EnterLeaf(_path[last].Page);
        _index = _path[last].Index;
        return _index < _count || MoveToLeaf(forward: true);
    }

    /// <summary>Goes to the last key that is not above the given one.</summary>
    public bool SeekAtMost(TKey key)
    {
        if (!Seek(key))
        {
            return SeekLast();
        }

        return Key == key || MovePrevious();
    }

    /// <summary>Goes to the next larger key.</summary>
    public bool MoveNext()
    {
        CheckPosition();
        return ++_index < _count || MoveToLeaf(forward: true);
    }

    /// <summary>Goes to the next smaller key.</summary>
    public bool MovePrevious()
    {
        CheckPosition();
        return --_index >= 0 || MoveToLeaf(forward: false);
    }

    /// <summary>Entries from here to the end, this one included; the cursor has no position afterwards.</summary>
    internal long CountToEnd()
    {
        CheckPosition();
        long count = 0;
        do
        {
            count += _count - _index;
        }
        while (MoveToLeaf(forward: true));
        return count;
    }

    private bool Begin()
    {
        _version = _tree.Version;
        _index = -1;
        _count = 0;
        return _tree.Header.Depth > 0;
    }

    private bool SeekEdge(bool toLast)
    {
        if (!Begin())
        {
            return false;
        }

        DescendEdge(_tree.Header.Root, 0, toLast);
        return true;
    }

    private void DescendEdge(PageNumber number, int level, bool toLast)
    {
        for (; level < _tree.Header.Depth - 1; level++)
        {
            FixedSizeTreePage<TKey, PageNumber> branch = _tree.GetBranch(number);
            _path[level].Page = number;
            _path[level].Index = toLast ? branch.Count - 1 : 0;
            number = branch.Value(_path[level].Index);
        }

        EnterLeaf(number);
        _index = toLast ? _count - 1 : 0;
    }

    private void EnterLeaf(PageNumber number)
    {
        _leaf = _tree.GetLeaf(number);
        _count = _leaf.Count;
    }

    // Climbs to the first branch with a neighbour on the wanted side and goes down its near edge.
    private bool MoveToLeaf(bool forward)
    {
        for (int level = _tree.Header.Depth - 2; level >= 0; level--)
        {
            FixedSizeTreePage<TKey, PageNumber> branch = _tree.GetBranch(_path[level].Page);
            int index = _path[level].Index + (forward ? 1 : -1);
            if ((uint)index < (uint)branch.Count)
            {
                _path[level].Index = index;
                DescendEdge(branch.Value(index), level + 1, toLast: !forward);
                return true;
            }
        }

        _index = -1;
        _count = 0;
        return false;
    }

    private readonly void CheckPosition()
    {
        if (!IsValid || _version != _tree.Version)
        {
            throw new InvalidOperationException(
                "The cursor is not on an entry, or the tree was changed since its last seek.");
        }

        Debug.Assert(!_tree.Header.Root.IsNone);
    }
}
