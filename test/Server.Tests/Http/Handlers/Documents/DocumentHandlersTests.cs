using System.Text;
using System.Text.Json;
using Jackdaw.Documents;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Documents;

public sealed class DocumentHandlersTests : IAsyncLifetime
{
    private ServerFixture _server = null!;

    public async Task InitializeAsync() => _server = await ServerFixture.StartAsync();

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Fact]
    public async Task Get_OneExistingDocument_AnswersItWithChangeVectorAsETag()
    {
        await _server.PutAsync("users/1-A", """{"Name":"Ann","@metadata":{"@collection":"Users"}}""");

        Answer answer = await _server.DbAsync("GET", "/docs?&id=USERS/1-a");

        Assert.Equal(200, answer.Status);
        JsonElement document = answer.Json.GetProperty("Results")[0];
        Assert.Equal("Ann", document.GetProperty("Name").GetString());
        JsonElement metadata = document.GetProperty("@metadata");
        Assert.Equal("users/1-A", metadata.GetProperty("@id").GetString());
        Assert.Equal("Users", metadata.GetProperty("@collection").GetString());
        Assert.Equal(28, metadata.GetProperty("@last-modified").GetString()!.Length);
        Assert.Equal($"\"{metadata.GetProperty("@change-vector").GetString()}\"", answer.Header("ETag"));
        Assert.Equal("{}", answer.Json.GetProperty("Includes").GetRawText());
        Assert.Equal(answer.Text.Length.ToString(), answer.Header("Content-Length"));
        Assert.StartsWith("total;dur=", answer.Header("Server-Timing"), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("\"{0}\"")]
    [InlineData("{0}")]
    [InlineData("W/\"{0}\"")]
    public async Task Get_CurrentETagInIfNoneMatch_Answers304WithoutBody(string form)
    {
        await _server.PutAsync("a", "{}");
        string tag = (await _server.DbAsync("GET", "/docs?id=a")).Header("ETag")!.Trim('"');

        Answer answer = await _server.DbAsync("GET", "/docs?id=a", null, ("If-None-Match", form.Replace("{0}", tag)));

        Assert.Equal(304, answer.Status);
        Assert.Empty(answer.Text);
        await _server.PutAsync("a", """{"x":1}""");
        Assert.Equal(200, (await _server.DbAsync("GET", "/docs?id=a", null, ("If-None-Match", form.Replace("{0}", tag)))).Status);
    }

    [Fact]
    public async Task Get_MissingDocument_Answers404WithoutBodyAnd304ToTheRemembered404()
    {
        Answer missing = await _server.DbAsync("GET", "/docs?id=nothing");
        Answer again = await _server.DbAsync("GET", "/docs?id=nothing", null, ("If-None-Match", "404 Response"));
        await _server.PutAsync("nothing", "{}");
        Answer found = await _server.DbAsync("GET", "/docs?id=nothing", null, ("If-None-Match", "404 Response"));

        Assert.Equal((404, ""), (missing.Status, missing.Text));
        Assert.Equal(304, again.Status);
        Assert.Equal(200, found.Status);
    }

    [Fact]
    public async Task Get_SeveralIds_KeepsTheirOrderAndAnswersNullForMissing()
    {
        await _server.PutAsync("a", """{"n":1}""");
        await _server.PutAsync("b", """{"n":2}""");

        Answer answer = await _server.DbAsync("GET", "/docs?id=b&id=none&id=a&id=&");

        JsonElement results = answer.Json.GetProperty("Results");
        Assert.Equal(4, results.GetArrayLength());
        Assert.Equal(2, results[0].GetProperty("n").GetInt32());
        Assert.Equal(JsonValueKind.Null, results[1].ValueKind);
        Assert.Equal(1, results[2].GetProperty("n").GetInt32());
        Assert.Equal(JsonValueKind.Null, results[3].ValueKind);
        Assert.Equal(304, (await _server.DbAsync(
            "GET", "/docs?id=b&id=none&id=a&id=&", null, ("If-None-Match", answer.Header("ETag")!))).Status);
    }

    [Fact]
    public async Task Get_Includes_AnswersExistingReferencedDocumentsOnceFromTheSameSnapshot()
    {
        await _server.PutAsync("companies/1", """{"Name":"Acme","@metadata":{"@collection":"Companies"}}""");
        await _server.PutAsync("users/1", """{"company":"COMPANIES/1","lines":[{"product":"none"},{"product":"companies/1"}]}""");
        int before = _server.Probe.ScopesBegun;

        Answer answer = await _server.DbAsync("GET", "/docs?id=users/1&include=company&include=lines.product");

        Assert.Equal(1, _server.Probe.ScopesBegun - before);
        JsonProperty included = Assert.Single(answer.Json.GetProperty("Includes").EnumerateObject());
        Assert.Equal("companies/1", included.Name);
        Assert.Equal("Acme", included.Value.GetProperty("Name").GetString());
    }

    [Fact]
    public async Task Post_LongListOfIds_AnswersAsGetDoes()
    {
        await _server.PutAsync("a", """{"n":1}""");

        Answer answer = await _server.DbAsync("POST", "/docs", """{"Ids":["a",null,"none"]}""");

        Assert.Equal(3, answer.Json.GetProperty("Results").GetArrayLength());
        (await _server.DbAsync("POST", "/docs", """{"Ids":[]}""")).AssertProblem(400, "BadRequestException", "empty");
        (await _server.DbAsync("POST", "/docs", """{"Ids":[1]}""")).AssertProblem(400, "BadRequestException", "Ids");
        (await _server.DbAsync("POST", "/docs", "{}")).AssertProblem(400, "BadRequestException", "Ids");
    }

    [Fact]
    public async Task Get_Prefix_PagesInOrderOfLowerCasedIds()
    {
        foreach (string id in (string[])["users/b", "Users/A", "users/c", "users/d", "orders/1"])
        {
            await _server.PutAsync(id, "{}");
        }

        Assert.Equal(["Users/A", "users/b", "users/c", "users/d"], await IdsAsync("/docs?startsWith=users/"));
        Assert.Equal(["users/b", "users/c"], await IdsAsync("/docs?startsWith=users/&start=1&pageSize=2"));
        Assert.Equal(["users/c", "users/d"], await IdsAsync("/docs?startsWith=users/&startAfter=users/B"));
        Assert.Equal(["users/c"], await IdsAsync("/docs?startsWith=users/&matches=B|c&exclude=b"));
        Assert.Empty(await IdsAsync("/docs?startsWith=users/&pageSize=0"));
        Assert.Equal(["orders/1"], await IdsAsync("/docs?pageSize=1"));
        Assert.Equal(["users/b", "Users/A"], await IdsAsync("/docs?etag=1&pageSize=2"));
    }

    [Fact]
    public async Task Get_MetadataOnly_LeavesTheContentOut()
    {
        await _server.PutAsync("a", """{"big":"x","@metadata":{"@collection":"Things","k":1}}""");

        Answer answer = await _server.DbAsync("GET", "/docs?id=a&metadataOnly=true");

        JsonElement document = answer.Json.GetProperty("Results")[0];
        Assert.Equal("@metadata", Assert.Single(document.EnumerateObject()).Name);
        Assert.Equal(1, document.GetProperty("@metadata").GetProperty("k").GetInt32());
    }

    [Theory]
    [InlineData("start=-1", "start")]
    [InlineData("pageSize=-5", "pageSize")]
    [InlineData("pageSize=many", "pageSize")]
    [InlineData("metadataOnly=maybe", "metadataOnly")]
    [InlineData("pageSize=99999999999999999999", "pageSize")]
    public async Task Get_MalformedParameter_Answers400NamingIt(string parameter, string name) =>
        (await _server.DbAsync("GET", $"/docs?startsWith=a&{parameter}")).AssertProblem(400, "ArgumentException", name);

    [Theory]
    [InlineData("timeseries=hr&from=&to=", "Time series")]
    public async Task Get_IncludeOfALaterFeature_Answers501InsteadOfLess(string parameter, string feature)
    {
        await _server.PutAsync("a", "{}");

        (await _server.DbAsync("GET", $"/docs?id=a&{parameter}")).AssertProblem(501, "NotSupportedException", feature);
    }

    [Fact]
    public async Task Head_ExistingChangedAndMissing_AnswersByStatusAndETag()
    {
        await _server.PutAsync("a", "{}");

        Answer found = await _server.DbAsync("HEAD", "/docs?id=A");

        Assert.Equal(200, found.Status);
        Assert.StartsWith("\"A:1-", found.Header("ETag"), StringComparison.Ordinal);
        Assert.Equal(304, (await _server.DbAsync(
            "HEAD", "/docs?id=a", null, ("If-None-Match", found.Header("ETag")!.Trim('"')))).Status);
        Assert.Equal(404, (await _server.DbAsync("HEAD", "/docs?id=b")).Status);
    }

    [Fact]
    public async Task Put_FormsOfIds_AreCompletedByTheServer()
    {
        async Task<string> PutAsync(string id)
        {
            Answer answer = await _server.DbAsync("PUT", $"/docs?id={id}", "{}");
            Assert.Equal(201, answer.Status);
            Assert.StartsWith("A:", answer.Json.GetProperty("ChangeVector").GetString(), StringComparison.Ordinal);
            return answer.Json.GetProperty("Id").GetString()!;
        }

        Assert.Equal("users/0000000000000000001-A", await PutAsync("users/"));
        Assert.Equal("users/1", await PutAsync("users|"));
        Assert.Equal("users/2", await PutAsync("users%7C"));
        Assert.True(Guid.TryParse(await PutAsync(""), out _));
        Assert.Equal("a b+c/ü", await PutAsync("a%20b%2Bc/%C3%BC"));
        Assert.Equal("a b+c/ü", await PutAsync("A+B%2BC/%C3%BC"));
    }

    [Fact]
    public async Task Put_IfMatch_ChecksTheStoredVersion()
    {
        Answer created = await _server.DbAsync("PUT", "/docs?id=a", "{}", ("If-Match", "\"\""));
        string first = created.Json.GetProperty("ChangeVector").GetString()!;
        Answer exists = await _server.DbAsync("PUT", "/docs?id=a", "{}", ("If-Match", "\"\""));
        Answer updated = await _server.DbAsync("PUT", "/docs?id=a", """{"v":2}""", ("If-Match", $"\"{first}\""));
        Answer outdated = await _server.DbAsync("PUT", "/docs?id=a", """{"v":3}""", ("If-Match", $"\"{first}\""));
        Answer foreign = await _server.DbAsync(
            "PUT", "/docs?id=a", "{}", ("If-Match", "\"B:1-AAAAAAAAAAAAAAAAAAAAAA\""));

        Assert.Equal(201, created.Status);
        Assert.Equal(201, updated.Status);
        exists.AssertProblem(409, "ConcurrencyException", "'a'");
        outdated.AssertProblem(409, "ConcurrencyException", first);
        foreign.AssertProblem(409, "ConcurrencyException", "B:1-");
        Assert.Equal("a", outdated.Json.GetProperty("Id").GetString());
        Assert.Equal(first, outdated.Json.GetProperty("ExpectedChangeVector").GetString());
        Assert.Equal(updated.Json.GetProperty("ChangeVector").GetString(), outdated.Json.GetProperty("ActualChangeVector").GetString());
        Assert.Equal(
            2, (await _server.DbAsync("GET", "/docs?id=a")).Json.GetProperty("Results")[0].GetProperty("v").GetInt32());
    }

    /// <summary>The etag 0 is what the store says of a document that does not exist.</summary>
    [Fact]
    public async Task IfMatch_EtagZero_IsAVersionThatNoDocumentHas()
    {
        string zero = $"A:0-{_server.Database.DatabaseId}";
        Answer put = await _server.DbAsync("PUT", "/docs?id=a", "{}", ("If-Match", $"\"{zero}\""));
        Answer delete = await _server.DbAsync("DELETE", "/docs?id=a", null, ("If-Match", $"\"{zero}\""));
        Answer batch = await _server.DbAsync(
            "POST", "/bulk_docs", $$$"""{"Commands":[{"Type":"PUT","Id":"a","ChangeVector":"{{{zero}}}","Document":{}}]}""");

        Assert.All([put, delete, batch], answer => answer.AssertProblem(409, "ConcurrencyException", "does not exist", zero));
        Assert.Equal(404, (await _server.DbAsync("GET", "/docs?id=a")).Status);
    }

    [Fact]
    public async Task Put_ShowsWhatTheWriteCost()
    {
        _server.Probe.Cost = new WriteCost(12, 1, 345);

        Answer answer = await _server.DbAsync("PUT", "/docs?id=a", "{}");

        Assert.Contains("queue;dur=0.012, journal;dur=0.345, batch;desc=\"1\"", answer.Header("Server-Timing"), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Delete_ExistingAndMissing_Answers204AndChecksIfMatch()
    {
        await _server.PutAsync("a", "{}");

        (await _server.DbAsync("DELETE", "/docs?id=a", null, ("If-Match", "\"A:99-x\""))).AssertProblem(
            409, "ConcurrencyException", "A:99-x");
        Assert.Equal(204, (await _server.DbAsync("DELETE", "/docs?id=a")).Status);
        Assert.Equal(204, (await _server.DbAsync("DELETE", "/docs?id=a")).Status);
        Assert.Equal(404, (await _server.DbAsync("GET", "/docs?id=a")).Status);
    }

    [Fact]
    public async Task Size_ExistingDocument_AnswersItsBytes()
    {
        await _server.PutAsync("users/1", """{"Name":"Ann"}""");

        Answer answer = await _server.DbAsync("GET", "/docs/size?id=USERS/1");

        Assert.Equal("users/1", answer.Json.GetProperty("DocId").GetString());
        Assert.True(answer.Json.GetProperty("ActualSize").GetInt64() > 10);
        Assert.Equal(404, (await _server.DbAsync("GET", "/docs/size?id=none")).Status);
    }

    /// <summary>Not HEAD: official clients wait for ever for the text of a refused one, and no document has such an id.</summary>
    [Theory]
    [InlineData("GET")]
    [InlineData("HEAD")]
    [InlineData("PUT")]
    [InlineData("DELETE")]
    public async Task AnyVerb_IdThatCannotBeOne_Answers400AndHead404(string method)
    {
        string tooLong = new('x', 513);
        foreach (string id in (string[])[tooLong, "a%00b", "%ff%fe", new string('%', 5000)])
        {
            Answer answer = await _server.DbAsync(method, $"/docs?id={id}", method == "PUT" ? "{}" : null);
            if (method == "HEAD")
            {
                Assert.Equal(404, answer.Status);
                continue;
            }

            answer.AssertProblem(400, "ArgumentException", "id");
        }

        await _server.PutAsync(new string('x', 512), "{}");
    }

    [Theory]
    [InlineData("..%2F..%2Fetc%2Fpasswd")]
    [InlineData("../../x")]
    [InlineData("%2e%2e%5c")]
    public async Task Put_IdThatLooksLikeAPath_IsOnlyAnId(string id)
    {
        await _server.PutAsync(id, """{"n":7}""");

        Assert.Equal(7, (await _server.DbAsync("GET", $"/docs?id={id}")).Json.GetProperty("Results")[0].GetProperty("n").GetInt32());
    }

    [Fact]
    public async Task Put_WhileTheQueueIsFull_Answers503WithRetryAfter()
    {
        _server.Probe.Refusal = WriteStatus.QueueFull;

        Answer answer = await _server.DbAsync("PUT", "/docs?id=a", "{}");

        answer.AssertProblem(503, "TimeoutException", "queue");
        Assert.NotNull(answer.Header("Retry-After"));
    }

    [Fact]
    public async Task GetAndPut_DocumentOfMegabytes_RoundTripsUnchanged()
    {
        string text = new('ä', 3_000_000);
        await _server.PutAsync("big", $$"""{"t":"{{text}}"}""");

        Answer answer = await _server.DbAsync("GET", "/docs?id=big");

        Assert.Equal(text, answer.Json.GetProperty("Results")[0].GetProperty("t").GetString());
        Assert.Equal(Encoding.UTF8.GetByteCount(answer.Text).ToString(), answer.Header("Content-Length"));
    }

    private async Task<string[]> IdsAsync(string path)
    {
        Answer answer = await _server.DbAsync("GET", path);
        Assert.Equal(200, answer.Status);
        Assert.Equal(304, (await _server.DbAsync("GET", path, null, ("If-None-Match", answer.Header("ETag")!))).Status);
        return [.. answer.Json.GetProperty("Results").EnumerateArray()
            .Select(document => document.GetProperty("@metadata").GetProperty("@id").GetString()!)];
    }
}
