using System.Buffers.Binary;
using System.Numerics;
using System.Runtime.CompilerServices;

namespace Jackdaw.Storage.Trees;

/// <summary>Order of keys: unsigned, bytewise, a prefix before its extensions.</summary>
internal static unsafe class KeyOrder
{
    private const int WordBytes = 8;

    /// <summary>Compares two keys that are known to share their first <paramref name="shared"/> bytes.</summary>
    /// <returns>Negative, 0 or positive as <paramref name="left"/> is before, equal to or after
    /// <paramref name="right"/>.</returns>
    /// <remarks><paramref name="shared"/> is clamped to the shorter key on the way in, and the length of the common
    /// prefix on the way out.
    /// Never reads outside of either key: the last partial word is compared by a load that ends with the key and
    /// overlaps bytes known to be equal. So neither keys at the end of a page nor keys in caller memory need
    /// padding.</remarks>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int Compare(byte* left, int leftLength, byte* right, int rightLength, ref int shared)
    {
        int common = Math.Min(leftLength, rightLength);
        int at = Math.Min(shared, common);
        for (; at + WordBytes <= common; at += WordBytes)
        {
            ulong difference = Load64(left + at) ^ Load64(right + at);
            if (difference != 0)
            {
                return Decide(left, right, shared = at + (BitOperations.TrailingZeroCount(difference) >> 3));
            }
        }

        return CompareTail(left, leftLength, right, rightLength, common, at, out shared);
    }

    /// <summary>Compares two whole keys.</summary>
    public static int Compare(byte* left, int leftLength, byte* right, int rightLength)
    {
        int shared = 0;
        return Compare(left, leftLength, right, rightLength, ref shared);
    }

    /// <summary>Shortest prefix of <paramref name="right"/> that is after <paramref name="left"/>, given left &lt;
    /// right.</summary>
    public static ReadOnlySpan<byte> ShortestSeparator(ReadOnlySpan<byte> left, ReadOnlySpan<byte> right) =>
        right[..Math.Min(left.CommonPrefixLength(right) + 1, right.Length)];

    private static int CompareTail(
        byte* left, int leftLength, byte* right, int rightLength, int common, int at, out int shared)
    {
        if (at < common)
        {
            if (common >= WordBytes)
            {
                at = common - WordBytes;
                ulong difference = Load64(left + at) ^ Load64(right + at);
                if (difference != 0)
                {
                    return Decide(left, right, shared = at + (BitOperations.TrailingZeroCount(difference) >> 3));
                }
            }
            else
            {
                for (; at < common; at++)
                {
                    if (left[at] != right[at])
                    {
                        return Decide(left, right, shared = at);
                    }
                }
            }
        }

        shared = common;
        return leftLength - rightLength;
    }

    private static int Decide(byte* left, byte* right, int at) => left[at] - right[at];

    private static ulong Load64(byte* address)
    {
        ulong word = Unsafe.ReadUnaligned<ulong>(address);
        return BitConverter.IsLittleEndian ? word : BinaryPrimitives.ReverseEndianness(word);
    }
}
