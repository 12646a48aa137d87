using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Jackdaw.Search.Segments.Memory;

/// <summary>Bytes that are written one value after another, outside of the managed heap. Numbers are little-endian. One thread.</summary>
internal sealed unsafe class NativeBuffer : IDisposable
{
    private const int CapacityMin = 256;
    private const int VarIntBytesMax = 10;

    private byte* _start;
    private int _capacity;

    ~NativeBuffer() => NativeMemory.AlignedFree(_start);

    /// <summary>The first byte; aligned to 64. Valid until something is added.</summary>
    public byte* Start => _start;

    public int Length { get; private set; }

    public ReadOnlySpan<byte> Span => new(_start, Length);

    public void Clear() => Length = 0;

    public void Cut(int length) => Length = length;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Add(byte value)
    {
        Ensure(1);
        _start[Length++] = value;
    }

    public void AddUInt32(uint value) => Unsafe.WriteUnaligned(Extend(sizeof(uint)), value);

    public void AddUInt64(ulong value) => Unsafe.WriteUnaligned(Extend(sizeof(ulong)), value);

    /// <summary>Adds a number in groups of seven bits, the lowest first; a set high bit says that more follow.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void AddVarInt(ulong value)
    {
        Ensure(VarIntBytesMax);
        while (value >= 0x80)
        {
            _start[Length++] = (byte)(value | 0x80);
            value >>= 7;
        }

        _start[Length++] = (byte)value;
    }

    public void AddBytes(byte* bytes, int count) => Unsafe.CopyBlockUnaligned(Extend(count), bytes, (uint)count);

    public void AddBytes(ReadOnlySpan<byte> bytes) => bytes.CopyTo(new Span<byte>(Extend(bytes.Length), bytes.Length));

    /// <summary>Adds zeros up to a multiple of a power of two.</summary>
    public void Align(int multiple)
    {
        int count = -Length & (multiple - 1);
        new Span<byte>(Extend(count), count).Clear();
    }

    /// <summary>Adds bytes whose contents are undefined.</summary>
    /// <returns>The first of them.</returns>
    public byte* Extend(int count)
    {
        Ensure(count);
        byte* added = _start + Length;
        Length += count;
        return added;
    }

    /// <summary>Gives memory back that one large use left.</summary>
    public void Trim(int capacityMax)
    {
        Length = 0;
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
        NativeMemory.AlignedFree(_start);
        _start = null;
        _capacity = 0;
        Length = 0;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Ensure(int count)
    {
        if (count > _capacity - Length)
        {
            Grow(count);
        }
    }

    private void Grow(int count)
    {
        int capacity = (int)Math.Min(Array.MaxLength, Math.Max(Math.Max(CapacityMin, (long)Length + count), 2L * _capacity));
        if (capacity - Length < count)
        {
            throw new InvalidOperationException($"A part of an index would need more than {capacity} bytes at once.");
        }

        _start = (byte*)NativeMemory.AlignedRealloc(_start, (nuint)capacity, 64);
        _capacity = capacity;
    }
}
