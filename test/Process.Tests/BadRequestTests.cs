using System.Globalization;
using Jackdaw.ProcessTests.Harness;
using Jackdaw.TestKit;

namespace Jackdaw.ProcessTests;

/// <summary>Well-formed requests that ask for what cannot be: nothing is written, and the answer says why.</summary>
public sealed class BadRequestTests(SharedServer shared) : IClassFixture<SharedServer>, IAsyncLifetime
{
    private readonly RunningServer _server = shared.Server;

    public Task InitializeAsync() => Task.CompletedTask;

    public Task DisposeAsync() => _server.AssertServesAsync("shop");

    [Theory]
    [InlineData("""{"Type":"EXPLODE","Id":"a"}""", 400, "EXPLODE")]
    [InlineData("""{"Id":"a"}""", 400, "Type")]
    [InlineData("""{"Type":7,"Id":"a"}""", 400, "Type")]
    [InlineData("""{"Type":"PUT","Id":"a"}""", 400, "Document")]
    [InlineData("""{"Type":"PUT","Id":7,"Document":{}}""", 400, "Id")]
    [InlineData("""{"Type":"PUT","Id":"a","Document":[]}""", 400, "object")]
    [InlineData("""{"Type":"DELETE"}""", 400, "Id")]
    [InlineData("""{"Type":"PATCH","Id":"a"}""", 400, "Patch")]
    [InlineData("""{"Type":"Counters","Id":"a","Counters":{}}""", 400, "no Operations")]
    [InlineData("7", 400, "")]
    [InlineData("null", 400, "")]
    public async Task Batch_WithOneBadCommand_IsRefusedAsAWhole(string command, int status, string message)
    {
        string before = string.Create(CultureInfo.InvariantCulture, $"before/{Guid.NewGuid():N}");
        string first = $$$"""{"Type":"PUT","Id":"{{{before}}}","Document":{}}""";
        string last = $$$"""{"Type":"PUT","Id":"{{{before}}}-2","Document":{}}""";
        string commands = $$$"""{"Commands":[{{{first}}},{{{command}}},{{{last}}}]}""";

        Answer answer = await _server.SendAsync("POST", "/databases/shop/bulk_docs", commands);

        answer.AssertProblem(status, status == 501 ? "NotSupportedException" : "BadRequestException", message);
        Assert.Equal(404, (await _server.GetAsync("shop", before)).Status);
        Assert.Equal(404, (await _server.GetAsync("shop", before + "-2")).Status);
    }

    [Theory]
    [InlineData("", "missing")]
    [InlineData("{}", "Commands")]
    [InlineData("""{"Commands":7}""", "Commands")]
    [InlineData("""{"Commands":[""", "")]
    [InlineData("""{"Commands":[]} x""", "")]
    [InlineData("""[]""", "object")]
    public async Task Batch_ThatIsNone_Is400(string body, string message) =>
        (await _server.SendAsync("POST", "/databases/shop/bulk_docs", body)).AssertProblem(400, "BadRequestException", message);

    [Fact]
    public async Task Batch_WithAStaleChangeVector_Is409AndWritesNothing()
    {
        await _server.PutAsync("shop", "versioned", """{"v":1}""");

        Answer answer = await _server.SendAsync("POST", "/databases/shop/bulk_docs", """
            {"Commands":[{"Type":"PUT","Id":"stale/first","Document":{}},
            {"Type":"PUT","Id":"versioned","ChangeVector":"A:999-AAAAAAAAAAAAAAAAAAAAAA","Document":{"v":2}}]}
            """);

        answer.AssertProblem(409, "ConcurrencyException", "versioned", "A:999-AAAAAAAAAAAAAAAAAAAAAA");
        Assert.Equal("versioned", answer.Json.GetProperty("Id").GetString());
        Assert.Equal("A:999-AAAAAAAAAAAAAAAAAAAAAA", answer.Json.GetProperty("ExpectedChangeVector").GetString());
        Assert.Equal(404, (await _server.GetAsync("shop", "stale/first")).Status);
        Assert.Contains("\"v\":1", (await _server.GetAsync("shop", "versioned")).Text, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("nonsense")]
    [InlineData("A:x-y")]
    [InlineData("A:1-short")]
    [InlineData("\\\"")]
    public async Task ChangeVector_ThatIsNone_IsAConflictNotAFailure(string vector)
    {
        await _server.PutAsync("shop", "versioned2", "{}");

        (await _server.PutAsync("shop", "versioned2", "{}", ("If-Match", $"\"{vector}\""))).AssertProblem(409, "ConcurrencyException", "versioned2");
        (await _server.SendAsync("DELETE", "/databases/shop/docs?id=versioned2", null, ("If-Match", $"\"{vector}\"")))
            .AssertProblem(409, "ConcurrencyException", "versioned2");
        Assert.Equal(200, (await _server.GetAsync("shop", "versioned2")).Status);
    }

    [Theory]
    [InlineData("start=-1", "start")]
    [InlineData("pageSize=-1", "pageSize")]
    [InlineData("pageSize=abc", "pageSize")]
    [InlineData("pageSize=99999999999999999999", "pageSize")]
    [InlineData("startsWith=a&start=-5", "start")]
    [InlineData("startsWith=a&pageSize=1.5", "pageSize")]
    public async Task Paging_ThatCannotBe_Is400(string query, string name)
    {
        (await _server.SendAsync("GET", $"/databases/shop/docs?{query}")).AssertProblem(400, "ArgumentException", name);
        (await _server.SendAsync("GET", $"/databases/shop/streams/docs?{query}")).AssertProblem(400, "ArgumentException", name);
    }

    [Theory]
    [InlineData("GET", "/nowhere")]
    [InlineData("GET", "/databases/shop/nowhere")]
    [InlineData("GET", "/")]
    [InlineData("GET", "/databases/shop")]
    [InlineData("GET", "/a/very/%F0%9F%98%80/long?query=1")]
    public async Task Route_Unknown_Is400ThatNamesIt(string method, string path) =>
        (await _server.SendAsync(method, path)).AssertProblem(400, "RouteNotFoundException", method, path.Split('?', '%')[0]);

    [Theory]
    [InlineData("GET", "/databases/shop/subscriptions", "Subscriptions are")]
    public async Task Feature_ThatComesLater_Is501(string method, string path, string message) =>
        (await _server.SendAsync(method, path, "{}")).AssertProblem(501, "NotSupportedException", message);

    [Theory]
    [InlineData("PUT", "/databases/shop/bulk_docs")]
    [InlineData("DELETE", "/databases/shop/stats")]
    public async Task Method_NotOfTheRoute_Is405WithAllow(string method, string path)
    {
        Answer answer = await _server.SendAsync(method, path, method == "PUT" ? "{}" : null);
        answer.AssertProblem(405, "RouteNotFoundException", method);
        Assert.True(answer.Headers.ContainsKey("Allow"));
    }

    [Fact]
    public async Task MultiGet_WithTooManyOrBrokenRequests_IsRefused()
    {
        string many = string.Join(',', Enumerable.Repeat("""{"Url":"/databases/shop/docs","Query":"?id=a","Method":"GET"}""", 1025));
        (await _server.SendAsync("POST", "/databases/shop/multi_get", $$"""{"Requests":[{{many}}]}""")).AssertProblem(413, "BadRequestException", "1024");
        (await _server.SendAsync("POST", "/databases/shop/multi_get", """{"Requests":[7]}""")).AssertProblem(400, "BadRequestException");
    }

    [Fact]
    public async Task BulkInsert_Broken_FailsTheOperationWithItsReason()
    {
        Answer answer = await _server.SendAsync(
            "POST", "/databases/shop/bulk_insert?id=77", """[{"Type":"PUT","Id":"bulk/1","Document":{}},{"Type":"WHAT","Id":"x"}]""");
        answer.AssertProblem(answer.Status, "BadRequestException", "WHAT");
        Answer state = await _server.SendAsync("GET", "/databases/shop/operations/state?id=77");
        Assert.Equal("Faulted", state.Json.GetProperty("Status").GetString());
    }

    [Fact]
    public async Task Url_WithTenThousandIds_IsRefusedOrAnswered()
    {
        string ids = string.Join('&', Enumerable.Range(0, 2000).Select(i => $"id=many/{i}"));
        Answer answer = await _server.SendAsync("GET", $"/databases/shop/docs?{ids}");
        Assert.Equal(200, answer.Status);
        Assert.Equal(2000, answer.Json.GetProperty("Results").GetArrayLength());
    }
}
