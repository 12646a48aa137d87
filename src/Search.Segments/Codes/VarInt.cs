using System.Runtime.CompilerServices;

namespace Jackdaw.Search.Segments.Codes;

/// <summary>Reads numbers in groups of seven bits, the lowest first; a set high bit says that more follow.</summary>
internal static unsafe class VarInt
{
    /// <summary>Reads a number below 2^32, and moves on.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static uint Read(ref byte* next)
    {
        uint read = *next++;
        return read < 0x80 ? read : ReadRest(ref next, read & 0x7F);
    }

    /// <summary>Reads any number, and moves on.</summary>
    public static ulong ReadLong(ref byte* next)
    {
        ulong value = 0;
        for (int shift = 0; ; shift += 7)
        {
            ulong read = *next++;
            value |= (read & 0x7F) << shift;
            if (read < 0x80)
            {
                return value;
            }
        }
    }

    /// <summary>Moves behind some numbers.</summary>
    public static byte* Skip(byte* next, int count)
    {
        for (; count > 0; count--)
        {
            while (*next++ >= 0x80)
            {
            }
        }

        return next;
    }

    private static uint ReadRest(ref byte* next, uint value)
    {
        for (int shift = 7; ; shift += 7)
        {
            uint read = *next++;
            value |= (read & 0x7F) << shift;
            if (read < 0x80)
            {
                return value;
            }
        }
    }
}
