using Jackdaw.Search.Ordering;
using Jackdaw.Search.Segments.Codes;
using Jackdaw.Search.Segments.Storing;

namespace Jackdaw.Search.Segments.Reading;

/// <summary>The first numbers of the entries of a segment in one field, of all kinds.</summary>
internal readonly struct FirstNumbers
{
    private readonly ColumnReader _longs;
    private readonly ColumnReader _doubles;
    private readonly ColumnReader _dates;

    private FirstNumbers(ColumnReader longs, ColumnReader doubles, ColumnReader dates)
    {
        _longs = longs;
        _doubles = doubles;
        _dates = dates;
    }

    public static FirstNumbers Open(SegmentView segment, int field) =>
        new(Open(segment, field, PartKind.Longs), Open(segment, field, PartKind.Doubles), Open(segment, field, PartKind.Dates));

    public NumberKey Read(int entry) =>
        _longs.Exists && _longs.TryRead(entry, out long whole) ? NumberKey.Of(whole)
        : _dates.Exists && _dates.TryRead(entry, out long ticks) ? NumberKey.OfDate(ticks)
        : _doubles.Exists && _doubles.TryRead(entry, out long ordered) ? NumberKey.Of(OrderedNumber.ToDouble(ordered))
        : default;

    private static ColumnReader Open(SegmentView segment, int field, PartKind kind) =>
        ColumnReader.Open(segment, field, kind.Of(NumberPart.Column), kind.Of(NumberPart.Rows));
}
