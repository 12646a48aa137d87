using Jackdaw.Search.Lucene.Fields;
using Lucene.Net.Index;
using Lucene.Net.Search;
using Lucene.Net.Util;

namespace Jackdaw.Search.Lucene.Ordering;

/// <summary>Compares entries by their first number: exactly, long with long; otherwise as doubles.</summary>
internal sealed class NumberComparer(string field, int count, bool nullsAreSmall, bool whole) : FieldComparer<object>
{
    private readonly NumberKey[] _slots = new NumberKey[count];
    private NumericDocValues? _ticks;
    private NumericDocValues? _longs;
    private NumericDocValues? _doubles;
    private IBits? _hasTicks;
    private IBits? _hasLong;
    private IBits? _hasDouble;
    private NumberKey _bottom;
    private NumberKey _top;

    public override object this[int slot] => _slots[slot];

    public override int Compare(int slot1, int slot2) => Compare(_slots[slot1], _slots[slot2]);

    public override void SetBottom(int slot) => _bottom = _slots[slot];

    public override void SetTopValue(object value) => _top = (NumberKey)value;

    public override int CompareBottom(int doc) => Compare(_bottom, Read(doc));

    public override int CompareTop(int doc) => Compare(_top, Read(doc));

    public override void Copy(int slot, int doc) => _slots[slot] = Read(doc);

    public override FieldComparer SetNextReader(AtomicReaderContext context)
    {
        AtomicReader reader = context.AtomicReader;
        _ticks = reader.GetNumericDocValues(IndexTerms.Ticks(field));
        _hasTicks = reader.GetDocsWithField(IndexTerms.Ticks(field));
        _longs = reader.GetNumericDocValues(IndexTerms.Longs(field));
        _hasLong = reader.GetDocsWithField(IndexTerms.Longs(field));
        _doubles = reader.GetNumericDocValues(IndexTerms.Doubles(field));
        _hasDouble = reader.GetDocsWithField(IndexTerms.Doubles(field));
        return this;
    }

    private NumberKey Read(int doc)
    {
        if (_longs is not null && _hasLong!.Get(doc))
        {
            long value = _longs.Get(doc);
            return new NumberKey(true, value, value);
        }

        if (_ticks is not null && _hasTicks!.Get(doc))
        {
            long value = _ticks.Get(doc);
            return new NumberKey(true, value, value);
        }

        if (_doubles is null || !_hasDouble!.Get(doc))
        {
            return default;
        }

        double number = BitConverter.Int64BitsToDouble(_doubles.Get(doc));
        bool isBeyond = number >= long.MaxValue;
        return new NumberKey(true, isBeyond ? long.MaxValue : number <= long.MinValue ? long.MinValue : (long)number, number, isBeyond);
    }

    private int Compare(NumberKey a, NumberKey b)
    {
        if (!a.Exists || !b.Exists)
        {
            int order = a.Exists.CompareTo(b.Exists);
            return nullsAreSmall ? order : -order;
        }

        return !whole && a.Double != b.Double ? a.Double.CompareTo(b.Double)
            : a.Long != b.Long || whole ? a.Long.CompareTo(b.Long)
            : a.IsBeyond.CompareTo(b.IsBeyond);
    }

    /// <param name="IsBeyond">A double of 2^63 or more: larger than the largest long, whose nearest double is 2^63.</param>
    private readonly record struct NumberKey(bool Exists, long Long, double Double, bool IsBeyond = false);
}
