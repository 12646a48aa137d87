using System.Runtime.CompilerServices;

namespace Jackdaw.Storage.Scratch;

/// <summary>Zeroed values in memory that starts at a cache line and does not move. The collector keeps the memory as
/// long as this object is referenced.</summary>
internal sealed unsafe class LineArray<T>
    where T : unmanaged
{
    private const int LineBytes = 64;

    /// <summary>Owns the memory.</summary>
    private readonly T[] _memory;

    public LineArray(int count)
    {
        int spare = (LineBytes + sizeof(T) - 1) / sizeof(T);
        _memory = GC.AllocateArray<T>(count + spare, pinned: true);
        Items = (T*)(((nint)Unsafe.AsPointer(ref _memory[0]) + LineBytes - 1) & ~(nint)(LineBytes - 1));
        Count = count;
    }

    /// <summary>First value.</summary>
    public T* Items { get; }

    /// <summary>Number of values.</summary>
    public int Count { get; }
}
