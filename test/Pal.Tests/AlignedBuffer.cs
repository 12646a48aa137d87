using Jackdaw.Pal.Native;

namespace Jackdaw.Pal.Tests;

/// <summary>Page-aligned memory for one test, filled with a byte.</summary>
internal sealed unsafe class AlignedBuffer : IDisposable
{
    internal AlignedBuffer(int length, byte fill = 0)
    {
        Length = length;
        Address = PalMemory.Allocate(length);
        Span.Fill(fill);
    }

    internal byte* Address { get; private set; }

    internal int Length { get; }

    internal Span<byte> Span => new(Address, Length);

    internal PalVector Vector(int offset, int length) => new() { Base = Address + offset, Length = length };

    internal PalVector Whole => Vector(0, Length);

    internal PalPageWrite PageAt(long offset) => new() { Base = Address, Offset = offset, Length = Length };

    public void Dispose()
    {
        PalMemory.Free(Address, Length);
        Address = null;
    }
}
