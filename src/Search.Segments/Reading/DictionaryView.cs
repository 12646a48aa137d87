using Jackdaw.Search.Segments.Codes;
using Jackdaw.Search.Segments.Writing;

namespace Jackdaw.Search.Segments.Reading;

/// <summary>A term in a dictionary.</summary>
internal struct TermEntries
{
    /// <summary>Entries that have it, with those that are deleted.</summary>
    public int Count;

    /// <summary>The place in the dictionary.</summary>
    public int Ordinal;

    /// <summary>The entry, if there is one.</summary>
    public int Single;

    /// <summary>Of a text, how often the single entry has it.</summary>
    public int Frequency;

    /// <summary>The place of the list of entries.</summary>
    public long Postings;

    /// <summary>Of a text, the place of the positions.</summary>
    public long Positions;
}

/// <summary>A dictionary of a segment.</summary>
internal readonly unsafe struct DictionaryView
{
    private readonly Part _terms;

    private DictionaryView(SegmentView segment, Part index, Part terms, Part postings, Part positions, DictionaryParts parts)
    {
        Segment = segment;
        index.Require(index.Bytes >= DictionaryWriter.IndexHeadBytes, "is shorter than its head");
        int* head = (int*)index.Start;
        (Count, Blocks, PrefixLength, SymbolCount) = (head[0], head[1], head[2], head[3]);
        long places = Blocks > 1 ? Blocks * 2L * sizeof(ulong) : 0;
        index.Require(
            Count > 0 && Blocks == (Count + (DictionaryWriter.BlockTerms - 1L)) / DictionaryWriter.BlockTerms && PrefixLength is >= 0 and <= Term.BytesMax
                && SymbolCount is >= 0 and <= SymbolTable.CountMax
                && index.Bytes == DictionaryWriter.IndexHeadBytes + ((PrefixLength + 7L) & ~7) + places + SymbolTable.StoredBytes(SymbolCount),
            "has another length than its head says");
        Prefix = index.Start + DictionaryWriter.IndexHeadBytes;
        Heads = (ulong*)(Prefix + ((PrefixLength + 7) & ~7));
        _terms = terms;
        Postings = postings;
        Positions = positions;
        Parts = parts;
    }

    public bool Exists => Segment is not null;

    public SegmentView Segment { get; }

    /// <summary>The terms.</summary>
    public int Count { get; }

    public int Blocks { get; }

    /// <summary>The bytes with which all terms begin.</summary>
    public byte* Prefix { get; }

    public int PrefixLength { get; }

    /// <summary>For each block the first eight bytes of its first term behind the prefix. Only when there are several blocks.</summary>
    public ulong* Heads { get; }

    /// <summary>The symbols with which terms are written; 0 when they are written as they are.</summary>
    public int SymbolCount { get; }

    /// <summary>The table of symbols.</summary>
    public ulong* Symbols => Heads + (Blocks > 1 ? 2 * Blocks : 0);

    public Part Postings { get; }

    public Part Positions { get; }

    public DictionaryParts Parts { get; }

    public static DictionaryView Open(SegmentView segment, int field, DictionaryParts parts)
    {
        if (!segment.TryFind(field, parts.Index, out Part index) || !segment.TryFind(field, parts.Terms, out Part terms))
        {
            return default;
        }

        Part postings = default, positions = default;
        if (parts.Postings != 0)
        {
            segment.TryFind(field, parts.Postings, out postings);
        }

        if (parts.Positions != 0)
        {
            segment.TryFind(field, parts.Positions, out positions);
        }

        return new DictionaryView(segment, index, terms, postings, positions, parts);
    }

    /// <summary>The first byte of a block.</summary>
    /// <param name="end">The byte behind the last one that it can have.</param>
    public byte* Block(int block, out byte* end)
    {
        byte* first = _terms.At(Blocks == 1 ? 0 : (long)Heads[Blocks + block], out long left);
        end = first + left;
        return first;
    }

    /// <exception cref="Jackdaw.Storage.CorruptionException">A term cannot be right.</exception>
    public void RequireTerm(bool isRight)
    {
        if (!isRight)
        {
            _terms.Require(false, "has a term that cannot be right");
        }
    }

    /// <summary>Looks a term up.</summary>
    /// <param name="entries">What the dictionary has of it.</param>
    public bool TryFind(byte* term, int length, out TermEntries entries)
    {
        entries = default;
        if (!Exists)
        {
            return false;
        }

        Memory.Arena.Mark mark = Segment.Scratch.Now();
        var cursor = new DictionaryCursor(this, Segment.Scratch);
        bool isFound = cursor.Seek(term, length, out bool isExact) && isExact;
        entries = isFound ? cursor.Entries : default;
        Segment.Scratch.Return(mark);
        return isFound;
    }

    /// <summary>The last block whose first term may be at or before a term.</summary>
    /// <param name="term">The term behind the prefix.</param>
    public int FindBlock(byte* term, int length)
    {
        if (Blocks == 1)
        {
            return 0;
        }

        ulong head = Term.HeadOf(term, length);
        int low = CountBelow(head);

        // Their first terms tell blocks with the same head apart: texts that begin alike have many.
        for (int count = (head == ulong.MaxValue ? Blocks : CountBelow(head + 1)) - low; count > 0;)
        {
            int half = count >> 1;
            bool isBelow = CompareFirst(low + half, term, length) <= 0;
            low = isBelow ? low + half + 1 : low;
            count = isBelow ? count - half - 1 : half;
        }

        return Math.Max(0, low - 1);
    }

    // Blocks whose head is below another one.
    private int CountBelow(ulong head)
    {
        int low = 0;
        for (int count = Blocks; count > 0;)
        {
            int half = count >> 1;
            bool isBelow = Heads[low + half] < head;
            low = isBelow ? low + half + 1 : low;
            count = isBelow ? count - half - 1 : half;
        }

        return low;
    }

    private int CompareFirst(int block, byte* term, int length)
    {
        byte* first = Block(block, out byte* end) + 1;
        int firstLength = VarInt.ReadLength(ref first, end);
        return Term.Compare(first, firstLength, term, length);
    }
}
