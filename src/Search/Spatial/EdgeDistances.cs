using NetTopologySuite.Geometries;

namespace Jackdaw.Search.Spatial;

/// <summary>The least and the largest distance of the lines of a shape from the middle of a circle.</summary>
/// <remarks>On the earth, lines are straight in degrees, and distances are those of great circles. Nothing is projected, so that the date line and the poles
/// need no special treatment.</remarks>
internal static class EdgeDistances
{
    /// <summary>The most degrees, of latitude or longitude, of a piece of a line. Such a piece hardly turns, and has at most one nearest or farthest place
    /// between its ends.</summary>
    private const double PieceMax = 5;

    /// <summary>The kilometers of a degree of latitude; a degree of longitude has at most as many.</summary>
    private const double DegreeLength = Math.PI / 180 * Earth.Radius;

    /// <summary>The steps of a search for that place: each leaves 0.62 of the piece, so that the last piece is shorter than a millimeter.</summary>
    private const int Steps = 44;

    private static readonly double s_golden = (Math.Sqrt(5) - 1) / 2;

    /// <summary>The least distance of the boundary of areas, and of lines and points.</summary>
    public static double Least(Geometry geometry, CircleArea circle)
    {
        double least = double.PositiveInfinity;
        foreach ((Coordinate from, Coordinate to) in EarthEdges.Of(geometry, circle.IsGeography))
        {
            least = circle.IsGeography
                ? Math.Min(least, Extreme(from, to, circle, isLeast: true, least))
                : Math.Min(least, InPlane(from, to, circle));
        }

        return least;
    }

    /// <summary>The largest distance of any place on the shape's lines.</summary>
    public static double Largest(Geometry geometry, CircleArea circle)
    {
        double largest = double.NegativeInfinity;
        foreach ((Coordinate from, Coordinate to) in EarthEdges.Of(geometry, isGeography: false))
        {
            largest = circle.IsGeography
                ? Math.Max(largest, -Extreme(from, to, circle, isLeast: false, -largest))
                : Math.Max(largest, Math.Max(circle.DistanceTo(from.Y, from.X), circle.DistanceTo(to.Y, to.X)));
        }

        return largest;
    }

    private static double InPlane(Coordinate from, Coordinate to, CircleArea circle)
    {
        (double dx, double dy) = (to.X - from.X, to.Y - from.Y);
        double length = (dx * dx) + (dy * dy);
        double part = length == 0 ? 0 : Math.Clamp((((circle.X - from.X) * dx) + ((circle.Y - from.Y) * dy)) / length, 0, 1);
        return circle.DistanceTo(from.Y + (part * dy), from.X + (part * dx));
    }

    // When the largest distance is wanted, this finds the least negative distance. Pieces that cannot be below the known one are skipped.
    private static double Extreme(Coordinate from, Coordinate to, CircleArea circle, bool isLeast, double known)
    {
        (double dx, double dy) = (to.X - from.X, to.Y - from.Y);
        double At(double part)
        {
            double distance = circle.DistanceTo(from.Y + (part * dy), from.X + (part * dx));
            return isLeast ? distance : -distance;
        }

        int pieces = Math.Max(1, (int)Math.Ceiling(Math.Max(Math.Abs(dx), Math.Abs(dy)) / PieceMax));
        double length = Math.Sqrt((dx * dx) + (dy * dy)) / pieces * DegreeLength;
        double best = known;
        double start = At(0);
        for (int i = 0; i < pieces; i++)
        {
            double end = At((i + 1.0) / pieces);
            best = Math.Min(best, Math.Min(start, end));
            if ((start + end - length) / 2 < best)
            {
                best = Math.Min(best, Search(At, (double)i / pieces, (i + 1.0) / pieces));
            }

            start = end;
        }

        return best;
    }

    // The golden section.
    private static double Search(Func<double, double> at, double low, double high)
    {
        double left = high - (s_golden * (high - low));
        double right = low + (s_golden * (high - low));
        (double atLeft, double atRight) = (at(left), at(right));
        for (int i = 0; i < Steps; i++)
        {
            if (atLeft < atRight)
            {
                (high, right, atRight) = (right, left, atLeft);
                left = high - (s_golden * (high - low));
                atLeft = at(left);
            }
            else
            {
                (low, left, atLeft) = (left, right, atRight);
                right = low + (s_golden * (high - low));
                atRight = at(right);
            }
        }

        return Math.Min(atLeft, atRight);
    }
}
