using Jackdaw.Search.Entries;
using Jackdaw.Search.Lucene.Fields;
using Jackdaw.Search.Spatial;
using Lucene.Net.Index;
using Lucene.Net.Search;
using Lucene.Net.Util;
using SortKey = Jackdaw.Search.Queries.SortKey;

namespace Jackdaw.Search.Lucene.Ordering;

/// <summary>Compares entries by the distance of their nearest shape from a place.</summary>
internal sealed class DistanceComparer(int count, SortKey key, SpatialSettings settings, bool nullsAreSmall) : FieldComparer<object>
{
    private readonly double[] _slots = new double[count];
    private readonly BytesRef _bytes = new();
    private BinaryDocValues? _shapes;
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
        _shapes = context.AtomicReader.GetBinaryDocValues(IndexTerms.Shapes(key.Field));
        return this;
    }

    private double Read(int doc)
    {
        double nearest = double.PositiveInfinity;
        if (_shapes is not null)
        {
            _shapes.Get(doc, _bytes);
            ReadOnlySpan<byte> rest = _bytes.Bytes.AsSpan(_bytes.Offset, _bytes.Length);
            while (!rest.IsEmpty)
            {
                nearest = Math.Min(nearest, ShapeRelations.DistanceTo(ShapeColumn.Read(ref rest, settings), key.Y, key.X, settings.IsGeography));
            }
        }

        if (double.IsPositiveInfinity(nearest))
        {
            return nullsAreSmall ? double.NegativeInfinity : double.PositiveInfinity;
        }

        double distance = settings.IsGeography ? Earth.FromKilometers(nearest, key.Unit ?? settings.Unit) : nearest;
        return key.RoundTo > 0 ? Math.Floor(distance / key.RoundTo) * key.RoundTo : distance;
    }
}
