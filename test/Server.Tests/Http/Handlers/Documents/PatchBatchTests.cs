using System.Text.Json;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Documents;

/// <summary>Patches in batches, and what their scripts do to other documents.</summary>
public sealed class PatchBatchTests : IAsyncLifetime
{
    private ServerFixture _server = null!;

    public async Task InitializeAsync() => _server = await ServerFixture.StartAsync();

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Fact]
    public async Task Batch_WithPatch_SeesEarlierCommands()
    {
        await _server.PutAsync("users/1", """{"N":1,"@metadata":{"@collection":"Users"}}""");
        await _server.PutAsync("old/1", "{}");
        Answer answer = await BatchAsync("""
            {"Id":"users/2","Type":"PUT","Document":{"N":5,"@metadata":{"@collection":"Users"}}},
            {"Id":"old/","IdPrefixed":true,"Type":"DELETE"},
            {"Id":"users/1","Type":"PATCH","Patch":{"Script":"this.N += load('users/2').N; this.Old = load('old/1')"},"ReturnDocument":true},
            {"Id":"users/1","Type":"PATCH","Patch":{"Script":"this.N *= args.by","Values":{"by":10}}},
            {"Id":"users/3","Type":"PATCH","Patch":{"Script":"this.N = 1"}},
            {"Id":"users/4","Type":"PATCH","Patch":{"Script":"this.N = 1"},"PatchIfMissing":{"Script":"this.N = 4"}},
            {"Id":"users/2","Type":"DELETE"},
            {"Id":"users/2","Type":"PATCH","Patch":{"Script":"this.N = 1"}}
            """);
        Assert.Equal(201, answer.Status);
        JsonElement[] results = [.. answer.Json.GetProperty("Results").EnumerateArray()];
        Assert.Equal(
            ["PUT", "DELETE", "PATCH", "PATCH", "PATCH", "PATCH", "DELETE", "PATCH"], results.Select(one => one.GetProperty("Type").GetString()));
        Assert.Equal(
            ["Patched", "Patched", "DocumentDoesNotExist", "Created", "DocumentDoesNotExist"],
            results.Where(one => one.GetProperty("Type").GetString() == "PATCH").Select(one => one.GetProperty("PatchStatus").GetString()));
        Assert.Equal("""{"N":6,"Old":null""", results[2].GetProperty("ModifiedDocument").GetRawText()[..17]);
        Assert.False(results[3].TryGetProperty("ModifiedDocument", out _));
        JsonElement stored = await LoadAsync("users/1");
        Assert.Equal(60, stored.GetProperty("N").GetInt32());
        Assert.Equal(
            results[3].GetProperty("ChangeVector").GetString(), stored.GetProperty("@metadata").GetProperty("@change-vector").GetString());
        Assert.Equal(404, (await _server.DbAsync("GET", "/docs?id=users/2")).Status);
        Assert.Equal(4, (await LoadAsync("users/4")).GetProperty("N").GetInt32());
        Assert.Equal(1, _server.Probe.Batches - 2);
    }

    [Theory]
    [InlineData("""{"Id":"users/1","Type":"PATCH","Patch":{"Script":"throw new Error('x')"}}""", 500, "JavaScriptException")]
    [InlineData("""{"Id":"users/1","Type":"PATCH","ChangeVector":"A:99-x","Patch":{"Script":"this.N = 2"}}""", 409, "ConcurrencyException")]
    [InlineData("""{"Id":"users/1","Type":"PATCH","ChangeVector":"","Patch":{"Script":"this.N = 2"}}""", 409, "ConcurrencyException")]
    [InlineData("""{"Type":"BatchPATCH","Ids":[{"Id":"users/1"},{"Id":"users/9","ChangeVector":"A:1-x"}],"Patch":{"Script":"this.N = 2"}}""",
        409, "ConcurrencyException")]
    [InlineData("""{"Id":"users/1","Type":"JsonPatch","JsonPatch":{"Operations":[{"op":"remove","path":"/N"},{"op":"test","path":"/M","value":1}]}}""",
        400, "InvalidOperationException")]
    [InlineData("""{"Id":"users/1","Type":"PATCH","Patch":{"Script":"put('x', {}, 'A:99-x')"}}""", 409, "ConcurrencyException")]
    [InlineData("""{"Id":"users/1","Type":"PATCH","Patch":{"Script":"del('users/1', 'A:99-x')"}}""", 409, "ConcurrencyException")]
    [InlineData("""{"Id":"users/1","Type":"PATCH","Patch":{"Script":"put('x|', {})"}}""", 500, "JavaScriptException")]
    [InlineData("""{"Id":"users/1","Type":"PATCH","Patch":{"Script":"this.N = 2"}},{"Id":"users/1","Type":"DELETE","ChangeVector":"A:99-x"}""",
        409, "ConcurrencyException")]
    public async Task Batch_WithOneThatFails_WritesNothing(string command, int status, string type)
    {
        await _server.PutAsync("users/1", """{"N":1}""");
        (await BatchAsync("""{"Id":"users/7","Type":"PUT","Document":{}},""" + command)).AssertProblem(status, type);
        Assert.Equal(1, (await LoadAsync("users/1")).GetProperty("N").GetInt32());
        Assert.Equal(404, (await _server.DbAsync("GET", "/docs?id=users/7")).Status);
    }

    [Theory]
    [InlineData("""{"Id":"a","Type":"PATCH"}""", "Patch")]
    [InlineData("""{"Id":"a","Type":"PATCH","Patch":{}}""", "Script")]
    [InlineData("""{"Id":"a","Type":"PATCH","Patch":7}""", "Patch")]
    [InlineData("""{"Type":"PATCH","Patch":{"Script":"x"}}""", "id")]
    [InlineData("""{"Type":"BatchPATCH","Patch":{"Script":"x"}}""", "Ids")]
    [InlineData("""{"Type":"BatchPATCH","Ids":[{}],"Patch":{"Script":"x"}}""", "id")]
    [InlineData("""{"Type":"BatchPATCH","Ids":[7],"Patch":{"Script":"x"}}""", "Ids")]
    [InlineData("""{"Type":"BatchPATCH","Ids":[{"Id":"a"}]}""", "Patch")]
    [InlineData("""{"Id":"a","Type":"JsonPatch"}""", "JsonPatch")]
    [InlineData("""{"Id":"a","Type":"JsonPatch","JsonPatch":{}}""", "Operations")]
    [InlineData("""{"Id":"a","Type":"JsonPatch","JsonPatch":{"Operations":[{"op":"add"}]}}""", "path")]
    [InlineData("""{"Id":"a","Type":"JsonPatch","JsonPatch":{"Operations":[7]}}""", "operation")]
    public async Task Batch_WithAPatchThatIsNone_IsRefused(string command, string message) =>
        (await BatchAsync(command)).AssertProblem(400, "Exception", message);

    [Fact]
    public async Task BatchPatch_Ids_ArePatchedAllAndAnswerOnce()
    {
        await _server.PutAsync("users/1", """{"N":1}""");
        await _server.PutAsync("users/2", """{"N":2}""");
        Answer answer = await BatchAsync("""
            {"Type":"BatchPATCH","Ids":[{"Id":"users/1"},{"Id":"users/2"},{"Id":"users/3"},{"Id":"users/1"}],
             "Patch":{"Script":"this.N += args.n","Values":{"n":10}},"PatchIfMissing":{"Script":"this.N = 3"}}
            """);
        Assert.Equal("""[{"Type":"BatchPATCH"}]""", answer.Json.GetProperty("Results").GetRawText());
        Assert.Equal(21, (await LoadAsync("users/1")).GetProperty("N").GetInt32());
        Assert.Equal(12, (await LoadAsync("users/2")).GetProperty("N").GetInt32());
        Assert.Equal(3, (await LoadAsync("users/3")).GetProperty("N").GetInt32());
    }

    [Fact]
    public async Task JsonPatch_Operations_ChangeTheDocument()
    {
        await _server.PutAsync("users/1", """{"Name":"Ann","Big":12345678901234567890,"Tags":["a"],"@metadata":{"@collection":"Users"}}""");
        Answer answer = await BatchAsync("""
            {"Id":"users/1","Type":"JsonPatch","JsonPatch":{"Operations":[{"op":"replace","path":"/Name","value":"Bob"},
              {"op":"add","path":"/Tags/-","value":"b"},{"op":"add","path":"/@metadata/Color","value":"red"}]},"ReturnDocument":true},
            {"Id":"users/1","Type":"JsonPatch","JsonPatch":{"Operations":[{"op":"test","path":"/Name","value":"Bob"}]}},
            {"Id":"users/9","Type":"JsonPatch","JsonPatch":{"Operations":[]}}
            """);
        JsonElement[] results = [.. answer.Json.GetProperty("Results").EnumerateArray()];
        Assert.Equal(["Patched", "NotModified", "DocumentDoesNotExist"], results.Select(one => one.GetProperty("PatchStatus").GetString()));
        Assert.Equal("JsonPatch", results[0].GetProperty("Type").GetString());
        string stored = (await LoadAsync("users/1")).GetRawText();
        Assert.Equal(stored, results[0].GetProperty("ModifiedDocument").GetRawText());
        Assert.StartsWith(
            """{"Name":"Bob","Big":12345678901234567890,"Tags":["a","b"],"@metadata":{"@collection":"Users","Color":"red",""",
            stored, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Script_PutsDeletesAndLoads_SeesItsOwnWrites()
    {
        await _server.PutAsync("users/1", """{"Company":"companies/1","Lines":[{"P":"p/1"},{"P":"p/2"}]}""");
        await _server.PutAsync("companies/1", """{"Name":"Acme"}""");
        await _server.PutAsync("p/1", """{"Price":1}""");
        await PatchAsync("users/1", """
            this.Name = loadPath(this, 'Company').Name;
            this.Prices = loadPath(this, 'Lines[].P').map(p => p ? p.Price : null);
            this.Both = load(['companies/1', 'none']).map(c => c && c.Name);
            this.Id = put('notes/', { Text: 'a', '@metadata': { '@collection': 'Notes' } });
            this.Next = put('notes/', { Text: 'b' });
            this.Guid = put(null, {}).length;
            this.Text = load(this.Id).Text;
            put('companies/1', { Name: 'Other' });
            this.After = load('companies/1').Name;
            this.Gone = del('p/1');
            this.NotThere = del('p/1');
            this.Loaded = load('p/1');
            """);
        JsonElement user = await LoadAsync("users/1");
        Assert.Equal("Acme", user.GetProperty("Name").GetString());
        Assert.Equal("[1,null]", user.GetProperty("Prices").GetRawText());
        Assert.Equal("""["Acme",null]""", user.GetProperty("Both").GetRawText());
        Assert.Equal(36, user.GetProperty("Guid").GetInt32());
        Assert.Equal("a", user.GetProperty("Text").GetString());
        Assert.Equal("Other", user.GetProperty("After").GetString());
        Assert.True(user.GetProperty("Gone").GetBoolean());
        Assert.False(user.GetProperty("NotThere").GetBoolean());
        Assert.Equal(JsonValueKind.Null, user.GetProperty("Loaded").ValueKind);
        string id = user.GetProperty("Id").GetString()!;
        Assert.Matches("^notes/[0-9]{19}-A$", id);
        Assert.NotEqual(id, user.GetProperty("Next").GetString());
        Assert.Equal("Notes", (await LoadAsync(id)).GetProperty("@metadata").GetProperty("@collection").GetString());
        Assert.Equal("Other", (await LoadAsync("companies/1")).GetProperty("Name").GetString());
        Assert.Equal(404, (await _server.DbAsync("GET", "/docs?id=p/1")).Status);
    }

    [Fact]
    public async Task Script_ThatDeletesItsDocument_DoesNotStoreIt()
    {
        await _server.PutAsync("users/1", """{"N":1}""");
        await PatchAsync("users/1", "this.N = 2; del(id(this))");
        Assert.Equal(404, (await _server.DbAsync("GET", "/docs?id=users/1")).Status);
    }

    [Fact]
    public async Task Script_WithCompareExchange_RunsAgainWhenTheValueChanged()
    {
        await _server.PutAsync("users/1", """{"N":0}""");
        Assert.Equal(200, (await _server.DbAsync("PUT", "/cmpxchg?key=rate&index=0", """{"Object":{"By":3}}""")).Status);
        await PatchAsync("users/1", "this.N = cmpxchg('RATE').By; this.None = cmpxchg('none')");
        Assert.Equal(3, (await LoadAsync("users/1")).GetProperty("N").GetInt32());
    }

    [Fact]
    public async Task Script_NumbersOfManyPatches_AreDifferent()
    {
        await Task.WhenAll(Enumerable.Range(0, 32).Select(i => _server.PutAsync($"users/{i}", "{}")));
        await Task.WhenAll(Enumerable.Range(0, 32).Select(i => PatchAsync($"users/{i}", "put('notes/', { Of: id(this) })")));
        Assert.Equal(64, (await _server.DbAsync("GET", "/stats")).Json.GetProperty("CountOfDocuments").GetInt32());
    }

    [Theory]
    [InlineData("""{"Type":"PUT","Id":"notes/","Document":{"A":1}},{"Type":"PATCH","Id":"users/1","Patch":{"Script":"this.Id = put('Notes/', {B:1})"}}""", 0)]
    [InlineData("""{"Type":"PATCH","Id":"users/1","Patch":{"Script":"this.Id = put('Notes/', {B:1})"}},{"Type":"PUT","Id":"notes/","Document":{"A":1}}""", 1)]
    public async Task Batch_PutAndScriptThatNumberOnePrefix_MakeTwoDocuments(string commands, int put)
    {
        await _server.PutAsync("users/1", "{}");
        Answer answer = await BatchAsync(commands);
        Assert.True(answer.Status == 201, answer.Text);
        JsonElement result = answer.Json.GetProperty("Results")[put];
        string id = result.GetProperty("@id").GetString()!;
        Assert.Matches("^notes/[0-9]{19}-A$", id);
        JsonElement stored = await LoadAsync(id);
        Assert.Equal(1, stored.GetProperty("A").GetInt32());
        Assert.Equal(
            result.GetProperty("@change-vector").GetString(), stored.GetProperty("@metadata").GetProperty("@change-vector").GetString());
        Assert.Equal(1, (await LoadAsync((await LoadAsync("users/1")).GetProperty("Id").GetString()!)).GetProperty("B").GetInt32());
        Assert.Equal(3, (await _server.DbAsync("GET", "/stats")).Json.GetProperty("CountOfDocuments").GetInt32());
    }

    [Fact]
    public async Task Batch_NumberThatAnotherWriteTakes_IsNumberedAnew()
    {
        await _server.PutAsync("users/1", "{}");
        var gate = new TaskCompletionSource();
        _server.Probe.Gate = gate.Task;
        Task<Answer> batch = BatchAsync("""
            {"Type":"PUT","Id":"notes/","Document":{"A":1}},{"Type":"PATCH","Id":"users/1","Patch":{"Script":"this.N = 1"}}
            """);
        while (_server.Probe.WritesBegun < 2)
        {
            await Task.Yield();
        }

        _server.Probe.Gate = null;
        await _server.PutAsync("notes/0000000000000000002-A", """{"B":1}""");
        gate.SetResult();
        Answer answer = await batch;
        Assert.True(answer.Status == 201, answer.Text);
        string id = answer.Json.GetProperty("Results")[0].GetProperty("@id").GetString()!;
        Assert.Matches("^notes/[0-9]{19}-A$", id);
        Assert.Equal(1, (await LoadAsync(id)).GetProperty("A").GetInt32());
        Assert.Equal(1, (await LoadAsync("notes/0000000000000000002-A")).GetProperty("B").GetInt32());
    }

    [Theory]
    [InlineData("put(id(this), { X: 1 })")]
    [InlineData("incrementCounter(this, 'c'); put('USERS/1', { X: 0 }); put('Users/1', { X: 1 });")]
    [InlineData("del(id(this)); put(id(this), { X: 1 })")]
    public async Task Script_ThatPutsItsDocument_AnswersWithThatDocument(string script)
    {
        await _server.PutAsync("users/1", """{"N":1}""");
        Answer answer = await BatchAsync(
            $$$"""{"Id":"users/1","Type":"PATCH","Patch":{"Script":{{{JsonSerializer.Serialize(script)}}}},"ReturnDocument":true}""");
        Assert.True(answer.Status == 201, answer.Text);
        JsonElement result = answer.Json.GetProperty("Results")[0];
        JsonElement stored = await LoadAsync("users/1");
        Assert.Equal("Patched", result.GetProperty("PatchStatus").GetString());
        Assert.Equal(1, result.GetProperty("ModifiedDocument").GetProperty("X").GetInt32());
        Assert.Equal(1, stored.GetProperty("X").GetInt32());
        Assert.Equal(
            stored.GetProperty("@metadata").GetProperty("@change-vector").GetString(), result.GetProperty("ChangeVector").GetString());
    }

    [Theory]
    [InlineData("this.B = this.N + 1", "Patched")]
    [InlineData("", "NotModified")]
    public async Task Batch_PatchAfterAnotherWriteOfTheDocument_AnswersWithTheStoredDocument(string second, string status)
    {
        await _server.PutAsync("users/1", """{"N":1}""");
        await _server.DbAsync("PUT", "/attachments?id=users/1&name=a", "x");
        string patch = $$"""{"Id":"users/1","Type":"PATCH","Patch":{"Script":"{{second}};"},"ReturnDocument":true}""";
        foreach (string first in new[]
        {
            """{"Id":"users/1","Type":"PATCH","Patch":{"Script":"this.N++"}}""",
            """{"Id":"USERS/1","Type":"PUT","Document":{"N":5}}""",
            """{"Id":"users/1","Type":"JsonPatch","JsonPatch":{"Operations":[{"op":"replace","path":"/N","value":6}]}}""",
            """{"Id":"users/0","Type":"PUT","Document":{}},{"Id":"users/0","Type":"PATCH","Patch":{"Script":"put('Users/1', {N:7})"}}""",
        })
        {
            Answer answer = await BatchAsync($"{first},{patch}");
            Assert.True(answer.Status == 201, answer.Text);
            JsonElement result = answer.Json.GetProperty("Results").EnumerateArray().Last();
            string stored = (await LoadAsync("users/1")).GetRawText();
            Assert.Contains("\"@attachments\":[{\"Name\":\"a\"", stored, StringComparison.Ordinal);
            Assert.Equal(stored, result.GetProperty("ModifiedDocument").GetRawText());
            Assert.Equal(status, result.GetProperty("PatchStatus").GetString());
            Assert.Contains($"\"@change-vector\":\"{result.GetProperty("ChangeVector").GetString()}\"", stored, StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task Batch_DocumentDeletedAndPutAgain_HasNoAttachmentsOfTheFormer()
    {
        await _server.PutAsync("users/1", "{}");
        await _server.DbAsync("PUT", "/attachments?id=users/1&name=a", "x");
        foreach (string prefixed in new[] { "", ",\"IdPrefixed\":true" })
        {
            Answer answer = await BatchAsync($$"""
                {"Id":"users/1","Type":"DELETE"{{prefixed}}},{"Id":"users/1","Type":"PUT","Document":{} },
                {"Id":"users/1","Type":"PATCH","Patch":{"Script":"this.N = 1"},"ReturnDocument":true}
                """);
            Assert.Equal(
                (await LoadAsync("users/1")).GetRawText(), answer.Json.GetProperty("Results")[2].GetProperty("ModifiedDocument").GetRawText());
        }
    }

    [Fact]
    public async Task Batch_PrefixDeletedBetweenWrites_IsSeenInTheirOrder()
    {
        await _server.PutAsync("users/1", "{}");
        await BatchAsync("""
            {"Id":"a/1","Type":"PUT","Document":{} },{"Id":"a/2","Type":"PUT","Document":{} },
            {"Id":"a/","IdPrefixed":true,"Type":"DELETE"},{"Id":"a/2","Type":"PUT","Document":{} },{"Id":"b/3","Type":"PUT","Document":{} },
            {"Id":"users/1","Type":"PATCH","Patch":{"Script":"this.Seen = load(['a/1', 'a/2', 'b/3']).map(d => d !== null)"}},
            {"Id":"a","IdPrefixed":true,"Type":"DELETE"},
            {"Id":"users/1","Type":"PATCH","Patch":{"Script":"this.Then = load(['a/1', 'a/2', 'b/3']).map(d => d !== null)"}}
            """);
        JsonElement user = await LoadAsync("users/1");
        Assert.Equal("[false,true,true]", user.GetProperty("Seen").GetRawText());
        Assert.Equal("[false,false,true]", user.GetProperty("Then").GetRawText());
    }

    [Fact]
    public async Task Patch_ThatReadsAMissingDocument_RunsAgainWhenItIsThere()
    {
        await _server.PutAsync("users/1", """{"N":0}""");
        var gate = new TaskCompletionSource();
        _server.Probe.Gate = gate.Task;
        Task patch = PatchAsync("users/1", "this.N = load('other') ? 2 : 1");
        while (_server.Probe.WritesBegun < 2)
        {
            await Task.Yield();
        }

        _server.Probe.Gate = null;
        await _server.PutAsync("other", "{}");
        gate.SetResult();
        await patch;
        Assert.Equal(2, (await LoadAsync("users/1")).GetProperty("N").GetInt32());
    }

    [Fact]
    public async Task Script_PutsBehindImportedNumbers_ChecksOnlyTheOneItTakes()
    {
        IEnumerable<string> imported = Enumerable.Range(500, 1_500).Select(i => $$"""{"Id":"notes/{{i:D19}}-A","Type":"PUT","Document":{} }""");
        Assert.Equal(201, (await BatchAsync(string.Join(',', imported))).Status);
        await _server.PutAsync("users/1", "{}");
        await PatchAsync("users/1", "this.Id = put('notes/', {}); this.Next = put('Notes/', {})");
        JsonElement user = await LoadAsync("users/1");
        Assert.Equal("notes/0000000000000002000-A", user.GetProperty("Id").GetString());
        Assert.Equal("Notes/0000000000000002001-A", user.GetProperty("Next").GetString());
        Assert.Equal(6, _server.Probe.LastCommands); // Three checks and three puts.
    }

    [Fact]
    [Trait("Tier", "Full")]
    public async Task Batch_PatchesThatFindTooMuchForTheirAnswers_IsTooLarge()
    {
        await _server.PutAsync("large", $$"""{"N":1,"T":"{{new string('x', 8 << 20)}}"}""");
        string patches = Patches("""{"op":"test","path":"/N","value":1}""", ""","ReturnDocument":true""");
        (await BatchAsync(patches)).AssertProblem(413, "BadRequestException", "128 MB", "several batches");
        Assert.Equal(201, (await BatchAsync(patches.Replace("true", "false", StringComparison.Ordinal))).Status);
    }

    [Fact]
    public async Task Batch_PatchesThatWriteTooMuch_IsTooLargeAndWritesNothing()
    {
        await _server.PutAsync("large", $$"""{"N":1,"T":"{{new string('x', 8 << 20)}}"}""");
        (await BatchAsync(Patches("""{"op":"add","path":"/L","value":[]},{"op":"copy","from":"/N","path":"/L/-"}""", ""))).AssertProblem(
            413, "BadRequestException", "128 MB", "several batches");
        Assert.False((await LoadAsync("large")).TryGetProperty("L", out _));
    }

    // Of one document of 8 MB.
    private static string Patches(string operations, string members) => string.Join(',', Enumerable.Range(0, 18).Select(i =>
        $$"""{"Id":"large","Type":"JsonPatch","JsonPatch":{"Operations":[{{operations.Replace("/L", $"/L{i}", StringComparison.Ordinal)}}]} {{members}} }"""));

    private Task<Answer> BatchAsync(string commands) => _server.DbAsync("POST", "/bulk_docs", $$"""{"Commands":[{{commands}}]}""");

    private async Task PatchAsync(string id, string script)
    {
        Answer answer = await _server.DbAsync("PATCH", $"/docs?id={id}", $$$"""{"Patch":{"Script":{{{JsonSerializer.Serialize(script)}}}}}""");
        Assert.True(answer.Status == 200, answer.Text);
    }

    private async Task<JsonElement> LoadAsync(string id)
    {
        Answer answer = await _server.DbAsync("GET", $"/docs?id={id}");
        Assert.Equal(200, answer.Status);
        return answer.Json.GetProperty("Results")[0];
    }
}
