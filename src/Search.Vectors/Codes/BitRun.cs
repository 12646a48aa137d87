using System.Numerics;
using System.Runtime.CompilerServices;

namespace Jackdaw.Search.Vectors.Codes;

/// <summary>Runs of bits in words of 64, little-endian, of any alignment.</summary>
internal static unsafe class BitRun
{
    private const int WordBits = 64;

    public static int BytesOf(int bits) => (bits + WordBits - 1) / WordBits * sizeof(ulong);

    /// <summary>Writes a bit for each number: set where it is above 0. The last word has zeros after the last number.</summary>
    public static void Write(float* numbers, int count, byte* bits)
    {
        for (int first = 0; first < count; first += WordBits, bits += sizeof(ulong))
        {
            ulong word = 0;
            for (int i = first; i < Math.Min(count, first + WordBits); i++)
            {
                word |= (numbers[i] > 0 ? 1UL : 0) << (i - first);
            }

            Unsafe.WriteUnaligned(bits, word);
        }
    }

    public static int Count(byte* bits, int bytes)
    {
        int sum = 0;
        for (int i = 0; i < bytes; i += sizeof(ulong))
        {
            sum += BitOperations.PopCount(Unsafe.ReadUnaligned<ulong>(bits + i));
        }

        return sum;
    }

    /// <summary>The bits in which two runs differ.</summary>
    /// <param name="bytes">A multiple of 8.</param>
    public static int CountDifferent(byte* a, byte* b, int bytes)
    {
        int sum = 0;
        for (int i = 0; i < bytes; i += sizeof(ulong))
        {
            sum += BitOperations.PopCount(Unsafe.ReadUnaligned<ulong>(a + i) ^ Unsafe.ReadUnaligned<ulong>(b + i));
        }

        return sum;
    }

    /// <summary>The sum of the whole numbers from 0 to 15 at the places of set bits.</summary>
    /// <param name="planes">Four runs of bits, one after the other: the lowest bits of the numbers first.</param>
    /// <param name="bytes">Those of one run, a multiple of 8.</param>
    public static int SumAt(byte* planes, byte* bits, int bytes)
    {
        int s0 = 0, s1 = 0, s2 = 0, s3 = 0;
        for (int i = 0; i < bytes; i += sizeof(ulong))
        {
            ulong word = Unsafe.ReadUnaligned<ulong>(bits + i);
            s0 += BitOperations.PopCount(word & Unsafe.ReadUnaligned<ulong>(planes + i));
            s1 += BitOperations.PopCount(word & Unsafe.ReadUnaligned<ulong>(planes + bytes + i));
            s2 += BitOperations.PopCount(word & Unsafe.ReadUnaligned<ulong>(planes + (2 * bytes) + i));
            s3 += BitOperations.PopCount(word & Unsafe.ReadUnaligned<ulong>(planes + (3 * bytes) + i));
        }

        return s0 + (2 * s1) + (4 * s2) + (8 * s3);
    }
}
