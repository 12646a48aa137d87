using System.Text.Json;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Documents;

/// <summary>PATCH of one document.</summary>
public sealed class PatchTests : IAsyncLifetime
{
    private ServerFixture _server = null!;

    public async Task InitializeAsync() => _server = await ServerFixture.StartAsync();

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Fact]
    public async Task Patch_WithValues_ChangesTheDocument()
    {
        await PutAsync("Users/1", """{"Name":"Ann","Visits":1}""");
        Answer answer = await PatchAsync("users/1", "this.Visits += args.n; this.By = id(); this.Same = id(this)", """{"n":2}""");
        Assert.Equal(200, answer.Status);
        Assert.Equal("Patched", answer.Json.GetProperty("Status").GetString());
        Assert.Equal("Users", answer.Json.GetProperty("Collection").GetString());
        JsonElement document = answer.Json.GetProperty("ModifiedDocument");
        Assert.Equal(3, document.GetProperty("Visits").GetInt32());
        Assert.Equal("Users/1", document.GetProperty("By").GetString());
        Assert.Equal("Users/1", document.GetProperty("Same").GetString());
        JsonElement stored = await LoadAsync("users/1");
        Assert.Equal(stored.GetRawText(), document.GetRawText());
        Assert.Equal(
            answer.Json.GetProperty("ChangeVector").GetString(), stored.GetProperty("@metadata").GetProperty("@change-vector").GetString());
        Assert.Equal(
            answer.Json.GetProperty("LastModified").GetString(), stored.GetProperty("@metadata").GetProperty("@last-modified").GetString());
    }

    [Theory]
    [InlineData("""{"A":12345678901234567890,"B":1.50,"C":0.00001,"D":-0,"E":1e3,"F":100,"G":0.1,"H":9007199254740993}""")]
    [InlineData("""{"A":"\u00e9 \ud83d\ude00 \/ \" \\ \n","B":[[],{}],"C":{"2":1,"1":2},"D":null,"E":"<&>'é"}""")]
    [InlineData("""{"__proto__":1,"constructor":2,"toString":3,"":4}""")]
    public async Task Patch_OfAnotherMember_KeepsValues(string body)
    {
        await PutAsync("users/1", body);
        Answer patched = await PatchAsync("users/1", "this.New = 1");
        Assert.True(patched.Status == 200, patched.Text);
        JsonElement stored = await LoadAsync("users/1");
        foreach (JsonProperty member in JsonDocument.Parse(body).RootElement.EnumerateObject())
        {
            JsonElement kept = stored.GetProperty(member.Name);
            Assert.True(
                member.Value.ValueKind == JsonValueKind.Number
                    ? member.Value.GetRawText() == kept.GetRawText()
                    : JsonElement.DeepEquals(member.Value, kept),
                $"{member.Name}: {kept.GetRawText()}");
        }
    }

    [Theory]
    [InlineData("this.Name = 'Ann'")]
    [InlineData("")]
    [InlineData("this.X = 1; delete this.X")]
    [InlineData("getMetadata(this)['@id'] = 'other'")]
    public async Task Patch_ThatChangesNothing_WritesNothing(string script)
    {
        await PutAsync("users/1", """{"Name":"Ann","E":"\u00e9","C":{"2":1,"1":2}}""");
        string before = (await LoadAsync("users/1")).GetRawText();
        int batches = _server.Probe.Batches;
        Answer answer = await PatchAsync("users/1", script + ";");
        Assert.Equal(200, answer.Status);
        Assert.Equal("NotModified", answer.Json.GetProperty("Status").GetString());
        Assert.Equal(before, answer.Json.GetProperty("ModifiedDocument").GetRawText());
        Assert.Equal(before, (await LoadAsync("users/1")).GetRawText());
        Assert.Equal(batches, _server.Probe.Batches);
    }

    [Fact]
    public async Task Patch_Metadata_IsStored()
    {
        await PutAsync("users/1", """{"Name":"Ann"}""");
        Assert.Equal(200, (await PatchAsync("users/1", "getMetadata(this).Color = this['@metadata']['@id']")).Status);
        Assert.Equal("users/1", (await LoadAsync("users/1")).GetProperty("@metadata").GetProperty("Color").GetString());
        Assert.Equal(200, (await PatchAsync("users/1", "this.Etag = getMetadata(this)['@etag']; this.Changed = getMetadata(this)['@last-modified']")).Status);
        JsonElement stored = await LoadAsync("users/1");
        Assert.True(stored.GetProperty("Etag").GetInt64() > 0 && stored.GetProperty("Changed").GetString()!.Length > 20);
        Answer moved = await PatchAsync("users/1", "this['@metadata']['@collection'] = 'People'");
        Assert.Equal("People", moved.Json.GetProperty("Collection").GetString());
    }

    [Fact]
    public async Task Patch_OfMissingDocument_Is404OrMakesIt()
    {
        Assert.Equal(404, (await PatchAsync("users/1", "this.A = 1")).Status);
        Answer made = await SendAsync("users/1", """
            {"Patch":{"Script":"this.A = 1"},"PatchIfMissing":{"Script":"this.B = args.b; this['@metadata']['@collection'] = 'Users'","Values":{"b":7}}}
            """);
        Assert.Equal(201, made.Status);
        Assert.Equal("Created", made.Json.GetProperty("Status").GetString());
        Assert.Equal(7, (await LoadAsync("users/1")).GetProperty("B").GetInt32());
        Answer given = await SendAsync("users/2", """{"Patch":{"Script":"this.A = 1"},"CreateIfMissing":{"C":1,"@metadata":{"@collection":"Users"}}}""");
        Assert.Equal((201, "Users"), (given.Status, given.Json.GetProperty("Collection").GetString()));
        Assert.Equal(1, (await LoadAsync("users/2")).GetProperty("C").GetInt32());
    }

    [Fact]
    public async Task Patch_OfAnotherVersion_IsAConflictOrSkipped()
    {
        await PutAsync("users/1", """{"N":1}""");
        string stored = (await LoadAsync("users/1")).GetProperty("@metadata").GetProperty("@change-vector").GetString()!;
        Answer conflict = await PatchAsync("users/1", "this.N = 2", headers: ("If-Match", "\"A:99-x\""));
        conflict.AssertProblem(409, "ConcurrencyException", "users/1", stored, "A:99-x");
        Assert.Equal(stored, conflict.Json.GetProperty("ActualChangeVector").GetString());
        Assert.Equal(304, (await _server.DbAsync(
            "PATCH", "/docs?id=users/1&skipPatchIfChangeVectorMismatch=true", """{"Patch":{"Script":"this.N = 2"}}""", ("If-Match", "\"A:99-x\""))).Status);
        Assert.Equal(1, (await LoadAsync("users/1")).GetProperty("N").GetInt32());
        Assert.Equal(200, (await PatchAsync("users/1", "this.N = 2", headers: ("If-Match", $"\"{stored}\""))).Status);
        (await PatchAsync("users/9", "this.N = 2", headers: ("If-Match", $"\"{stored}\""))).AssertProblem(409, "ConcurrencyException", "does not exist");
    }

    [Theory]
    [InlineData("this.N = ", 400, "JavaScriptParseException", "1:")]
    [InlineData("while (true) { }", 500, "JavaScriptException", "statements")]
    [InlineData("throw new Error('no')", 500, "JavaScriptException", "users/1")]
    [InlineData("this.F = () => 1", 500, "JavaScriptException", "function")]
    [InlineData("this['@metadata'] = 7", 500, "JavaScriptException", "@metadata")]
    [InlineData("getCounters(this)", 500, "JavaScriptException", "getCounters() is not supported yet")]
    [InlineData("timeseries(this, 'hr').append(1, 2)", 500, "JavaScriptException", "timeseries() is not supported yet")]
    [InlineData("attachments(this, 'a')", 500, "JavaScriptException", "attachments() is not supported yet")]
    [InlineData("include('a')", 500, "JavaScriptException", "include")]
    public async Task Patch_WithAScriptThatFails_ChangesNothing(string script, int status, string type, string message)
    {
        await PutAsync("users/1", """{"N":1}""");
        (await PatchAsync("users/1", script)).AssertProblem(status, type, message);
        Assert.Equal(1, (await LoadAsync("users/1")).GetProperty("N").GetInt32());
    }

    [Theory]
    [InlineData("{}", "Patch")]
    [InlineData("""{"Patch":null}""", "Patch")]
    [InlineData("""{"Patch":{}}""", "Script")]
    [InlineData("""{"Patch":{"Script":"x"},"Patch":{"Script":"x"}}""", "twice")]
    [InlineData("""{"Patch":{"Script":"x","Values":[]}}""", "Values")]
    [InlineData("""{"Patch":{"Script":"x"}""", "")]
    [InlineData("7", "object")]
    public async Task Patch_WithABodyThatIsNone_IsRefused(string body, string message) =>
        (await SendAsync("users/1", body)).AssertProblem(400, "Exception", message);

    [Fact]
    public async Task Patch_TriedOut_AnswersAndWritesNothing()
    {
        await PutAsync("users/1", """{"N":1}""");
        Answer tried = await _server.DbAsync(
            "PATCH", "/docs?id=users/1&test=true",
            """{"Patch":{"Script":"this.N = 2; output(this.N); console.log('a', {b:1}); put('x', {}); del('y'); load('z')"}}""");
        Assert.Equal("Patched", tried.Json.GetProperty("Status").GetString());
        Assert.Equal(2, tried.Json.GetProperty("ModifiedDocument").GetProperty("N").GetInt32());
        Assert.Equal(1, tried.Json.GetProperty("OriginalDocument").GetProperty("N").GetInt32());
        JsonElement debug = tried.Json.GetProperty("Debug");
        Assert.Equal(["2", "a", """{"b":1}"""], debug.GetProperty("Info").EnumerateArray().Select(line => line.GetString()));
        Assert.Equal("""{"LoadDocument":["z"],"PutDocument":["x"],"DeleteDocument":["y"]}""", debug.GetProperty("Actions").GetRawText());
        Assert.Equal(1, (await LoadAsync("users/1")).GetProperty("N").GetInt32());
        Assert.Equal(404, (await _server.DbAsync("GET", "/docs?id=x")).Status);
    }

    [Fact]
    public async Task Patch_From128Clients_GivesTheExactSum()
    {
        await PutAsync("users/1", """{"N":0}""");
        Task<Answer>[] patches = [.. Enumerable.Range(0, 128).Select(_ => PatchAsync("users/1", "this.N++"))];
        Answer[] answers = await Task.WhenAll(patches);
        Assert.All(answers, answer => Assert.Equal(200, answer.Status));
        Assert.Equal(128, (await LoadAsync("users/1")).GetProperty("N").GetInt32());
        Assert.Equal(
            Enumerable.Range(1, 128), answers.Select(answer => answer.Json.GetProperty("ModifiedDocument").GetProperty("N").GetInt32()).Order());
        Assert.InRange(_server.Probe.Batches, 0, 129 + 8);
    }

    [Fact]
    public async Task Patch_BesidePuts_LosesNothing()
    {
        await PutAsync("users/1", """{"N":0}""");
        await PutAsync("users/2", """{"N":0}""");
        Task[] work =
        [
            .. Enumerable.Range(0, 32).Select(_ => PatchAsync("users/1", "this.N += 1 + 0 * load('users/2').N")),
            .. Enumerable.Range(0, 32).Select(i => PutAsync("users/2", $$"""{"N":{{i}}}""")),
            .. Enumerable.Range(0, 32).Select(_ => PatchAsync("users/1", "this.N++")),
        ];
        await Task.WhenAll(work);
        Assert.Equal(64, (await LoadAsync("users/1")).GetProperty("N").GetInt32());
    }

    private async Task PutAsync(string id, string body)
    {
        string metadata = ""","@metadata":{"@collection":"Users"}}""";
        await _server.PutAsync(id, body[..^1] + metadata);
    }

    private Task<Answer> PatchAsync(string id, string script, string values = "{}", params (string Name, string Value)[] headers) =>
        _server.DbAsync("PATCH", $"/docs?id={id}", $$$"""{"Patch":{"Script":{{{JsonSerializer.Serialize(script)}}},"Values":{{{values}}}}}""", headers);

    private Task<Answer> SendAsync(string id, string body) => _server.DbAsync("PATCH", $"/docs?id={id}", body);

    private async Task<JsonElement> LoadAsync(string id)
    {
        Answer answer = await _server.DbAsync("GET", $"/docs?id={id}");
        Assert.Equal(200, answer.Status);
        return answer.Json.GetProperty("Results")[0];
    }
}
