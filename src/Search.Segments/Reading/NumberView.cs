using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Jackdaw.Search.Segments.Storing;
using Jackdaw.Search.Segments.Writing;

namespace Jackdaw.Search.Segments.Reading;

/// <summary>The numbers of one kind that a field has in a segment.</summary>
internal readonly unsafe struct NumberView
{
    private readonly Part _order;
    private readonly Part _values;
    private readonly byte** _orderChunks;
    private readonly byte** _valueChunks;
    private readonly long* _samples;
    private readonly bool _isShort;
    private readonly int _entries;

    private NumberView(SegmentView segment, ColumnReader column, Part order, Part samples, Part values)
    {
        Column = column;
        Count = column.Head.Values;
        _order = order;
        _values = values;
        _entries = segment.Entries;
        int width = NumberWriter.OrderWidth(segment.Entries), chunks = Part.ChunksOf(Count);
        long sampled = Count > NumberWriter.SampleInterval ? (Count + NumberWriter.SampleInterval - 1L) >> NumberWriter.SampleShift : 0;
        order.Require(
            Count > 0 && order.Bytes == (long)Count * width && order.Chunks == chunks, "has another number of entries than the head of the column says");
        samples.Require(samples.Bytes == sampled * sizeof(long), "has another number of samples than it needs");
        values.Require(
            values.Bytes == (IsSingle ? 0 : (long)Count * sizeof(long)) && (IsSingle || values.Chunks == chunks),
            "has another number of values than entries");
        order.Require(!IsSingle || column.Head.Rows == Count, "has another number of entries than the column");
        _orderChunks = ChunksOf(segment, order);
        _valueChunks = values.Exists ? ChunksOf(segment, values) : null;
        _samples = samples.Exists ? (long*)samples.Start : null;
        _isShort = width == sizeof(ushort);
    }

    public bool Exists => Column.Exists;

    /// <summary>The first number of each entry, where it is of this kind.</summary>
    public ColumnReader Column { get; }

    /// <summary>All values.</summary>
    public int Count { get; }

    /// <summary>Whether no entry has two values, and each is the first number of its entry.</summary>
    public bool IsSingle => Column.Head.HasSeveral == 0;

    public static NumberView Open(SegmentView segment, int field, PartKind kind)
    {
        var column = ColumnReader.Open(segment, field, kind.Of(NumberPart.Column), kind.Of(NumberPart.Rows));
        if (!column.Exists)
        {
            return default;
        }

        segment.TryFind(field, kind.Of(NumberPart.Order), out Part order);
        segment.TryFind(field, kind.Of(NumberPart.Samples), out Part samples);
        segment.TryFind(field, kind.Of(NumberPart.Values), out Part values);
        return new NumberView(segment, column, order, samples, values);
    }

    /// <summary>The entry of a value.</summary>
    /// <param name="place">The place of the value in the order.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int EntryAt(int place)
    {
        byte* chunk = Chunk(_orderChunks, _order, place >> ColumnHead.ChunkShift, OrderWidth);
        place &= ColumnHead.ChunkRows - 1;
        int entry = _isShort ? ((ushort*)chunk)[place] : ((int*)chunk)[place];
        if ((uint)entry >= (uint)_entries)
        {
            ThrowNoEntry();
        }

        return entry;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public long ValueAt(int place)
    {
        if (_valueChunks != null)
        {
            return ((long*)Chunk(_valueChunks, _values, place >> ColumnHead.ChunkShift, sizeof(long)))[place & (ColumnHead.ChunkRows - 1)];
        }

        if (!Column.TryRead(EntryAt(place), out long value))
        {
            ThrowNoEntry();
        }

        return value;
    }

    private int OrderWidth => _isShort ? sizeof(ushort) : sizeof(int);

    /// <summary>The first place whose value is not below another one.</summary>
    public int LowerBound(long value)
    {
        int low = 0, high = Count;
        if (_samples != null)
        {
            int samples = (Count + NumberWriter.SampleInterval - 1) >> NumberWriter.SampleShift;
            int above = FirstSample(samples, value);
            low = Math.Max(0, above - 1) << NumberWriter.SampleShift;
            high = above < samples ? above << NumberWriter.SampleShift : Count;
        }

        while (low < high)
        {
            int middle = (low + high) >>> 1;
            if (ValueAt(middle) < value)
            {
                low = middle + 1;
            }
            else
            {
                high = middle;
            }
        }

        return low;
    }

    /// <summary>The places of the values from one to another.</summary>
    public (int First, int End) Slice(long low, long high)
    {
        if (low > high || Count == 0)
        {
            return (0, 0);
        }

        int first = LowerBound(low);
        int end = high == long.MaxValue ? Count : LowerBound(high + 1);
        return (first, Math.Max(first, end));
    }

    /// <summary>Copies the entries of a slice, in the order of their values.</summary>
    public void CopyEntries(int first, int end, int* target)
    {
        while (first < end)
        {
            int stop = Math.Min(end, ((first >> ColumnHead.ChunkShift) + 1) << ColumnHead.ChunkShift);
            byte* chunk = Chunk(_orderChunks, _order, first >> ColumnHead.ChunkShift, OrderWidth);
            int at = first & (ColumnHead.ChunkRows - 1), count = stop - first;
            if (_isShort)
            {
                ushort* from = (ushort*)chunk + at;
                for (int i = 0; i < count; i++)
                {
                    target[i] = from[i];
                }
            }
            else
            {
                new ReadOnlySpan<int>((int*)chunk + at, count).CopyTo(new Span<int>(target, count));
            }

            CheckEntries(target, count);
            target += count;
            first = stop;
        }
    }

    // The first sample that is not below a value.
    private int FirstSample(int samples, long value)
    {
        int low = 0;
        for (int count = samples; count > 0;)
        {
            int half = count >> 1;
            bool isBelow = _samples[low + half] < value;
            low = isBelow ? low + half + 1 : low;
            count = isBelow ? count - half - 1 : half;
        }

        return low;
    }

    private static byte** ChunksOf(SegmentView segment, Part part)
    {
        byte** chunks = (byte**)segment.Arena.Take<nint>(part.Chunks);
        new Span<nint>(chunks, part.Chunks).Clear();
        return chunks;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private byte* Chunk(byte** chunks, Part part, int index, int width)
    {
        byte* known = chunks[index];
        return known != null ? known : chunks[index] = part.ChunkOfRows(index, Count, width);
    }

    private void CheckEntries(int* copied, int count)
    {
        uint greatest = 0;
        for (int i = 0; i < count; i++)
        {
            greatest = Math.Max(greatest, (uint)copied[i]);
        }

        if (greatest >= (uint)_entries)
        {
            ThrowNoEntry();
        }
    }

    [DoesNotReturn]
    private void ThrowNoEntry() =>
        throw new Jackdaw.Storage.CorruptionException(
            $"An order of numbers of a segment of the index has an entry beyond the {_entries} of the segment, or one without a number.");
}
