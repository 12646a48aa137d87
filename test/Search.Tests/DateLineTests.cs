using System.Globalization;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Queries;
using Jackdaw.Search.Spatial;

namespace Jackdaw.Search.Tests;

/// <summary>Circles against areas and lines near the date line and the poles, by samples of places on the sphere.</summary>
public sealed class DateLineTests
{
    private const double Radius = 6371.0087714;

    /// <summary>Nearer to touching than so much, the samples say nothing.</summary>
    private const double Doubt = 0.03;

    private static readonly SpatialSettings s_earth = new();

    [Theory]
    [InlineData("POLYGON((-179.9 0, -170 -10, -170 10, -179.9 0))", SpatialRelation.Intersects, "CIRCLE(179.95 0 d=50)", true)]
    [InlineData("POLYGON((-179.9 0, -170 -10, -170 10, -179.9 0))", SpatialRelation.Disjoint, "CIRCLE(179.95 0 d=50)", false)]
    [InlineData("POLYGON((-179.9 0, -170 -10, -170 10, -179.9 0))", SpatialRelation.Intersects, "CIRCLE(179.95 0 d=10)", false)]
    [InlineData("ENVELOPE(170, -170, 10, -10)", SpatialRelation.Contains, "CIRCLE(180 0 d=50)", true)]
    [InlineData("ENVELOPE(170, -170, 10, -10)", SpatialRelation.Contains, "CIRCLE(-180 0 d=1200)", false)]
    [InlineData("ENVELOPE(170, 180, 10, -10)", SpatialRelation.Contains, "CIRCLE(179.9 0 d=50)", false)]
    [InlineData("ENVELOPE(170, 180, 10, -10)", SpatialRelation.Intersects, "CIRCLE(-180 0 d=0)", true)]
    [InlineData("ENVELOPE(-180, 180, 90, 80)", SpatialRelation.Contains, "CIRCLE(77 89 d=300)", true)]
    [InlineData("ENVELOPE(-180, 170, 90, 80)", SpatialRelation.Contains, "CIRCLE(0 89 d=300)", false)]
    [InlineData("LINESTRING(-179 89, 179 89)", SpatialRelation.Within, "CIRCLE(0 90 d=112)", true)]
    [InlineData("LINESTRING(-60 60, 60 60)", SpatialRelation.Within, "CIRCLE(0 45 d=4300)", true)]
    [InlineData("POLYGON((-40 -80, 40 -80, 40 -40, -40 -40, -40 -80))", SpatialRelation.Within, "CIRCLE(180 60 d=19700)", false)]
    public void Holds_AtTheEdgesOfTheMap_IsThatOfTheSphere(string entry, SpatialRelation relation, string searched, bool holds) =>
        Assert.Equal(holds, ShapeRelations.Holds(ShapeReader.Read(entry, s_earth), relation, ShapeReader.Read(searched, s_earth), default));

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void Holds_RandomShapes_IsWhatSamplesSay(int seed)
    {
        var random = new Random(seed);
        int decided = 0;
        for (int i = 0; i < 400; i++)
        {
            Region region = Region.Make(random);
            (double y, double x) = Middle(random);
            double radius = Math.Pow(10, 1 + (random.NextDouble() * 2.7));
            Shape shape = ShapeReader.Read(region.Text, s_earth);
            var circle = new CircleArea(y, x, radius, isGeography: true);
            string what = string.Create(CultureInfo.InvariantCulture, $"seed {seed}: {region.Text} and CIRCLE({x:R} {y:R} d={radius:R})");
            decided += Check(region.Meets(y, x, radius), ShapeRelations.Holds(shape, SpatialRelation.Intersects, circle, default), what + " meet");
            decided += Check(region.LiesIn(y, x, radius), ShapeRelations.Holds(shape, SpatialRelation.Within, circle, default), what + " within");
            decided += Check(region.Contains(y, x, radius), ShapeRelations.Holds(shape, SpatialRelation.Contains, circle, default), what + " contains");
        }

        Assert.True(decided > 1000, $"seed {seed}: {decided} decided"); // of 1,200
    }

    private static int Check(bool? expected, bool found, string what)
    {
        Assert.True(expected is null || expected == found, $"{what}: {found}");
        return expected is null ? 0 : 1;
    }

    private static (double Y, double X) Middle(Random random) => random.Next(3) switch
    {
        0 => (80 + (random.NextDouble() * 10), (random.NextDouble() * 360) - 180),
        1 => ((random.NextDouble() * 180) - 90, random.Next(2) == 0 ? 180 - (random.NextDouble() * 5) : -180 + (random.NextDouble() * 5)),
        _ => ((random.NextDouble() * 40) - 20, random.Next(2) == 0 ? 180 : -179.9),
    };

    private static double Distance(double y1, double x1, double y2, double x2)
    {
        (double a, double b, double c) = Vector(y1, x1);
        (double d, double e, double f) = Vector(y2, x2);
        double chord = Math.Sqrt(((a - d) * (a - d)) + ((b - e) * (b - e)) + ((c - f) * (c - f)));
        return 2 * Radius * Math.Asin(Math.Min(1, chord / 2));
    }

    private static (double, double, double) Vector(double y, double x)
    {
        (double latitude, double longitude) = (y * Math.PI / 180, x * Math.PI / 180);
        return (Math.Cos(latitude) * Math.Cos(longitude), Math.Cos(latitude) * Math.Sin(longitude), Math.Sin(latitude));
    }

    // The place so far from another one, in a direction.
    private static (double Y, double X) Go(double y, double x, double distance, double direction)
    {
        (double latitude, double angle) = (y * Math.PI / 180, distance / Radius);
        double sine = (Math.Sin(latitude) * Math.Cos(angle)) + (Math.Cos(latitude) * Math.Sin(angle) * Math.Cos(direction));
        double turned = Math.Atan2(
            Math.Sin(direction) * Math.Sin(angle) * Math.Cos(latitude), Math.Cos(angle) - (Math.Sin(latitude) * sine));
        double there = x + (turned * 180 / Math.PI);
        return (Math.Asin(Math.Clamp(sine, -1, 1)) * 180 / Math.PI, there > 180 ? there - 360 : there < -180 ? there + 360 : there);
    }

    /// <summary>A box, perhaps over the date line, a triangle or a line, with places of it.</summary>
    private sealed record Region(string Text, IReadOnlyList<(double Y, double X)> Places, Func<double, double, bool> Has)
    {
        private const int Steps = 1500;

        public static Region Make(Random random)
        {
            (double y, double x) = Middle(random);
            double width = Math.Pow(10, random.NextDouble() * 1.8);
            double height = Math.Pow(10, random.NextDouble() * 1.3);
            return random.Next(3) switch
            {
                0 => Box(x, width, Math.Max(-90, y - height), Math.Min(90, y + height)),
                1 => Triangle(random, y, x, width, height),
                _ => Line(random, y, x, width, height),
            };
        }

        public bool? Meets(double y, double x, double radius)
        {
            double least = Places.Min(place => Distance(y, x, place.Y, place.X));
            return Has(y, x) || least <= radius * (1 - Doubt) ? true : least > (radius * (1 + Doubt)) + 10 ? false : null;
        }

        public bool? LiesIn(double y, double x, double radius)
        {
            double largest = Places.Max(place => Distance(y, x, place.Y, place.X));
            return largest <= (radius * (1 - Doubt)) - 10 ? true : largest > radius * (1 + Doubt) ? false : null;
        }

        public bool? Contains(double y, double x, double radius) =>
            HasAll(y, x, radius * (1 + Doubt)) ? true : !HasAll(y, x, radius * (1 - Doubt)) ? false : null;

        private bool HasAll(double y, double x, double radius)
        {
            for (int ring = 0; ring <= 8; ring++)
            {
                for (int i = 0; i < 360; i++)
                {
                    (double thereY, double thereX) = Go(y, x, radius * ring / 8, i * Math.PI / 180);
                    if (!Has(thereY, thereX))
                    {
                        return false;
                    }
                }
            }

            return true;
        }

        private static Region Box(double x, double width, double minY, double maxY)
        {
            (double minX, double maxX) = (x - width, x + width);
            bool isRound = maxX - minX >= 360;
            (double low, double high) = isRound ? (-180, 180) : (minX < -180 ? minX + 360 : minX, maxX > 180 ? maxX - 360 : maxX);
            string text = FormattableString.Invariant($"ENVELOPE({low:R}, {high:R}, {maxY:R}, {minY:R})");
            double along = isRound ? 360 : maxX - minX;
            List<(double, double)> places = [];
            for (int i = 0; i <= Steps; i++)
            {
                double part = (double)i / Steps;
                places.AddRange([(minY, low + (part * along)), (maxY, low + (part * along))]);
                places.AddRange([(minY + (part * (maxY - minY)), low), (minY + (part * (maxY - minY)), high)]);
            }

            places.AddRange(Enumerable.Range(0, 900).Select(i => (minY + (i / 30 / 29.0 * (maxY - minY)), low + (i % 30 / 29.0 * along))));
            return new Region(text, places, (atY, atX) => atY >= minY && atY <= maxY && (isRound
                || (low <= high ? (atX >= low && atX <= high) || (Math.Abs(atX) == 180 && Math.Abs(low < 0 ? low : high) == 180) : atX >= low || atX <= high)));
        }

        private static Region Triangle(Random random, double y, double x, double width, double height)
        {
            (double Y, double X)[] corners = [.. Enumerable.Range(0, 3).Select(_ => (
                Math.Clamp(y + ((random.NextDouble() - 0.5) * 2 * height), -90, 90), Math.Clamp(x + ((random.NextDouble() - 0.5) * 2 * width), -180, 180)))];
            if (Math.Abs(Cross(corners[0], corners[1], corners[2])) < 1e-6)
            {
                return Line(random, y, x, width, height);
            }

            string text = "POLYGON((" + string.Join(", ", corners.Append(corners[0]).Select(Write)) + "))";
            List<(double, double)> places = [.. Enumerable.Range(0, 3).SelectMany(i => Between(corners[i], corners[(i + 1) % 3]))];
            places.AddRange(Enumerable.Range(0, 2000).Select(_ => Within(random, corners)));
            return new Region(text, places, (atY, atX) => HasPlace(corners, (atY, atX)));
        }

        private static Region Line(Random random, double y, double x, double width, double height)
        {
            (double, double) from = (y, x);
            (double, double) to = (Math.Clamp(y + ((random.NextDouble() - 0.5) * 4 * height), -90, 90), Math.Clamp(x - (Math.Sign(x) * width * 2), -180, 180));
            return new Region($"LINESTRING({Write(from)}, {Write(to)})", [.. Between(from, to)], (_, _) => false);
        }

        private static string Write((double Y, double X) place) => FormattableString.Invariant($"{place.X:R} {place.Y:R}");

        private static IEnumerable<(double Y, double X)> Between((double Y, double X) from, (double Y, double X) to) =>
            Enumerable.Range(0, Steps + 1).Select(i => (
                from.Y + ((double)i / Steps * (to.Y - from.Y)), from.X + ((double)i / Steps * (to.X - from.X))));

        private static (double Y, double X) Within(Random random, (double Y, double X)[] corners)
        {
            (double a, double b) = (random.NextDouble(), random.NextDouble());
            (a, b) = a + b > 1 ? (1 - a, 1 - b) : (a, b);
            return (corners[0].Y + (a * (corners[1].Y - corners[0].Y)) + (b * (corners[2].Y - corners[0].Y)),
                corners[0].X + (a * (corners[1].X - corners[0].X)) + (b * (corners[2].X - corners[0].X)));
        }

        private static bool HasPlace((double Y, double X)[] corners, (double Y, double X) at)
        {
            double[] sides = [.. Enumerable.Range(0, 3).Select(i => Cross(corners[i], corners[(i + 1) % 3], at))];
            return sides.All(side => side >= 0) || sides.All(side => side <= 0);
        }

        private static double Cross((double Y, double X) a, (double Y, double X) b, (double Y, double X) at) =>
            ((b.X - a.X) * (at.Y - a.Y)) - ((b.Y - a.Y) * (at.X - a.X));
    }
}
