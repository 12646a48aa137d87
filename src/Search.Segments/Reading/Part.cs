using Jackdaw.Search.Segments.Storing;

namespace Jackdaw.Search.Segments.Reading;

/// <summary>A part of a segment as a search sees it. Pointers are valid as long as the search.</summary>
internal readonly unsafe struct Part
{
    private readonly SegmentView? _segment;
    private readonly PartRecord* _record;
    private readonly byte* _start; // null when it lies in several runs

    public Part(SegmentView segment, PartRecord* record)
    {
        _segment = segment;
        _record = record;
        _start = record->Form == PartForm.Runs ? null : segment.OpenWhole(record);
    }

    public bool Exists => _segment is not null;

    public long Bytes => _record->Bytes;

    /// <summary>The first byte of a part that is never cut.</summary>
    public byte* Start => _start != null ? _start : At(0);

    public int Chunks => _start != null ? 1 : (int)*(long*)(_segment!.Directory + _record->Place);

    private PartRun* Runs => (PartRun*)(_segment!.Directory + _record->Place + sizeof(long));

    /// <summary>The bytes from a place on, up to the end of the item that begins there.</summary>
    public byte* At(long place) => At(place, out _);

    /// <summary>The bytes from a place on.</summary>
    /// <param name="left">The bytes up to the end of the chunk.</param>
    public byte* At(long place, out long left)
    {
        if (_start != null)
        {
            left = Bytes - place;
            return _start + place;
        }

        PartRun* runs = Runs;
        int low = 0;
        for (int length = Chunks; length > 1;)
        {
            int half = length >> 1;
            if (runs[low + half].Start <= place)
            {
                low += half;
                length -= half;
            }
            else
            {
                length = half;
            }
        }

        byte* chunk = Chunk(low, out long bytes);
        left = bytes - (place - runs[low].Start);
        return chunk + (place - runs[low].Start);
    }

    /// <summary>The first byte of a chunk.</summary>
    public byte* Chunk(int index) => Chunk(index, out _);

    /// <summary>The first byte of a chunk.</summary>
    /// <param name="bytes">Its length.</param>
    public byte* Chunk(int index, out long bytes)
    {
        if (_start != null)
        {
            bytes = Bytes;
            return _start;
        }

        PartRun* run = Runs + index;
        bytes = (index + 1 < Chunks ? run[1].Start : _record->Bytes) - run->Start;
        return _segment!.OpenRun(_record, index, run->Page, bytes);
    }
}
