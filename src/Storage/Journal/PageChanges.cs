using System.Diagnostics;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;
using Jackdaw.Storage.Paging;

namespace Jackdaw.Storage.Journal;

/// <summary>The words of 8 bytes that differ between two versions of a page: one bit each, eight to a line.</summary>
internal unsafe struct PageChanges
{
    /// <summary>Words of a page.</summary>
    public const int Words = Page.Size / sizeof(ulong);

    private const int WordsPerLine = LineSum.LineBytes / sizeof(ulong);
    private const int Lines = Page.Size / LineSum.LineBytes;

    private fixed byte _lines[Lines];

    /// <summary>Compares two versions of a page, and prefetches those that are compared next: changed pages are seldom
    /// still in the cache, and half of the time would be spent waiting for memory.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)] // see LineSum.Add
    public static void Find(PageVersions page, PageVersions next, out PageChanges changes)
    {
        Unsafe.SkipInit(out changes);
        for (nint line = 0; line < Lines; line++)
        {
            nint offset = line * LineSum.LineBytes;
            Prefetch.Line(next.Before + offset);
            Prefetch.Line(next.After + offset);
            changes._lines[line] =
                (byte)~Vector512.Equals(Load(page.Before + offset), Load(page.After + offset)).ExtractMostSignificantBits();
        }
    }

    /// <summary>The sum that the changes add to the page's checksum.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)] // see LineSum.Add
    public readonly ulong SumDifference(PageVersions page)
    {
        var sum = new LineSum();
        for (int group = 0; group < Lines; group += sizeof(ulong))
        {
            for (ulong changed = Read(group); changed != 0;)
            {
                int place = BitOperations.TrailingZeroCount(changed) / 8;
                changed &= ~(0xFFUL << (place * 8));
                int offset = (group + place) * LineSum.LineBytes;
                sum.Replace(page.Before + offset, page.After + offset, group + place);
            }
        }

        return sum.Total;
    }

    /// <summary>Marks a word as changed.</summary>
    public void Add(int word)
    {
        Debug.Assert((uint)word < Words, "a word outside of the page is marked");
        Debug.Assert(word is >= 0 and < Words);
        _lines[word / WordsPerLine] |= (byte)(1 << (word % WordsPerLine));
    }

    /// <summary>First changed word from <paramref name="word"/> on; <see cref="Words"/> when there is none.</summary>
    public readonly int NextChanged(int word) => Next(word, 0);

    /// <summary>First equal word from <paramref name="word"/> on; <see cref="Words"/> when there is none.</summary>
    public readonly int NextEqual(int word) => Next(word, ulong.MaxValue);

    private readonly int Next(int word, ulong flip)
    {
        while (word < Words)
        {
            ulong found = (Read(word / 64 * sizeof(ulong)) ^ flip) >> (word % 64);
            if (found != 0)
            {
                return word + BitOperations.TrailingZeroCount(found);
            }

            word = (word / 64 * 64) + 64;
        }

        return Words;
    }

    private readonly ulong Read(int line) => Unsafe.ReadUnaligned<ulong>(ref Unsafe.AsRef(in _lines[line]));

    private static Vector512<ulong> Load(byte* line) => Vector512.Load((ulong*)line);
}

/// <summary>A page before and after a transaction.</summary>
internal readonly unsafe struct PageVersions(byte* before, byte* after)
{
    public byte* Before => before;

    public byte* After => after;
}
