using NetTopologySuite.Geometries;
using NetTopologySuite.Geometries.Prepared;

namespace Jackdaw.Search.Spatial;

/// <summary>A rectangle along the axes; its low ends are not above its high ones.</summary>
public readonly record struct Box(double MinX, double MaxX, double MinY, double MaxY)
{
    public bool Intersects(in Box other) =>
        MinX <= other.MaxX && other.MinX <= MaxX && MinY <= other.MaxY && other.MinY <= MaxY;

    public bool Contains(in Box other) =>
        MinX <= other.MinX && other.MaxX <= MaxX && MinY <= other.MinY && other.MaxY <= MaxY;
}

/// <summary>A shape, on the earth or in a plane. Immutable; one thread at a time.</summary>
public abstract class Shape
{
    /// <summary>The boxes that together contain it: two when it crosses the date line.</summary>
    public abstract IReadOnlyList<Box> Boxes { get; }
}

/// <summary>A point; the most frequent shape.</summary>
public sealed class PointShape(double y, double x) : Shape
{
    public double Y => y;

    public double X => x;

    public override IReadOnlyList<Box> Boxes => [Box];

    /// <summary>The box that is only the point.</summary>
    public Box Box => new(x, x, y, y);
}

/// <summary>All points within a radius around a centre.</summary>
/// <param name="radius">Kilometers on the earth.</param>
public sealed class CircleArea(double y, double x, double radius, bool isGeography) : Shape
{
    /// <summary>Added to boxes, relatively, so that rounding leaves out no point on the edge.</summary>
    private const double Margin = 1e-9;

    public double Y => y;

    public double X => x;

    public double Radius => radius;

    public bool IsGeography => isGeography;

    public override IReadOnlyList<Box> Boxes { get; } = isGeography ? BoxesOnEarth(y, x, radius) : [BoxAround(y, x, radius, radius)];

    public double DistanceTo(double otherY, double otherX) =>
        isGeography ? Earth.Distance(y, x, otherY, otherX) : Math.Sqrt(((y - otherY) * (y - otherY)) + ((x - otherX) * (x - otherX)));

    private static Box BoxAround(double y, double x, double height, double width)
    {
        double margin = Margin * (1 + Math.Abs(x) + Math.Abs(y) + height + width);
        return new Box(x - width - margin, x + width + margin, y - height - margin, y + height + margin);
    }

    private static Box[] BoxesOnEarth(double y, double x, double radius)
    {
        double angle = radius / Earth.Radius;
        double height = double.RadiansToDegrees(angle);

        // A circle around a pole contains every longitude.
        bool isPolar = y + height >= 90 || y - height <= -90;
        double width = isPolar ? 180 : double.RadiansToDegrees(Math.Asin(Math.Min(1, Math.Sin(angle) / Math.Cos(double.DegreesToRadians(y)))));
        Box box = BoxAround(y, x, height, width);
        return isPolar || box.MaxX - box.MinX >= 360 ? [box with { MinX = -180, MaxX = 180 }]
            : box.MinX < -180 ? [box with { MinX = -180 }, box with { MinX = box.MinX + 360, MaxX = 180 }]
            : box.MaxX > 180 ? [box with { MaxX = 180 }, box with { MinX = -180, MaxX = box.MaxX - 360 }]
            : [box];
    }
}

/// <summary>Lines, polygons and collections; straight between their points, on the earth too.</summary>
public sealed class GeometryShape(Geometry geometry) : Shape
{
    private IPreparedGeometry? _prepared;

    public Geometry Geometry => geometry;

    /// <summary>A form of the shape that is fast to compare with many others.</summary>
    public IPreparedGeometry Prepared => _prepared ??= PreparedGeometryFactory.Prepare(geometry);

    public override IReadOnlyList<Box> Boxes { get; } = MakeBoxes(geometry);

    private static Box[] MakeBoxes(Geometry geometry)
    {
        IEnumerable<Geometry> parts = geometry is GeometryCollection several ? several.Geometries : [geometry];
        return [.. parts.Where(part => !part.IsEmpty).Select(part => part.EnvelopeInternal)
            .Select(box => new Box(box.MinX, box.MaxX, box.MinY, box.MaxY))];
    }
}
