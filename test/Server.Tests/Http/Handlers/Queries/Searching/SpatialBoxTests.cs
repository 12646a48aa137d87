using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Queries.Searching;

/// <summary>The strategy BoundingBox, and the short forms of points and rectangles.</summary>
public sealed class SpatialBoxTests : IAsyncLifetime
{
    private const string Bay = "POLYGON ((0 0, 0 5, 1 5, 1 1, 5 1, 5 5, 6 5, 6 0, 0 0))";

    private ServerFixture _server = null!;

    public async Task InitializeAsync()
    {
        _server = await ServerFixture.StartAsync();
        await _server.PutAsync("s/1", "Shapes", $$"""{"shape":"{{Bay}}"}""");
    }

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Theory]
    [InlineData("intersects", "2 2 4 4", true, false)]
    [InlineData("intersects", "POLYGON((2 2, 4 2, 4 4, 2 4, 2 2))", true, false)]
    [InlineData("intersects", "3 3", true, false)]
    [InlineData("contains", "2 2 4 4", true, false)]
    [InlineData("contains", "0.25 0.25 0.75 4", true, true)]
    [InlineData("within", "0 0 6 6", true, true)]
    [InlineData("within", "0 0 5 5", false, false)]
    [InlineData("disjoint", "6 6 10 10", true, true)]
    [InlineData("disjoint", "2 2 4 4", false, true)]
    public async Task Query_OfABoxedShape_ComparesItsBoundingBox(string relation, string searched, bool isBoxFound, bool isShapeFound)
    {
        foreach (string type in (string[])["Cartesian", "Geography"])
        {
            foreach (string strategy in (string[])["BoundingBox", "QuadPrefixTree"])
            {
                await PutIndexAsync(type, strategy);
                bool isExpected = strategy == "BoundingBox" ? isBoxFound : isShapeFound;
                string found = await _server.IdsAsync($"from index '{type}{strategy}' where spatial.{relation}(shape, spatial.wkt('{searched}'))");
                Assert.True((isExpected ? "s/1" : "") == found, $"{type} {strategy}");
            }
        }
    }

    [Theory]
    [InlineData("2 3", "1 2 3 4")]
    [InlineData("1 2 3 4", "2.5 3.5")]
    [InlineData(" 1.0  2e0\t3 4 ", "POINT(2.5 3.5)")]
    [InlineData("POINT(2 3)", "2 3")]
    [InlineData("MULTIPOLYGON(((0 0, 1 0, 1 1, 0 0)), ((9 9, 10 9, 10 10, 9 9)))", "5 5")]
    [InlineData("CIRCLE(0 0 d=2)", "1.9 1.9")]
    [InlineData("LINESTRING(0 0, 4 4)", "0.1 3.9")]
    public async Task Index_OfShortForms_KeepsPointsAndRectangles(string shape, string searched)
    {
        await _server.PutAsync("s/1", "Shapes", System.Text.Json.JsonSerializer.Serialize(new { shape }));
        await PutIndexAsync("Cartesian", "BoundingBox");
        Assert.Equal("s/1", await _server.IdsAsync($"from index 'CartesianBoundingBox' where spatial.intersects(shape, spatial.wkt('{searched}'))"));
        Assert.Equal("", await _server.IdsAsync("from index 'CartesianBoundingBox' where spatial.intersects(shape, spatial.wkt('20 20 30 30'))"));
    }

    [Theory]
    [InlineData("null", "p/3,p/2,p/1")]
    [InlineData("0", "p/3,p/2,p/1")]
    [InlineData("\"0\"", "p/3,p/2,p/1")]
    [InlineData("1000", "p/3,p/1,p/2")]
    [InlineData("\"1000\"", "p/3,p/1,p/2")]
    public async Task OrderByDistance_WithARounding_TakesWhatClientsSend(string rounding, string ids)
    {
        await _server.PutAsync("p/1", "Ps", """{"lat":0,"lng":1,"n":1}""");
        await _server.PutAsync("p/2", "Ps", """{"lat":0,"lng":2,"n":2}""");
        await _server.PutAsync("p/3", "Ps", """{"lat":0,"lng":50,"n":3}""");
        string order = "spatial.distance(spatial.point(lat, lng), spatial.point($lat, $lng), $rounding) desc, n as long";
        Answer answer = await _server.QueryAsync($"from Ps order by {order}", more: new
        {
            QueryParameters = new { lat = 0, lng = 0, rounding = System.Text.Json.JsonDocument.Parse(rounding).RootElement },
        });
        Assert.True(answer.Status == 200, answer.Text);
        Assert.Equal(ids, string.Join(',', answer.Json.GetProperty("Results").EnumerateArray()
            .Select(row => row.GetProperty("@metadata").GetProperty("@id").GetString())));
    }

    [Fact]
    public async Task Rectangle_AcrossTheDateLine_StaysTwoBoxes()
    {
        await _server.PutAsync("s/1", "Shapes", """{"shape":"170 -10 -170 10"}""");
        await PutIndexAsync("Geography", "BoundingBox");
        Assert.Equal("s/1", await _server.IdsAsync("from index 'GeographyBoundingBox' where spatial.intersects(shape, spatial.wkt('175 0'))"));
        Assert.Equal("s/1", await _server.IdsAsync("from index 'GeographyBoundingBox' where spatial.intersects(shape, spatial.wkt('-175 0'))"));
        Assert.Equal("", await _server.IdsAsync("from index 'GeographyBoundingBox' where spatial.intersects(shape, spatial.wkt('0 0'))"));
    }

    [Theory]
    [InlineData("1 2 3", "is not a shape in well-known text")]
    [InlineData("1 4 3 2", "minY is above maxY")]
    [InlineData("200 0", "is not on the earth")]
    public async Task Query_WithAShortFormThatIsNone_SaysWhy(string searched, string problem)
    {
        await PutIndexAsync("Geography", "BoundingBox");
        Answer answer = await _server.QueryAsync($"from index 'GeographyBoundingBox' where spatial.intersects(shape, spatial.wkt('{searched}'))");
        Assert.Equal(400, answer.Status);
        Assert.Contains(problem, answer.Text, StringComparison.Ordinal);
    }

    private async Task PutIndexAsync(string type, string strategy)
    {
        (int minX, int minY) = type == "Cartesian" ? (0, 0) : (-180, -90);
        object spatial = new { Type = type, Strategy = strategy, MinX = minX, MaxX = 180, MinY = minY, MaxY = 90 };
        Answer put = await _server.PutIndexAsync(type + strategy, "from s in docs.Shapes select new { shape = CreateSpatialField(s.shape) }",
            more: new { Fields = new { shape = new { Spatial = spatial } } });
        Assert.True(put.Status == 201, put.Text);
    }
}
