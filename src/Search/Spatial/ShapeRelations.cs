using Jackdaw.Search.Queries;
using NetTopologySuite.Geometries;

namespace Jackdaw.Search.Spatial;

/// <summary>How shapes lie to each other, exactly. A boundary belongs to its shape.</summary>
internal static class ShapeRelations
{
    /// <summary>Pairs of segments of two shapes whose boxes meet; each that really crosses takes some microseconds and 500 bytes. Two maps of
    /// one coast have some for each of their points.</summary>
    private const int CrossingsMax = 200_000;

    private static readonly GeometryFactory s_factory = new();

    /// <summary>Whether a shape of an entry lies so to the one that is searched with. Takes at most about a second.</summary>
    /// <exception cref="InvalidSearchException">That would take too long.</exception>
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

    /// <summary>The point from which the distance of a shape counts.</summary>
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
        (CircleArea a, GeometryShape b) => b.Geometry.Coordinates.All(at => a.DistanceTo(at.Y, at.X) <= a.Radius),
        (GeometryShape a, PointShape b) => a.Prepared.Covers(s_factory.CreatePoint(new Coordinate(b.X, b.Y))),
        (GeometryShape a, CircleArea b) => a.Prepared.Covers(s_factory.CreatePoint(new Coordinate(b.X, b.Y))) && EdgeDistance(a.Geometry, b) >= b.Radius,
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
        shape.Prepared.Covers(s_factory.CreatePoint(new Coordinate(circle.X, circle.Y))) || EdgeDistance(shape.Geometry, circle) <= circle.Radius;

    // Least distance of the centre from the lines of a shape: of the nearest place on each, found in a plane that touches the earth at the
    // centre; then measured on the earth.
    private static double EdgeDistance(Geometry geometry, CircleArea circle)
    {
        double least = double.PositiveInfinity;
        var collector = new LineCollector();
        geometry.Apply(collector);
        foreach (Coordinate[] line in collector.Lines)
        {
            for (int i = 0; i + 1 < Math.Max(2, line.Length); i++)
            {
                Coordinate to = line[Math.Min(i + 1, line.Length - 1)];
                least = Math.Min(least, SegmentDistance(line[i], to, circle));
            }
        }

        return least;
    }

    private static double SegmentDistance(Coordinate from, Coordinate to, CircleArea circle)
    {
        double scale = Math.Cos(double.DegreesToRadians(Math.Clamp(circle.Y, -90, 90)));
        scale = circle.IsGeography ? scale : 1;
        (double dx, double dy) = ((to.X - from.X) * scale, to.Y - from.Y);
        double length = (dx * dx) + (dy * dy);
        double part = length == 0 ? 0 : Math.Clamp(((((circle.X - from.X) * scale) * dx) + ((circle.Y - from.Y) * dy)) / length, 0, 1);
        return circle.DistanceTo(from.Y + (part * (to.Y - from.Y)), from.X + (part * (to.X - from.X)));
    }
}
