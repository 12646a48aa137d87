using System.Diagnostics;
using System.Numerics;
using System.Runtime.CompilerServices;
using Jackdaw.Storage.Paging;

namespace Jackdaw.Storage.Trees;

/// <summary>One leaf (value = entry value) or branch (value = child page number) of a fixed-entry tree: a view, no
/// state.</summary>
/// <remarks>
/// Keys and values are two arrays, so that a search reads keys only. Entries are a window [first, first + count) of
/// both arrays: removing the first entry moves the window's start instead of every entry, so deleting from the front
/// changes four bytes of the page, and appending changes the appended entry and the count.
/// <code>
/// offset                     size               field
///     28                        1               page type: FixedBranch or FixedLeaf
///     30                        2               lower: index of the first entry in both arrays
///     34                        2               entry count
///     64       capacity * key size              keys, ascending from first on
///      …     capacity * value size              values
/// </code>
/// capacity = 8128 / (key size + value size). The key of a branch's first entry is never read: it stands for "below
/// all". The same table is in docs/formats/fixed-tree.md.
/// </remarks>
internal readonly unsafe struct FixedSizeTreePage<TKey, TValue>(Page page)
    where TKey : unmanaged, IComparisonOperators<TKey, TKey, bool>
    where TValue : unmanaged
{
    private readonly byte* _address = page.Address;

    /// <summary>Entries that fit a page.</summary>
    public static int Capacity
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => Page.BodySize / (sizeof(TKey) + sizeof(TValue));
    }

    /// <summary>Number of the page.</summary>
    public PageNumber Number => Header.PageNumber;

    /// <summary>Entries.</summary>
    public int Count => Header.Count;

    /// <summary>Index of the first entry in the arrays: room in front of it was left by deletions.</summary>
    public int First => Header.Lower;

    /// <summary>True when no entry can be added.</summary>
    public bool IsFull => Count == Capacity;

    private ref PageHeader Header => ref Unsafe.AsRef<PageHeader>(_address);

    private TKey* Keys => (TKey*)(_address + PageHeader.SizeOf);

    private TValue* Values => (TValue*)(_address + PageHeader.SizeOf + (Capacity * sizeof(TKey)));

    /// <summary>Makes a new page ready: no entries.</summary>
    public void Format()
    {
        Header.Lower = 0;
        Header.Count = 0;
    }

    /// <summary>A checked view of a page: it must have the right type and owner, its entries must lie inside the arrays, and it
    /// must not be empty.</summary>
    /// <exception cref="CorruptedPageException">The page is not such a page.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static FixedSizeTreePage<TKey, TValue> Checked(Page page, PageType type, uint ownerTag)
    {
        var view = new FixedSizeTreePage<TKey, TValue>(page);
        ref PageHeader header = ref view.Header;
        if (header.Type != type || header.OwnerTag != ownerTag || header.Count == 0 ||
            header.Lower + header.Count > Capacity)
        {
            PageDamage.Throw(header.PageNumber, $"not a {type} page of its tree, or its entry count is out of bounds");
        }

        return view;
    }

    public TKey Key(int index)
    {
        Debug.Assert((uint)index < (uint)Count);
        return Keys[First + index];
    }

    public TValue Value(int index)
    {
        Debug.Assert((uint)index < (uint)Count);
        return Values[First + index];
    }

    public void SetKey(int index, TKey key)
    {
        Debug.Assert((uint)index < (uint)Count);
        Keys[First + index] = key;
    }

    public void SetValue(int index, TValue value)
    {
        Debug.Assert((uint)index < (uint)Count);
        Values[First + index] = value;
    }

    /// <summary>Index of the first entry whose key is not below the given one; the count when there is none.</summary>
    public int LowerBound(TKey key)
    {
        TKey* keys = Keys + First;
        int low = 0;
        int length = Count;
        while (length > 0)
        {
            int half = length >> 1;
            bool isBelow = keys[low + half] < key;
            low = isBelow ? low + half + 1 : low;
            length = isBelow ? length - half - 1 : half;
        }

        return low;
    }

    /// <summary>Index of the child that covers a key: the last one whose separator is not above it.</summary>
    public int ChildIndex(TKey key)
    {
        TKey* keys = Keys + First;
        int low = 1;
        int length = Count - 1;
        while (length > 0)
        {
            int half = length >> 1;
            bool isNotAbove = keys[low + half] <= key;
            low = isNotAbove ? low + half + 1 : low;
            length = isNotAbove ? length - half - 1 : half;
        }

        return low - 1;
    }

    /// <summary>Adds an entry before <paramref name="index"/>; the shorter side of the window moves where there is
    /// room.</summary>
    public void Insert(int index, TKey key, TValue value)
    {
        int first = First;
        int count = Count;
        Debug.Assert(count < Capacity);
        Debug.Assert((uint)index <= (uint)count);
        bool hasRoomBehind = first + count < Capacity;
        if (index == count && !hasRoomBehind)
        {
            SlideToFront();
            first = 0;
        }
        else if (first > 0 && (!hasRoomBehind || index < count - index))
        {
            Move(first, first - 1, index);
            first--;
        }
        else
        {
            Move(first + index, first + index + 1, count - index);
        }

        Keys[first + index] = key;
        Values[first + index] = value;
        Header.Lower = (ushort)first;
        Header.Count = (ushort)(count + 1);
    }

    /// <summary>Removes an entry; the shorter side of the window moves.</summary>
    public void RemoveAt(int index)
    {
        int first = First;
        int count = Count;
        Debug.Assert((uint)index < (uint)count);
        if (index < count - index - 1)
        {
            Move(first, first + 1, index);
            Header.Lower = (ushort)(first + 1);
        }
        else
        {
            Move(first + index + 1, first + index, count - index - 1);
        }

        Header.Count = (ushort)(count - 1);
    }

    /// <summary>Moves the entries from <paramref name="from"/> on to the end of another page's entries.</summary>
    public void MoveTailTo(FixedSizeTreePage<TKey, TValue> target, int from)
    {
        int moved = Count - from;
        Debug.Assert(moved > 0);
        Debug.Assert(target.Count + moved <= Capacity);
        if (target.First + target.Count + moved > Capacity)
        {
            target.SlideToFront();
        }

        int end = target.First + target.Count;
        new ReadOnlySpan<TKey>(Keys + First + from, moved).CopyTo(new Span<TKey>(target.Keys + end, moved));
        new ReadOnlySpan<TValue>(Values + First + from, moved).CopyTo(new Span<TValue>(target.Values + end, moved));
        target.Header.Count = (ushort)(target.Count + moved);
        Header.Count = (ushort)from;
    }

    private void SlideToFront()
    {
        Move(First, 0, Count);
        Header.Lower = 0;
    }

    private void Move(int from, int to, int count)
    {
        if (count == 0)
        {
            return;
        }

        new ReadOnlySpan<TKey>(Keys + from, count).CopyTo(new Span<TKey>(Keys + to, count));
        new ReadOnlySpan<TValue>(Values + from, count).CopyTo(new Span<TValue>(Values + to, count));
    }
}
