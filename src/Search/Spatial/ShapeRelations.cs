using Jackdaw.Search.Queries;
using NetTopologySuite.Geometries;

namespace Jackdaw.Search.Spatial;

/// <summary>Finds out exactly how two shapes lie to each other. A boundary belongs to its shape.</summary>
public static class ShapeRelations
{
    /// <summary>The most pairs of segments of two shapes whose boxes meet. Each pair that really crosses takes some microseconds and 500 bytes. Two maps of one
    /// coast have some for each of their points.</summary>
    private const int CrossingsMax = 200_000;

    private static readonly GeometryFactory s_factory = new();

    /// <summary>Whether a shape of an entry has a relation to the searched shape. This takes at most about a second.</summary>
    /// <exception cref="InvalidSearchException">The comparison would take too long.</exception>
    public static bool Holds(Shape entry, SpatialRelation relation, Shape searched, CancellationToken cancellation)
    {
        cancellation.ThrowIfCancellationRequested();
        if (entry is GeometryShape one && searched is GeometryShape other)
        {
            CheckCrossings(one.Geometry, other.Geometry, cancellation);
        }

        return relation switch
        {
            SpatialRelation.Within => Covers(searched, entry),
            SpatialRelation.Contains => Covers(entry, searched),
            SpatialRelation.Disjoint => !Intersects(entry, searched),
            _ => Intersects(entry, searched),
        };
    }

    /// <summary>The point of a shape from which its distance is measured.</summary>
    public static (double Y, double X) MiddleOf(Shape shape) => shape switch
    {
        PointShape point => (point.Y, point.X),
        CircleArea circle => (circle.Y, circle.X),
        _ => ((GeometryShape)shape).Geometry.Centroid is { IsEmpty: false } middle ? (middle.Y, middle.X) : (0, 0),
    };

    private static void CheckCrossings(Geometry one, Geometry other, CancellationToken cancellation)
    {
        if ((long)one.NumPoints * other.NumPoints > CrossingsMax && one.EnvelopeInternal.Intersects(other.EnvelopeInternal)
            && !CrossingCount.IsWithin(one, other, CrossingsMax, cancellation))
        {
            throw new InvalidSearchException(
                $"The lines of the searched shape and of a shape of the index cross or are near each other at more than {CrossingsMax} places: "
                + "search with a simpler shape.");
        }
    }

    private static bool Covers(Shape outer, Shape inner) => (outer, inner) switch
    {
        (PointShape a, PointShape b) => a.X == b.X && a.Y == b.Y,
        (PointShape a, CircleArea { Radius: 0 } b) => a.X == b.X && a.Y == b.Y,
        (PointShape a, GeometryShape b) => s_factory.CreatePoint(new Coordinate(a.X, a.Y)).Covers(b.Geometry),
        (PointShape, _) => false,
        (CircleArea a, PointShape b) => a.DistanceTo(b.Y, b.X) <= a.Radius,
        (CircleArea a, CircleArea b) => a.DistanceTo(b.Y, b.X) + b.Radius <= a.Radius,
        (CircleArea a, GeometryShape b) => Covers(a, b),
        (GeometryShape a, PointShape b) => CoversPoint(a, b.Y, b.X),
        (GeometryShape a, CircleArea b) => CoversMiddle(a, b) && EdgeDistances.Least(a.Geometry, b) >= b.Radius,
        (GeometryShape a, GeometryShape b) => a.Prepared.Covers(b.Geometry),
        _ => false,
    };

    private static bool Intersects(Shape a, Shape b) => (a, b) switch
    {
        (PointShape, _) => Covers(b, a),
        (_, PointShape) => Covers(a, b),
        (CircleArea one, CircleArea other) => one.DistanceTo(other.Y, other.X) <= one.Radius + other.Radius,
        (CircleArea one, GeometryShape other) => Meets(other, one),
        (GeometryShape one, CircleArea other) => Meets(one, other),
        (GeometryShape one, GeometryShape other) => other.Prepared.Intersects(one.Geometry),
        _ => false,
    };

    private static bool Meets(GeometryShape shape, CircleArea circle) =>
        CoversMiddle(shape, circle) || EdgeDistances.Least(shape.Geometry, circle) <= circle.Radius;

    // On the earth, the lowest and the highest longitude are the same place.
    private static bool CoversMiddle(GeometryShape shape, CircleArea circle) =>
        CoversPoint(shape, circle.Y, circle.X)
        || (circle.IsGeography && Math.Abs(circle.X) == 180 && CoversPoint(shape, circle.Y, -circle.X));

    private static bool CoversPoint(GeometryShape shape, double y, double x) => shape.Prepared.Covers(s_factory.CreatePoint(new Coordinate(x, y)));

    // All lines lie within the circle. So does the area that they enclose, unless that area is the rest of the earth outside the circle.
    private static bool Covers(CircleArea circle, GeometryShape shape)
    {
        if (EdgeDistances.Largest(shape.Geometry, circle) > circle.Radius)
        {
            return false;
        }

        var opposite = new CircleArea(-circle.Y, circle.X > 0 ? circle.X - 180 : circle.X + 180, 0, circle.IsGeography);
        return !circle.IsGeography || circle.Radius >= Math.PI * Earth.Radius || !CoversMiddle(shape, opposite);
    }
}
