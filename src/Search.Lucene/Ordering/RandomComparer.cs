using Jackdaw.Search.Lucene.Fields;
using Jackdaw.Search.Ordering;
using Lucene.Net.Index;
using Lucene.Net.Search;
using Lucene.Net.Util;

namespace Jackdaw.Search.Lucene.Ordering;

/// <summary>Shuffles entries by a hash of their ids. The same seed gives the same order, even if segments were merged in between.</summary>
internal sealed class RandomComparer(int count, int seed) : FieldComparer<object>
{
    private readonly ulong[] _slots = new ulong[count];
    private readonly BytesRef _id = new();
    private SortedDocValues? _ids;
    private ulong _bottom;
    private ulong _top;

    public override object this[int slot] => _slots[slot];

    public override int Compare(int slot1, int slot2) => _slots[slot1].CompareTo(_slots[slot2]);

    public override void SetBottom(int slot) => _bottom = _slots[slot];

    public override void SetTopValue(object value) => _top = (ulong)value;

    public override int CompareBottom(int doc) => _bottom.CompareTo(HashOf(doc));

    public override int CompareTop(int doc) => _top.CompareTo(HashOf(doc));

    public override void Copy(int slot, int doc) => _slots[slot] = HashOf(doc);

    public override FieldComparer SetNextReader(AtomicReaderContext context)
    {
        _ids = context.AtomicReader.GetSortedDocValues(IndexTerms.Id);
        return this;
    }

    private ulong HashOf(int doc)
    {
        if (_ids is null)
        {
            return 0;
        }

        _ids.Get(doc, _id);
        return ShuffledOrder.Rank(_id.Bytes.AsSpan(_id.Offset, _id.Length), seed);
    }
}
