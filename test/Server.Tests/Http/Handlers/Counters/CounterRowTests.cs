using System.Text.Json;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Counters;

/// <summary>A query of an index of counters answers one row for each entry, with the values of the entry, and never the documents.</summary>
public sealed class CounterRowTests : IAsyncLifetime
{
    private const string Beats = "counters.Companies.Select(c => new { heartBeat = c.Value, name = c.Name, user = c.DocumentId })";

    private ServerFixture _server = null!;

    public async Task InitializeAsync()
    {
        _server = await ServerFixture.StartAsync();
        await _server.PutAsync("Companies/1-A", "Companies", """{"Name":"Acme"}""");
        await _server.PutAsync("companies/2-A", "Companies", """{"Name":"Zeta"}""");
        await _server.PutAsync("firms/1-A", "Firms", """{"Name":"Firm"}""");
        await CountAsync("companies/1-A", ("HeartRate", 7), ("Likes", 3));
        await CountAsync("companies/2-A", ("HeartRate", 9));
        await CountAsync("firms/1-A", ("HeartRate", 1));
    }

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Theory]
    [InlineData(Beats)]
    [InlineData("from c in counters.Companies select new { heartBeat = c.Value, name = c.Name, user = c.DocumentId }")]
    [InlineData("counters.map('Companies', c => ({ heartBeat: c.Value, name: c.Name, user: c.DocumentId }))")]
    public async Task Query_OfAnIndexOfCounters_AnswersItsEntries(string map)
    {
        Answer put = await _server.PutIndexAsync("CC", map);
        Assert.True(put.Status == 201, put.Text);
        Answer answer = await _server.QueryAsync("from index 'CC' where heartBeat = 7");
        JsonElement row = Assert.Single(answer.Json.GetProperty("Results").EnumerateArray());
        Assert.Equal("""{"heartBeat":7,"name":"HeartRate","user":"Companies/1-A"}""", QueryRequests.WithoutMetadata(row));
        Assert.True(row.GetProperty("@metadata").GetProperty("@projection").GetBoolean());
        Assert.Equal("Companies/1-A", row.GetProperty("@metadata").GetProperty("@id").GetString());

        foreach ((string query, string[] rows) in new (string, string[])[]
        {
            ("from index 'CC' order by heartBeat as long select heartBeat", ["""{"heartBeat":3}""", """{"heartBeat":7}""", """{"heartBeat":9}"""]),
            ("from index 'CC' where user = 'companies/1-a' order by name select name, id() as d",
                ["""{"name":"HeartRate","d":"Companies/1-A"}""", """{"name":"Likes","d":"Companies/1-A"}"""]),
            ("from index 'CC' order by heartBeat as long desc filter heartBeat > 3 select heartBeat", ["""{"heartBeat":9}""", """{"heartBeat":7}"""]),
            ("from index 'CC' as c order by heartBeat as long select { twice: c.heartBeat * 2, of: id(c) } limit 2",
                ["""{"twice":6,"of":"Companies/1-A"}""", """{"twice":14,"of":"Companies/1-A"}"""]),
            ("from index 'CC' as c where heartBeat = 9 load c.user as u select { name: u.Name }", ["""{"name":"Zeta"}"""]),
            ("from index 'CC' select distinct name", ["""{"name":"HeartRate"}""", """{"name":"Likes"}"""]),
        })
        {
            string[] found = await _server.RowsAsync(query);
            Assert.Equal(rows, query.Contains("order by", StringComparison.Ordinal) ? found : found.Order(StringComparer.Ordinal));
        }
    }

    [Fact]
    public async Task Query_OfSeveralMaps_PagesOverAllEntries()
    {
        await _server.PutDefinitionsAsync(new
        {
            Name = "CC",
            Maps = new[] { Beats, "from c in counters.Firms select new { heartBeat = c.Value, name = c.Name, user = c.DocumentId }" },
        });
        List<string> rows = [];
        for (int skip = 0; skip < 5; skip++)
        {
            Answer page = await _server.QueryAsync($"from index 'CC' order by heartBeat as long limit {skip}, 1");
            Assert.Equal((4, 0), (page.Json.GetProperty("TotalResults").GetInt32(), page.Json.GetProperty("SkippedResults").GetInt32()));
            rows.AddRange(page.Json.GetProperty("Results").EnumerateArray().Select(row => row.GetProperty("heartBeat").GetRawText()));
        }

        Assert.Equal(["1", "3", "7", "9"], rows);
        Answer all = await _server.QueryAsync("from index 'CC' include user");
        Assert.Equal(4, all.Json.GetProperty("Results").GetArrayLength());
        Assert.Equal(3, all.Json.GetProperty("Includes").EnumerateObject().Count());
    }

    [Fact]
    public async Task Stream_OfAnIndexOfCounters_HasItsEntries()
    {
        await _server.PutIndexAsync("CC", Beats);
        await _server.SettledAsync();
        Answer stream = await _server.DbAsync("GET", $"/streams/queries?query={Uri.EscapeDataString("from index 'CC' order by heartBeat as long")}");
        Assert.Equal(["3", "7", "9"], stream.Json.GetProperty("Results").EnumerateArray().Select(row => row.GetProperty("heartBeat").GetRawText()));
    }

    [Fact]
    public async Task Row_OfComputedFieldsAndOtherKinds_HasAllOfThem()
    {
        await _server.PutIndexAsync("CC", """
            counters.Companies.Likes.Select(c => new { half = c.Value / 2.0, list = new[] { c.Name, "x" }, nothing = (string)null,
                deep = new { a = c.Value }, _ = CreateField("dyn", c.Value) })
            """);
        Assert.Equal(["""{"half":1.5,"list":["Likes","x"],"nothing":null,"deep":{"a":3},"dyn":3}"""], await _server.RowsAsync("from index 'CC'"));
        Assert.Equal(["""{"dyn":3}"""], await _server.RowsAsync("from index 'CC' select dyn"));
    }

    [Fact]
    public async Task Row_FollowsItsCounterAndGoesWithItsDocument()
    {
        await _server.PutIndexAsync("CC", Beats);
        await CountAsync("companies/1-A", ("HeartRate", 10));
        Assert.Equal(["""{"heartBeat":17}"""], await _server.RowsAsync("from index 'CC' where heartBeat > 10 select heartBeat"));
        await _server.DeleteAsync("companies/1-A");
        Assert.Equal(["""{"heartBeat":9}"""], await _server.RowsAsync("from index 'CC' select heartBeat"));
    }

    private Task<Answer> CountAsync(string id, params (string Name, long Delta)[] counters) =>
        _server.DbAsync("POST", "/counters", JsonSerializer.Serialize(new
        {
            Documents = new[]
            {
                new { DocumentId = id, Operations = counters.Select(one => new { Type = "Increment", CounterName = one.Name, one.Delta }) },
            },
        }));
}
