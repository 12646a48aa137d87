using System.Text;
using Jackdaw.Search.Lucene.Fields;
using Jackdaw.Search.Queries;
using Lucene.Net.Index;
using Lucene.Net.Search;
using Lucene.Net.Util;

namespace Jackdaw.Search.Lucene.Ordering;

/// <summary>Compares entries by their first value, as the caller's comparer says.</summary>
/// <param name="nullsAreSmall">Where entries without a value are placed; null when the comparer decides.</param>
internal sealed class CustomComparer(string field, int count, IComparer<SortValue> comparer, bool? nullsAreSmall) : FieldComparer<object>
{
    private readonly SortValue[] _slots = new SortValue[count];
    private readonly BytesRef _read = new();
    private SortedDocValues? _texts;
    private NumberColumn _numbers = null!; // set before the first entry
    private SortValue _bottom;
    private SortValue _top;

    public override object this[int slot] => _slots[slot];

    public override int Compare(int slot1, int slot2) => Compare(_slots[slot1], _slots[slot2]);

    public override void SetBottom(int slot) => _bottom = _slots[slot];

    public override void SetTopValue(object value) => _top = (SortValue)value;

    public override int CompareBottom(int doc) => Compare(_bottom, Read(doc));

    public override int CompareTop(int doc) => Compare(_top, Read(doc));

    public override void Copy(int slot, int doc) => _slots[slot] = Read(doc);

    public override FieldComparer SetNextReader(AtomicReaderContext context)
    {
        _texts = context.AtomicReader.GetSortedDocValues(field);
        _numbers = new NumberColumn(context.AtomicReader, field);
        return this;
    }

    private SortValue Read(int doc) => _numbers.Read(doc).ToSortValue(ReadText(doc));

    private string? ReadText(int doc)
    {
        int ordinal = _texts?.GetOrd(doc) ?? -1;
        if (ordinal < 0)
        {
            return null;
        }

        _texts!.LookupOrd(ordinal, _read);
        return Encoding.UTF8.GetString(_read.Bytes, _read.Offset, _read.Length);
    }

    private int Compare(SortValue a, SortValue b)
    {
        if (nullsAreSmall is { } isSmall && (a.IsNull || b.IsNull))
        {
            int order = b.IsNull.CompareTo(a.IsNull);
            return isSmall ? order : -order;
        }

        return comparer.Compare(a, b);
    }
}
