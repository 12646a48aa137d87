using Jackdaw.Search.Segments.Memory;
using Jackdaw.Search.Segments.Storing;

namespace Jackdaw.Search.Segments.Writing;

/// <summary>Writes all numbers of one kind in their order. The first number of each entry is a column of its own.</summary>
/// <remarks>
/// <code>
/// order   the entries by value, and those of one value in their order: 2 bytes each in segments of up to 65,536 entries, else 4
/// samples every 256th value of the order (8 each), if there are more than 256
/// values  the values of the order (8 each), if an entry has several values or is ordered by a number of another kind
/// </code>
/// Chunks of order and values have 65,536 of them.
/// </remarks>
internal sealed unsafe class NumberWriter : IDisposable
{
    /// <summary>The values from one sample to the next.</summary>
    public const int SampleInterval = 1 << SampleShift;

    public const int SampleShift = 8;

    private readonly NativeList<long> _samples = new();
    private SegmentWriter _writer = null!; // set by Begin
    private PartBuilder _order = null!;
    private PartBuilder? _values;
    private int _field;
    private PartKind _kind;
    private bool _isShort;

    /// <summary>The values so far.</summary>
    public int Count { get; private set; }

    /// <param name="hasValues">Whether the values cannot be found by the column.</param>
    public void Begin(SegmentWriter writer, int field, PartKind kind, bool hasValues)
    {
        (_writer, _field, _kind, Count) = (writer, field, kind, 0);
        _isShort = OrderWidth(writer.Entries) == sizeof(ushort);
        _order = writer.Open(field, kind.Of(NumberPart.Order));
        _values = hasValues ? writer.Open(field, kind.Of(NumberPart.Values)) : null;
        _samples.Clear();
    }

    /// <summary>Adds the next value.</summary>
    public void Add(int entry, long value)
    {
        if (Count > 0 && (Count & (ColumnHead.ChunkRows - 1)) == 0)
        {
            _order.WriteChunk();
            _values?.WriteChunk();
        }

        if ((Count++ & (SampleInterval - 1)) == 0)
        {
            _samples.Add(value);
        }

        if (_isShort)
        {
            *(ushort*)_order.Bytes.Extend(sizeof(ushort)) = (ushort)entry;
        }
        else
        {
            _order.Bytes.AddUInt32((uint)entry);
        }

        _values?.Bytes.AddUInt64((ulong)value);
    }

    public void End()
    {
        _writer.Close(_order);
        if (Count > SampleInterval)
        {
            PartBuilder samples = _writer.Open(_field, _kind.Of(NumberPart.Samples));
            samples.Bytes.AddBytes(System.Runtime.InteropServices.MemoryMarshal.AsBytes(_samples.Span));
            _writer.Close(samples);
        }

        if (_values is not null)
        {
            _writer.Close(_values);
        }
    }

    public void Dispose() => _samples.Dispose();

    /// <summary>The bytes of an entry in an order.</summary>
    public static int OrderWidth(int entries) => entries <= ushort.MaxValue + 1 ? sizeof(ushort) : sizeof(int);
}
