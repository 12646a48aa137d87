using Jackdaw.Search.Lucene.Fields;
using Jackdaw.Search.Ordering;
using Lucene.Net.Index;
using Lucene.Net.Search;

namespace Jackdaw.Search.Lucene.Ordering;

/// <summary>Compares entries by their first number: two longs exactly, all others as doubles.</summary>
internal sealed class NumberComparer(string field, int count, bool nullsAreSmall, bool whole) : FieldComparer<object>
{
    private readonly NumberKey[] _slots = new NumberKey[count];
    private NumberColumn _column = null!; // set before the first entry
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
        _column = new NumberColumn(context.AtomicReader, field);
        return this;
    }

    private NumberKey Read(int doc) => _column.Read(doc);

    private int Compare(in NumberKey a, in NumberKey b) => NumberKey.Compare(a, b, whole, nullsAreSmall);
}
