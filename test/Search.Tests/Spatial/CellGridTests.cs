using System.Globalization;
using System.Text;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Spatial;

namespace Jackdaw.Search.Tests.Spatial;

/// <summary>Points are read and named in a short way, which must give what the way of all shapes gives.</summary>
public sealed class CellGridTests
{
    private static readonly SpatialSettings s_plane = new(IsGeography: false, MinX: -10, MaxX: 90, MinY: 0, MaxY: 50);

    [Theory]
    [InlineData(1, true)]
    [InlineData(2, false)]
    public void ForEachEntryTerm_RandomPoints_GivesTheSameTerms(int seed, bool isGeography)
    {
        var random = new Random(seed);
        SpatialSettings settings = isGeography ? SpatialSettings.OfEarth : s_plane;
        for (int i = 0; i < 5_000; i++)
        {
            // Many lie on edges of cells, at the ends of the plane, and outside of it.
            int parts = 1 << (2 * random.Next(10));
            double x = settings.MinX + ((settings.MaxX - settings.MinX) * Part(random, parts, isGeography));
            double y = settings.MinY + ((settings.MaxY - settings.MinY) * Part(random, parts, isGeography));
            AssertSame(new PointShape(y, x), settings);
        }
    }

    [Theory]
    [InlineData("LINESTRING(0 0, 40 40)")]
    [InlineData("CIRCLE(3 4 d=50)")]
    [InlineData("POLYGON((0 0, 9 0, 9 9, 0 0))")]
    public void ForEachEntryTerm_OtherShapes_GivesTheSameTerms(string text) =>
        AssertSame(ShapeReader.Read(text, SpatialSettings.OfEarth), SpatialSettings.OfEarth);

    [Theory]
    [InlineData(3)]
    public void Read_PointInTheUsualSpelling_IsThatOfOtherSpellings(int seed)
    {
        var random = new Random(seed);
        string[] numbers =
        [
            "1", "-1", "+1.5", ".5", "5.", "1e1", "1E-3", "-0", "1e400", "1.2.3", "1-2", "e1", "", ".", "-", "0x1", "1,5", "١", "90.0000001", "181", "NaN", "∞",
        ];
        foreach (string x in numbers)
        {
            foreach (string y in numbers)
            {
                AssertSame($"POINT({x} {y})", $" POINT({x} {y})");
                AssertSame($"POINT ({x} {y})", $"POINT ({x} {y}) ");
            }
        }

        for (int i = 0; i < 1_000; i++)
        {
            string text = string.Create(CultureInfo.InvariantCulture, $"POINT ({random.NextDouble() * 400 - 200:R} {random.NextDouble() * 200 - 100:R})");
            AssertSame(text, text + " ");
        }
    }

    private static double Part(Random random, int parts, bool isInside) => random.Next(3) switch
    {
        0 => random.NextDouble(),
        1 => random.Next(parts + 1) / (double)parts,
        _ => isInside ? random.Next(2) : (random.NextDouble() * 3) - 1,
    };

    private static void AssertSame(Shape shape, SpatialSettings settings)
    {
        List<string> terms = [];
        new CellGrid(settings).ForEachEntryTerm(shape, terms, static (term, all) => all.Add(Encoding.UTF8.GetString(term)));
        Assert.Equal(new CellGrid(settings).EntryTerms(shape).Order(StringComparer.Ordinal), terms.Order(StringComparer.Ordinal));
    }

    private static void AssertSame(string plain, string other) =>
        Assert.Equal(Describe(other).Replace(other, plain, StringComparison.Ordinal), Describe(plain));

    private static string Describe(string text)
    {
        try
        {
            return ShapeReader.Read(text, SpatialSettings.OfEarth) is PointShape point
                ? string.Create(CultureInfo.InvariantCulture, $"{point.X:R} {point.Y:R}")
                : "another shape";
        }
        catch (FormatException refused)
        {
            return refused.Message;
        }
    }
}
