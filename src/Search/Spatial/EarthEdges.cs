using NetTopologySuite.Geometries;

namespace Jackdaw.Search.Spatial;

/// <summary>The segments of a shape. On the earth, the seams of its areas are left out: the lines at which an area continues across the date line or over a
/// pole.</summary>
internal static class EarthEdges
{
    private const double DateLine = 180;
    private const double Pole = 90;

    /// <summary>All segments; a point is a segment of no length.</summary>
    /// <param name="isGeography">Seams are left out.</param>
    public static IEnumerable<(Coordinate From, Coordinate To)> Of(Geometry geometry, bool isGeography)
    {
        var collector = new LineCollector();
        geometry.Apply(collector);
        List<(Coordinate From, Coordinate To)> edges = [];
        List<(double Low, double High)> east = [], west = [], north = [], south = [];
        foreach (Coordinate[] line in collector.Lines)
        {
            bool isRing = line.Length > 3 && line[0].Equals2D(line[^1]);
            for (int i = 0; i + 1 < Math.Max(2, line.Length); i++)
            {
                (Coordinate from, Coordinate to) = (line[i], line[Math.Min(i + 1, line.Length - 1)]);
                List<(double Low, double High)>? seam = !isGeography || !isRing ? null
                    : from.X == to.X && Math.Abs(from.X) == DateLine ? (from.X > 0 ? east : west)
                    : from.Y == to.Y && Math.Abs(from.Y) == Pole ? (from.Y > 0 ? north : south)
                    : null;
                if (seam is null)
                {
                    edges.Add((from, to));
                }
                else
                {
                    bool isMeridian = ReferenceEquals(seam, east) || ReferenceEquals(seam, west);
                    (double one, double other) = isMeridian ? (from.Y, to.Y) : (from.X, to.X);
                    seam.Add((Math.Min(one, other), Math.Max(one, other)));
                }
            }
        }

        edges.AddRange(Without(east, west).Select(rest => (new Coordinate(DateLine, rest.Low), new Coordinate(DateLine, rest.High))));
        edges.AddRange(Without(west, east).Select(rest => (new Coordinate(-DateLine, rest.Low), new Coordinate(-DateLine, rest.High))));
        AddPole(north, Pole, edges);
        AddPole(south, -Pole, edges);
        return edges;
    }

    // A pole is one place, which lies in the middle of the areas around it.
    private static void AddPole(List<(double Low, double High)> sides, double y, List<(Coordinate From, Coordinate To)> edges)
    {
        if (sides.Count > 0 && Without([(-DateLine, DateLine)], sides).Count > 0)
        {
            edges.Add((new Coordinate(0, y), new Coordinate(0, y)));
        }
    }

    private static List<(double Low, double High)> Without(List<(double Low, double High)> ranges, List<(double Low, double High)> others)
    {
        List<(double Low, double High)> rest = [];
        (double Low, double High)[] sorted = [.. others.Order()];
        foreach ((double low, double high) in ranges)
        {
            double from = low;
            foreach ((double otherLow, double otherHigh) in sorted)
            {
                if (otherLow >= high)
                {
                    break;
                }

                if (otherLow > from)
                {
                    rest.Add((from, otherLow));
                }

                from = Math.Max(from, otherHigh);
            }

            if (from < high)
            {
                rest.Add((from, high));
            }
        }

        return rest;
    }
}
