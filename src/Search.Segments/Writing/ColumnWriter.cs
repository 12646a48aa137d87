using Jackdaw.Search.Segments.Codes;
using Jackdaw.Search.Segments.Memory;
using Jackdaw.Search.Segments.Storing;

namespace Jackdaw.Search.Segments.Writing;

/// <summary>Writes columns, row by row.</summary>
internal sealed unsafe class ColumnWriter : IDisposable
{
    private readonly NativeList<int> _entries = new();
    private SegmentWriter _writer = null!; // set by Begin
    private PartBuilder? _rows;
    private int _field;
    private PartKind _head;
    private ColumnHead _written;

    /// <param name="least">No number is less.</param>
    /// <param name="greatest">No number is greater.</param>
    public void Begin(SegmentWriter writer, int field, PartKind head, PartKind rows, long least, long greatest)
    {
        (_writer, _field, _head) = (writer, field, head);
        _written = new ColumnHead { Width = WidthOf((ulong)greatest - (ulong)least), Least = least, Greatest = greatest };
        _rows = _written.Width == 0 ? null : writer.Open(field, rows);
        _entries.Clear();
    }

    /// <summary>Adds the number of the next entry that has one.</summary>
    public void Add(int entry, long value)
    {
        _entries.Add(entry);
        if (_rows is null)
        {
            return;
        }

        if (_entries.Count > 1 && (_entries.Count & (ColumnHead.ChunkRows - 1)) == 1)
        {
            _rows.WriteChunk(); // full
        }

        long row = value - _written.Least;
        byte* target = _rows.Bytes.Extend(_written.Width);
        switch (_written.Width)
        {
            case 1:
                *target = (byte)row;
                break;
            case 2:
                *(ushort*)target = (ushort)row;
                break;
            case 4:
                *(uint*)target = (uint)row;
                break;
            default:
                *(long*)target = row;
                break;
        }
    }

    /// <summary>Ends the column; one without numbers is left out.</summary>
    /// <param name="head">What the head has besides.</param>
    public void End(ColumnHead head)
    {
        if (_rows is not null)
        {
            _writer.Close(_rows);
        }

        if (_entries.IsEmpty && head.Values == 0)
        {
            return;
        }

        (head.Width, head.Least, head.Greatest, head.Rows) = (_written.Width, _written.Least, _written.Greatest, _entries.Count);
        PartBuilder part = _writer.Open(_field, _head);
        *(ColumnHead*)part.Bytes.Extend(ColumnHead.SizeOf) = head;
        if (!_entries.IsEmpty)
        {
            EntrySet.Write(part.Bytes, _entries.Span, _writer.Entries);
        }

        _writer.Close(part);
    }

    /// <summary>Writes a whole column.</summary>
    /// <param name="entries">The entries that have a number, in order.</param>
    /// <param name="values">Their numbers.</param>
    /// <param name="head">What the head has besides.</param>
    public void Write(
        SegmentWriter writer, int field, PartKind headKind, PartKind rowsKind, ReadOnlySpan<int> entries, ReadOnlySpan<long> values, ColumnHead head)
    {
        (long least, long greatest) = BoundsOf(values);
        Begin(writer, field, headKind, rowsKind, least, greatest);
        for (int i = 0; i < values.Length; i++)
        {
            Add(entries[i], values[i]);
        }

        End(head);
    }

    public void Dispose() => _entries.Dispose();

    /// <summary>The bytes of numbers from 0 to the largest one.</summary>
    private static int WidthOf(ulong largest) => largest switch
    {
        0 => 0,
        <= byte.MaxValue => 1,
        <= ushort.MaxValue => 2,
        <= uint.MaxValue => 4,
        _ => 8,
    };

    private static (long Least, long Greatest) BoundsOf(ReadOnlySpan<long> values)
    {
        if (values.IsEmpty)
        {
            return (0, 0);
        }

        long least = values[0], greatest = values[0];
        foreach (long value in values)
        {
            least = Math.Min(least, value);
            greatest = Math.Max(greatest, value);
        }

        return (least, greatest);
    }
}
