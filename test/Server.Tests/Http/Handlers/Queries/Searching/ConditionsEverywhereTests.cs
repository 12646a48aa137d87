using System.Text.Json;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Queries.Searching;

/// <summary>Conditions on fields in everything that takes a query: streams, parts of a multi_get, deletes.</summary>
public sealed class ConditionsEverywhereTests : IAsyncLifetime
{
    private const int Users = 60;

    private ServerFixture _server = null!;

    public async Task InitializeAsync()
    {
        _server = await ServerFixture.StartAsync();
        for (int i = 0; i < Users; i++)
        {
            await _server.PutAsync($"users/{i:D2}", "Users", $$"""{"N":{{i}},"Even":{{(i % 2 == 0 ? "true" : "false")}}}""");
        }

        await _server.PutAsync("orders/1", "Orders", """{"N":1,"Even":false}""");
    }

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Fact]
    public async Task Stream_WithConditionAndOrder_HasStatsAndItemsInThatOrder()
    {
        Answer answer = await _server.DbAsync("POST", "/streams/queries?format=jsonl",
            """{"Query":"from Users where N >= $n and Even = true order by N as long desc","QueryParameters":{"n":52}}""");
        Assert.Equal(200, answer.Status);
        JsonElement[] lines = Lines(answer.Text);
        JsonElement stats = lines[0].GetProperty("Stats");
        Assert.Equal("Auto/Users/ByEvenAndN", stats.GetProperty("IndexName").GetString());
        Assert.Equal(4, stats.GetProperty("TotalResults").GetInt64());
        Assert.False(stats.GetProperty("IsStale").GetBoolean());
        Assert.StartsWith("2", stats.GetProperty("IndexTimestamp").GetString(), StringComparison.Ordinal);
        Assert.Equal([58, 56, 54, 52], lines.Skip(1).Select(line => line.GetProperty("Item").GetProperty("N").GetInt32()));
    }

    [Theory]
    [InlineData("from Users where Even = true", Users / 2)]
    [InlineData("from Users where Even = true order by N as long desc limit 3, 5", 5)]
    [InlineData("from Users where Even = true filter N > 49", 5)]
    [InlineData("from Users where N >= 0 select distinct Even limit 1", 1)]
    [InlineData("from Users where N > 999", 0)]
    public async Task Stream_AsOneObject_HasTheRowsOfTheQuery(string query, int rows)
    {
        Answer answer = await _server.DbAsync("GET", $"/streams/queries?query={Uri.EscapeDataString(query)}");
        Assert.Equal(200, answer.Status);
        Assert.Equal("Results", answer.Json.EnumerateObject().Last().Name);
        Assert.Equal(rows, answer.Json.GetProperty("Results").GetArrayLength());
    }

    [Fact]
    public async Task Stream_OfMoreThanAPage_HasEachDocumentOnce()
    {
        const int documents = 12_500;
        IEnumerable<string> commands = Enumerable.Range(0, documents).Select(i =>
            $$$$"""{"Type":"PUT","Id":"many/{{{{i}}}}","Document":{"N":{{{{i}}}},"@metadata":{"@collection":"Many"}}}""");
        Answer put = await _server.DbAsync("POST", "/bulk_docs", $$"""{"Commands":[{{string.Join(',', commands)}}]}""");
        Assert.Equal(201, put.Status);
        await StreamAsync("from Many where N >= 10", 12_490);
        await StreamAsync("from Many where N >= 10 order by N as long desc limit 5, 11000", 11_000);
    }

    private async Task StreamAsync(string query, int rows)
    {
        Answer answer = await _server.DbAsync("POST", "/streams/queries?format=jsonl", JsonSerializer.Serialize(new { Query = query }));
        string?[] ids = [.. Lines(answer.Text).Skip(1).Select(line => IdOf(line.GetProperty("Item")))];
        Assert.Equal(rows, ids.Length);
        Assert.Equal(rows, ids.Distinct().Count());
        Answer whole = await _server.QueryAsync(query);
        Assert.Equal(ids, whole.Json.GetProperty("Results").EnumerateArray().Select(IdOf));
    }

    [Fact]
    public async Task Stream_OfAnIndexThatIsMissing_IsAnError() =>
        (await _server.DbAsync("POST", "/streams/queries?format=jsonl", """{"Query":"from index 'None'"}"""))
            .AssertProblem(500, "IndexDoesNotExistException", "None");

    [Fact]
    public async Task MultiGet_OfQueriesLoadsAndOtherRoutes_AnswersEachInItsPlace()
    {
        Answer answer = await _server.DbAsync("POST", "/multi_get", JsonSerializer.Serialize(new
        {
            Requests = new object[]
            {
                Part("POST", "/queries", "", """{"Query":"from Users where N = 7"}"""),
                Part("GET", "/docs", "?id=users%2F03", null),
                Part("GET", "/stats", "", null),
                Part("GET", "/collections/stats", "", null),
                Part("POST", "/queries", "", """{"Query":"from Users include timeseries('HR')"}"""),
                Part("GET", "/queries", "?query=from%20Users%20where%20N%20%3C%202%20order%20by%20N%20as%20long", null),
                Part("GET", "/cmpxchg", "?key=none", null),
                Part("GET", "/hilo/next", "?tag=users", null),
                Part("PUT", "/docs", "?id=x", "{}"),
                Part("GET", "/docs", "?id=none", null),
            },
        }));
        Assert.Equal(200, answer.Status);
        JsonElement[] results = [.. answer.Json.GetProperty("Results").EnumerateArray()];
        Assert.Equal([200, 200, 200, 200, 501, 200, 404, 400, 400, 404], results.Select(result => result.GetProperty("StatusCode").GetInt32()));
        Assert.Equal("users/07", IdOf(results[0].GetProperty("Result").GetProperty("Results")[0]));
        Assert.Equal("users/03", IdOf(results[1].GetProperty("Result").GetProperty("Results")[0]));
        Assert.Equal(Users + 1, results[2].GetProperty("Result").GetProperty("CountOfDocuments").GetInt32());
        Assert.Equal(Users, results[3].GetProperty("Result").GetProperty("Collections").GetProperty("Users").GetInt32());
        Assert.Equal(["users/00", "users/01"], results[5].GetProperty("Result").GetProperty("Results").EnumerateArray().Select(IdOf));
        Assert.Contains("multi_get", results[7].GetProperty("Result").GetProperty("Message").GetString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Delete_WithCondition_DeletesWhatTheIndexFindsAndTellsTheProgress()
    {
        JsonElement state = await DeleteAsync("from Users where Even = true and N >= 10", "");
        Assert.Equal("Completed", state.GetProperty("Status").GetString());
        Assert.Equal(25, state.GetProperty("Result").GetProperty("Total").GetInt32());
        Assert.Equal(25, state.GetProperty("Progress").GetProperty("Processed").GetInt32());
        Answer left = await _server.QueryAsync("from Users where Even = true");
        Assert.Equal(5, left.Json.GetProperty("TotalResults").GetInt32());
    }

    [Fact]
    public async Task Delete_OfAPageInAnOrder_DeletesOnlyThatPage()
    {
        JsonElement state = await DeleteAsync("from Users where N > 1 order by N as long desc limit 1, 2", "");
        Assert.Equal(2, state.GetProperty("Result").GetProperty("Total").GetInt32());
        Assert.Equal("users/59,users/56,users/55", await _server.IdsAsync("from Users where N > 54 order by N as long desc"));
    }

    [Fact]
    public async Task Delete_FromAStaleIndex_FaultsUnlessItIsAllowed()
    {
        await _server.QueryAsync("from Users where N = 1");
        _server.Indexes.Find("Auto/Users/ByN")!.IsPaused = true;
        await _server.PutAsync("users/99", "Users", """{"N":1}""");
        JsonElement faulted = await DeleteAsync("from Users where N = 1", "&staleTimeout=00:00:00.010");
        Assert.Equal("Faulted", faulted.GetProperty("Status").GetString());
        Assert.Contains("is stale", faulted.GetProperty("Result").GetProperty("Message").GetString(), StringComparison.Ordinal);
        JsonElement allowed = await DeleteAsync("from Users where N = 1", "&allowStale=true&staleTimeout=10");
        Assert.Equal(1, allowed.GetProperty("Result").GetProperty("Total").GetInt32());
        Assert.Equal(200, (await _server.DbAsync("GET", "/docs?id=users/99")).Status);
    }

    [Theory]
    [InlineData("from Users where N = 1 select N", "leave 'select' and 'include' out")]
    [InlineData("from Users group by N", "a group is not a document")]
    [InlineData("from Users where N = $missing", "'$missing' was not sent")]
    public async Task Delete_OfWhatIsNoSetOfDocuments_IsRefusedAtOnce(string query, string message) =>
        (await _server.DbAsync("DELETE", "/queries", JsonSerializer.Serialize(new { Query = query })))
            .AssertProblem(400, "InvalidQueryException", message);

    private static object Part(string method, string path, string query, string? content) =>
        new { Url = $"/databases/db1{path}", Query = query, Method = method, Headers = new { }, Content = content };

    private static string? IdOf(JsonElement row) => row.GetProperty("@metadata").GetProperty("@id").GetString();

    private static JsonElement[] Lines(string text) =>
        [.. text.Split('\n', StringSplitOptions.RemoveEmptyEntries).Select(line => JsonDocument.Parse(line).RootElement)];

    private async Task<JsonElement> DeleteAsync(string query, string options)
    {
        Answer started = await _server.DbAsync("DELETE", $"/queries?details=false{options}", JsonSerializer.Serialize(new { Query = query }));
        Assert.True(started.Status == 202, started.Text);
        long id = started.Json.GetProperty("OperationId").GetInt64();
        return await _server.EndOfOperationAsync(id);
    }
}
