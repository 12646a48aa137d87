using System.Text.Json;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Queries.Searching;

/// <summary>The methods of conditions and orders over HTTP.</summary>
public sealed class SearchMethodTests : IAsyncLifetime
{
    private const string BoostedRows = "from u in docs.Users select new { u.Name, u.Nr }.Boost(u.Name == \"John\" ? 3 : 1)";
    private const string BoostedNames = "from u in docs.Users select new { Name = u.Name.Boost(u.Nr == \"a2\" ? 5 : 1), u.Nr }";
    private const string BoostedByScript = "map('Users', u => boost({ Name: u.Name }, u.Name == 'Jane' ? 2 : 1))";

    private ServerFixture _server = null!;

    public async Task InitializeAsync()
    {
        _server = await ServerFixture.StartAsync();
        await _server.PutAsync("u/1", "Users", """{"Name":"Ernst","Nr":"a10","Notes":"quick brown fox","At":"2020-01-01T00:00:01Z","Lat":48.1,"Lng":11.6}""");
        await _server.PutAsync("u/2", "Users", """{"Name":"Tarzan","Nr":"a2","Notes":"quick red dog","At":"2020-01-01","Lat":52.5,"Lng":13.4}""");
        await _server.PutAsync("u/3", "Users", """{"Name":"John","Nr":"b1","Notes":"fox that is quick","At":"2019-12-31T23:59:59.5Z","Lat":48.4,"Lng":10.0}""");
        await _server.PutAsync("u/4", "Users", """{"Name":"Jane","Nr":"a1","Notes":7,"Area":"POLYGON((0 0,0 1,1 1,1 0,0 0))"}""");
    }

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Theory]
    [InlineData("from Users where search(Notes, 'qu*ck')", "u/1,u/2,u/3")]
    [InlineData("from Users where search(Notes, '7')", "u/4")]
    [InlineData("from Users where regex(Name, '^[e-j].*n')", "u/1,u/3,u/4")]
    [InlineData("from Users where exact(regex(Name, '^J'))", "u/3,u/4")]
    [InlineData("from Users where fuzzy(Name = 'Ernts', 0.5)", "u/1")]
    [InlineData("from Users where proximity(search(Notes, 'quick fox'), 1)", "u/1")]
    [InlineData("from Users where proximity(search(Notes, 'quick fox'), 2)", "u/1,u/3")]
    [InlineData("from Users where lucene(Name, 'jo* OR tar?an')", "u/2,u/3")]
    [InlineData("from Users where exact(lucene(Name, 'John'))", "u/3")]
    [InlineData("from Users where intersect(Name = 'John', Nr = 'b1')", "u/3")]
    [InlineData("from Users where At > '2020-01-01'", "u/1")]
    [InlineData("from Users where At < '2020-01-01T00:00:00.0000000Z'", "u/3")]
    [InlineData("from Users where boost(Name = 'Tarzan', 5) or boost(Name = 'John', 2)", "u/2,u/3")]
    [InlineData("from Users where boost(Name = 'Tarzan', 2) or boost(Name = 'John', 5) order by score()", "u/3,u/2")]
    [InlineData("from Users where boost(Name = 'Tarzan', 2) or boost(Name = 'John', 5) order by score() desc", "u/2,u/3")]
    [InlineData("from Users order by Nr as alphaNumeric", "u/4,u/2,u/1,u/3")]
    [InlineData("from Users order by At, Name desc", "u/4,u/3,u/2,u/1")]
    [InlineData("from Users order by At nulls last", "u/3,u/2,u/1,u/4")]
    [InlineData("from Users where spatial.within(spatial.point(Lat, Lng), spatial.circle(150, 48.1, 11.6))", "u/1,u/3")]
    [InlineData("from Users where spatial.within(spatial.point(Lat, Lng), spatial.circle(90, 48.1, 11.6, 'miles'), 0.1)", "u/1,u/3")]
    [InlineData("from Users where spatial.disjoint(spatial.point(Lat, Lng), spatial.circle(150, 48.1, 11.6))", "u/2")]
    [InlineData("from Users where spatial.intersects(spatial.wkt(Area), spatial.wkt('LINESTRING(-1 0.5, 2 0.5)'))", "u/4")]
    [InlineData("from Users where spatial.contains(spatial.wkt(Area), spatial.point(0.5, 0.5))", "u/4")]
    [InlineData("from Users order by spatial.distance(spatial.point(Lat, Lng), spatial.point(52, 13))", "u/2,u/1,u/3,u/4")]
    [InlineData("from Users where Name != 'x' order by spatial.distance('spatial.point(Lat, Lng)', spatial.point(48.1, 11.6)) desc", "u/2,u/3,u/1,u/4")]
    public async Task Post_Method_FindsWhatItMeans(string query, string ids) => Assert.Equal(ids, await _server.IdsAsync(query));

    [Fact]
    public async Task Post_PointOfCoordinatesThatAreTexts_IsFound()
    {
        await _server.PutAsync("u/5", "Users", """{"Lat":"48.2","Lng":"11.5"}""");
        await _server.PutAsync("u/6", "Users", """{"Lat":"north","Lng":"11.5"}""");
        await _server.PutAsync("u/7", "Users", """{"Lat":"NaN","Lng":"11.5"}""");
        Assert.Equal("u/1,u/5", await _server.IdsAsync("from Users where spatial.within(spatial.point(Lat, Lng), spatial.circle(50, 48.1, 11.6))"));
    }

    [Fact]
    public async Task Post_RandomOrderWithSeed_IsTheSameEachTime()
    {
        string first = await _server.IdsAsync("from Users where exists(Name) order by random('it''s')");
        Assert.Equal(first, await _server.IdsAsync("from Users where exists(Name) order by random('it''s')"));
        Assert.Equal(4, first.Split(',').Distinct().Count());
    }

    [Fact]
    public async Task Post_SpatialQuery_IsAnsweredByTheIndexOfItsPaths()
    {
        var answer = await _server.QueryAsync("from Users where spatial.within(spatial.point(Lat, Lng), spatial.circle(1, 48.1, 11.6))");
        Assert.Equal("Auto/Users/BySpatial.point(Lat|Lng)", answer.Json.GetProperty("IndexName").GetString());
    }

    [Fact]
    public async Task Post_SpatialFieldOfADefinition_UsesItsUnits()
    {
        await _server.PutIndexAsync("Places", "from u in docs.Users select new { Place = CreateSpatialField(u.Lat, u.Lng) }",
            more: new { Fields = new Dictionary<string, object> { ["Place"] = new { Spatial = new { Type = "Geography", Units = "Miles" } } } });
        Assert.Equal("u/1", await _server.IdsAsync("from index Places where spatial.within(Place, spatial.circle(50, 48.1, 11.6))"));
        Assert.Equal("u/1,u/3", await _server.IdsAsync("from index Places where spatial.within(Place, spatial.circle(90, 48.1, 11.6))"));
        Assert.Equal("u/1", await _server.IdsAsync("from index Places where spatial.within(Place, spatial.circle(90, 48.1, 11.6, 'KILOMETERS'))"));
    }

    [Theory]
    [InlineData("from Users where regex(Name, '(')", "not a regular expression")]
    [InlineData("from Users where lucene(Name, 'a AND (')", "cannot be read")]
    [InlineData("from Users where fuzzy(Name = 'a', 2)", "above 0, up to 1")]
    [InlineData("from Users where proximity(search(Notes, 'quick'), 2)", "two words")]
    [InlineData("from Users where spatial.within(spatial.point(Lat, Lng), spatial.circle(1, 100, 11))", "circle with the radius 1 around latitude 100, lon")]
    [InlineData("from Users where spatial.within(spatial.point(Lat, Lng), spatial.circle(-1, 10, 11))", "A circle with the radius -1")]
    [InlineData("from Users where spatial.within(spatial.point(Lat, Lng), spatial.circle(1, 10, 11, 'Yards'))", "'Kilometers' or 'Miles'")]
    [InlineData("from Users where spatial.within(spatial.point(Lat, Lng), spatial.wkt('x'))", "well-known text")]
    public async Task Post_BadMethod_SaysWhatIsWrong(string query, string message)
    {
        var answer = await _server.QueryAsync(query);
        Assert.NotEqual(200, answer.Status);
        Assert.Contains(message, answer.Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Post_OrderByDistance_HasTheDistanceInTheMetadata()
    {
        await _server.PutAsync("places/1", "Places", """{"Lat":50,"Lng":8}""");
        await _server.PutAsync("places/2", "Places", """{"Lat":51,"Lng":8}""");
        await _server.PutAsync("places/3", "Places", """{"Name":"nowhere"}""");
        const string order = "from Places order by spatial.distance(spatial.point(Lat, Lng), spatial.point(50, 8))";
        foreach (string query in new[] { order, order + " select Name" })
        {
            JsonElement[] rows = [.. (await _server.QueryAsync(query)).Json.GetProperty("Results").EnumerateArray()
                .Select(row => row.GetProperty("@metadata"))];
            Assert.Equal(["places/1", "places/2", "places/3"], rows.Select(row => row.GetProperty("@id").GetString()));
            Assert.Equal(0, rows[0].GetProperty("@spatial").GetProperty("Distance").GetDouble());
            JsonElement second = rows[1].GetProperty("@spatial");
            Assert.Equal(111.2, second.GetProperty("Distance").GetDouble(), 0.2);
            Assert.Equal((51.0, 8.0), (second.GetProperty("Latitude").GetDouble(), second.GetProperty("Longitude").GetDouble()));
            Assert.False(rows[2].TryGetProperty("@spatial", out _));
        }
    }

    [Theory]
    [InlineData("from Places where boost(Name = 'a', 3) or Name = 'b' order by score()")]
    [InlineData("from Places where boost(Name = 'a', 3) or Name = 'b' order by Name")]
    [InlineData("from Places where boost(Name = 'a', 3) or Name = 'b' order by Name select Name")]
    [InlineData("from index 'ByName' where boost(Name = 'a', 3) or Name = 'b' order by Name")]
    public async Task Post_Condition_HasTheScoreInTheMetadata(string query)
    {
        await _server.PutAsync("places/1", "Places", """{"Name":"a"}""");
        await _server.PutAsync("places/2", "Places", """{"Name":"b"}""");
        await _server.PutIndexAsync("ByName", "from p in docs.Places select new { p.Name, Count = 1 }",
            "from r in results group r by r.Name into g select new { Name = g.Key, Count = g.Sum(r => r.Count) }");
        await _server.SettledAsync();
        float[] scores = [.. (await _server.QueryAsync(query)).Json.GetProperty("Results").EnumerateArray()
            .Select(row => row.GetProperty("@metadata").GetProperty("@index-score").GetSingle())];
        Assert.Equal(2, scores.Length);
        Assert.True(scores[0] > scores[1] && scores[1] > 0, $"{scores[0]} and {scores[1]}");
    }

    [Theory]
    [InlineData(BoostedRows, "from index 'I' where exists(Name)", "u/3,u/1,u/2,u/4")]
    [InlineData(BoostedRows, "from index 'I' where exists(Name) order by Name", "u/1,u/4,u/3,u/2")]
    [InlineData(BoostedNames, "from index 'I' where Name in ('Ernst', 'Tarzan')", "u/2,u/1")]
    [InlineData(BoostedNames, "from index 'I' where Nr in ('a10', 'a2')", "u/1,u/2")]
    [InlineData(BoostedByScript, "from index 'I' where exists(Name)", "u/4,u/1,u/2,u/3")]
    public async Task Post_IndexThatBoosts_HasTheBestFirstUnlessAnOrderIsNamed(string map, string query, string ids)
    {
        await _server.PutIndexAsync("I", map);
        Assert.Equal(ids, await _server.IdsAsync(query));
    }

    [Fact]
    public async Task Query_UnknownIndex_Is404AndNamesTheNearest()
    {
        await _server.PutIndexAsync("Costs", "from p in docs.Places select new { p.Name }");
        Answer missing = await _server.DbAsync("GET", "/queries?query=from%20index%20Cost");
        Assert.Equal(404, missing.Status);
        Assert.Contains("'Costs'", missing.Text, StringComparison.Ordinal);
        Answer named = await _server.DbAsync("POST", "/queries", """{"Query":"from index Cost"}""");
        Assert.Contains("'Costs'", named.Text, StringComparison.Ordinal);
    }
}
