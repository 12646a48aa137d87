using System.Text.Json;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Queries.Changes;

/// <summary>Queries in other clothes: streams, parts of a multi_get, deletes.</summary>
public sealed class QueryOperationTests : IAsyncLifetime
{
    private const int Documents = 30;

    private ServerFixture _server = null!;

    public async Task InitializeAsync()
    {
        _server = await ServerFixture.StartAsync(new ServerSetup { LeftOut = ["indexes"] });
        for (int i = 0; i < Documents; i++)
        {
            await _server.PutAsync($"users/{i:D2}", $$$"""{"N":{{{i}}},"@metadata":{"@collection":"Users"}}""");
        }

        await _server.PutAsync("orders/1", """{"N":1,"@metadata":{"@collection":"Orders"}}""");
    }

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Fact]
    public async Task Stream_Lines_HasStatsAndItems()
    {
        Answer answer = await _server.DbAsync(
            "POST", "/streams/queries?format=jsonl", """{"Query":"from Users filter N >= $n","QueryParameters":{"n":27}}""");
        Assert.Equal(200, answer.Status);
        JsonElement[] lines = [.. Lines(answer.Text)];
        JsonElement stats = lines[0].GetProperty("Stats");
        Assert.Equal("collection/Users", stats.GetProperty("IndexName").GetString());
        Assert.Equal(-1, stats.GetProperty("TotalResults").GetInt64());
        Assert.False(stats.GetProperty("IsStale").GetBoolean());
        Assert.Equal([27, 28, 29], lines.Skip(1).Select(line => line.GetProperty("Item").GetProperty("N").GetInt32()));
        Assert.Equal("users/27", lines[1].GetProperty("Item").GetProperty("@metadata").GetProperty("@id").GetString());
    }

    [Fact]
    public async Task Stream_Object_HasResultsLast()
    {
        Answer answer = await _server.DbAsync("GET", "/streams/queries?query=from%20Users%20select%20N%20limit%202");
        Assert.Equal(Documents, answer.Json.GetProperty("TotalResults").GetInt32());
        Assert.Equal("Results", answer.Json.EnumerateObject().Last().Name);
        Assert.Equal([0, 1], answer.Json.GetProperty("Results").EnumerateArray().Select(row => row.GetProperty("N").GetInt32()));
    }

    [Theory]
    [InlineData("from Users include N", 400, "InvalidQueryException", "brings no included documents")]
    [InlineData("from Users where", 400, "InvalidQueryException", "1:17")]
    [InlineData("from Users where N = 1", 501, "NotSupportedException", "Conditions")]
    public async Task Stream_OfWhatCannotBeRun_IsAnError(string query, int status, string type, string message) =>
        (await _server.DbAsync("POST", "/streams/queries?format=jsonl", JsonSerializer.Serialize(new { Query = query })))
            .AssertProblem(status, type, message);

    [Fact]
    public async Task Stream_AsCsv_Refused() =>
        (await _server.DbAsync("GET", "/streams/queries?format=csv&query=from%20Users")).AssertProblem(501, "NotSupportedException", "CSV");

    [Fact]
    public async Task MultiGet_Queries_AnsweredAsAlone()
    {
        string tag = (await _server.DbAsync("POST", "/queries", """{"Query":"from Orders"}""")).Header("ETag")!.Trim('"');
        Answer answer = await _server.DbAsync("POST", "/multi_get", $$$"""
            {"Requests":[
              {"Url":"/databases/db1/queries","Query":"?queryHash=1","Method":"POST","Content":"{\"Query\":\"from Users limit 1\"}"},
              {"Url":"/databases/db1/queries","Query":"?queryHash=2","Method":"POST","Content":{"Query":"from Orders"}},
              {"Url":"/databases/db1/queries","Query":"?query=from%20Orders","Method":"GET"},
              {"Url":"/databases/db1/queries","Query":"","Method":"POST","Headers":{"If-None-Match":"{{{tag}}}"},"Content":{"Query":"from Orders"}},
              {"Url":"/databases/db1/queries","Query":"","Method":"POST","Content":{"Query":"from"}},
              {"Url":"/databases/db1/queries","Query":"","Method":"POST","Content":{"Query":"from Users where N = 1"}},
              {"Url":"/databases/db1/queries","Query":"","Method":"DELETE","Content":{"Query":"from Users"}}]}
            """);
        JsonElement[] results = [.. answer.Json.GetProperty("Results").EnumerateArray()];
        Assert.Equal([200, 200, 200, 304, 400, 501, 400], results.Select(one => one.GetProperty("StatusCode").GetInt32()));
        Assert.Equal(Documents, results[0].GetProperty("Result").GetProperty("TotalResults").GetInt32());
        Assert.Equal($"\"{tag}\"", results[1].GetProperty("Headers").GetProperty("ETag").GetString());
        Assert.Equal("orders/1", results[2].GetProperty("Result").GetProperty("Results")[0].GetProperty("@metadata").GetProperty("@id").GetString());
        Assert.EndsWith("InvalidQueryException", results[4].GetProperty("Result").GetProperty("Type").GetString(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("from Users", 30)]
    [InlineData("from Users filter N < 10", 10)]
    [InlineData("from Users where startsWith(id(), 'users/1')", 10)]
    [InlineData("from Users where id() in ('users/01', 'orders/1')", 1)]
    [InlineData("from Users limit 7", 7)]
    [InlineData("from Users order by id() limit 25, 100", 5)]
    [InlineData("from @all_docs", 31)]
    [InlineData("from Nobody", 0)]
    public async Task Delete_ByQuery_DeletesWhatItFinds(string query, int deleted)
    {
        Answer answer = await _server.DbAsync(
            "DELETE", "/queries?allowStale=&details=", JsonSerializer.Serialize(new { Query = query, QueryParameters = (object?)null }));
        Assert.Equal(202, answer.Status);
        Assert.Equal("A", answer.Json.GetProperty("OperationNodeTag").GetString());
        JsonElement state = await EndOf(answer.Json.GetProperty("OperationId").GetInt64());
        Assert.Equal("Completed", state.GetProperty("Status").GetString());
        JsonElement result = state.GetProperty("Result");
        Assert.Equal(deleted, result.GetProperty("Total").GetInt64());
        Assert.Equal(query, result.GetProperty("Query").GetString());
        Assert.EndsWith("BulkOperationResult, Raven.Client", result.GetProperty("$type").GetString(), StringComparison.Ordinal);
        Assert.Equal(Documents + 1 - deleted, (await _server.DbAsync("GET", "/stats")).Json.GetProperty("CountOfDocuments").GetInt32());
    }

    [Fact]
    public async Task Delete_Throttled_CanBeKilledAndKeepsTheRest()
    {
        Answer answer = await _server.DbAsync("DELETE", "/queries?maxOpsPerSec=2&operationId=77", """{"Query":"from Users"}""");
        Assert.Equal(77, answer.Json.GetProperty("OperationId").GetInt64());
        Assert.Equal(204, (await _server.DbAsync("POST", "/operations/kill?id=77")).Status);
        Assert.Equal("Canceled", (await EndOf(77)).GetProperty("Status").GetString());
        int left = (await _server.DbAsync("GET", "/stats")).Json.GetProperty("CountOfDocuments").GetInt32();
        Assert.InRange(left, Documents - 3, Documents + 1);
        (await _server.DbAsync("DELETE", "/queries?operationId=77", """{"Query":"from Users"}""")).AssertProblem(400, "ArgumentException", "77");
    }

    [Theory]
    [InlineData("from Users select N", 400, "InvalidQueryException", "whole documents")]
    [InlineData("from Users include N", 400, "InvalidQueryException", "whole documents")]
    [InlineData("from Users update { }", 400, "InvalidQueryException", "PATCH")]
    [InlineData("from index 'X'", 501, "NotSupportedException", "indexes")]
    [InlineData("from", 400, "InvalidQueryException", "1:5")]
    public async Task Delete_ByWhatCannotBeRun_IsAnError(string query, int status, string type, string message) =>
        (await _server.DbAsync("DELETE", "/queries", JsonSerializer.Serialize(new { Query = query }))).AssertProblem(status, type, message);

    [Fact]
    public async Task Delete_WithDetails_ListsWhatWasDeleted()
    {
        Answer answer = await _server.DbAsync("DELETE", "/queries?details=true", """{"Query":"from Users filter N < 2"}""");
        JsonElement result = (await EndOf(answer.Json.GetProperty("OperationId").GetInt64())).GetProperty("Result");
        Assert.Equal(
            ["users/00", "users/01"], result.GetProperty("Details").EnumerateArray().Select(one => one.GetProperty("Id").GetString()));
        Assert.Equal(
            [Documents + 2, Documents + 3], result.GetProperty("Details").EnumerateArray().Select(one => one.GetProperty("Etag").GetInt32()));
        Assert.Equal("Processed 2 items.", result.GetProperty("Message").GetString());
    }

    [Fact]
    public async Task Delete_WithMoreDetailsThanAreKept_SaysSo()
    {
        const int many = 1500;
        IEnumerable<string> puts = Enumerable.Range(0, many)
            .Select(i => $$$$"""{"Type":"PUT","Id":"m/{{{{i}}}}","Document":{"@metadata":{"@collection":"Many"}}}""");
        Assert.Equal(201, (await _server.DbAsync("POST", "/bulk_docs", $$"""{"Commands":[{{string.Join(',', puts)}}]}""")).Status);
        Answer answer = await _server.DbAsync("DELETE", "/queries?details=true", """{"Query":"from Many"}""");
        JsonElement result = (await EndOf(answer.Json.GetProperty("OperationId").GetInt64())).GetProperty("Result");
        Assert.Equal(many, result.GetProperty("Total").GetInt32());
        Assert.Equal(1024, result.GetProperty("Details").GetArrayLength());
        Assert.Equal("Processed 1500 items. Details has the first 1024 of them.", result.GetProperty("Message").GetString());
    }

    private static IEnumerable<JsonElement> Lines(string text) =>
        text.Split('\n', StringSplitOptions.RemoveEmptyEntries).Select(line => JsonDocument.Parse(line).RootElement);

    // Clients ask for the state again and again: there is nothing else that they could wait for.
    private async Task<JsonElement> EndOf(long id)
    {
        for (int asked = 0; asked < 100_000; asked++)
        {
            JsonElement state = (await _server.DbAsync("GET", $"/operations/state?id={id}")).Json;
            if (state.GetProperty("Status").GetString() != "InProgress")
            {
                return state;
            }
        }

        throw new TimeoutException($"operation {id} does not end");
    }
}
