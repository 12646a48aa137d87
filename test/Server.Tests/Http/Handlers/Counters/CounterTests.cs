using System.Text.Json;
using Jackdaw.Documents.Counters;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Counters;

public sealed class CounterTests : IAsyncLifetime
{
    private ServerFixture _server = null!;

    public async Task InitializeAsync()
    {
        _server = await ServerFixture.StartAsync();
        await _server.PutAsync("Users/1", """{"Friend":"users/2","@metadata":{"@collection":"Users"}}""");
        await _server.PutAsync("users/2", """{"@metadata":{"@collection":"Users"}}""");
    }

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Read_InAnotherSpelling_AnswersTheNameThatWasAskedFor(bool isFull)
    {
        await PostAsync("users/1", """{"Type":"Increment","CounterName":"Likes","Delta":3}""");
        string full = isFull ? "&full=true" : "";
        Answer get = await _server.DbAsync("GET", $"/counters?docId=users/1&counter=likes&counter=LIKES&counter=Likes&counter=none&counter={full}");
        Answer post = await _server.DbAsync("POST", "/counters", $$"""
            {"ReplyWithAllNodesValues":{{(isFull ? "true" : "false")}},"Documents":[{"DocumentId":"users/1","Operations":[
              {"Type":"Get","CounterName":"likes"},{"Type":"Get","CounterName":"LIKES"},{"Type":"Get","CounterName":"Likes"},
              {"Type":"Get","CounterName":"none"},{"Type":"Get","CounterName":null}]}]}
            """);
        foreach (Answer answer in new[] { get, post })
        {
            Assert.True(answer.Status == 200, answer.Text);
            Assert.Equal(["likes", "LIKES", "Likes", null, null], answer.Json.GetProperty("Counters").EnumerateArray()
                .Select(one => one.ValueKind == JsonValueKind.Null ? null : one.GetProperty("CounterName").GetString()));
        }

        // The name that is stored stays, and is the one of all that do not ask for a name.
        Answer all = await _server.DbAsync("GET", "/counters?docId=users/1");
        Assert.Equal("Likes", all.Json.GetProperty("Counters")[0].GetProperty("CounterName").GetString());
    }

    [Theory]
    [InlineData("""{"Type":"Get"},{"Type":"Get","CounterName":""},{"Type":"Increment","CounterName":"b","Delta":1},{"Type":"Get","CounterName":"B"}""",
        "null,null,b,B")]
    [InlineData("""{"Type":"Get","CounterName":null},{"Type":"Get","CounterName":"none"}""", "null,null")]
    public async Task Read_WithoutAName_IsNullInItsPlace(string operations, string names)
    {
        Answer answer = await PostAsync("users/1", operations);
        Assert.True(answer.Status == 200, answer.Text);
        Assert.Equal(names, string.Join(',', answer.Json.GetProperty("Counters").EnumerateArray()
            .Select(one => one.ValueKind == JsonValueKind.Null ? "null" : one.GetProperty("CounterName").GetString())));
    }

    [Fact]
    public async Task Post_OfEveryOperation_AnswersThoseThatYieldAValue()
    {
        Answer answer = await PostAsync("users/1", """
            {"Type":"Increment","CounterName":"Likes","Delta":3},{"Type":"Delete","CounterName":"x"},{"Type":"Get","CounterName":"y"},
            {"Type":"Put","CounterName":"z","Delta":-7},{"CounterName":"LIKES","Delta":2,"Type":"increment","Other":[1]}
            """);

        Assert.Equal(200, answer.Status);
        Assert.Equal(["Likes=3", "null", "z=-7", "Likes=5"], Details(answer));
        JsonElement detail = answer.Json.GetProperty("Counters")[0];
        Assert.Equal(
            ["DocumentId", "CounterName", "TotalValue", "Etag", "CounterValues", "ChangeVector"],
            detail.EnumerateObject().Select(member => member.Name));
        Assert.Equal(JsonValueKind.Null, detail.GetProperty("CounterValues").ValueKind);
        JsonElement metadata = (await _server.DbAsync("GET", "/docs?id=users/1")).Json.GetProperty("Results")[0].GetProperty("@metadata");
        Assert.Equal("""["Likes","z"]""", metadata.GetProperty("@counters").GetRawText());
        Assert.Equal("HasCounters", metadata.GetProperty("@flags").GetString());
    }

    [Fact]
    public async Task Get_NamesAllAndFull_AnswersInTheOrderOfTheRequest()
    {
        await PostAsync("users/1", """{"Type":"Increment","CounterName":"b","Delta":3},{"Type":"Increment","CounterName":"A","Delta":9007199254740993}""");

        Assert.Equal(["B=3", "null", "a=9007199254740993", "b=3"], Details(await GetAsync("docId=users%2F1&counter=B&counter=none&counter=a&counter=b")));
        Assert.Equal(["A=9007199254740993", "b=3"], Details(await GetAsync("docId=USERS%2F1")));
        Assert.Equal(["null"], Details(await GetAsync("docId=none&counter=b")));
        Assert.Empty(Details(await GetAsync("docId=none")));
        JsonElement full = (await GetAsync("docId=users%2F1&counter=b&full=true")).Json.GetProperty("Counters")[0];
        Assert.Equal($$"""{"A-{{_server.Database.DatabaseId}}":3}""", full.GetProperty("CounterValues").GetRawText());
        Assert.Equal("Users/1", full.GetProperty("DocumentId").GetString());
    }

    [Fact]
    public async Task Post_ThatOnlyReads_WritesNothingAndKnowsAllCounters()
    {
        await PostAsync("users/1", """{"Type":"Increment","CounterName":"b","Delta":3},{"Type":"Increment","CounterName":"A","Delta":1}""");
        int batches = _server.Probe.Batches;

        Answer answer = await _server.DbAsync("POST", "/counters", """
            {"ReplyWithAllNodesValues":true,"Documents":[
             {"Operations":[{"Type":"GetAll"},{"Type":"Get","CounterName":"B"}],"DocumentId":"users/1"},
             {"DocumentId":"none","Operations":[{"Type":"Get","CounterName":"b"},{"Type":"GetAll"}]}]}
            """);

        Assert.Equal(["A=1", "b=3", "B=3", "null"], Details(answer));
        Assert.Equal(JsonValueKind.Object, answer.Json.GetProperty("Counters")[0].GetProperty("CounterValues").ValueKind);
        Assert.Equal(batches, _server.Probe.Batches);
    }

    [Fact]
    public async Task Post_OfSeveralDocuments_IsOneTransaction()
    {
        Answer refused = await _server.DbAsync("POST", "/counters", """
            {"Documents":[{"DocumentId":"users/1","Operations":[{"Type":"Increment","CounterName":"a","Delta":1}]},
             {"DocumentId":"none","Operations":[{"Type":"Increment","CounterName":"a","Delta":1}]}]}
            """);

        refused.AssertProblem(500, "DocumentDoesNotExistException", "'none'", "Nothing");
        Assert.Empty(Details(await GetAsync("docId=users%2F1")));
    }

    [Fact]
    public async Task Increment_BeyondTheRange_IsAnOverflowAndChangesNothing()
    {
        await PostAsync("users/1", $$"""{"Type":"Put","CounterName":"a","Delta":{{long.MaxValue}}}""");

        Answer answer = await PostAsync("users/1", """{"Type":"Increment","CounterName":"b","Delta":1},{"Type":"Increment","CounterName":"A","Delta":1}""");

        answer.AssertProblem(500, "Counters.CounterOverflowException", "'A'", "users/1", $"{long.MaxValue}");
        Assert.Equal([$"a={long.MaxValue}"], Details(await GetAsync("docId=users%2F1")));
    }

    [Theory]
    [InlineData("{}", "Documents")]
    [InlineData("[]", "object")]
    [InlineData("""{"Documents":7}""", "array")]
    [InlineData("""{"Documents":[],"Documents":[]}""", "twice")]
    [InlineData("""{"Documents":[{"Operations":[]}]}""", "id is empty")]
    [InlineData("""{"Documents":[{"DocumentId":"a"}]}""", "no Operations")]
    [InlineData("""{"Documents":[{"DocumentId":"a","Operations":null}]}""", "no Operations")]
    [InlineData("""{"Documents":[{"DocumentId":"a","Operations":[7]}]}""", "object")]
    [InlineData("""{"Documents":[{"DocumentId":"a","Operations":[{}]}]}""", "no Type")]
    [InlineData("""{"Documents":[{"DocumentId":"a","Operations":[{"Type":"None","CounterName":"a"}]}]}""", "not one of Increment")]
    [InlineData("""{"Documents":[{"DocumentId":"a","Operations":[{"Type":"Increment","CounterName":"a"}]}]}""", "no Delta")]
    [InlineData("""{"Documents":[{"DocumentId":"a","Operations":[{"Type":"Put","CounterName":"a","Delta":null}]}]}""", "no Delta")]
    [InlineData("""{"Documents":[{"DocumentId":"a","Operations":[{"Type":"Put","CounterName":"a","Delta":1.5}]}]}""", "whole number")]
    [InlineData("""{"Documents":[{"DocumentId":"a","Operations":[{"Type":"Put","CounterName":"a","Delta":9223372036854775808}]}]}""", "whole number")]
    [InlineData("""{"Documents":[{"DocumentId":"a","Operations":[{"Type":"Put","CounterName":"a","Delta":"1"}]}]}""", "whole number")]
    [InlineData("""{"Documents":[{"DocumentId":"a","Operations":[{"Type":"Delete"}]}]}""", "name of a counter is empty")]
    [InlineData("""{"Documents":[{"DocumentId":"a","Operations":[{"Type":"Get","CounterName":"a\u0000"}]}]}""", "NUL")]
    [InlineData("""{"Documents":[{"DocumentId":"a","Operations":[{"Type":"GetAll"},{"Type":"Delete","CounterName":"a"}]}]}""", "GetAll")]
    [InlineData("""{"Documents":[{"DocumentId":"a","Operations":[{"Type":"Delete","Type":"Delete","CounterName":"a"}]}]}""", "twice")]
    [InlineData("""{"Documents":[]} x""", "end of the text")]
    public async Task Post_BadInput_Answers400SayingWhat(string body, string message) =>
        (await _server.DbAsync("POST", "/counters", body)).AssertProblem(400, "BadRequestException", message);

    [Fact]
    public async Task Post_BeyondTheBounds_IsRefused()
    {
        string name = new('n', CounterNames.NameBytesMax);
        Assert.Equal(200, (await PostAsync("users/1", $$"""{"Type":"Increment","CounterName":"{{name}}","Delta":1}""")).Status);
        (await PostAsync("users/1", $$"""{"Type":"Increment","CounterName":"{{name}}x","Delta":1}""")).AssertProblem(400, "BadRequestException", "512 bytes");
        string one = """{"Type":"Increment","CounterName":"a","Delta":1}""";
        Assert.Equal(200, (await PostAsync("users/1", Repeat(one, CounterText.OperationsMax))).Status);
        (await PostAsync("users/1", Repeat(one, CounterText.OperationsMax + 1))).AssertProblem(413, "BadRequestException", $"{CounterText.OperationsMax}");
    }

    [Fact]
    public async Task Get_WithoutADocument_Answers400() =>
        (await GetAsync("counter=a")).AssertProblem(400, "ArgumentException", "docId");

    [Fact]
    public async Task Batch_PutAndCounters_AnswersTheVersionThatIsThereAtTheEnd()
    {
        Answer answer = await _server.DbAsync("POST", "/bulk_docs", """
            {"Commands":[
             {"Type":"PUT","Id":"users/3","Document":{"@metadata":{"@collection":"Users"}}},
             {"Type":"Counters","Id":"users/3","Counters":{"DocumentId":"users/3","Operations":[
               {"Type":"Increment","CounterName":"a","Delta":0},{"Type":"Get","CounterName":"none"},{"Type":"Delete","CounterName":"none"}]}},
             {"Type":"Counters","Id":"users/3","Counters":{"Operations":[{"Type":"Increment","CounterName":"a","Delta":5}],"FromEtl":false}}]}
            """);

        Assert.Equal(201, answer.Status);
        JsonElement[] results = [.. answer.Json.GetProperty("Results").EnumerateArray()];
        Assert.Equal(["PUT", "Counters", "Counters"], results.Select(result => result.GetProperty("Type").GetString()));
        Assert.Equal("users/3", results[1].GetProperty("Id").GetString());
        Assert.Equal(["a=0"], Details(results[1].GetProperty("CountersDetail")));
        Assert.Equal(["a=5"], Details(results[2].GetProperty("CountersDetail")));
        string stored = (await _server.DbAsync("GET", "/docs?id=users/3")).Json.GetProperty("Results")[0].GetProperty("@metadata")
            .GetProperty("@change-vector").GetString()!;
        Assert.Equal([stored, stored], results[1..].Select(result => result.GetProperty("DocumentChangeVector").GetString()));
        Assert.All(results[1..], result => Assert.StartsWith("A:", result.GetProperty("ChangeVector").GetString(), StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("""{"Type":"Counters","Id":"users/1","Counters":{"DocumentId":"users/2","Operations":[]}}""", "two|another in DocumentId")]
    [InlineData("""{"Type":"Counters","Counters":{"DocumentId":"users/2","Operations":[]}}""", "id is empty")]
    [InlineData("""{"Type":"Counters","Id":"users/1","Counters":{"Operations":[{"Type":"GetAll"}]}}""", "GetAll")]
    [InlineData("""{"Type":"Counters","Id":"users/1","Counters":[]}""", "object")]
    [InlineData("""{"Type":"Counters","Id":"users/1"}""", "has no Counters")]
    public async Task Batch_BadCounters_Answers400SayingWhat(string command, string message) =>
        (await _server.DbAsync("POST", "/bulk_docs", $$"""{"Commands":[{{command}}]}""")).AssertProblem(400, "BadRequestException", message.Split('|')[^1]);

    [Fact]
    public async Task Conflict_NeverComesFromIncrements()
    {
        string version = (await _server.DbAsync("GET", "/docs?id=users/1")).Header("ETag")!;
        await PostAsync("users/1", """{"Type":"Increment","CounterName":"a","Delta":1}""");
        (await _server.DbAsync("PUT", "/docs?id=users/1", "{}", ("If-Match", version))).AssertProblem(409, "ConcurrencyException");

        version = (await _server.DbAsync("GET", "/docs?id=users/1")).Header("ETag")!;
        await PostAsync("users/1", """{"Type":"Increment","CounterName":"a","Delta":1}""");
        Assert.Equal(201, (await _server.DbAsync("PUT", "/docs?id=users/1", "{}", ("If-Match", version))).Status);
        Assert.Equal(["a=2"], Details(await GetAsync("docId=users%2F1")));
    }

    [Fact]
    public async Task Load_WithCounters_IncludesThemAndChangesItsTagWithThem()
    {
        await PostAsync("users/1", """{"Type":"Increment","CounterName":"Likes","Delta":3},{"Type":"Increment","CounterName":"b","Delta":1}""");

        Answer named = await _server.DbAsync("GET", "/docs?id=users/1&id=none&id=users/2&counter=likes&counter=missing");
        Assert.Equal(
            """{"Users/1":["likes","missing"],"users/2":["likes","missing"]}""", named.Json.GetProperty("IncludedCounterNames").GetRawText());
        Assert.Equal(["Likes=3", "null"], Details(named.Json.GetProperty("CounterIncludes").GetProperty("Users/1")));
        Assert.Equal(["null", "null"], Details(named.Json.GetProperty("CounterIncludes").GetProperty("users/2")));
        Answer all = await _server.DbAsync("GET", "/docs?id=users/1&counter=%40all_counters");
        Assert.Equal("""{"Users/1":[]}""", all.Json.GetProperty("IncludedCounterNames").GetRawText());
        Assert.Equal(["b=1", "Likes=3"], Details(all.Json.GetProperty("CounterIncludes").GetProperty("Users/1")));
        Assert.Equal(304, (await _server.DbAsync("GET", "/docs?id=users/1&counter=%40all_counters", null, ("If-None-Match", all.Header("ETag")!))).Status);

        await PostAsync("users/1", """{"Type":"Increment","CounterName":"b","Delta":1}""");
        Answer later = await _server.DbAsync("GET", "/docs?id=users/1&counter=%40all_counters", null, ("If-None-Match", all.Header("ETag")!));
        Assert.Equal(["b=2", "Likes=3"], Details(later.Json.GetProperty("CounterIncludes").GetProperty("Users/1")));
        Assert.Equal(404, (await _server.DbAsync("GET", "/docs?id=none&counter=a")).Status);
        (await _server.DbAsync("GET", "/docs?startsWith=users&counter=a")).AssertProblem(400, "ArgumentException", "'counter'");
    }

    [Fact]
    public async Task BulkInsert_OfCounters_IsStoredAndCounted()
    {
        Answer answer = await _server.DbAsync("POST", "/bulk_insert?id=7", """
            [{"Id":"users/b1","Type":"PUT","Document":{"n":1}},
             {"Id":"users/b1","Type":"Counters","Counters":{"DocumentId":"users/b1","Operations":[
               {"Type":"Increment","CounterName":"likes","Delta":3},{"Type":"Increment","CounterName":"likes","Delta":4}]}}]
            """);

        Assert.Equal(201, answer.Status);
        Assert.Equal(["likes=7"], Details(await GetAsync("docId=users%2Fb1")));
        JsonElement progress = (await _server.DbAsync("GET", "/operations/state?id=7")).Json.GetProperty("Progress");
        Assert.Equal((1, 2), (progress.GetProperty("DocumentsProcessed").GetInt64(), progress.GetProperty("CountersProcessed").GetInt64()));
        Answer missing = await _server.DbAsync("POST", "/bulk_insert?id=8", """
            [{"Id":"none","Type":"Counters","Counters":{"Operations":[{"Type":"Increment","CounterName":"likes","Delta":3}]}}]
            """);
        missing.AssertProblem(500, "DocumentDoesNotExistException", "'none'");
    }

    [Fact]
    public async Task Statistics_CountCounters()
    {
        await PostAsync("users/1", """{"Type":"Increment","CounterName":"a","Delta":3},{"Type":"Increment","CounterName":"b","Delta":3}""");
        Assert.Equal(2, (await _server.DbAsync("GET", "/stats")).Json.GetProperty("CountOfCounterEntries").GetInt64());
        Assert.Equal(2, (await _server.DbAsync("GET", "/stats/detailed")).Json.GetProperty("CountOfCounters").GetInt64());
        await _server.DbAsync("DELETE", "/docs?id=users/1");
        Assert.Equal(0, (await _server.DbAsync("GET", "/stats/essential")).Json.GetProperty("CountOfCounterEntries").GetInt64());
    }

    [Fact]
    public async Task Clients_AtOnce_GiveTheExactSum()
    {
        const int clients = 64;
        const int each = 20;
        Answer[][] answers = await Task.WhenAll(Enumerable.Range(0, clients).Select(async client =>
        {
            var own = new Answer[each];
            for (int i = 0; i < each; i++)
            {
                own[i] = await PostAsync("users/1", $$"""{"Type":"Increment","CounterName":"all","Delta":{{client + 1}}}""");
            }

            return own;
        }));

        Assert.All(answers.SelectMany(own => own), answer => Assert.Equal(200, answer.Status));
        Assert.Equal([$"all={each * clients * (clients + 1) / 2}"], Details(await GetAsync("docId=users%2F1")));
    }

    private static string Repeat(string operation, int times) => string.Join(',', Enumerable.Repeat(operation, times));

    private Task<Answer> PostAsync(string id, string operations) =>
        _server.DbAsync("POST", "/counters", $$"""{"Documents":[{"DocumentId":"{{id}}","Operations":[{{operations}}]}]}""");

    private Task<Answer> GetAsync(string query) => _server.DbAsync("GET", $"/counters?{query}");

    private static string[] Details(Answer answer) => Details(answer.Json);

    /// <summary>Of an array of details, or of an object with the member Counters.</summary>
    private static string[] Details(JsonElement counters)
    {
        JsonElement array = counters.ValueKind == JsonValueKind.Object ? counters.GetProperty("Counters") : counters;
        return [.. array.EnumerateArray().Select(detail => detail.ValueKind == JsonValueKind.Null
            ? "null"
            : $"{detail.GetProperty("CounterName").GetString()}={detail.GetProperty("TotalValue").GetInt64()}")];
    }
}
