using System.Diagnostics;
using System.Numerics;
using System.Runtime.CompilerServices;

namespace Jackdaw.Storage.Paging;

/// <summary>64-bit checksum of pages and journal payloads: a sum over lines of 64 bytes, finished with seed and length.</summary>
/// <remarks>
/// A sum can be updated: what a change subtracts and adds follows from the changed lines alone
/// (<see cref="LineSum"/>), so a commit reads no more of a page than it changed.
/// Damage of any kind is missed with a probability of 2^-32 at most, and random damage with 2^-64.
/// The format is in docs/formats/data-file.md.
/// </remarks>
public static unsafe class Checksum
{
    private const ulong SeedFactor = 0xC2B2AE3D27D4EB4F;

    /// <summary>Checksum of <paramref name="length"/> bytes; the seed makes equal bytes at different places differ.</summary>
    public static ulong Compute(byte* data, long length, ulong seed) => Sum(data, length) + Start(length, seed);

    /// <summary>Checksum of a span.</summary>
    public static ulong Compute(ReadOnlySpan<byte> data, ulong seed)
    {
        fixed (byte* pointer = data)
        {
            return Compute(pointer, data.Length, seed);
        }
    }

    /// <summary>CRC-32C of a few bytes, for headers whose field has 4 bytes. The polynomial is Castagnoli's (RFC 3720, appendix
    /// B.4); the base library maps it to the processor's instruction.</summary>
    public static uint Crc32C(ReadOnlySpan<byte> data)
    {
        uint crc = uint.MaxValue;
        foreach (byte value in data)
        {
            crc = BitOperations.Crc32C(crc, value);
        }

        return ~crc;
    }

    /// <summary>The part of a checksum that does not depend on the data, which is the checksum of no lines.</summary>
    internal static ulong Start(long length, ulong seed)
    {
        ulong mixed = (seed ^ ((ulong)length * SeedFactor)) * LineSum.KeyStep;
        mixed = (mixed ^ (mixed >> 32)) * SeedFactor;
        return mixed ^ (mixed >> 29);
    }

    /// <summary>The part of a checksum that the data adds; a last line that is not whole is filled up with zeros.</summary>
    internal static ulong Sum(byte* data, long length)
    {
        Debug.Assert(length >= 0);
        var sum = new LineSum();
        long lines = length / LineSum.LineBytes;
        sum.Add(data, 0, lines);
        var rest = (int)(length % LineSum.LineBytes);
        if (rest > 0)
        {
            byte* last = stackalloc byte[LineSum.LineBytes];
            Unsafe.InitBlockUnaligned(last, 0, LineSum.LineBytes);
            Unsafe.CopyBlockUnaligned(last, data + (lines * LineSum.LineBytes), (uint)rest);
            sum.Add(last, lines, 1);
        }

        return sum.Total;
    }
}
