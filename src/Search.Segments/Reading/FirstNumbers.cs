using Jackdaw.Search.Segments.Codes;
using Jackdaw.Search.Segments.Storing;

namespace Jackdaw.Search.Segments.Reading;

/// <summary>The first number of an entry.</summary>
/// <param name="Whole">Cut to a whole number.</param>
/// <param name="IsDate">Whether the whole number is the ticks of a date.</param>
/// <param name="IsBeyond">Whether the number is a double of 2^63 or more, and so larger than the largest long, whose nearest double is 2^63.</param>
internal readonly record struct FirstNumber(long Whole, double Double, bool IsDate, bool IsBeyond);

/// <summary>The first numbers of the entries of a segment in one field, of whichever kind they are.</summary>
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

    public bool TryRead(int entry, out FirstNumber number)
    {
        if (_longs.Exists && _longs.TryRead(entry, out long whole))
        {
            number = new FirstNumber(whole, whole, IsDate: false, IsBeyond: false);
            return true;
        }

        if (_dates.Exists && _dates.TryRead(entry, out long ticks))
        {
            number = new FirstNumber(ticks, ticks, IsDate: true, IsBeyond: false);
            return true;
        }

        if (_doubles.Exists && _doubles.TryRead(entry, out long ordered))
        {
            double value = OrderedNumber.ToDouble(ordered);
            bool isBeyond = value >= long.MaxValue;
            number = new FirstNumber(isBeyond ? long.MaxValue : value <= long.MinValue ? long.MinValue : (long)value, value, IsDate: false, isBeyond);
            return true;
        }

        number = default;
        return false;
    }

    private static ColumnReader Open(SegmentView segment, int field, PartKind kind) =>
        ColumnReader.Open(segment, field, kind.Of(NumberPart.Column), kind.Of(NumberPart.Rows));
}
