using System.Globalization;
using System.Text;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Spatial;

namespace Jackdaw.Search.Tests.Spatial;

/// <summary>Points have a short way through reading and cells: it gives what the long way gives, or nothing.</summary>
public sealed class PointTests
{
    private static readonly SpatialSettings s_earth = new();
    private static readonly SpatialSettings s_plane = new(IsGeography: false, MinX: -10, MaxX: 1000, MinY: 0, MaxY: 500);

    public static TheoryData<bool> Both => [true, false];

    [Theory]
    [MemberData(nameof(Both))]
    public void FindCell_OfAnyPoint_IsThatOfTheLongWay(bool isGeography)
    {
        SpatialSettings settings = isGeography ? s_earth : s_plane;
        var grid = new CellGrid(settings);
        var random = new Random(11);
        Span<byte> name = stackalloc byte[CellGrid.NameBytes];
        int found = 0;
        for (int i = 0; i < 20_000; i++)
        {
            // Some on the borders of cells, some outside of a plane.
            double x = i % 3 == 0 ? random.Next(-180, 181) * 1.40625 / 2 : (random.NextDouble() * 400) - 200;
            double y = i % 5 == 0 ? random.Next(-90, 91) : (random.NextDouble() * 200) - 100;
            if (isGeography && (x is < -180 or > 180 || y is < -90 or > 90))
            {
                continue;
            }

            string[] expected = [.. grid.EntryTerms(new PointShape(y, x)).Order(StringComparer.Ordinal)];
            if (grid.TryFindCell(y, x, name))
            {
                found++;
                string cell = Encoding.ASCII.GetString(name);
                string[] terms = [.. Enumerable.Range(1, CellGrid.NameBytes - 1).Select(length => cell[..length]), cell + CellGrid.Mark];
                Assert.Equal(expected, terms.Order(StringComparer.Ordinal));
            }
            else
            {
                Assert.True(expected.Length == 2 || expected.Length > CellGrid.NameBytes, $"{x} {y} has {expected.Length} terms");
            }
        }

        Assert.InRange(found, 5000, 19_999);
    }

    [Theory]
    [MemberData(nameof(Both))]
    public void ReadPoint_OfAnyText_IsThatOfTheLongWay(bool isGeography)
    {
        SpatialSettings settings = isGeography ? s_earth : s_plane;
        string[] forms =
        [
            "POINT(# #)", "POINT (# #)", "point ( #   # ) ", " POINT(# #)", "POINT(#,#)", "POINT(# # #)", "POINT(# #",
            "POINT # #", "POINTS(# #)", "# #", "POINT\t(# #)",
        ];
        string[] numbers =
        [
            "0", "-0", "1", "-1.5", "+2", ".5", "5.", "1e2", "1E-3", "1e400", "1.2.3", ".", "-", "e5", "1e", "181", "-91", "NaN", "\u0661", "1 ",
            "",
        ];
        int points = 0;
        foreach (string form in forms)
        {
            foreach ((string x, string y) in numbers.SelectMany(x => numbers.Select(y => (x, y))))
            {
                string[] parts = form.Split('#');
                string text = parts[0] + x + parts[1] + y + string.Concat(parts[2..]);
                if (!ShapeReader.TryReadPoint(text, settings, out double foundY, out double foundX))
                {
                    continue;
                }

                points++;
                PointShape expected = Assert.IsType<PointShape>(ShapeReader.ReadKept(text, settings));
                Assert.True(expected.X.Equals(foundX) && expected.Y.Equals(foundY), string.Create(CultureInfo.InvariantCulture, $"{text}: {foundX} {foundY}"));
            }
        }

        Assert.True(points > 50, $"{points} points");
    }

    [Fact]
    public void WritePoint_OfAPoint_IsWhatAShapeIs()
    {
        byte[] bytes = new byte[ShapeBytes.PointBytes];
        ShapeBytes.WritePoint(1.5, -2.25, bytes);
        Assert.Equal(ShapeBytes.Write([new PointShape(1.5, -2.25)]), bytes);
    }
}
