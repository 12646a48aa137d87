using Jackdaw.Search.Segments.Reading;

namespace Jackdaw.Search.Segments.Verification;

/// <summary>Reads bytes of a part, and never beyond its end.</summary>
internal ref struct ByteReader(ReadOnlySpan<byte> bytes)
{
    private readonly ReadOnlySpan<byte> _bytes = bytes;

    public int Position { get; private set; }

    /// <summary>The bytes of a part that begin at a place, up to the end of their chunk.</summary>
    /// <exception cref="DamagedPartException">The part has no such place.</exception>
    public static unsafe ByteReader At(Part part, long place)
    {
        if (place < 0 || place >= part.Bytes)
        {
            throw new DamagedPartException($"place {place} is beyond its {part.Bytes} bytes");
        }

        byte* start = part.At(place, out long left);
        return new ByteReader(new ReadOnlySpan<byte>(start, (int)left));
    }

    /// <exception cref="DamagedPartException">The bytes end here.</exception>
    public byte Byte() => Position < _bytes.Length ? _bytes[Position++] : throw new DamagedPartException("it ends in the middle of a value");

    public ulong Number()
    {
        ulong value = 0;
        for (int shift = 0; shift < 64; shift += 7)
        {
            byte read = Byte();
            value |= (ulong)(read & 0x7F) << shift;
            if (read < 0x80)
            {
                return value;
            }
        }

        throw new DamagedPartException("a number has no end");
    }

    public ReadOnlySpan<byte> Bytes(ulong count)
    {
        if (count > (ulong)(_bytes.Length - Position))
        {
            throw new DamagedPartException($"{count} bytes are wanted where {_bytes.Length - Position} are left");
        }

        Position += (int)count;
        return _bytes.Slice(Position - (int)count, (int)count);
    }
}

/// <summary>A part of a segment cannot be right. The message says why.</summary>
internal sealed class DamagedPartException(string reason) : Exception(reason);
