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
    public byte* At(long place)
    {
        if (_start != null)
        {
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

        return Chunk(low) + (place - runs[low].Start);
    }

    /// <summary>The first byte of a chunk.</summary>
    public byte* Chunk(int index)
    {
        if (_start != null)
        {
            return _start;
        }

        PartRun* run = Runs + index;
        long end = index + 1 < Chunks ? run[1].Start : _record->Bytes;
        return _segment!.OpenRun(_record, index, run->Page, end - run->Start);
    }
}
