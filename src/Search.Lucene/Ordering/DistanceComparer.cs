using Jackdaw.Search.Entries;
using Jackdaw.Search.Lucene.Fields;
using Lucene.Net.Index;
using Lucene.Net.Search;
using SortKey = Jackdaw.Search.Queries.SortKey;

namespace Jackdaw.Search.Lucene.Ordering;

/// <summary>Compares entries by the distance of their nearest shape from a place.</summary>
internal sealed class DistanceComparer(int count, SortKey key, SpatialSettings settings, bool nullsAreSmall) : FieldComparer<object>
{
    private readonly double[] _slots = new double[count];
    private ShapeDistance _distances = null!; // set before the first entry
    private double _bottom;
    private double _top;

    public override object this[int slot] => _slots[slot];

    public override int Compare(int slot1, int slot2) => _slots[slot1].CompareTo(_slots[slot2]);

    public override void SetBottom(int slot) => _bottom = _slots[slot];

    public override void SetTopValue(object value) => _top = (double)value;

    public override int CompareBottom(int doc) => _bottom.CompareTo(Read(doc));

    public override int CompareTop(int doc) => _top.CompareTo(Read(doc));

    public override void Copy(int slot, int doc) => _slots[slot] = Read(doc);

    public override FieldComparer SetNextReader(AtomicReaderContext context)
    {
        _distances = new ShapeDistance(context.AtomicReader, key, settings);
        return this;
    }

    private double Read(int doc) => _distances.Rank(doc, nullsAreSmall);
}
