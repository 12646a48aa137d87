using System.Diagnostics;
using Jackdaw.Pal.Native;
using Jackdaw.Storage.Resources;

namespace Jackdaw.Storage.Paging;

/// <summary>A growing block of page-aligned memory, as O_DIRECT requires it. One thread.</summary>
/// <param name="initialBytes">Least capacity.</param>
/// <param name="memory">Where its memory is counted; null = not at all.</param>
internal sealed unsafe class AlignedBuffer(long initialBytes, MemoryBudget? memory = null) : IDisposable
{
    /// <summary>Addresses and capacities are multiples of it: what direct I/O asks for on every disk.</summary>
    private const long Alignment = 4096;

    private byte* _address;
    private long _capacity;

    /// <summary>First byte; changes when the buffer grows.</summary>
    public byte* Address => _address;

    /// <summary>Bytes in use.</summary>
    public long Length
    {
        get;
        set
        {
            Debug.Assert(value >= 0 && value <= _capacity);
            field = value;
        }
    }

    /// <summary>Bytes held.</summary>
    public long Capacity => _capacity;

    /// <summary>Makes sure that this number of further bytes fits, and returns the address after the bytes in use. Contents are kept.</summary>
    public byte* Ensure(long moreBytes)
    {
        Debug.Assert(moreBytes >= 0);
        if (Length + moreBytes > _capacity)
        {
            Grow(Length + moreBytes);
        }

        return _address + Length;
    }

    /// <summary>Starts over with <paramref name="length"/> bytes in use, whose contents are undefined.</summary>
    public void Restart(int length)
    {
        Length = 0;
        Ensure(length);
        Length = length;
    }

    /// <summary>Releases the memory when more than <paramref name="keptBytesMax"/> is held; the contents are lost.</summary>
    public void Trim(long keptBytesMax)
    {
        Length = 0;
        if (_capacity > keptBytesMax)
        {
            Dispose();
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        if (_address != null)
        {
            PalMemory.Free(_address, _capacity);
            memory?.CountUsed(-_capacity);
            _address = null;
            _capacity = 0;
        }
    }

    private void Grow(long needed)
    {
        long capacity = Math.Max(initialBytes, _capacity * 2);
        capacity = (Math.Max(capacity, needed) + Alignment - 1) & -Alignment;
        byte* larger = PalMemory.Allocate(capacity);
        memory?.CountUsed(capacity);
        long used = Length;
        Buffer.MemoryCopy(_address, larger, capacity, used);
        Dispose();
        _address = larger;
        _capacity = capacity;
        Debug.Assert(Length == used);
        Debug.Assert((nint)larger % Alignment == 0);
        Debug.Assert(_capacity >= needed);
    }
}
