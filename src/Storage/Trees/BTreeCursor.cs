using System.Diagnostics;
using Jackdaw.Storage.Paging;

namespace Jackdaw.Storage.Trees;

/// <summary>A position in a B+tree that moves in key order. One thread; no step allocates.</summary>
/// <remarks>
/// <code>
///            SeekFirst, SeekLast, Seek = true
///  (nowhere) --------------------------------> (on an entry)
///                MoveNext = true                 |    |      Seek = false, MoveNext = false
///  (before all) ------------------> (on) &lt;--------    -----> (after all): MovePrevious goes to the last entry
/// </code>
/// A change of the tree through its object ends the position: <see cref="Key"/>, <see cref="Value"/> and moves then
/// throw until the next seek. To delete while walking: copy the key, delete, <see cref="Seek"/> it again.
/// </remarks>
public sealed unsafe class BTreeCursor : IDisposable
{
    private readonly BTree _tree;
    private TreePath _path;
    private TreePage _leaf;
    private int _count;
    private int _version;
    private Position _position;
    private bool _isIdle;

    internal BTreeCursor(BTree tree) => _tree = tree;

    private enum Position
    {
        Nowhere,
        Before,
        On,
        After,
    }

    /// <summary>True when there is an entry under the cursor.</summary>
    public bool IsOnEntry => _position == Position.On && _version == _tree.Version;

    /// <summary>Key under the cursor, in place: valid until the next change of the tree or the end of the
    /// transaction.</summary>
    /// <exception cref="InvalidOperationException">There is no entry under the cursor.</exception>
    public ReadOnlySpan<byte> Key
    {
        get
        {
            CheckOnEntry();
            return _leaf.KeyAt(Index);
        }
    }

    /// <summary>Value under the cursor, in place: valid until the next change of the tree or the end of the
    /// transaction.</summary>
    /// <exception cref="InvalidOperationException">There is no entry under the cursor.</exception>
    public ReadOnlySpan<byte> Value
    {
        get
        {
            CheckOnEntry();
            return _tree.ValueAt(_leaf, Index);
        }
    }

    private int LeafLevel => _tree.Header.Depth - 1;

    private ref int Index => ref _path[LeafLevel].Index;

    /// <summary>Goes to the first entry; false when the tree is empty.</summary>
    public bool SeekFirst()
    {
        if (!BeginSeek(Position.After))
        {
            return false;
        }

        DescendFirst(0, _tree.Header.Root);
        return true;
    }

    /// <summary>Goes to the last entry; false when the tree is empty.</summary>
    public bool SeekLast()
    {
        if (!BeginSeek(Position.Before))
        {
            return false;
        }

        DescendLast(0, _tree.Header.Root);
        return true;
    }

    /// <summary>Goes to the first entry whose key is at or after <paramref name="key"/>.</summary>
    /// <returns>False when there is none; <see cref="MovePrevious"/> then goes to the last entry.</returns>
    public bool Seek(ReadOnlySpan<byte> key)
    {
        if (!BeginSeek(Position.After))
        {
            return false;
        }

        fixed (byte* first = key)
        {
            PageNumber number = _tree.Header.Root;
            for (int level = 0; level < LeafLevel; level++)
            {
                TreePage branch = _tree.LoadBranch(number);
                int index = branch.FindChild(first, key.Length);
                _path[level] = new PathStep { Page = number, Index = index };
                number = branch.ChildAt(index);
            }

            EnterLeaf(number);
            Index = _leaf.Find(first, key.Length, 0, out _);
        }

        // A key after its leaf's last is followed by the next leaf's first.
        return Index < _count || NextLeaf();
    }

    /// <summary>Goes to the next entry; false, and after all, when there is none.</summary>
    public bool MoveNext()
    {
        CheckMove();
        if (_position != Position.On)
        {
            return _position == Position.Before && SeekFirst();
        }

        return ++Index < _count || NextLeaf();
    }

    /// <summary>Goes to the previous entry; false, and before all, when there is none.</summary>
    public bool MovePrevious()
    {
        CheckMove();
        if (_position != Position.On)
        {
            return _position == Position.After && SeekLast();
        }

        return --Index >= 0 || PreviousLeaf();
    }

    /// <summary>Gives the cursor back to its tree; it must not be used afterwards.</summary>
    public void Dispose()
    {
        if (!_isIdle)
        {
            Reset();
            _isIdle = true;
            _tree.Return(this);
        }
    }

    internal void Reset()
    {
        _position = Position.Nowhere;
        _isIdle = false;
    }

    private bool BeginSeek(Position whenEmpty)
    {
        _version = _tree.Version;
        _position = whenEmpty;
        return _tree.Header.Depth != 0;
    }

    private bool NextLeaf()
    {
        // If a page is damaged, no index outside of the old leaf may remain.
        _position = Position.Nowhere;
        for (int level = LeafLevel - 1; level >= 0; level--)
        {
            TreePage branch = _tree.LoadBranch(_path[level].Page);
            if (_path[level].Index + 1 < branch.Count)
            {
                DescendFirst(level + 1, branch.ChildAt(++_path[level].Index));
                return true;
            }
        }

        _position = Position.After;
        return false;
    }

    private bool PreviousLeaf()
    {
        _position = Position.Nowhere;
        for (int level = LeafLevel - 1; level >= 0; level--)
        {
            TreePage branch = _tree.LoadBranch(_path[level].Page);
            if (_path[level].Index > 0)
            {
                Debug.Assert(_path[level].Index <= branch.Count);
                DescendLast(level + 1, branch.ChildAt(--_path[level].Index));
                return true;
            }
        }

        _position = Position.Before;
        return false;
    }

    private void DescendFirst(int level, PageNumber number)
    {
        for (; level < LeafLevel; level++)
        {
            _path[level] = new PathStep { Page = number };
            number = _tree.LoadBranch(number).ChildAt(0);
        }

        EnterLeaf(number);
    }

    private void DescendLast(int level, PageNumber number)
    {
        for (; level < LeafLevel; level++)
        {
            TreePage branch = _tree.LoadBranch(number);
            _path[level] = new PathStep { Page = number, Index = branch.Count - 1 };
            number = branch.ChildAt(branch.Count - 1);
        }

        EnterLeaf(number);
        Index = _count - 1;
    }

    private void EnterLeaf(PageNumber number)
    {
        _leaf = _tree.LoadLeaf(number);
        _count = _leaf.Count;
        _path[LeafLevel] = new PathStep { Page = number };
        _position = Position.On;
    }

    private void CheckMove()
    {
        if (_version != _tree.Version || _position == Position.Nowhere)
        {
            throw new InvalidOperationException("The cursor has no position, or the tree changed since: seek first.");
        }
    }

    private void CheckOnEntry()
    {
        if (!IsOnEntry)
        {
            throw new InvalidOperationException("There is no entry under the cursor, or the tree changed since.");
        }
    }
}
