using System.Text.Json;
using Jackdaw.Documents;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Documents;

public sealed class BatchTests : IAsyncLifetime
{
    private ServerFixture _server = null!;

    public async Task InitializeAsync() => _server = await ServerFixture.StartAsync(new ServerSetup { LeftOut = ["indexes"] });

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Fact]
    public async Task Post_PutsAndDeletes_AnswersOneResultPerCommandInOrder()
    {
        await _server.PutAsync("users/9", "{}");

        Answer answer = await _server.DbAsync("POST", "/bulk_docs?", """
            {"TransactionMode":"SingleNode","Commands":[
              {"Id":"users/1-A","Document":{"name":"Ann","@metadata":{"@collection":"Users","@id":"x","Raven-Node-Type":null}},"Type":"PUT"},
              {"Id":"users/","ChangeVector":"","Document":{},"Type":"PUT"},
              {"Id":"users/9","ChangeVector":null,"Type":"DELETE"},
              {"Id":"users/8","Type":"DELETE"},
              {"Id":null,"Document":{},"Type":"PUT"}]}
            """);

        Assert.Equal(201, answer.Status);
        JsonElement results = answer.Json.GetProperty("Results");
        Assert.Equal(["PUT", "PUT", "DELETE", "DELETE", "PUT"], results.EnumerateArray().Select(
            one => one.GetProperty("Type").GetString()));
        Assert.Equal(["Type", "@id", "@collection", "@change-vector", "@last-modified"], results[0].EnumerateObject().Select(member => member.Name));
        Assert.Equal("Users", results[0].GetProperty("@collection").GetString());
        Assert.Equal(["Type", "@id", "@change-vector", "@last-modified"], results[1].EnumerateObject().Select(member => member.Name));
        Assert.StartsWith("users/000", results[1].GetProperty("@id").GetString(), StringComparison.Ordinal);
        Assert.True(results[2].GetProperty("Deleted").GetBoolean());
        Assert.False(results[3].GetProperty("Deleted").GetBoolean());
        Assert.True(Guid.TryParse(results[4].GetProperty("@id").GetString(), out _));
        Assert.Contains("batch;desc", answer.Header("Server-Timing"), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Post_OneConflict_LeavesNothingChanged()
    {
        await _server.PutAsync("a", """{"v":1}""");

        Answer answer = await _server.DbAsync("POST", "/bulk_docs", """
            {"Commands":[{"Id":"b","Document":{},"Type":"PUT"},{"Id":"a","ChangeVector":"A:77-old","Document":{"v":2},"Type":"PUT"}]}
            """);

        answer.AssertProblem(409, "ConcurrencyException", "'a'");
        Assert.Equal("A:77-old", answer.Json.GetProperty("ExpectedChangeVector").GetString());
        Assert.StartsWith("A:1-", answer.Json.GetProperty("ActualChangeVector").GetString(), StringComparison.Ordinal);
        Assert.Equal(404, (await _server.DbAsync("GET", "/docs?id=b")).Status);
    }

    [Fact]
    public async Task Post_OneIdTwice_NamesTheStoredVersionAndWhatIsWrong()
    {
        await _server.PutAsync("a", "{}");
        string stored = (await _server.DbAsync("GET", "/docs?id=a")).Header("ETag")!.Trim('"');

        Answer twice = await _server.DbAsync("POST", "/bulk_docs", $$$"""
            {"Commands":[{"Id":"a","Document":{},"Type":"PUT"},{"Id":"A","ChangeVector":"{{{stored}}}","Type":"DELETE"}]}
            """);
        Answer made = await _server.DbAsync("POST", "/bulk_docs", """
            {"Commands":[{"Id":"b","Document":{},"Type":"PUT"},{"Id":"b","ChangeVector":"","Document":{},"Type":"PUT"}]}
            """);

        twice.AssertProblem(409, "ConcurrencyException", "'A' is changed twice in one batch", $"the stored document has change vector '{stored}'");
        Assert.Equal(stored, twice.Json.GetProperty("ActualChangeVector").GetString());
        Assert.Equal(stored, twice.Json.GetProperty("ExpectedChangeVector").GetString());
        made.AssertProblem(409, "ConcurrencyException", "'b' is changed twice in one batch", "the stored document does not exist");
        Assert.Equal("", made.Json.GetProperty("ActualChangeVector").GetString());
    }

    [Fact]
    public async Task Post_MalformedNoReply_IsRefusedBeforeTheWrite()
    {
        (await _server.DbAsync("POST", "/bulk_docs?noreply=maybe", """{"Commands":[{"Id":"a","Document":{},"Type":"PUT"}]}"""))
            .AssertProblem(400, "ArgumentException", "noreply");
        Assert.Equal(404, (await _server.DbAsync("GET", "/docs?id=a")).Status);
    }

    [Fact]
    public async Task Post_DeleteByPrefix_DeletesAllOfIt()
    {
        await _server.PutAsync("users/1", "{}");
        await _server.PutAsync("Users/2", "{}");
        await _server.PutAsync("orders/1", "{}");

        Answer answer = await _server.DbAsync("POST", "/bulk_docs", """{"Commands":[{"Id":"users/","IdPrefixed":true,"Type":"DELETE"}]}""");

        Assert.True(answer.Json.GetProperty("Results")[0].GetProperty("Deleted").GetBoolean());
        Assert.Equal(1, (await _server.DbAsync("GET", "/docs")).Json.GetProperty("Results").GetArrayLength());
    }

    [Theory]
    [InlineData("""{"Commands":[{"Id":"a","Type":"FLY"}]}""", 400, "FLY")]
    [InlineData("""{"Commands":[{"Id":"a"}]}""", 400, "Type")]
    [InlineData("""{"Commands":[{"Id":"a","Type":"PUT"}]}""", 400, "Document")]
    [InlineData("""{"Commands":[{"Id":"a","Type":"PUT","Document":[]}]}""", 400, "")]
    [InlineData("""{"Commands":[{"Id":"a","Type":"PATCH"}]}""", 400, "Patch")]
    [InlineData("""{"Commands":[{"Id":"a","Type":"Counters"}]}""", 400, "has no Counters")]
    [InlineData("""{"Commands":[],"TransactionMode":"ClusterWide"}""", 400, "has no commands")]
    [InlineData("""{"Commands":{}}""", 400, "Commands")]
    [InlineData("""{}""", 400, "Commands")]
    [InlineData("""{"Commands":[{"Id":"a","Type":"PUT","Document":{"x":1,"x":2}}]}""", 400, "two")]
    [InlineData("", 400, "")]
    public async Task Post_BatchThatCannotBeDone_IsRefusedWhole(string body, int status, string message)
    {
        Answer answer = await _server.DbAsync("POST", "/bulk_docs", body);

        answer.AssertProblem(status, "Exception", message);
        Assert.Equal(0, _server.Probe.Batches);
    }

    [Fact]
    public async Task Post_IdsThatCannotBe_AreRefused()
    {
        foreach (string id in (string[])[new('x', 513), "a\\u0000b", new string('x', 500) + "/"])
        {
            (await _server.DbAsync("POST", "/bulk_docs", $$$"""{"Commands":[{"Id":"{{{id}}}","Type":"PUT","Document":{}}]}"""))
                .AssertProblem(400, "Exception", "id");
        }
    }

    [Fact]
    public async Task Post_LaterOptions_AreRefused()
    {
        const string body = """{"Commands":[]}""";
        (await _server.DbAsync("POST", "/bulk_docs?numberOfReplicasToWaitFor=2", body)).AssertProblem(
            501, "NotSupportedException", "replicas");
        Assert.Equal(201, (await _server.DbAsync(
            "POST", "/bulk_docs?waitForReplicasTimeout=00:00:15&numberOfReplicasToWaitFor=majority", body)).Status);
        Assert.Equal(201, (await _server.DbAsync(
            "POST", "/bulk_docs?numberOfReplicasToWaitFor=2&throwOnTimeoutInWaitForReplicas=false", body)).Status);
    }

    [Fact]
    public async Task MultiGet_SubRequests_AreAnsweredFromOneSnapshotInOrder()
    {
        await _server.PutAsync("a", """{"n":1}""");
        string tag = (await _server.DbAsync("GET", "/docs?id=a")).Header("ETag")!.Trim('"');
        int before = _server.Probe.ScopesBegun;

        Answer answer = await _server.DbAsync("POST", "/multi_get", $$$"""
            {"Requests":[
              {"Url":"/databases/DB1/docs","Query":"?&id=a","Method":"GET","Headers":{"Sharded":true},"Content":null},
              {"Url":"/databases/db1/docs","Query":"?&id=a","Method":"GET","Headers":{"If-None-Match":"{{{tag}}}"}},
              {"Url":"/databases/db1/docs","Query":"?&id=none"},
              {"Url":"/databases/db1/docs","Query":"?&id=none","Headers":{"If-None-Match":"404 Response"}},
              {"Url":"/databases/db1/docs","Query":"","Method":"POST","Content":"{\"Ids\":[\"a\",\"b\"]}"},
              {"Url":"/databases/db1/indexes","Query":"?name=x","Method":"GET"},
              {"Url":"/databases/other/docs","Query":"?id=a"},
              {"Url":"/databases/db1/docs","Query":"?startsWith=a&pageSize=-1"}]}
            """);

        Assert.Equal(1, _server.Probe.ScopesBegun - before);
        JsonElement[] results = [.. answer.Json.GetProperty("Results").EnumerateArray()];
        Assert.Equal(
            [200, 304, 404, 404, 200, 501, 400, 400], results.Select(one => one.GetProperty("StatusCode").GetInt32()));
        Assert.Equal($"\"{tag}\"", results[0].GetProperty("Headers").GetProperty("ETag").GetString());
        Assert.Equal(1, results[0].GetProperty("Result").GetProperty("Results")[0].GetProperty("n").GetInt32());
        Assert.Equal(JsonValueKind.Null, results[1].GetProperty("Result").ValueKind);
        Assert.Equal(2, results[4].GetProperty("Result").GetProperty("Results").GetArrayLength());
        Assert.Contains("not supported yet", results[5].GetProperty("Result").GetProperty("Message").GetString(), StringComparison.Ordinal);
    }

    /// <summary>Official clients parse this result whatever its status; null makes a lazy load of a missing document throw.</summary>
    [Theory]
    [InlineData("{}")]
    [InlineData("""{"If-None-Match":"404 Response"}""")]
    public async Task MultiGet_MissingDocument_Answers404WithAResultThatClientsCanParse(string headers)
    {
        Answer answer = await _server.DbAsync("POST", "/multi_get", $$"""
            {"Requests":[{"Url":"/databases/db1/docs","Query":"?&id=none","Method":"GET","Headers":{{headers}}}]}
            """);

        JsonElement one = Assert.Single(answer.Json.GetProperty("Results").EnumerateArray());
        Assert.Equal(404, one.GetProperty("StatusCode").GetInt32());
        Assert.False(one.GetProperty("Headers").TryGetProperty("ETag", out _));
        JsonElement result = one.GetProperty("Result");
        Assert.Equal(JsonValueKind.Null, Assert.Single(result.GetProperty("Results").EnumerateArray()).ValueKind);
        Assert.Equal(JsonValueKind.Object, result.GetProperty("Includes").ValueKind);
    }

    [Fact]
    public async Task MultiGet_EmptyListOfIds_IsRefusedAsItIsAlone()
    {
        await _server.PutAsync("a", "{}");

        Answer alone = await _server.DbAsync("POST", "/docs", """{"Ids":[]}""");
        Answer answer = await _server.DbAsync("POST", "/multi_get", """
            {"Requests":[{"Url":"/databases/db1/docs","Query":"","Method":"POST","Content":"{\"Ids\":[]}"}]}
            """);

        alone.AssertProblem(400, "BadRequestException", "'Ids' is empty");
        JsonElement result = answer.Json.GetProperty("Results")[0];
        Assert.Equal(400, result.GetProperty("StatusCode").GetInt32());
        Assert.Contains("'Ids' is empty", result.GetProperty("Result").GetProperty("Message").GetString(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("{}")]
    [InlineData("""{"Requests":[{}]}""")]
    [InlineData("""{"Requests":1}""")]
    public async Task MultiGet_MalformedBody_Answers400(string body) =>
        (await _server.DbAsync("POST", "/multi_get", body)).AssertProblem(400, "BadRequestException", "");

    [Fact]
    public async Task HiLo_NextAndReturn_GiveDisjointRanges()
    {
        Task<Answer> NextAsync(string query) => _server.DbAsync("GET", $"/hilo/next?tag=users&lastBatchSize=0{query}");

        Answer first = await NextAsync(
            "&lastRangeAt=1970-01-01T00%3A00%3A00.0000000Z&identityPartsSeparator=/&lastMax=0");
        Answer second = await NextAsync("&lastMax=100");

        Assert.Equal(("users/", 1, 32, 32), (
            first.Json.GetProperty("Prefix").GetString(), first.Json.GetProperty("Low").GetInt64(),
            first.Json.GetProperty("High").GetInt64(), first.Json.GetProperty("LastSize").GetInt64()));
        Assert.Equal("A", first.Json.GetProperty("ServerTag").GetString());
        Assert.Equal(101, second.Json.GetProperty("Low").GetInt64());
        Assert.Equal(204, (await _server.DbAsync("PUT", "/hilo/return?tag=users&end=132&last=110")).Status);
        Assert.Equal(111, (await NextAsync("")).Json.GetProperty("Low").GetInt64());
        Answer stored = await _server.DbAsync("GET", "/docs?id=Raven/Hilo/users");
        Assert.Equal("@hilo", stored.Json.GetProperty("Results")[0].GetProperty("@metadata").GetProperty("@collection").GetString());
        (await _server.DbAsync("GET", "/hilo/next")).AssertProblem(400, "ArgumentException", "tag");
    }

    [Fact]
    public async Task Identity_NextSeedAndList_ShareOneCaseInsensitiveCounter()
    {
        Assert.Equal("""{"NewIdentityValue":1}""", (await _server.DbAsync("POST", "/identity/next?name=users")).Text);
        Assert.Equal("""{"NewIdentityValue":2}""", (await _server.DbAsync("POST", "/identity/next?name=USERS|&raft-request-id=x")).Text);
        Assert.Equal("""{"NewSeedValue":100}""", (await _server.DbAsync("POST", "/identity/seed?name=users&value=100")).Text);
        Assert.Equal("""{"NewSeedValue":100}""", (await _server.DbAsync("POST", "/identity/seed?name=users&value=5")).Text);
        Assert.Equal("""{"NewSeedValue":5}""", (await _server.DbAsync("POST", "/identity/seed?name=users&value=5&force=true")).Text);
        Assert.Equal("""{"users|":5}""", (await _server.DbAsync("GET", "/debug/identities?start=0&pageSize=10")).Text);
        (await _server.DbAsync("POST", "/identity/seed?name=users")).AssertProblem(400, "ArgumentException", "value");
        (await _server.DbAsync("POST", "/identity/next")).AssertProblem(400, "ArgumentException", "name");
    }

    [Fact]
    public async Task Numbers_AtTheLargest_AreRefusedWithAdvice()
    {
        await _server.DbAsync("POST", $"/identity/seed?name=users&value={long.MaxValue}");

        (await _server.DbAsync("POST", "/identity/next?name=users")).AssertProblem(
            400, "InvalidOperationException", "'users|' of database 'db1'", "identity/seed");
        (await _server.DbAsync("PUT", "/docs?id=Users%7C", "{}")).AssertProblem(400, "InvalidOperationException", "'Users|'", "identity/seed");
        (await _server.DbAsync("POST", "/bulk_docs", """{"Commands":[{"Id":"users|","Document":{},"Type":"PUT"}]}""")).AssertProblem(
            400, "InvalidOperationException", "'users|'");
        (await _server.DbAsync("POST", "/bulk_insert?id=1", """[{"Id":"users|","Document":{},"Type":"PUT"}]""")).AssertProblem(
            400, "InvalidOperationException", "'users|'");
        (await _server.DbAsync("GET", $"/hilo/next?tag=users&lastMax={long.MaxValue}")).AssertProblem(
            400, "InvalidOperationException", "'users' in database 'db1'", "Raven/Hilo/users");
    }

    [Fact]
    public async Task HiLo_DocumentWithoutAWholeNumber_SaysWhatToDo()
    {
        _server.Probe.Refusal = WriteStatus.HiLoUnreadable;

        (await _server.DbAsync("GET", "/hilo/next?tag=users")).AssertProblem(
            400, "InvalidOperationException", "'Raven/Hilo/users' of database 'db1'", "'Max'");
    }
}
