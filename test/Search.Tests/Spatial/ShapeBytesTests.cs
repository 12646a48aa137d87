using System.Globalization;
using System.Text;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Queries;
using Jackdaw.Search.Results;
using Jackdaw.Search.Spatial;
using Jackdaw.Storage;
using SortKey = Jackdaw.Search.Queries.SortKey;

namespace Jackdaw.Search.Tests.Spatial;

/// <summary>Shapes as bytes, and what engines ask of them.</summary>
public sealed class ShapeBytesTests
{
    private static readonly SpatialSettings s_earth = SpatialSettings.OfEarth;

    [Fact]
    public void Read_WhatWasWritten_GivesTheShapes()
    {
        Shape[] shapes =
        [
            .. new[] { "POINT(1.5 -2)", "CIRCLE(3 4 d=5)", "POLYGON((0 0, 9 0, 9 9, 0 0))", "POINT(180 90)", "LINESTRING(0 0, 1 1)" }
                .Select(text => ShapeReader.Read(text, s_earth)),
        ];
        ReadOnlySpan<byte> rest = ShapeBytes.Write(shapes);
        Assert.Equal(1 + 16 + 1 + 24, rest.Length - ShapeBytes.Write(shapes[2..]).Length);
        foreach (Shape shape in shapes)
        {
            Shape read = ShapeBytes.Read(ref rest, s_earth);
            Assert.Equal(shape.GetType(), read.GetType());
            Assert.Equal(shape.Boxes, read.Boxes);
        }

        Assert.True(rest.IsEmpty);
        Assert.Empty(ShapeBytes.Write([]));
    }

    [Fact]
    public void Read_TextOfAnOlderVersion_IsReadOrSaysWhatToDo()
    {
        Assert.Equal(new PointShape(2, 1).Boxes, ReadText("POINT(1 2)").Boxes);
        Assert.Contains("Reset the index", Assert.Throws<InvalidSearchException>(() => ReadText("POINT EMPTY")).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Read_UnknownTag_IsDamage() => Assert.Contains("tag 9", Assert.Throws<CorruptionException>(() => Read([9])).Message, StringComparison.Ordinal);

    [Theory]
    [InlineData(-0.1)]
    [InlineData(0.51)]
    [InlineData(double.NaN)]
    public void SearchedShape_ErrorThatIsNoPart_IsRefused(double error)
    {
        var node = new SpatialNode("F", SpatialRelation.Within, new CircleShape(1, 0, 0), error);
        string message = Assert.Throws<InvalidSearchException>(() => SearchedShape.Of(node, s_earth, default)).Message;
        Assert.Contains("from 0 to 0.5", message, StringComparison.Ordinal);
        Assert.IsType<CircleArea>(SearchedShape.Of(node with { ErrorPercentage = 0.5 }, s_earth, default));
    }

    [Fact]
    public void SearchedShape_ManyShapes_EndWithTheSearch()
    {
        var node = new SpatialNode("F", SpatialRelation.Within, new TextShape("POINT(1 2)"));
        Assert.IsType<PointShape>(SearchedShape.Of(node, s_earth, default));
        Assert.ThrowsAny<OperationCanceledException>(() => SearchedShape.Of(node, s_earth, new CancellationToken(true)));
    }

    [Fact]
    public void Nearest_RandomPoints_IsTheLeastDistance()
    {
        const int seed = 8;
        var random = new Random(seed);
        var key = new SortKey(SortBy.Distance, "F") { Y = 10, X = 20, Unit = DistanceUnit.Miles, RoundTo = 50 };
        var nearest = new NearestShape(key, s_earth);
        var place = new CircleArea(10, 20, 0, isGeography: true);
        for (int i = 0; i < 200; i++)
        {
            (double Y, double X)[] points = [.. Enumerable.Range(0, 1 + random.Next(4)).Select(_ => (random.NextDouble() * 80, random.NextDouble() * 170))];
            double least = points.Min(point => Earth.FromKilometers(place.DistanceTo(point.Y, point.X), DistanceUnit.Miles));
            PlacedDistance? found = nearest.Find(ShapeBytes.Write([.. points.Select(point => new PointShape(point.Y, point.X))]));
            Assert.True(found?.Distance == least, $"seed {seed}: {found} and {least.ToString(CultureInfo.InvariantCulture)}");
            Assert.Equal(Math.Floor(least / 50) * 50, nearest.Rank(found, nullsAreSmall: true));
        }

        Assert.Null(nearest.Find([]));
        Assert.Equal(double.NegativeInfinity, nearest.Rank(null, nullsAreSmall: true));
        Assert.Equal(double.PositiveInfinity, nearest.Rank(null, nullsAreSmall: false));
    }

    private static Shape ReadText(string text) => Read([1, .. BitConverter.GetBytes(Encoding.UTF8.GetByteCount(text)), .. Encoding.UTF8.GetBytes(text)]);

    private static Shape Read(byte[] bytes)
    {
        ReadOnlySpan<byte> rest = bytes;
        return ShapeBytes.Read(ref rest, s_earth);
    }
}
