using System.Buffers;
using System.Globalization;
using System.Text.RegularExpressions;
using Jackdaw.Search.Entries;
using NetTopologySuite;
using NetTopologySuite.Geometries;
using NetTopologySuite.IO;

namespace Jackdaw.Search.Spatial;

/// <summary>Reads shapes in well-known text: POINT, LINESTRING, POLYGON, their MULTI forms, GEOMETRYCOLLECTION, and
/// ENVELOPE(minX, maxX, maxY, minY), CIRCLE(x y d=radius), BUFFER(shape, distance); and two short forms, "x y" of a point and "minX minY maxX maxY" of a
/// rectangle. X comes first: the longitude.</summary>
public static partial class ShapeReader
{
    /// <summary>The longest text in characters; reading it takes many times as much memory.</summary>
    private const int LengthMax = 1024 * 1024;

    /// <summary>The most nested parentheses: the reader calls itself for each.</summary>
    private const int DepthMax = 16;

    /// <summary>The most points of a shape. Rings and lines are compared in pairs where their extents meet; with this number, that ends within a
    /// second.</summary>
    private const int PointsMax = 10_000;

    /// <summary>The most points, lines, polygons and holes of a shape, which are compared in pairs too.</summary>
    private const int PartsMax = 4096;

    /// <summary>The most pairs of segments of a shape whose boxes meet. A coast has some for each point. Each pair that really crosses costs some microseconds
    /// and 500 bytes in every comparison.</summary>
    private const int CrossingsMax = 100_000;

    /// <summary>The most points of a shape around which a buffer is made. Each gives 16 points of the outline, whose lines cross those of all points nearby;
    /// with this number, it is made within some 100 ms.</summary>
    private const int BufferPointsMax = 64;

    /// <summary>The most pairs of segments that may cross in a shape around which a buffer is made. A drawn way has few, and 100 cost as much as the
    /// points.</summary>
    private const int BufferCrossingsMax = 100;

    private const NumberStyles Number = NumberStyles.Float;

    private static readonly SearchValues<char> s_numberCharacters = SearchValues.Create("0123456789.+-eE");

    private static readonly GeometryFactory s_factory = NtsGeometryServices.Instance.CreateGeometryFactory();

    /// <summary>Reads a shape.</summary>
    /// <param name="unit">The unit of radii in the text; null for that of the settings.</param>
    /// <exception cref="FormatException">The text is not a shape, or the shape lies outside the earth.</exception>
    public static Shape Read(string text, SpatialSettings settings, DistanceUnit? unit = null)
    {
        if (text.Length > LengthMax)
        {
            throw new FormatException($"A shape has at most {LengthMax} characters, and this one has {text.Length}.");
        }

        if (PlainPoint.TryRead(text, out double pointX, out double pointY))
        {
            PointShape point = Point(pointX, pointY);
            return IsWithin(point.Box, settings) ? point : CheckBounds(point, $"'{Start(text)}'", settings);
        }

        if (ShortPattern().Match(text) is { Success: true } numbers)
        {
            return CheckBounds(ReadShort(numbers, text), $"'{Start(text)}'", settings);
        }

        Match special = SpecialPattern().Match(text);
        Shape shape = !special.Success ? ReadGeometry(text) : special.Groups["name"].Value.ToUpperInvariant() switch
        {
            "POINT" => Point(Of(special, "x"), Of(special, "y")),
            "CIRCLE" => Circle(Of(special, "y"), Of(special, "x"), Of(special, "d"), settings, unit),
            _ => new GeometryShape(Envelope(Of(special, "x"), Of(special, "x2"), Of(special, "y2"), Of(special, "y"))),
        };
        return CheckBounds(shape, $"'{Start(text)}'", settings);
    }

    /// <summary>Reads <c>POINT (x y)</c>, the most frequent text, without an object.</summary>
    /// <returns>False for other texts, and for what <see cref="Read"/> refuses.</returns>
    public static bool TryReadPoint(string text, SpatialSettings settings, out double y, out double x)
    {
        (y, x) = (0, 0);
        ReadOnlySpan<char> rest = text;
        if (!rest.StartsWith("POINT", StringComparison.OrdinalIgnoreCase))
        {
            return false;
        }

        rest = rest["POINT".Length..].Trim(' ');
        if (rest is not ['(', .., ')'])
        {
            return false;
        }

        rest = rest[1..^1].Trim(' ');
        int space = rest.IndexOf(' ');
        return space > 0 && TryReadNumber(rest[..space], out x) && TryReadNumber(rest[space..].TrimStart(' '), out y)
            && (!settings.IsGeography || (x is >= -180 and <= 180 && y is >= -90 and <= 90));
    }

    private static bool TryReadNumber(ReadOnlySpan<char> text, out double number)
    {
        number = 0;
        return !text.ContainsAnyExcept(s_numberCharacters) && double.TryParse(text, Number, CultureInfo.InvariantCulture, out number)
            && double.IsFinite(number);
    }

    /// <summary>Reads the shape that an entry has for the text of a document: its bounding box where the field keeps boxes.</summary>
    /// <exception cref="FormatException">The text is not a shape, or the shape lies outside the earth.</exception>
    public static Shape ReadKept(string text, SpatialSettings settings)
    {
        Shape shape = Read(text, settings);
        return !settings.KeepsBoxes ? shape : shape switch
        {
            PointShape => shape,
            GeometryShape area when !CrossesDateLine(area.Geometry) => new GeometryShape(s_factory.ToGeometry(area.Geometry.EnvelopeInternal)),
            _ => new GeometryShape(s_factory.BuildGeometry(
                shape.Boxes.Select(box => s_factory.ToGeometry(new Envelope(box.MinX, box.MaxX, box.MinY, box.MaxY))))),
        };
    }

    /// <summary>A circle around a place.</summary>
    /// <exception cref="FormatException">The radius is negative, or the centre is not on the earth.</exception>
    public static Shape Circle(double y, double x, double radius, SpatialSettings settings, DistanceUnit? unit)
    {
        if (!(radius >= 0) || !double.IsFinite(radius))
        {
            throw new FormatException($"A circle with the radius {radius} is not possible: use 0 or more.");
        }

        double distance = settings.IsGeography ? Earth.ToKilometers(radius, unit ?? settings.Unit) : radius;
        string name = string.Create(CultureInfo.InvariantCulture, $"The circle with the radius {radius} around latitude {y}, longitude {x}");
        return CheckBounds(new CircleArea(y, x, distance, settings.IsGeography), name, settings);
    }

    /// <summary>The text of a point.</summary>
    public static string ToText(double y, double x) => string.Create(CultureInfo.InvariantCulture, $"POINT({x:R} {y:R})");

    private static Shape ReadShort(Match numbers, string text)
    {
        (double x, double y) = (Of(numbers, "x"), Of(numbers, "y"));
        if (!numbers.Groups["x2"].Success)
        {
            return Point(x, y);
        }

        (double x2, double y2) = (Of(numbers, "x2"), Of(numbers, "y2"));
        return y <= y2 ? new GeometryShape(Envelope(x, x2, y, y2)) : throw new FormatException(
            $"'{Start(text)}' is not a rectangle: the numbers are minX minY maxX maxY, and minY is above maxY.");
    }

    private static PointShape Point(double x, double y) => new(y, x);

    private static double Of(Match match, string group) =>
        double.TryParse(match.Groups[group].ValueSpan, Number, CultureInfo.InvariantCulture, out double number) && double.IsFinite(number)
            ? number
            : throw new FormatException($"'{match.Groups[group].Value}' in '{Start(match.Value)}' is not a finite number.");

    // As Envelope() makes it.
    private static bool CrossesDateLine(Geometry geometry) => geometry is MultiPolygon { Geometries: [{ IsRectangle: true } east, { IsRectangle: true } west] }
        && east.EnvelopeInternal.MaxX == 180 && west.EnvelopeInternal.MinX == -180;

    private static Geometry Envelope(double minX, double maxX, double minY, double maxY)
    {
        if (minX <= maxX)
        {
            return s_factory.ToGeometry(new Envelope(minX, maxX, minY, maxY));
        }

        return s_factory.CreateMultiPolygon(
        [
            (Polygon)s_factory.ToGeometry(new Envelope(minX, 180, minY, maxY)),
            (Polygon)s_factory.ToGeometry(new Envelope(-180, maxX, minY, maxY)),
        ]);
    }

    private static Shape ReadGeometry(string text)
    {
        Match buffer = BufferPattern().Match(text);
        Geometry geometry = Parse(buffer.Success ? buffer.Groups["shape"].Value : text);
        CheckSize(geometry, text);
        if (buffer.Success)
        {
            geometry = Buffer(geometry, Of(buffer, "d"), text);
        }

        return geometry is Point { IsEmpty: false } point ? new PointShape(point.Y, point.X)
            : geometry.IsEmpty ? throw new FormatException($"'{text}' is an empty shape.")
            : !Compute(() => geometry.IsValid, text)
                ? throw new FormatException($"'{Start(text)}' is not a valid shape: its lines cross, or a ring is not closed.")
            : new GeometryShape(geometry);
    }

    private static void CheckSize(Geometry geometry, string text)
    {
        if (geometry.NumPoints > PointsMax)
        {
            throw new FormatException($"'{Start(text)}' has {geometry.NumPoints} points, and a shape at most {PointsMax}: simplify it.");
        }

        CheckFinite(geometry, text);
        var parts = new LineCollector();
        geometry.Apply(parts);
        if (parts.Lines.Count > PartsMax)
        {
            throw new FormatException(
                $"'{Start(text)}' has {parts.Lines.Count} points, lines and rings, and a shape at most {PartsMax}: make several shapes of it.");
        }

        if (!CrossingCount.IsWithin(geometry, CrossingsMax))
        {
            throw new FormatException(
                $"'{Start(text)}' has more than {CrossingsMax} places where its lines cross or are near each other: simplify it.");
        }
    }

    // Neither boxes nor the comparison of lines can take other numbers.
    private static void CheckFinite(Geometry geometry, string text)
    {
        if (geometry.Coordinates.Any(one => !double.IsFinite(one.X) || !double.IsFinite(one.Y)))
        {
            throw new FormatException($"'{Start(text)}' has a coordinate that is not a finite number.");
        }
    }

    private static Geometry Buffer(Geometry geometry, double distance, string text)
    {
        if (geometry.NumPoints > BufferPointsMax)
        {
            throw new FormatException(
                $"'{Start(text)}' is made around {geometry.NumPoints} points, and a buffer around at most {BufferPointsMax}: simplify the shape, "
                + "or give the outline as a polygon.");
        }

        if (!CrossingCount.IsWithin(geometry, BufferCrossingsMax))
        {
            throw new FormatException(
                $"'{Start(text)}' is made around lines that cross at more than {BufferCrossingsMax} places: simplify them, or give the outline as a "
                + "polygon.");
        }

        Geometry outline = Compute(() => geometry.Buffer(distance), text);
        CheckFinite(outline, text); // a huge distance makes infinite coordinates
        return outline;
    }

    // The library has assertions that very large and very small numbers can break.
    private static T Compute<T>(Func<T> compute, string text)
    {
        try
        {
            return compute();
        }
        catch (Exception e) when (e is not OutOfMemoryException)
        {
            throw new FormatException($"'{Start(text)}' cannot be computed: {e.Message}", e);
        }
    }

    private static Geometry Parse(string text)
    {
        int depth = 0;
        foreach (char c in text)
        {
            depth += c == '(' ? 1 : c == ')' ? -1 : 0;
            if (depth > DepthMax)
            {
                throw new FormatException($"A shape has at most {DepthMax} nested parentheses.");
            }
        }

        try
        {
            return new WKTReader(NtsGeometryServices.Instance) { IsStrict = false }.Read(text);
        }
        catch (Exception e) when (e is not OutOfMemoryException)
        {
            // Exceptions of any kind: the reader has assertions that texts can break, such as a point with several coordinates.
            throw new FormatException($"'{Start(text)}' is not a shape in well-known text: {e.Message}", e);
        }
    }

    private static string Start(string text) => text.Length > 100 ? text[..100] + "..." : text;

    // The name tells the message which shape is meant.
    private static Shape CheckBounds(Shape shape, string name, SpatialSettings settings)
    {
        // A circle may reach over a pole; its centre may not lie there.
        IEnumerable<Box> boxes = shape is CircleArea circle ? [new Box(circle.X, circle.X, circle.Y, circle.Y)] : shape.Boxes;
        foreach (Box box in boxes)
        {
            if (!IsWithin(box, settings))
            {
                throw new FormatException(
                    shape is CircleArea
                    ? $"{name} is not on the earth: latitudes go from -90 to 90 and longitudes from -180 to 180."
                    : $"{name} is not on the earth: longitudes, which come first, go from -180 to 180 and latitudes from -90 to 90.");
            }
        }

        return shape;
    }

    private static bool IsWithin(in Box box, SpatialSettings settings)
    {
        bool isFinite = double.IsFinite(box.MinX) && double.IsFinite(box.MaxX) && double.IsFinite(box.MinY) && double.IsFinite(box.MaxY);
        return isFinite && !(settings.IsGeography && (box.MinX < -180 || box.MaxX > 180 || box.MinY < -90 || box.MaxY > 90));
    }

    private const string NumberPattern = @"[-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?";

    [GeneratedRegex(@"^\s*(?:(?<name>POINT)\s*\(\s*(?<x>" + NumberPattern + @")\s+(?<y>" + NumberPattern + @")\s*\)"
        + @"|(?<name>CIRCLE)\s*\(\s*(?<x>" + NumberPattern + @")[\s,]+(?<y>" + NumberPattern + @")\s+d\s*=\s*(?<d>" + NumberPattern + @")\s*\)"
        + @"|(?<name>ENVELOPE)\s*\(\s*(?<x>" + NumberPattern + @")\s*,\s*(?<x2>" + NumberPattern + @")\s*,\s*(?<y>" + NumberPattern
        + @")\s*,\s*(?<y2>" + NumberPattern + @")\s*\))\s*$", RegexOptions.IgnoreCase | RegexOptions.CultureInvariant | RegexOptions.NonBacktracking)]
    private static partial Regex SpecialPattern();

    [GeneratedRegex(@"^\s*(?<x>" + NumberPattern + @")\s+(?<y>" + NumberPattern + @")(?:\s+(?<x2>" + NumberPattern + @")\s+(?<y2>" + NumberPattern
        + @"))?\s*$", RegexOptions.CultureInvariant | RegexOptions.NonBacktracking)]
    private static partial Regex ShortPattern();

    [GeneratedRegex(@"^\s*BUFFER\s*\((?<shape>.*),\s*(?<d>" + NumberPattern + @")\s*\)\s*$",
        RegexOptions.IgnoreCase | RegexOptions.CultureInvariant | RegexOptions.NonBacktracking | RegexOptions.Singleline)]
    private static partial Regex BufferPattern();
}
