using Jackdaw.Pal.InMemory;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Queries;
using Jackdaw.Search.Spatial;
using Jackdaw.Storage;
using Jackdaw.Storage.Environments;

namespace Jackdaw.Search.Tests;

/// <summary>Shapes, against formulas asked of each entry.</summary>
public abstract class SpatialTests : IDisposable
{
    private static readonly IndexField s_place = new("Place");
    private static readonly IndexField s_plane = new("Plane") { Spatial = new SpatialSettings(false, MinX: 0, MaxX: 1000, MinY: 0, MaxY: 1000) };

    private readonly StorageEnvironment _storage;
    private readonly SearchIndex _index;
    private readonly List<(string Id, double Y, double X)> _points = [];

    protected SpatialTests(SearchEngine engine)
    {
        _storage = StorageEnvironment.Open(new MemoryPlatform(), "/db", new StorageOptions { BackgroundFlush = false });
        _index = engine.Open(_storage, new IndexFields([s_place, s_plane]));
    }

    public void Dispose()
    {
        _index.Dispose();
        _storage.Dispose();
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void Search_RandomCirclesAndBoxes_FindsExactlyWhatAFormulaFinds(int seed)
    {
        var random = new Random(seed);
        AddPoints(random, 1500);
        for (int i = 0; i < 150; i++)
        {
            (double y, double x) = random.Next(3) == 0 ? (_points[i].Y, _points[i].X) : Place(random);
            double radius = Math.Pow(10, (random.NextDouble() * 5) - 1);
            var unit = (DistanceUnit)random.Next(2);
            double kilometers = unit == DistanceUnit.Miles ? radius / 0.621371192 : radius;
            string[] near = [.. _points.Where(point => Haversine(point.Y, point.X, y, x) <= kilometers).Select(point => point.Id)];
            var circle = new CircleShape(radius, y, x, unit);
            Assert.True(near.SequenceEqual(Ids(new SpatialNode("Place", SpatialRelation.Within, circle))), $"seed {seed}: {circle}");
            Assert.Equal(near, Ids(new SpatialNode("Place", SpatialRelation.Intersects, circle)));
            Assert.Equal(_points.Select(point => point.Id).Except(near), Ids(new SpatialNode("Place", SpatialRelation.Disjoint, circle)));

            (double y2, double x2) = Place(random);
            (double minX, double maxX, double minY, double maxY) = (Math.Min(x, x2), Math.Max(x, x2), Math.Min(y, y2), Math.Max(y, y2));
            string[] inside = [.. _points.Where(p => p.X >= minX && p.X <= maxX && p.Y >= minY && p.Y <= maxY).Select(p => p.Id)];
            string box = FormattableString.Invariant($"ENVELOPE({minX:R}, {maxX:R}, {maxY:R}, {minY:R})");
            Assert.Equal(inside, Ids(new SpatialNode("Place", SpatialRelation.Within, new TextShape(box))));
            string polygon = FormattableString.Invariant(
                $"POLYGON(({minX:R} {minY:R}, {maxX:R} {minY:R}, {maxX:R} {maxY:R}, {minX:R} {maxY:R}, {minX:R} {minY:R}))");
            Assert.Equal(inside, Ids(new SpatialNode("Place", SpatialRelation.Within, new TextShape(polygon))));
        }
    }

    [Theory]
    [InlineData(false, 0)]
    [InlineData(true, 0)]
    [InlineData(false, 500)]
    public void Sort_ByDistance_IsThatOfTheFormula(bool isDescending, double roundTo)
    {
        AddPoints(new Random(3), 500);
        using (IndexBatch batch = _index.BeginBatch())
        {
            var entry = new IndexEntry();
            entry.Reset("without");
            batch.Add(entry);
            batch.Commit();
        }

        double Distance((string Id, double Y, double X) point) =>
            roundTo > 0 ? Math.Floor(Haversine(point.Y, point.X, 40, 10) / roundTo) : Haversine(point.Y, point.X, 40, 10);
        IEnumerable<string> expected = (isDescending ? _points.OrderByDescending(Distance) : _points.OrderBy(Distance)).Select(point => point.Id);
        SortKey key = new(SortBy.Distance, "Place", isDescending, NullOrder.Last) { Y = 40, X = 10, RoundTo = roundTo };
        using Searcher searcher = _index.BeginSearch();
        Assert.Equal(
            [.. expected, "without"],
            searcher.Search(new SearchRequest(new AllNode(), [key], 0, int.MaxValue), default).Hits.Select(hit => hit.IdText()));
    }

    [Theory]
    [InlineData("POLYGON((0 0, 10 0, 10 10, 0 10, 0 0))", SpatialRelation.Contains, "POINT(5 5)", true)]
    [InlineData("POLYGON((0 0, 10 0, 10 10, 0 10, 0 0))", SpatialRelation.Contains, "POINT(10 5)", true)]
    [InlineData("POLYGON((0 0, 10 0, 10 10, 0 10, 0 0))", SpatialRelation.Contains, "POINT(11 5)", false)]
    [InlineData("POLYGON((0 0, 10 0, 10 10, 0 10, 0 0))", SpatialRelation.Within, "ENVELOPE(-1, 11, 11, -1)", true)]
    [InlineData("POLYGON((0 0, 10 0, 10 10, 0 10, 0 0))", SpatialRelation.Within, "ENVELOPE(1, 11, 11, -1)", false)]
    [InlineData("POLYGON((0 0, 10 0, 10 10, 0 10, 0 0))", SpatialRelation.Intersects, "LINESTRING(-5 5, 5 5)", true)]
    [InlineData("POLYGON((0 0, 10 0, 10 10, 0 10, 0 0))", SpatialRelation.Intersects, "Circle(12 5 d=100)", false)]
    [InlineData("POLYGON((0 0, 10 0, 10 10, 0 10, 0 0))", SpatialRelation.Intersects, "Circle(12 5 d=300)", true)]
    [InlineData("POLYGON((0 0, 10 0, 10 10, 0 10, 0 0))", SpatialRelation.Contains, "CIRCLE(5 5 d=100)", true)]
    [InlineData("POLYGON((0 0, 10 0, 10 10, 0 10, 0 0))", SpatialRelation.Disjoint, "CIRCLE(30 30 d=100)", true)]
    [InlineData("CIRCLE(179.9 0 d=50)", SpatialRelation.Intersects, "POINT(-179.9 0)", true)]
    [InlineData("POINT(-179.9 0)", SpatialRelation.Within, "CIRCLE(179.9 0 d=50)", true)]
    [InlineData("POINT(100 89.9)", SpatialRelation.Within, "CIRCLE(-80 89.9 d=50)", true)]
    [InlineData("POINT(175 1)", SpatialRelation.Within, "ENVELOPE(170, -170, 10, -10)", true)]
    [InlineData("POINT(5 5)", SpatialRelation.Within, "BUFFER(POINT(5 6), 1.5)", true)]
    public void Search_Shape_LiesToAnotherAsItDoes(string entryShape, SpatialRelation relation, string searched, bool isFound)
    {
        using (IndexBatch batch = _index.BeginBatch())
        {
            var entry = new IndexEntry();
            entry.Reset("a");
            entry.AddSpatial(s_place, entryShape);
            batch.Add(entry);
            batch.Commit();
        }

        Assert.Equal(isFound ? ["a"] : [], Ids(new SpatialNode("Place", relation, new TextShape(searched))));
    }

    [Fact]
    public void Search_InAPlane_FindsShapesBeyondItsBounds()
    {
        using (IndexBatch batch = _index.BeginBatch())
        {
            var entry = new IndexEntry();
            foreach (string point in new[] { "POINT(5 5)", "POINT(5000 5)", "POINT(13 11)" })
            {
                entry.Reset(point);
                entry.AddSpatial(s_plane, point);
                batch.Add(entry);
            }

            batch.Commit();
        }

        Assert.Equal(["POINT(5 5)", "POINT(13 11)"], Ids(new SpatialNode("Plane", SpatialRelation.Within, new CircleShape(10, 5, 5))));
        Assert.Equal(["POINT(5000 5)"], Ids(new SpatialNode("Plane", SpatialRelation.Within, new CircleShape(10, 5, 5001))));
    }

    [Theory]
    [InlineData("POINT(200 5)", "is not on the earth")]
    [InlineData("POLYGON((0 0, 1", "not a shape in well-known text")]
    [InlineData("POLYGON((0 0, 10 10, 0 10, 10 0, 0 0))", "not a valid shape")]
    [InlineData("POINT EMPTY", "empty shape")]
    [InlineData("BUFFER (LINESTRING (0 0,NaN 1 1), 2)", "not a finite number")]
    public void Read_BadShape_SaysWhatIsWrong(string text, string message)
    {
        InvalidSearchException refused = Assert.Throws<InvalidSearchException>(
            () => Ids(new SpatialNode("Place", SpatialRelation.Within, new TextShape(text))));
        Assert.Contains(message, refused.Message, StringComparison.Ordinal);
        Assert.Throws<FormatException>(() => ShapeReader.Read(text, new SpatialSettings()));
    }

    [Fact]
    public void Search_NegativeRadiusOrLargeError_IsRefused()
    {
        Assert.Throws<InvalidSearchException>(() => Ids(new SpatialNode("Place", SpatialRelation.Within, new CircleShape(-1, 0, 0))));
        Assert.Throws<InvalidSearchException>(() => Ids(new SpatialNode("Place", SpatialRelation.Within, new CircleShape(1, 0, 0), 0.6)));
    }

    [Fact]
    public void Read_TextOfMillionsOfCrossings_IsRefusedSoon()
    {
        foreach ((string text, string message) in new[]
        {
            ($"BUFFER({Scribble(40_000)}, 0.1)", "at most 10000"),
            ($"BUFFER({Scribble(65)}, 0.1)", "around at most 64"),
            ($"BUFFER({Scribble(64)}, 0.1)", "cross at more than 100"),
            (Scribble(9_000), "more than 100000 places"),
            ($"POLYGON(({Zigzag(8_000)}))", "more than 100000 places"),
            ("MULTIPOINT(" + string.Join(',', Enumerable.Range(0, 5000).Select(i => $"({i % 90} 1)")) + ")", "at most 4096"),
        })
        {
            long started = System.Diagnostics.Stopwatch.GetTimestamp();
            InvalidSearchException refused = Assert.Throws<InvalidSearchException>(
                () => Ids(new SpatialNode("Place", SpatialRelation.Within, new TextShape(text))));
            Assert.Contains(message, refused.Message, StringComparison.Ordinal);
            Assert.True(System.Diagnostics.Stopwatch.GetElapsedTime(started) < TimeSpan.FromSeconds(10), text[..30]);
        }
    }

    [Fact]
    public void Search_LargeShapesAndBuffers_AreFoundAsTheyWere()
    {
        // Round a circle: 9,000 points of no crossings, in the index and searched with.
        string round = string.Join(", ", Enumerable.Range(0, 9001).Select(i => (i % 9000) * Math.Tau / 9000).Select(
            angle => FormattableString.Invariant($"{20 * Math.Cos(angle):F6} {20 * Math.Sin(angle):F6}")));
        string[] shapes = [$"POLYGON(({round}))", "BUFFER(LINESTRING(0 0, 5 5), 1)", "CIRCLE(1 1 d=10)", "ENVELOPE(-1, 1, 1, -1)", "POINT(0 0)"];
        Add(shapes);
        string[] all = ["s/0", "s/1", "s/2", "s/3", "s/4"];
        Assert.Equal(all, Ids(new SpatialNode("Place", SpatialRelation.Within, new TextShape($"POLYGON(({round}))"))));
        Assert.Equal(all, Ids(new SpatialNode("Place", SpatialRelation.Intersects, new TextShape("BUFFER(POINT(0 0), 2)"))));
        Assert.Equal(all[..2], Ids(new SpatialNode("Place", SpatialRelation.Contains, new TextShape("POINT(5.5 5.5)"))));
    }

    [Fact]
    public void Search_TwoLargeShapesThatCrossEverywhere_IsRefusedOrCancelled()
    {
        string rows = string.Join(", ", Enumerable.Range(0, 2000).Select(i => FormattableString.Invariant($"{(i / 2 % 2) * 10} {((i + 1) / 2) * 0.01}")));
        string columns = string.Join(", ", Enumerable.Range(0, 2000).Select(i => FormattableString.Invariant($"{((i + 1) / 2) * 0.01} {(i / 2 % 2) * 10}")));
        Add([$"LINESTRING({rows})"]);
        var node = new SpatialNode("Place", SpatialRelation.Within, new TextShape($"LINESTRING({columns})"));
        Assert.Contains("more than 200000 places", Assert.Throws<InvalidSearchException>(() => Ids(node)).Message, StringComparison.Ordinal);
        using Searcher searcher = _index.BeginSearch();
        Assert.Throws<OperationCanceledException>(() => searcher.Search(new SearchRequest(node, [], 0, 1), new CancellationToken(true)));
    }

    // The spherical law of cosines for large distances, the small-angle form for small ones: another formula than the engine's.
    private static double Haversine(double y1, double x1, double y2, double x2)
    {
        (double a, double b, double c) = Vector(y1, x1);
        (double d, double e, double f) = Vector(y2, x2);
        double chord = Math.Sqrt(((a - d) * (a - d)) + ((b - e) * (b - e)) + ((c - f) * (c - f)));
        return 2 * 6371.0087714 * Math.Asin(Math.Min(1, chord / 2));
    }

    private static (double, double, double) Vector(double y, double x)
    {
        (double latitude, double longitude) = (y * Math.PI / 180, x * Math.PI / 180);
        return (Math.Cos(latitude) * Math.Cos(longitude), Math.Cos(latitude) * Math.Sin(longitude), Math.Sin(latitude));
    }

    private static string Scribble(int points)
    {
        var random = new Random(points);
        return "LINESTRING(" + string.Join(", ", Enumerable.Range(0, points).Select(
            _ => FormattableString.Invariant($"{random.NextDouble() * 10:F4} {random.NextDouble() * 10:F4}"))) + ")";
    }

    // Long strokes side by side: a valid ring whose segments have boxes that all meet.
    private static string Zigzag(int points)
    {
        List<string> there = [.. Enumerable.Range(0, points / 2).Select(
            i => FormattableString.Invariant($"{(i % 2 * 50) + (i * 0.001)} {i % 2 * 50}"))];
        List<string> back = [.. Enumerable.Range(0, points / 2).Reverse().Select(
            i => FormattableString.Invariant($"{(i % 2 * 50) + (i * 0.001) + 0.0005} {i % 2 * 50}"))];
        return string.Join(", ", [.. there, .. back, there[0]]);
    }

    // Towns are where other towns are; some lie at the date line and the poles.
    private static (double Y, double X) Place(Random random) => random.Next(5) switch
    {
        0 => (random.NextDouble() * 180 - 90, random.NextDouble() * 360 - 180),
        1 => (random.NextDouble() - 0.5, 179.5 + random.NextDouble() is var x && x > 180 ? x - 360 : x),
        2 => (89 + random.NextDouble(), random.NextDouble() * 360 - 180),
        _ => (48 + random.NextDouble(), 9 + random.NextDouble()),
    };

    private void AddPoints(Random random, int count)
    {
        var entry = new IndexEntry();
        using IndexBatch batch = _index.BeginBatch();
        for (int i = 0; i < count; i++)
        {
            (double y, double x) = Place(random);
            _points.Add(("p/" + i, y, x));
            entry.Reset("p/" + i);
            entry.AddSpatial(s_place, ShapeReader.ToText(y, x));
            batch.Add(entry);
        }

        batch.Commit();
    }

    private void Add(IEnumerable<string> shapes)
    {
        var entry = new IndexEntry();
        using IndexBatch batch = _index.BeginBatch();
        foreach ((int i, string shape) in shapes.Index())
        {
            entry.Reset("s/" + i);
            entry.AddSpatial(s_place, shape);
            batch.Add(entry);
        }

        batch.Commit();
    }

    private string[] Ids(SearchNode node)
    {
        using Searcher searcher = _index.BeginSearch();
        return [.. searcher.Search(new SearchRequest(node, [], 0, int.MaxValue), default).Hits.Select(hit => hit.IdText())];
    }
}
