using Jackdaw.Search.Segments.Codes;

namespace Jackdaw.Search.Segments.Reading;

/// <summary>Walks over the entries of a term of a text, with the positions of each.</summary>
internal unsafe struct PositionCursor
{
    private readonly int _count;
    private readonly int _blocks;
    private readonly byte* _list;
    private readonly byte* _listEnd;
    private readonly byte* _positions;
    private readonly int _segmentEntries;
    private readonly int* _entries;
    private readonly int* _frequencies;
    private int _block;
    private int _length;
    private int _at;
    private byte* _next;

    /// <param name="term">A term of a text with at least one entry.</param>
    public PositionCursor(in DictionaryView dictionary, in TermEntries term)
    {
        _count = term.Count;
        _blocks = term.Count == 1 ? 0 : term.Count / BlockPacking.BlockSize;
        _entries = dictionary.Segment.Scratch.Take<int>(2 * BlockPacking.BlockSize);
        _frequencies = _entries + BlockPacking.BlockSize;
        _segmentEntries = dictionary.Segment.Entries;
        _positions = dictionary.Positions.At(term.Positions, out long left);
        End = _positions + left;
        _next = _positions;
        _list = term.Count == 1 ? null : PostingsReader.ListOf(dictionary, term, out _listEnd);
        _block = -1;
        if (term.Count == 1)
        {
            (_block, _length) = (0, 1);
            _entries[0] = term.Single;
            _frequencies[0] = term.Frequency;
        }
    }

    /// <summary>The byte behind the last one that positions can have.</summary>
    public byte* End { get; }

    /// <summary>Moves to an entry behind the one before.</summary>
    /// <param name="positions">The differences of its positions.</param>
    /// <param name="frequency">The number of its positions.</param>
    /// <returns>False when the entry does not have the term.</returns>
    public bool Seek(int entry, out byte* positions, out int frequency)
    {
        positions = null;
        frequency = 0;
        if (_list != null && !OpenBlock(entry))
        {
            return false;
        }

        while (_at < _length && _entries[_at] < entry)
        {
            _next = VarInt.Skip(_next, End, _frequencies[_at++]);
        }

        if (_at == _length || _entries[_at] != entry)
        {
            return false;
        }

        positions = _next;
        frequency = _frequencies[_at];
        if ((uint)frequency > (ulong)(End - _next))
        {
            PostingsReader.ThrowDamaged(_segmentEntries); // each position has a byte at least
        }

        return true;
    }

    // Opens the block that can have an entry.
    private bool OpenBlock(int entry)
    {
        const int skipBytes = 12;
        byte* skips = _list + 8;
        int block = Math.Max(_block, 0);
        while (block < _blocks && *(int*)(skips + (block * skipBytes)) < entry)
        {
            block++;
        }

        if (block == _block)
        {
            return true;
        }

        uint before = block == 0 ? 0 : PostingsReader.EntryBefore((uint*)(skips + ((block - 1) * skipBytes)), _segmentEntries);
        (_block, _at) = (block, 0);
        if (block < _blocks)
        {
            uint* skip = (uint*)(skips + (block * skipBytes));
            byte* first = PostingsReader.PlaceIn(_list, skip[1], _listEnd);
            PostingsReader.ReadBlock(first, _listEnd, isText: true, ref before, _segmentEntries, _entries, _frequencies);
            _length = BlockPacking.BlockSize;
            _next = PostingsReader.PlaceIn(_positions, skip[2], End);
            return true;
        }

        _length = _count - (_blocks * BlockPacking.BlockSize);
        if (_length > 0)
        {
            byte* rest = _blocks == 0 ? _list : PostingsReader.PlaceIn(_list, *(uint*)_list, _listEnd);
            PostingsReader.ReadRest(rest, _listEnd, isText: true, before, _segmentEntries, _length, _entries, _frequencies);
            _next = _blocks == 0 ? _positions : PostingsReader.PlaceIn(_positions, ((uint*)_list)[1], End);
        }

        return _length > 0;
    }
}
