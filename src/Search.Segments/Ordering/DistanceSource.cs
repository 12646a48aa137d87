using Jackdaw.Search.Entries;
using Jackdaw.Search.Results;
using Jackdaw.Search.Segments.Codes;
using Jackdaw.Search.Segments.Fields;
using Jackdaw.Search.Segments.Reading;
using Jackdaw.Search.Segments.Storing;
using Jackdaw.Search.Spatial;
using SortKey = Jackdaw.Search.Queries.SortKey;

namespace Jackdaw.Search.Segments.Ordering;

/// <summary>Orders by the distance of the nearest shape from a place.</summary>
/// <param name="field">Null when the index has no such field.</param>
internal sealed class DistanceSource(SortKey key, FieldRecord? field, SpatialSettings settings) : SortSource(key)
{
    private readonly NearestShape _nearest = new(key, settings);
    private BlobReader _shapes;

    public override void Bind(SegmentView segment) => _shapes = field is null ? default : BlobReader.Open(segment, field.Number, PartKind.Shapes);

    public override ulong RankOf(in OrderValue value) => value.First;

    public override OrderValue Read(int entry, float score)
    {
        PlacedDistance? found = _shapes.TryRead(entry, out ReadOnlySpan<byte> shapes) ? _nearest.Find(shapes) : null;
        return found is null
            ? Missing
            : new OrderValue(Directed((ulong)OrderedNumber.Of(_nearest.Rank(found, nullsAreSmall: false)) ^ (1UL << 63)), 0);
    }
}
