using System.Buffers.Binary;
using System.Runtime.CompilerServices;

namespace Jackdaw.Search.Segments.Codes;

/// <summary>Compares terms: bytes of UTF-8, in the order of their bytes.</summary>
internal static unsafe class Term
{
    /// <summary>The longest term in bytes.</summary>
    public const int BytesMax = 32 * 1024;

    /// <summary>The bytes of the longest term that is surely not the beginning of a longer value.</summary>
    public const int UncutBytesMax = (Analysis.TextAnalyzer.TermBytesMax / 3) - 2;

    public static int Compare(byte* left, int leftLength, byte* right, int rightLength) =>
        new ReadOnlySpan<byte>(left, leftLength).SequenceCompareTo(new ReadOnlySpan<byte>(right, rightLength));

    /// <summary>The bytes that both have at their beginning.</summary>
    public static int CommonLength(byte* left, int leftLength, byte* right, int rightLength) =>
        new ReadOnlySpan<byte>(left, leftLength).CommonPrefixLength(new ReadOnlySpan<byte>(right, rightLength));

    /// <summary>The first eight bytes as a number with the order of the terms. Terms with the same number may differ.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong HeadOf(byte* term, int length)
    {
        if (length >= sizeof(ulong))
        {
            return BinaryPrimitives.ReverseEndianness(Unsafe.ReadUnaligned<ulong>(term));
        }

        ulong head = 0;
        for (int i = 0; i < length; i++)
        {
            head |= (ulong)term[i] << (56 - (8 * i));
        }

        return head;
    }
}
