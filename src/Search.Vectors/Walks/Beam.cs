using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace Jackdaw.Search.Vectors.Walks;

/// <summary>The nearest nodes that a walk has found so far, in order, up to a width. One thread.</summary>
internal sealed unsafe class Beam
{
    private ulong[] _keys = [];
    private ulong* _first;

    /// <summary>The keys of the found nodes, nearest first.</summary>
    public ReadOnlySpan<ulong> Keys => new(_first, Count);

    public int Count { get; private set; }

    public int Width { get; private set; }

    public ulong this[int index] => _first[index];

    /// <param name="width">The most nodes, 1 or more.</param>
    public void Begin(int width)
    {
        Debug.Assert(width > 0);
        if (width >= _keys.Length)
        {
            _keys = GC.AllocateUninitializedArray<ulong>(width + (width / 2) + 64, pinned: true);
            _first = (ulong*)Unsafe.AsPointer(ref _keys[0]);
        }

        Count = 0;
        Width = width;
    }

    /// <summary>Notes that the walk goes to the neighbours of a node.</summary>
    public void MarkExpanded(int index) => _first[index] |= 1;

    /// <summary>Whether a node at a distance would be taken.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool Takes(ulong key) => Count < Width || key < _first[Count - 1];

    /// <summary>Adds a node that <see cref="Takes"/> allows; the farthest one leaves a full beam.</summary>
    /// <returns>The place of the node.</returns>
    public int Add(ulong key)
    {
        int low = 0;
        int high = Count;
        while (low < high)
        {
            int middle = (low + high) >>> 1;
            if (_first[middle] < key)
            {
                low = middle + 1;
            }
            else
            {
                high = middle;
            }
        }

        Count = Math.Min(Count + 1, Width);
        new Span<ulong>(_first + low, Count - 1 - low).CopyTo(new Span<ulong>(_first + low + 1, Count - 1 - low));
        _first[low] = key;
        return low;
    }
}
