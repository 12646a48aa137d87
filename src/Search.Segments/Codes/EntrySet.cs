using System.Numerics;
using System.Diagnostics.CodeAnalysis;
using Jackdaw.Search.Segments.Memory;
using Jackdaw.Storage;

namespace Jackdaw.Search.Segments.Codes;

/// <summary>A set of a segment's entries, as it is stored. The rank of an entry is the number of smaller ones in the set: columns have their rows in this
/// order.</summary>
/// <remarks>
/// <code>
/// form (4), count (4), then
/// 0: nothing; the set has all entries
/// 1: the entries in order (4 each)
/// 2: for each 512 entries the number of smaller ones in the set (4 each), aligned to 8, then a bit for each entry (whole words of 64)
/// </code>
/// </remarks>
internal readonly unsafe struct EntrySet
{
    private const int HeadBytes = 8;
    private const int RankedBits = 512;
    private const int RankedWords = RankedBits / 64;

    private readonly byte* _bytes;
    private readonly int _entries;

    /// <param name="bytes">Null for a set that has no entry.</param>
    /// <param name="entries">The entries of the segment.</param>
    public EntrySet(byte* bytes, int entries)
    {
        _bytes = bytes;
        _entries = entries;
    }

    /// <summary>Opens a stored set.</summary>
    /// <param name="length">The bytes that it has.</param>
    /// <param name="entries">The entries of the segment.</param>
    /// <exception cref="CorruptionException">Its head contradicts its length. What it has is checked where it is read.</exception>
    public static EntrySet Open(byte* bytes, long length, int entries)
    {
        var set = new EntrySet(bytes, entries);
        if (length < HeadBytes || BytesOf(bytes, entries) != length || set.Count <= 0 || set.Count > entries
            || (set.HasAll && set.Count != entries) || (set.Words != null && !Bits.EndsWith(set.Words, entries)))
        {
            ThrowDamaged(entries);
        }

        return set;
    }

    private enum SetForm
    {
        All = 0,
        List = 1,
        Bits = 2,
    }

    public int Count => _bytes == null ? 0 : ((int*)_bytes)[1];

    public bool HasAll => _bytes != null && Form == SetForm.All;

    /// <summary>The entries in order, when they are stored so; null when they are not.</summary>
    public int* List => _bytes != null && Form == SetForm.List ? (int*)(_bytes + HeadBytes) : null;

    /// <summary>A bit for each entry, when they are stored so; null when they are not.</summary>
    public ulong* Words => _bytes != null && Form == SetForm.Bits ? WordsOf(_bytes, _entries) : null;

    private SetForm Form => (SetForm)((int*)_bytes)[0];

    /// <summary>Writes a set.</summary>
    /// <param name="set">In order, each once; at least one.</param>
    /// <param name="entries">The entries of the segment.</param>
    public static void Write(NativeBuffer target, ReadOnlySpan<int> set, int entries)
    {
        SetForm form = set.Length == entries ? SetForm.All : (long)set.Length * 32 < entries || entries < 64 ? SetForm.List : SetForm.Bits;
        target.AddUInt32((uint)form);
        target.AddUInt32((uint)set.Length);
        if (form == SetForm.List)
        {
            target.AddBytes(System.Runtime.InteropServices.MemoryMarshal.AsBytes(set));
        }
        else if (form == SetForm.Bits)
        {
            WriteBits(target, set, entries);
        }
    }

    /// <summary>The bytes that a set has; 0 when its form is unknown.</summary>
    public static long BytesOf(byte* bytes, int entries) => (SetForm)((int*)bytes)[0] switch
    {
        SetForm.All => HeadBytes,
        SetForm.List => HeadBytes + ((long)((int*)bytes)[1] * sizeof(int)),
        SetForm.Bits => (byte*)WordsOf(bytes, entries) - bytes + (((entries + 63L) / 64) * sizeof(ulong)),
        _ => 0,
    };

    public bool Has(int entry)
    {
        if (_bytes == null)
        {
            return false;
        }

        switch (Form)
        {
            case SetForm.All:
                return true;
            case SetForm.List:
                int at = LowerBound(entry);
                return at < Count && List[at] == entry;
            default:
                return (WordsOf(_bytes, _entries)[entry >> 6] >> (entry & 63) & 1) != 0;
        }
    }

    /// <summary>The rank of an entry.</summary>
    /// <returns>-1 when the set does not have it.</returns>
    public int RankOf(int entry)
    {
        if (_bytes == null)
        {
            return -1;
        }

        switch (Form)
        {
            case SetForm.All:
                return entry;
            case SetForm.List:
                int at = LowerBound(entry);
                return at < Count && List[at] == entry ? at : -1;
            default:
                ulong* words = WordsOf(_bytes, _entries);
                int word = entry >> 6;
                ulong bit = 1UL << (entry & 63);
                if ((words[word] & bit) == 0)
                {
                    return -1;
                }

                int rank = ((int*)(_bytes + HeadBytes))[entry / RankedBits];
                for (int i = entry / RankedBits * RankedWords; i < word; i++)
                {
                    rank += BitOperations.PopCount(words[i]);
                }

                rank += BitOperations.PopCount(words[word] & (bit - 1));
                if ((uint)rank >= (uint)Count)
                {
                    ThrowDamaged(_entries);
                }

                return rank;
        }
    }

    /// <summary>The ranks of some entries; -1 for those that the set does not have.</summary>
    /// <param name="entries">In order.</param>
    public void RankAll(int* entries, int count, int* ranks)
    {
        if (_bytes == null || Form == SetForm.All)
        {
            for (int i = 0; i < count; i++)
            {
                ranks[i] = _bytes == null ? -1 : entries[i];
            }
        }
        else if (Form == SetForm.List)
        {
            RankInList(entries, count, ranks);
        }
        else
        {
            RankInBits(entries, count, ranks);
        }
    }

    /// <summary>Copies the entries in order.</summary>
    /// <param name="target">Space for <see cref="Count"/> entries.</param>
    public void CopyTo(int* target)
    {
        if (HasAll)
        {
            for (int i = 0; i < _entries; i++)
            {
                target[i] = i;
            }
        }
        else if (List != null)
        {
            CopyList(target);
        }
        else if (Words != null && Bits.CopyTo(Words, _entries, target, Count) != Count)
        {
            ThrowDamaged(_entries);
        }
    }

    private void CopyList(int* target)
    {
        int* list = List;
        int last = -1;
        bool isInOrder = true;
        for (int i = 0; i < Count; i++)
        {
            isInOrder &= list[i] > last;
            target[i] = last = list[i];
        }

        if (!isInOrder || last >= _entries)
        {
            ThrowDamaged(_entries);
        }
    }

    [DoesNotReturn]
    private static void ThrowDamaged(int entries) =>
        throw new CorruptionException($"A set of entries of a segment of the index with {entries} entries has a length, or entries, that cannot be right.");

    private static ulong* WordsOf(byte* bytes, int entries)
    {
        int ranks = (entries + RankedBits - 1) / RankedBits;
        return (ulong*)(bytes + HeadBytes + (((ranks * sizeof(int)) + 7) & ~7));
    }

    private static void WriteBits(NativeBuffer target, ReadOnlySpan<int> set, int entries)
    {
        int start = target.Length - HeadBytes;
        int ranks = (entries + RankedBits - 1) / RankedBits;
        int bytes = (((ranks * sizeof(int)) + 7) & ~7) + ((entries + 63) / 64 * sizeof(ulong));
        new Span<byte>(target.Extend(bytes), bytes).Clear();
        ulong* words = WordsOf(target.Start + start, entries);
        foreach (int entry in set)
        {
            words[entry >> 6] |= 1UL << (entry & 63);
        }

        int* rank = (int*)(target.Start + start + HeadBytes);
        int sum = 0;
        for (int i = 0; i < (entries + 63) / 64; i++)
        {
            if (i % RankedWords == 0)
            {
                rank[i / RankedWords] = sum;
            }

            sum += BitOperations.PopCount(words[i]);
        }
    }

    private void RankInList(int* entries, int count, int* ranks)
    {
        int* list = List;
        int at = count == 0 ? 0 : LowerBound(entries[0]);
        for (int i = 0; i < count; i++)
        {
            while (at < Count && list[at] < entries[i])
            {
                at++;
            }

            ranks[i] = at < Count && list[at] == entries[i] ? at : -1;
        }
    }

    private void RankInBits(int* entries, int count, int* ranks)
    {
        ulong* words = WordsOf(_bytes, _entries);
        int* smaller = (int*)(_bytes + HeadBytes);
        int word = 0, before = 0; // the entries of the set before the word
        for (int i = 0; i < count; i++)
        {
            int entry = entries[i], wanted = entry >> 6;
            if (word / RankedWords != wanted / RankedWords || i == 0)
            {
                word = wanted / RankedWords * RankedWords;
                before = smaller[wanted / RankedWords];
            }

            for (; word < wanted; word++)
            {
                before += BitOperations.PopCount(words[word]);
            }

            ulong bit = 1UL << (entry & 63);
            ranks[i] = (words[word] & bit) == 0 ? -1 : before + BitOperations.PopCount(words[word] & (bit - 1));
            if (ranks[i] != -1 && (uint)ranks[i] >= (uint)Count)
            {
                ThrowDamaged(_entries);
            }
        }
    }

    private int LowerBound(int entry)
    {
        int* list = List;
        int low = 0;
        for (int length = Count; length > 0;)
        {
            int half = length >> 1;
            if (list[low + half] < entry)
            {
                low += half + 1;
                length -= half + 1;
            }
            else
            {
                length = half;
            }
        }

        return low;
    }
}
