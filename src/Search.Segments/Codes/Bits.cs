using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;

namespace Jackdaw.Search.Segments.Codes;

/// <summary>Bitmaps: a bit for each entry, from the lowest bit of the first word on. Bits behind the last entry are zero.</summary>
internal static unsafe class Bits
{
    /// <summary>The words of a bitmap.</summary>
    public static int WordsOf(int entries) => (entries + 63) / 64;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool Has(ulong* words, int entry) => (words[entry >> 6] >> (entry & 63) & 1) != 0;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Add(ulong* words, int entry) => words[entry >> 6] |= 1UL << (entry & 63);

    /// <summary>Keeps those of some entries that a bitmap has.</summary>
    /// <returns>The number of those that stay.</returns>
    public static int Keep(ulong* words, int* entries, int count)
    {
        int kept = 0;
        for (int i = 0; i < count; i++)
        {
            int entry = entries[i];
            entries[kept] = entry;
            kept += Has(words, entry) ? 1 : 0;
        }

        return kept;
    }

    public static void AddAll(ulong* words, int* entries, int count)
    {
        for (int i = 0; i < count; i++)
        {
            Add(words, entries[i]);
        }
    }

    /// <summary>Adds the entries from one to another.</summary>
    /// <param name="end">The one behind the last.</param>
    public static void AddRange(ulong* words, int first, int end)
    {
        if (first >= end)
        {
            return;
        }

        int from = first >> 6, to = (end - 1) >> 6;
        ulong head = ulong.MaxValue << (first & 63), tail = ulong.MaxValue >> (63 - ((end - 1) & 63));
        if (from == to)
        {
            words[from] |= head & tail;
            return;
        }

        words[from] |= head;
        new Span<ulong>(words + from + 1, to - from - 1).Fill(ulong.MaxValue);
        words[to] |= tail;
    }

    public static void Or(ulong* words, ulong* other, int count)
    {
        int i = 0;
        for (; i <= count - Vector256<ulong>.Count; i += Vector256<ulong>.Count)
        {
            (Vector256.Load(words + i) | Vector256.Load(other + i)).Store(words + i);
        }

        for (; i < count; i++)
        {
            words[i] |= other[i];
        }
    }

    public static void And(ulong* words, ulong* other, int count)
    {
        int i = 0;
        for (; i <= count - Vector256<ulong>.Count; i += Vector256<ulong>.Count)
        {
            (Vector256.Load(words + i) & Vector256.Load(other + i)).Store(words + i);
        }

        for (; i < count; i++)
        {
            words[i] &= other[i];
        }
    }

    /// <summary>Removes the entries of another bitmap.</summary>
    public static void AndNot(ulong* words, ulong* other, int count)
    {
        int i = 0;
        for (; i <= count - Vector256<ulong>.Count; i += Vector256<ulong>.Count)
        {
            Vector256.AndNot(Vector256.Load(words + i), Vector256.Load(other + i)).Store(words + i);
        }

        for (; i < count; i++)
        {
            words[i] &= ~other[i];
        }
    }

    /// <summary>Replaces a bitmap by the entries that it does not have.</summary>
    public static void Not(ulong* words, int entries)
    {
        int count = WordsOf(entries);
        for (int i = 0; i < count; i++)
        {
            words[i] = ~words[i];
        }

        if ((entries & 63) != 0)
        {
            words[count - 1] &= ulong.MaxValue >> (64 - (entries & 63));
        }
    }

    public static int Count(ulong* words, int count)
    {
        int sum = 0;
        for (int i = 0; i < count; i++)
        {
            sum += BitOperations.PopCount(words[i]);
        }

        return sum;
    }

    /// <summary>Copies the entries in order.</summary>
    /// <param name="target">Space for all of them.</param>
    /// <returns>Their number.</returns>
    public static int CopyTo(ulong* words, int entries, int* target) => CopyTo(words, entries, target, entries);

    /// <summary>Copies the first entries in order.</summary>
    /// <param name="target">Space for them.</param>
    /// <param name="most">The most that are copied.</param>
    /// <returns>Their number.</returns>
    public static int CopyTo(ulong* words, int entries, int* target, int most)
    {
        int count = 0;
        for (int i = 0; i < WordsOf(entries); i++)
        {
            for (ulong left = words[i]; left != 0; left &= left - 1)
            {
                if (count == most)
                {
                    return count;
                }

                target[count++] = (i << 6) + BitOperations.TrailingZeroCount(left);
            }
        }

        return count;
    }

    /// <summary>Whether a stored bitmap has no bits behind the last entry.</summary>
    public static bool EndsWith(ulong* words, int entries) => (entries & 63) == 0 || words[entries >> 6] >> (entries & 63) == 0;
}
