using System.Globalization;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Spatial;

namespace Jackdaw.Search.Tests.Spatial;

/// <summary>Points are read in a short way, which must give what the way of all shapes gives.</summary>
public sealed class PlainPointTests
{
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
