using System.Runtime.CompilerServices;
using Jackdaw.Search.Segments.Codes;
using Jackdaw.Search.Segments.Storing;

namespace Jackdaw.Search.Segments.Reading;

/// <summary>A column of a segment: a number for each entry of a set.</summary>
internal readonly unsafe struct ColumnReader
{
    private readonly ColumnHead* _head;
    private readonly byte** _chunks; // looked up at their first use
    private readonly Part _rows;

    private ColumnReader(SegmentView segment, Part head, Part rows)
    {
        _head = (ColumnHead*)head.Start;
        Entries = new EntrySet(_head->Rows == 0 ? null : head.Start + ColumnHead.SizeOf, segment.Entries);
        HasAll = Entries.HasAll;
        _rows = rows;
        _chunks = null;
        if (rows.Exists)
        {
            _chunks = (byte**)segment.Arena.Take<nint>(rows.Chunks);
            new Span<nint>(_chunks, rows.Chunks).Clear();
        }
    }

    public bool Exists => _head != null;

    /// <summary>The entries that have a number.</summary>
    public EntrySet Entries { get; }

    /// <summary>Whether each entry of the segment has a number.</summary>
    public bool HasAll { get; }

    public ref readonly ColumnHead Head => ref *_head;

    public static ColumnReader Open(SegmentView segment, int field, PartKind head, PartKind rows)
    {
        if (!segment.TryFind(field, head, out Part found))
        {
            return default;
        }

        segment.TryFind(field, rows, out Part values);
        return new ColumnReader(segment, found, values);
    }

    /// <summary>The row of an entry; -1 when it has none.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int RowOf(int entry) => HasAll ? entry : Entries.RankOf(entry);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryRead(int entry, out long value)
    {
        int row = RowOf(entry);
        value = row < 0 ? 0 : ReadRow(row);
        return row >= 0;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public long ReadRow(int row)
    {
        if (_head->Width == 0)
        {
            return _head->Least;
        }

        byte* chunk = Chunk(row >> ColumnHead.ChunkShift);
        row &= ColumnHead.ChunkRows - 1;
        return _head->Least + _head->Width switch
        {
            1 => chunk[row],
            2 => ((ushort*)chunk)[row],
            4 => ((uint*)chunk)[row],
            _ => ((long*)chunk)[row],
        };
    }

    /// <summary>The rows of a chunk; null when they have no bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public byte* Chunk(int chunk)
    {
        if (_chunks == null)
        {
            return null;
        }

        byte* known = _chunks[chunk];
        return known != null ? known : _chunks[chunk] = _rows.Chunk(chunk);
    }
}
