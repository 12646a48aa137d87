using System.Diagnostics;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;
using Jackdaw.Storage.Paging;

namespace Jackdaw.Storage.Journal;

/// <summary>Differences of two versions of a page as runs of absolute bytes, so that replaying all of them in order heals
/// any torn mix of older versions.</summary>
/// <remarks>
/// Format: runs of {u16 offset, u16 length, bytes}. Compared in 8-byte words, 32 bytes at a time; a gap of up to
/// <see cref="GapWordsMax"/> equal words is copied along, because a run's header costs as much and decoding costs more.
/// </remarks>
internal static unsafe class PageDiff
{
    /// <summary>Bytes before a run's data.</summary>
    private const int RunHeader = 4;

    private const int Words = Page.Size / 8;
    private const int GapWordsMax = 2;

    /// <summary>Most bytes that a diff of one page takes: one run of the whole page, plus a run header for each gap of three words.</summary>
    public const int BytesMax = Page.Size + (RunHeader * (Words / (GapWordsMax + 1)));

    /// <summary>Writes the differences and returns their bytes.</summary>
    /// <param name="before">Old version, one page.</param>
    /// <param name="after">New version, one page.</param>
    /// <param name="output">At least <see cref="BytesMax"/> bytes.</param>
    public static int Write(byte* before, byte* after, byte* output)
    {
        byte* start = output;
        int word = NextDifferent(before, after, 0);
        while (word < Words)
        {
            int end = FindRunEnd(before, after, word + 1);
            int bytes = (end - word) * 8;
            Unsafe.WriteUnaligned(output, (ushort)(word * 8));
            Unsafe.WriteUnaligned(output + 2, (ushort)bytes);
            Unsafe.CopyBlockUnaligned(output + RunHeader, after + (word * 8), (uint)bytes);
            output += RunHeader + bytes;
            word = NextDifferent(before, after, end);
        }

        Debug.Assert(output - start <= BytesMax);
        return (int)(output - start);
    }

    /// <summary>Bytes that <see cref="Write"/> would write.</summary>
    public static int Measure(byte* before, byte* after)
    {
        int measured = 0;
        int word = NextDifferent(before, after, 0);
        while (word < Words)
        {
            int end = FindRunEnd(before, after, word + 1);
            measured += RunHeader + ((end - word) * 8);
            word = NextDifferent(before, after, end);
        }

        return measured;
    }

    /// <summary>Applies a diff to a page; false when it is not one (its bytes come from a disk).</summary>
    public static bool TryApply(ReadOnlySpan<byte> diff, byte* page)
    {
        while (diff.Length >= RunHeader)
        {
            int offset = BitConverter.ToUInt16(diff);
            int length = BitConverter.ToUInt16(diff[2..]);
            if (offset + length > Page.Size || RunHeader + length > diff.Length)
            {
                return false;
            }

            diff.Slice(RunHeader, length).CopyTo(new Span<byte>(page + offset, length));
            diff = diff[(RunHeader + length)..];
        }

        return diff.IsEmpty;
    }

    private static int NextDifferent(byte* before, byte* after, int word)
    {
        for (; (word & 3) != 0 && word < Words; word++)
        {
            if (Unsafe.ReadUnaligned<ulong>(before + (word * 8)) != Unsafe.ReadUnaligned<ulong>(after + (word * 8)))
            {
                return word;
            }
        }

        // Most of a page is equal: 64 bytes are tested with one branch, the place is looked for only where it matters.
        for (; word + 8 <= Words; word += 8)
        {
            Vector256<ulong> first = Load(before, word) ^ Load(after, word);
            Vector256<ulong> second = Load(before, word + 4) ^ Load(after, word + 4);
            if ((first | second) != Vector256<ulong>.Zero)
            {
                return first != Vector256<ulong>.Zero ? word + FirstNonZero(first) : word + 4 + FirstNonZero(second);
            }
        }

        for (; word < Words; word++)
        {
            if (Unsafe.ReadUnaligned<ulong>(before + (word * 8)) != Unsafe.ReadUnaligned<ulong>(after + (word * 8)))
            {
                return word;
            }
        }

        return Words;
    }

    private static Vector256<ulong> Load(byte* page, int word) => Vector256.Load((ulong*)(page + (word * 8)));

    private static int FirstNonZero(Vector256<ulong> words) =>
        BitOperations.TrailingZeroCount(~Vector256.Equals(words, Vector256<ulong>.Zero).ExtractMostSignificantBits());

    /// <summary>End of the run that differs before <paramref name="word"/>: where more than the tolerated gap of equal words begins.</summary>
    private static int FindRunEnd(byte* before, byte* after, int word)
    {
        int end = word;
        int gap = 0;
        while (word < Words && gap <= GapWordsMax)
        {
            // New pages and new rows differ in nearly every word.
            if (word + 4 <= Words && !Vector256.EqualsAny(Load(before, word), Load(after, word)))
            {
                word += 4;
                end = word;
                gap = 0;
                continue;
            }

            bool equal = Unsafe.ReadUnaligned<ulong>(before + (word * 8)) == Unsafe.ReadUnaligned<ulong>(after + (word * 8));
            gap = equal ? gap + 1 : 0;
            word++;
            end = equal ? end : word;
        }

        return end;
    }
}
