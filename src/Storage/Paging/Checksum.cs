using System.Numerics;
using System.Runtime.CompilerServices;

namespace Jackdaw.Storage.Paging;

/// <summary>64-bit checksum of pages and journal payloads: four interleaved CRC-32C lanes, mixed at the end.</summary>
/// <remarks>
/// Every 8-byte word goes to the lane (word index mod 4). A change inside one lane of up to 32 neighbouring bits always
/// changes that lane, and the final mix is a bijection of each lane pair, so such damage is always found; other damage is
/// missed with probability 2^-64. Four lanes hide the three-cycle latency of the CRC instruction: one word per cycle.
/// The polynomial is Castagnoli's (RFC 3720, appendix B.4); the base library maps it to the processor's instruction.
/// </remarks>
public static unsafe class Checksum
{
    private const ulong MixLow = 0x9E3779B97F4A7C15;
    private const ulong MixHigh = 0xC2B2AE3D27D4EB4F;

    /// <summary>Checksum of <paramref name="length"/> bytes; the seed makes equal bytes at different places differ.</summary>
    public static ulong Compute(byte* data, long length, ulong seed)
    {
        uint lane0 = (uint)seed;
        uint lane1 = (uint)(seed >> 32);
        uint lane2 = ~lane0;
        uint lane3 = ~lane1;
        byte* end = data + length;
        for (; end - data >= 32; data += 32)
        {
            lane0 = BitOperations.Crc32C(lane0, Unsafe.ReadUnaligned<ulong>(data));
            lane1 = BitOperations.Crc32C(lane1, Unsafe.ReadUnaligned<ulong>(data + 8));
            lane2 = BitOperations.Crc32C(lane2, Unsafe.ReadUnaligned<ulong>(data + 16));
            lane3 = BitOperations.Crc32C(lane3, Unsafe.ReadUnaligned<ulong>(data + 24));
        }

        for (; end - data >= 8; data += 8)
        {
            lane0 = BitOperations.Crc32C(lane0, Unsafe.ReadUnaligned<ulong>(data));
        }

        for (; data < end; data++)
        {
            lane1 = BitOperations.Crc32C(lane1, *data);
        }

        return Mix(lane0, lane1, lane2, lane3, length);
    }

    /// <summary>Checksum of a span.</summary>
    public static ulong Compute(ReadOnlySpan<byte> data, ulong seed)
    {
        fixed (byte* pointer = data)
        {
            return Compute(pointer, data.Length, seed);
        }
    }

    /// <summary>CRC-32C of a few bytes, for headers whose field has 4 bytes.</summary>
    public static uint Crc32C(ReadOnlySpan<byte> data)
    {
        uint crc = uint.MaxValue;
        foreach (byte value in data)
        {
            crc = BitOperations.Crc32C(crc, value);
        }

        return ~crc;
    }

    private static ulong Mix(uint lane0, uint lane1, uint lane2, uint lane3, long length)
    {
        ulong low = (lane0 | ((ulong)lane1 << 32)) * MixLow;
        ulong high = (lane2 | ((ulong)lane3 << 32)) * MixHigh;
        ulong mixed = low ^ BitOperations.RotateLeft(high, 31) ^ ((ulong)length * MixHigh);
        return mixed ^ (mixed >> 29);
    }
}
