using Jackdaw.Search.Ordering;
using Jackdaw.Search.Segments.Codes;
using Jackdaw.Search.Segments.Storing;

namespace Jackdaw.Search.Segments.Reading;

/// <summary>The first numbers of the entries of a segment in one field, of all kinds.</summary>
internal readonly unsafe struct FirstNumbers
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

    /// <summary>Reads numbers of some entries that have their order: doubles as <see cref="OrderedNumber"/> has them.</summary>
    /// <param name="entries">In order, some hundred at most.</param>
    /// <param name="isWhole">Whether the whole parts are read.</param>
    /// <param name="has">1 for each entry that has a number, else 0.</param>
    public void ReadOrdered(int* entries, int count, bool isWhole, long* target, byte* has)
    {
        new Span<byte>(has, count).Clear();
        int* rows = stackalloc int[count];
        long* read = stackalloc long[count];
        ReadKind(_doubles, isDoubles: true);
        ReadKind(_dates, isDoubles: false); // those that come later win
        ReadKind(_longs, isDoubles: false);

        void ReadKind(in ColumnReader column, bool isDoubles)
        {
            int* found = column.Exists ? column.ReadAll(entries, count, rows, read) : null;
            for (int i = 0; found != null && i < count; i++)
            {
                if (found[i] >= 0)
                {
                    has[i] = 1;
                    target[i] = isDoubles != isWhole ? read[i] : isWhole ? NumberKey.Of(OrderedNumber.ToDouble(read[i])).Long : OrderedNumber.Of(read[i]);
                }
            }
        }
    }

    private static ColumnReader Open(SegmentView segment, int field, PartKind kind) =>
        ColumnReader.Open(segment, field, kind.Of(NumberPart.Column), kind.Of(NumberPart.Rows));
}
