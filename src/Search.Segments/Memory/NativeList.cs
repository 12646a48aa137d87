using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Jackdaw.Search.Segments.Memory;

/// <summary>A growing array outside of the managed heap, whose items do not move while nothing is added. One thread.</summary>
internal sealed unsafe class NativeList<T> : IDisposable
    where T : unmanaged
{
    private const int CapacityMin = 64;

    private T* _items;
    private int _capacity;

    ~NativeList() => NativeMemory.Free(_items);

    /// <summary>The first item. Valid until an item is added.</summary>
    public T* Items => _items;

    public int Count { get; private set; }

    public bool IsEmpty => Count == 0;

    public Span<T> Span => new(_items, Count);

    public ref T this[int index]
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            Debug.Assert((uint)index < (uint)Count);
            return ref _items[index];
        }
    }

    public ref T Last => ref this[Count - 1];

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Add(T item)
    {
        if (Count == _capacity)
        {
            Grow(Count + 1);
        }

        _items[Count++] = item;
    }

    /// <summary>Adds items whose contents are undefined.</summary>
    /// <returns>The first of them.</returns>
    public T* Extend(int count)
    {
        EnsureCapacity(Count + count);
        T* added = _items + Count;
        Count += count;
        return added;
    }

    public void EnsureCapacity(int capacity)
    {
        if (capacity > _capacity)
        {
            Grow(capacity);
        }
    }

    /// <summary>Makes the list as long as that, with undefined contents.</summary>
    public T* Resize(int count)
    {
        EnsureCapacity(count);
        Count = count;
        return _items;
    }

    public void Clear() => Count = 0;

    /// <summary>Gives memory back that one large use left.</summary>
    /// <param name="capacityMax">The most items for which memory stays.</param>
    public void Trim(int capacityMax)
    {
        Count = 0;
        if (_capacity > capacityMax)
        {
            Free();
        }
    }

    public void Dispose()
    {
        Free();
        GC.SuppressFinalize(this);
    }

    private void Free()
    {
        NativeMemory.Free(_items);
        _items = null;
        _capacity = 0;
        Count = 0;
    }

    private void Grow(int least)
    {
        int capacity = (int)Math.Min(Array.MaxLength, Math.Max(Math.Max(CapacityMin, least), 2L * _capacity));
        _items = (T*)NativeMemory.Realloc(_items, checked((nuint)capacity * (nuint)sizeof(T)));
        _capacity = capacity;
    }
}
