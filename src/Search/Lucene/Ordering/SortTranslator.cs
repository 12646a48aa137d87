using Jackdaw.Search.Lucene.Fields;
using Jackdaw.Search.Queries;
using Lucene.Net.Index;
using Lucene.Net.Search;
using Lucene.Net.Util;

namespace Jackdaw.Search.Lucene.Ordering;

/// <summary>Turns keys of an order into those of Lucene. Entries that are equal in all have the order in which they were added.</summary>
internal static class SortTranslator
{
    public static Sort Translate(IReadOnlyList<SortKey> keys) =>
        keys.Count == 0 ? new Sort(SortField.FIELD_DOC) : new Sort([.. keys.Select(Translate)]);

    /// <summary>A key as a plan names it.</summary>
    public static string Describe(SortKey key) =>
        (key.Field.Length == 0 ? key.By.ToString().ToLowerInvariant() : $"{key.Field} as {key.By.ToString().ToLowerInvariant()}")
        + (key.IsDescending ? " desc" : "");

    private static SortField Translate(SortKey key)
    {
        bool nullsFirst = key.Nulls == NullOrder.First || (key.Nulls == NullOrder.Smallest && !key.IsDescending);

        // Lucene turns the order of nulls too when it goes down.
        bool nullsAreSmall = nullsFirst != key.IsDescending;
        return key.By switch
        {
            SortBy.Score => new SortField(null, SortFieldType.SCORE, key.IsDescending),
            SortBy.Id => new SortField(IndexTerms.Id, SortFieldType.STRING, key.IsDescending),
            SortBy.Text => Text(key, nullsAreSmall),
            SortBy.Long => Numbers(key, nullsAreSmall, whole: true),
            SortBy.Double => Numbers(key, nullsAreSmall, whole: false),
            _ => throw new InvalidSearchException($"This engine does not sort by '{key.By}' yet."),
        };
    }

    private static SortField Text(SortKey key, bool nullsAreSmall)
    {
        var field = new SortField(key.Field, SortFieldType.STRING, key.IsDescending);
        field.SetMissingValue(nullsAreSmall ? SortField.STRING_FIRST : SortField.STRING_LAST);
        return field;
    }

    private static SortField Numbers(SortKey key, bool nullsAreSmall, bool whole) =>
        new(key.Field, new NumberSource(nullsAreSmall, whole), key.IsDescending);

    private sealed class NumberSource(bool nullsAreSmall, bool whole) : FieldComparerSource
    {
        public override FieldComparer NewComparer(string fieldname, int numHits, int sortPos, bool reversed) =>
            new NumberComparer(fieldname, numHits, nullsAreSmall, whole);
    }
}

/// <summary>Compares entries by their first number: exactly, long with long; otherwise as doubles.</summary>
internal sealed class NumberComparer(string field, int count, bool nullsAreSmall, bool whole) : FieldComparer<object>
{
    private readonly NumberKey[] _slots = new NumberKey[count];
    private NumericDocValues? _longs;
    private NumericDocValues? _doubles;
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
        string longs = reader.GetNumericDocValues(IndexTerms.Ticks(field)) is null ? IndexTerms.Longs(field) : IndexTerms.Ticks(field);
        _longs = reader.GetNumericDocValues(longs);
        _hasLong = reader.GetDocsWithField(longs);
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

        if (_doubles is null || !_hasDouble!.Get(doc))
        {
            return default;
        }

        double number = BitConverter.Int64BitsToDouble(_doubles.Get(doc));
        return new NumberKey(true, number >= long.MaxValue ? long.MaxValue : number <= long.MinValue ? long.MinValue : (long)number, number);
    }

    private int Compare(NumberKey a, NumberKey b)
    {
        if (!a.Exists || !b.Exists)
        {
            int order = a.Exists.CompareTo(b.Exists);
            return nullsAreSmall ? order : -order;
        }

        return whole || a.Double == b.Double ? a.Long.CompareTo(b.Long) : a.Double.CompareTo(b.Double);
    }

    private readonly record struct NumberKey(bool Exists, long Long, double Double);
}
