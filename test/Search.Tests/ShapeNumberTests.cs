using Jackdaw.Search.Entries;
using Jackdaw.Search.Spatial;

namespace Jackdaw.Search.Tests;

/// <summary>Every number of every form of a shape, replaced by numbers that shapes cannot have or that arithmetic has trouble with.</summary>
public sealed class ShapeNumberTests
{
    private static readonly string[] s_forms =
    [
        "POINT(# 1)", "POINT(1 #)", "POINT EMPTY", "MULTIPOINT((# 1), (2 2))", "LINESTRING(0 0, # 1, 2 0)", "MULTILINESTRING((0 0, 1 #), (3 3, 4 4))",
        "POLYGON((0 0, # 0, 1 1, 0 0))", "POLYGON((0 0, 9 0, 9 9, 0 9, 0 0), (1 1, # 1, 2 2, 1 1))", "GEOMETRYCOLLECTION(POINT(# 1), LINESTRING(0 0, 1 1))",
        "ENVELOPE(#, 2, 3, 1)", "ENVELOPE(0, #, 3, 1)", "ENVELOPE(0, 2, #, 1)", "ENVELOPE(0, 2, 3, #)",
        "CIRCLE(# 1 d=2)", "CIRCLE(1 # d=2)", "CIRCLE(1 1 d=#)", "BUFFER(POINT(1 1), #)", "BUFFER(POINT(# 1), 2)",
        "BUFFER(LINESTRING(0 0, 1 1), #)", "BUFFER(POLYGON((0 0, 1 0, 1 1, 0 0)), #)", "BUFFER(LINESTRING(0 0, 1 1)POLYGON((, #)",
    ];

    private static readonly string[] s_numbers =
    [
        "9e9992", "-9e9992", "1e308", "-1e308", "1e200", "1e-320", "-1e-320", "1e-400", "0", "-0", "NaN", "Infinity", "-Infinity", "1.2.3", ".", "...", "-",
        "1e", "91", "181", "-181", "1e17", "0.1",
    ];

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Read_AnyNumberAnywhere_IsAShapeWithinNumbersOrAFormatException(bool isGeography)
    {
        var settings = new SpatialSettings(isGeography, MinX: 0, MaxX: 1000, MinY: 0, MaxY: 1000);
        int shapes = 0;
        foreach (string text in s_forms.SelectMany(form => s_numbers.Select(number => form.Replace("#", number, StringComparison.Ordinal))))
        {
            Exception? failure = Record.Exception(() =>
            {
                Shape shape = ShapeReader.Read(text, settings);
                Assert.All(shape.Boxes.SelectMany(box => new[] { box.MinX, box.MaxX, box.MinY, box.MaxY }), edge =>
                    Assert.True(double.IsFinite(edge) || (shape is CircleArea && !double.IsNaN(edge)), text));
                shapes++;
            });
            Assert.True(failure is null or FormatException, $"{text}: {failure}");
            Assert.False(failure?.Message.Contains("input string", StringComparison.Ordinal) == true, $"{text}: {failure?.Message}");
        }

        Assert.True(shapes > 50, $"{shapes} shapes");
    }
}
