using System.Diagnostics.CodeAnalysis;
using Jackdaw.Search.Segments.Storing;
using Jackdaw.Storage;

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

    /// <summary>Its bytes; none when it does not exist.</summary>
    public long Bytes => _record == null ? 0 : _record->Bytes;

    /// <summary>The first byte of a part that is never cut.</summary>
    /// <exception cref="CorruptionException">It is cut.</exception>
    public byte* Start
    {
        get
        {
            Require(_start != null, "is cut, or missing");
            return _start;
        }
    }

    public int Chunks => _start != null || _record == null ? 1 : (int)*(long*)(_segment!.Directory + _record->Place);

    private PartRun* Runs => (PartRun*)(_segment!.Directory + _record->Place + sizeof(long));

    /// <exception cref="CorruptionException">Something of it cannot be right.</exception>
    public void Require([DoesNotReturnIf(false)] bool isRight, string problem)
    {
        if (!isRight)
        {
            Throw(problem);
        }
    }

    /// <summary>The bytes from a place on.</summary>
    /// <param name="left">The bytes up to the end of the chunk; the item that begins there ends before.</param>
    /// <exception cref="CorruptionException">It has no such place.</exception>
    public byte* At(long place, out long left)
    {
        if ((ulong)place >= (ulong)Bytes)
        {
            Throw("has no place that another one names");
        }

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
    /// <exception cref="CorruptionException">It has no such chunk.</exception>
    public byte* Chunk(int index, out long bytes)
    {
        if ((uint)index >= (uint)Chunks || _record == null)
        {
            Throw("has fewer chunks than it needs");
        }

        if (_start != null)
        {
            bytes = Bytes;
            return _start;
        }

        PartRun* run = Runs + index;
        bytes = (index + 1 < Chunks ? run[1].Start : _record->Bytes) - run->Start;
        return _segment!.OpenRun(_record, index, run->Page, bytes);
    }

    /// <summary>The number of chunks, where each but the last has <see cref="ColumnHead.ChunkRows"/>.</summary>
    public static int ChunksOf(long rows) => (int)((rows + ColumnHead.ChunkRows - 1) >> ColumnHead.ChunkShift);

    /// <summary>The first row of a chunk.</summary>
    /// <param name="rows">The rows of the part.</param>
    /// <param name="width">The bytes of a row.</param>
    /// <exception cref="CorruptionException">The chunk has fewer rows than it should.</exception>
    public byte* ChunkOfRows(int index, long rows, int width)
    {
        byte* chunk = Chunk(index, out long bytes);
        long wanted = Math.Min(ColumnHead.ChunkRows, rows - ((long)index << ColumnHead.ChunkShift)) * width;
        Require(bytes == wanted, "has a chunk of another length than its head says");
        return chunk;
    }

    [DoesNotReturn]
    private void Throw(string problem) => throw new CorruptionException(
        _record == null ? $"A part of a segment of the index {problem}."
            : $"Part {_record->Kind} of field {_record->Field} of segment {_segment!.Id} of the index {problem}.");
}
