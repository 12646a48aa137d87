using Jackdaw.Search.Entries;

namespace Jackdaw.Search.Spatial;

/// <summary>Distances on the earth, taken as a sphere.</summary>
public static class Earth
{
    /// <summary>The mean radius in kilometers.</summary>
    public const double Radius = 6371.0087714;

    private const double MilesPerKilometer = 0.621371192;

    /// <summary>Kilometers along the great circle between two places in degrees (haversine).</summary>
    public static double Distance(double y1, double x1, double y2, double x2)
    {
        double y = Math.Sin(double.DegreesToRadians(y2 - y1) / 2);
        double x = Math.Sin(double.DegreesToRadians(x2 - x1) / 2);
        double a = (y * y) + (Math.Cos(double.DegreesToRadians(y1)) * Math.Cos(double.DegreesToRadians(y2)) * x * x);
        return 2 * Radius * Math.Asin(Math.Min(1, Math.Sqrt(a)));
    }

    public static double ToKilometers(double distance, DistanceUnit unit) => unit == DistanceUnit.Miles ? distance / MilesPerKilometer : distance;

    public static double FromKilometers(double kilometers, DistanceUnit unit) =>
        unit == DistanceUnit.Miles ? kilometers * MilesPerKilometer : kilometers;
}
