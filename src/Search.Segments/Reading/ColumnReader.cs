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

    /// <summary>Reads the numbers of some entries.</summary>
    /// <param name="entries">In order.</param>
    /// <param name="rows">Space for a row for each.</param>
    /// <param name="target">The numbers of those that have one.</param>
    /// <returns>Their rows; -1 for an entry without a number.</returns>
    public int* ReadAll(int* entries, int count, int* rows, long* target)
    {
        if (HasAll)
        {
            rows = entries;
        }
        else
        {
            Entries.RankAll(entries, count, rows);
        }

        for (int i = 0; i < count; i++)
        {
            target[i] = rows[i] < 0 ? 0 : ReadRow(rows[i]);
        }

        return rows;
    }

    /// <summary>Keeps the entries whose number lies between two others.</summary>
    /// <param name="entries">In order.</param>
    /// <returns>The number of those that stay.</returns>
    public int Keep(int* entries, int count, long low, long high)
    {
        if (low > high || high < _head->Least || low > _head->Greatest)
        {
            return 0;
        }

        if (!HasAll)
        {
            return KeepRanked(entries, count, low, high);
        }

        ulong least = low <= _head->Least ? 0 : (ulong)(low - _head->Least);
        ulong span = (high >= _head->Greatest ? ulong.MaxValue : (ulong)(high - _head->Least)) - least;
        int kept = 0;
        for (int at = 0; at < count;)
        {
            int chunk = entries[at] >> ColumnHead.ChunkShift;
            int end = EndOfChunk(entries, at, count, chunk);
            byte* rows = Chunk(chunk);
            kept += _head->Width switch
            {
                0 => Move(entries + at, end - at, entries + kept),
                1 => Keep(rows, entries + at, end - at, entries + kept, least, span),
                2 => Keep((ushort*)rows, entries + at, end - at, entries + kept, least, span),
                4 => Keep((uint*)rows, entries + at, end - at, entries + kept, least, span),
                _ => Keep((ulong*)rows, entries + at, end - at, entries + kept, least, span),
            };
            at = end;
        }

        return kept;
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

    private int KeepRanked(int* entries, int count, long low, long high)
    {
        const int together = 256;
        int* rows = stackalloc int[together];
        int kept = 0;
        for (int from = 0; from < count; from += together)
        {
            int some = Math.Min(together, count - from);
            Entries.RankAll(entries + from, some, rows);
            for (int i = 0; i < some; i++)
            {
                entries[kept] = entries[from + i];
                long value = rows[i] < 0 ? 0 : ReadRow(rows[i]);
                kept += rows[i] >= 0 && value >= low && value <= high ? 1 : 0;
            }
        }

        return kept;
    }

    // The target never goes ahead of the entries.
    private static int Keep<T>(T* rows, int* entries, int count, int* target, ulong least, ulong span)
        where T : unmanaged
    {
        int kept = 0;
        for (int i = 0; i < count; i++)
        {
            int entry = entries[i];
            T row = rows[entry & (ColumnHead.ChunkRows - 1)];
            ulong value = sizeof(T) == 1 ? *(byte*)&row : sizeof(T) == 2 ? *(ushort*)&row : sizeof(T) == 4 ? *(uint*)&row : *(ulong*)&row;
            target[kept] = entry;
            kept += value - least <= span ? 1 : 0;
        }

        return kept;
    }

    private static int Move(int* entries, int count, int* target)
    {
        new ReadOnlySpan<int>(entries, count).CopyTo(new Span<int>(target, count));
        return count;
    }

    private static int EndOfChunk(int* entries, int at, int count, int chunk)
    {
        if (entries[count - 1] >> ColumnHead.ChunkShift == chunk)
        {
            return count;
        }

        while (entries[at] >> ColumnHead.ChunkShift == chunk)
        {
            at++;
        }

        return at;
    }
}
