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
    private readonly ulong _largestRow;

    /// <param name="rows">May be missing when rows have no bytes, or are not wanted.</param>
    private ColumnReader(SegmentView segment, Part head, Part rows, bool withRows)
    {
        head.Require(head.Bytes >= ColumnHead.SizeOf, "is shorter than its head");
        _head = (ColumnHead*)head.Start;
        Entries = _head->Rows == 0 ? new EntrySet(null, segment.Entries)
            : EntrySet.Open(head.Start + ColumnHead.SizeOf, head.Bytes - ColumnHead.SizeOf, segment.Entries);
        HasAll = Entries.HasAll;
        head.Require(_head->Rows == Entries.Count && _head->Width is 0 or 1 or 2 or 4 or 8, "has another number of rows than entries, or of no known width");
        _rows = rows;
        _chunks = null;
        _largestRow = (ulong)_head->Greatest - (ulong)_head->Least;
        head.Require(_head->Least <= _head->Greatest, "has bounds that cannot be right");
        head.Require(!withRows || rows.Bytes == (long)_head->Rows * _head->Width, "says another number of rows than there are");
        if (rows.Exists)
        {
            rows.Require(rows.Chunks == Part.ChunksOf(_head->Rows), "has another number of chunks than its rows need");
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

    /// <param name="rows">The same as the head when only the entries are wanted.</param>
    /// <exception cref="Jackdaw.Storage.CorruptionException">Head and rows contradict each other.</exception>
    public static ColumnReader Open(SegmentView segment, int field, PartKind head, PartKind rows)
    {
        if (!segment.TryFind(field, head, out Part found))
        {
            return default;
        }

        Part values = default;
        if (rows != head)
        {
            segment.TryFind(field, rows, out values);
        }

        return new ColumnReader(segment, found, values, withRows: rows != head);
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
        ulong above = _head->Width switch
        {
            1 => chunk[row],
            2 => ((ushort*)chunk)[row],
            4 => ((uint*)chunk)[row],
            _ => ((ulong*)chunk)[row],
        };
        if (above > _largestRow)
        {
            _rows.Require(false, "has a number that is greater than its head says");
        }

        return _head->Least + (long)above;
    }

    /// <summary>Makes sure that the numbers are places in something.</summary>
    /// <param name="count">The number of places.</param>
    /// <param name="ofAll">Whether each entry of the segment must have one.</param>
    /// <exception cref="Jackdaw.Storage.CorruptionException">The head says that some are not.</exception>
    public void RequirePlaces(long count, bool ofAll = false)
    {
        if ((_head->Rows > 0 && (_head->Least < 0 || _head->Greatest >= count)) || (ofAll && !HasAll))
        {
            throw new Jackdaw.Storage.CorruptionException(
                $"A column of a segment of the index has numbers from {_head->Least} to {_head->Greatest} for {count} places.");
        }
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
        return known != null ? known : _chunks[chunk] = _rows.ChunkOfRows(chunk, _head->Rows, _head->Width);
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
