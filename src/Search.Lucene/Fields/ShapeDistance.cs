using Jackdaw.Search.Entries;
using Jackdaw.Search.Results;
using Jackdaw.Search.Spatial;
using Lucene.Net.Index;
using Lucene.Net.Util;
using SortKey = Jackdaw.Search.Queries.SortKey;

namespace Jackdaw.Search.Lucene.Fields;

/// <summary>The distances of the entries of one segment from a place. One thread at a time.</summary>
internal sealed class ShapeDistance(AtomicReader segment, SortKey key, SpatialSettings settings)
{
    private readonly BinaryDocValues? _shapes = segment.GetBinaryDocValues(IndexTerms.Shapes(key.Field));
    private readonly CircleArea _place = new(key.Y, key.X, 0, settings.IsGeography);
    private readonly BytesRef _bytes = new();

    /// <summary>The distance of an entry's nearest shape, or of its middle; null when the entry has no shape.</summary>
    public PlacedDistance? Read(int doc)
    {
        PlacedDistance? nearest = null;
        _shapes?.Get(doc, _bytes);
        ReadOnlySpan<byte> rest = _shapes is null ? [] : _bytes.Bytes.AsSpan(_bytes.Offset, _bytes.Length);
        while (!rest.IsEmpty)
        {
            (double y, double x) = ShapeRelations.MiddleOf(ShapeColumn.Read(ref rest, settings));
            double distance = _place.DistanceTo(y, x);
            if (nearest is null || distance < nearest.Value.Distance)
            {
                nearest = new PlacedDistance(distance, y, x);
            }
        }

        return nearest is { } found && settings.IsGeography
            ? found with { Distance = Earth.FromKilometers(found.Distance, key.Unit ?? settings.Unit) }
            : nearest;
    }
}
