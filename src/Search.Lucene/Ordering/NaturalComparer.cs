using Jackdaw.Search.Ordering;
using Lucene.Net.Index;
using Lucene.Net.Search;
using Lucene.Net.Util;

namespace Jackdaw.Search.Lucene.Ordering;

/// <summary>Compares entries by their first text, in which runs of digits are compared as numbers.</summary>
internal sealed class NaturalComparer(string field, int count, bool nullsAreSmall) : FieldComparer<object>
{
    private readonly byte[]?[] _slots = new byte[]?[count];
    private readonly BytesRef _read = new();
    private SortedDocValues? _values;
    private byte[]? _bottom;
    private byte[]? _top;

    public override object this[int slot] => _slots[slot]!;

    public override int Compare(int slot1, int slot2) => Compare(_slots[slot1], _slots[slot2]);

    public override void SetBottom(int slot) => _bottom = _slots[slot];

    public override void SetTopValue(object value) => _top = (byte[]?)value;

    public override int CompareBottom(int doc)
    {
        ReadOnlySpan<byte> value = Read(doc, out bool exists);
        return Compare(_bottom is not null, _bottom, exists, value);
    }

    public override int CompareTop(int doc)
    {
        ReadOnlySpan<byte> value = Read(doc, out bool exists);
        return Compare(_top is not null, _top, exists, value);
    }

    public override void Copy(int slot, int doc)
    {
        ReadOnlySpan<byte> value = Read(doc, out bool exists);
        _slots[slot] = exists ? value.ToArray() : null;
    }

    public override FieldComparer SetNextReader(AtomicReaderContext context)
    {
        _values = context.AtomicReader.GetSortedDocValues(field);
        return this;
    }

    private ReadOnlySpan<byte> Read(int doc, out bool exists)
    {
        int ordinal = _values?.GetOrd(doc) ?? -1;
        exists = ordinal >= 0;
        if (!exists)
        {
            return [];
        }

        _values!.LookupOrd(ordinal, _read);
        return _read.Bytes.AsSpan(_read.Offset, _read.Length);
    }

    private int Compare(byte[]? a, byte[]? b) => Compare(a is not null, a, b is not null, b);

    private int Compare(bool hasA, ReadOnlySpan<byte> a, bool hasB, ReadOnlySpan<byte> b)
    {
        if (!hasA || !hasB)
        {
            int order = hasA.CompareTo(hasB);
            return nullsAreSmall ? order : -order;
        }

        return NaturalOrder.Compare(a, b);
    }
}
