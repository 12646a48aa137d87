using Jackdaw.Search.Entries;
using Jackdaw.Search.Queries;
using Jackdaw.Search.Results;

namespace Jackdaw.Search.Spatial;

/// <summary>Measures how far the shapes of entries are from a place. Immutable.</summary>
/// <param name="key">The place, and the unit of distances.</param>
/// <param name="settings">Those of the field of the key.</param>
public sealed class NearestShape(SortKey key, SpatialSettings settings)
{
    private readonly CircleArea _place = new(key.Y, key.X, 0, settings.IsGeography);

    /// <summary>The distance of the nearest of an entry's shapes, or of its middle; null when there is no shape.</summary>
    /// <param name="shapes">As <see cref="ShapeBytes"/> writes them.</param>
    public PlacedDistance? Find(ReadOnlySpan<byte> shapes)
    {
        PlacedDistance? nearest = null;
        while (!shapes.IsEmpty)
        {
            (double y, double x) = ShapeRelations.MiddleOf(ShapeBytes.Read(ref shapes, settings));
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

    /// <summary>The number by which an entry is ordered.</summary>
    /// <param name="found">What <see cref="Find"/> returned.</param>
    /// <param name="nullsAreSmall">Whether an entry without a shape is like the nearest one; otherwise it is like the farthest one.</param>
    public double Rank(PlacedDistance? found, bool nullsAreSmall) => found is not { } place
        ? nullsAreSmall ? double.NegativeInfinity : double.PositiveInfinity
        : key.RoundTo > 0 ? Math.Floor(place.Distance / key.RoundTo) * key.RoundTo : place.Distance;
}
