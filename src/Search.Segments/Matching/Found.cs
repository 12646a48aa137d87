using Jackdaw.Search.Segments.Codes;
using Jackdaw.Search.Segments.Memory;

namespace Jackdaw.Search.Segments.Matching;

/// <summary>Entries of a segment that a condition found: none, all, a list in order, or a bitmap. The memory is that of the search.</summary>
internal readonly unsafe struct Found
{
    private readonly bool _isAll;

    private Found(int* list, int count, ulong* words, bool isShared, bool isAll)
    {
        List = list;
        Count = count;
        Words = words;
        IsShared = isShared;
        _isAll = isAll;
    }

    public static Found None => default;

    /// <summary>All entries of the segment.</summary>
    public static Found All => new(null, 0, null, false, true);

    public bool IsNone => !_isAll && Words == null && Count == 0;

    public bool IsAll => _isAll;

    /// <summary>The entries, each once; null for other forms.</summary>
    public int* List { get; }

    /// <summary>The number of entries in the list.</summary>
    public int Count { get; }

    /// <summary>A bit for each entry; null for other forms.</summary>
    public ulong* Words { get; }

    /// <summary>Whether the bitmap lies in the segment: then it must not be changed.</summary>
    public bool IsShared { get; }

    /// <param name="list">In order; it may be changed by whoever gets it.</param>
    public static Found OfList(int* list, int count) => new(list, count, null, false, false);

    public static Found OfBits(ulong* words, bool isShared = false) => new(null, 0, words, isShared, false);

    /// <summary>The entries as a bitmap that may be changed.</summary>
    public ulong* ToOwnBits(Arena arena, int entries)
    {
        int count = Bits.WordsOf(entries);
        if (Words != null && !IsShared)
        {
            return Words;
        }

        if (Words != null)
        {
            ulong* copy = arena.Take<ulong>(count);
            new ReadOnlySpan<ulong>(Words, count).CopyTo(new Span<ulong>(copy, count));
            return copy;
        }

        ulong* words = arena.TakeZeroed<ulong>(count);
        if (_isAll)
        {
            Bits.AddRange(words, 0, entries);
        }
        else
        {
            Bits.AddAll(words, List, Count);
        }

        return words;
    }

    /// <summary>The entries as a list that may be changed.</summary>
    /// <param name="count">Their number.</param>
    public int* ToList(Arena arena, int entries, out int count)
    {
        if (List != null || IsNone)
        {
            count = Count;
            return List;
        }

        count = _isAll ? entries : Bits.Count(Words, Bits.WordsOf(entries));
        int* list = arena.Take<int>(count + 1);
        if (!_isAll)
        {
            Bits.CopyTo(Words, entries, list);
            return list;
        }

        for (int i = 0; i < entries; i++)
        {
            list[i] = i;
        }

        return list;
    }
}
