using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Jackdaw.Storage;

namespace Jackdaw.Search.Segments.Codes;

/// <summary>Reads numbers in groups of seven bits, the lowest first; a set high bit says that more follow.</summary>
/// <remarks>A stored part may be damaged even if its pages have the right checksums: nothing behind its end is looked at.</remarks>
internal static unsafe class VarInt
{
    private const int LongBits = 64;

    /// <summary>Reads a number below 2^32, and moves on.</summary>
    /// <param name="end">The byte behind the last one that may be read.</param>
    /// <exception cref="CorruptionException">There is no such number before the end.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static uint Read(ref byte* next, byte* end) => next < end && *next < 0x80 ? *next++ : ReadLonger(ref next, end);

    /// <summary>Reads any number, and moves on.</summary>
    /// <inheritdoc cref="Read(ref byte*, byte*)"/>
    public static ulong ReadLong(ref byte* next, byte* end)
    {
        ulong value = 0;
        for (int shift = 0; shift < LongBits && next < end; shift += 7)
        {
            ulong read = *next++;
            value |= (read & 0x7F) << shift;
            if (read < 0x80)
            {
                return value;
            }
        }

        return ThrowNoNumber();
    }

    /// <summary>Reads the number of the bytes that follow, and moves to the first of them.</summary>
    /// <exception cref="CorruptionException">They are not all before the end.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int ReadLength(ref byte* next, byte* end)
    {
        uint length = Read(ref next, end);
        return length <= (ulong)(end - next) && length <= int.MaxValue ? (int)length : (int)ThrowNoNumber();
    }

    /// <summary>Moves behind some numbers.</summary>
    /// <inheritdoc cref="Read(ref byte*, byte*)"/>
    public static byte* Skip(byte* next, byte* end, int count)
    {
        for (; count > 0; count--)
        {
            while (true)
            {
                if (next >= end)
                {
                    ThrowNoNumber();
                }

                if (*next++ < 0x80)
                {
                    break;
                }
            }
        }

        return next;
    }

    private static uint ReadLonger(ref byte* next, byte* end)
    {
        ulong value = ReadLong(ref next, end);
        return value <= uint.MaxValue ? (uint)value : (uint)ThrowNoNumber();
    }

    [DoesNotReturn]
    private static ulong ThrowNoNumber() =>
        throw new CorruptionException("A part of a segment of the index ends in the middle of a value, or has an impossible one.");
}
