using System.Text.Json;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Counters;

/// <summary>Counters in queries: included, selected, and in scripts; and in patches.</summary>
public sealed class CounterQueryTests : IAsyncLifetime
{
    private ServerFixture _server = null!;

    public async Task InitializeAsync()
    {
        _server = await ServerFixture.StartAsync();
        await _server.PutAsync("users/1", "Users", """{"N":1}""");
        await _server.PutAsync("users/2", "Users", """{"N":2,"Friend":"Users/1"}""");
        await CountAsync("users/1", """{"Type":"Increment","CounterName":"Likes","Delta":9007199254740993},{"Type":"Increment","CounterName":"b","Delta":1}""");
        await CountAsync("users/2", """{"Type":"Increment","CounterName":"Likes","Delta":2}""");
    }

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Theory]
    [InlineData("include counters('likes')", """{"users/1":["likes"],"users/2":["likes"]}""", "users/1:Likes=9007199254740993 users/2:Likes=2")]
    [InlineData("include counters()", """{"users/1":[],"users/2":[]}""", "users/1:Likes=9007199254740993 users/1:b=1 users/2:Likes=2")]
    [InlineData("include counters($names)", """{"users/1":["b","None"],"users/2":["b","None"]}""", "users/1:b=1 users/1:null users/2:null users/2:null")]
    [InlineData("include counters('b'),counters('b'),counters('Likes')", """{"users/1":["b","Likes"],"users/2":["b","Likes"]}""",
        "users/1:b=1 users/1:Likes=9007199254740993 users/2:null users/2:Likes=2")]
    [InlineData("include counters(Friend, 'b')", """{"users/1":["b"]}""", "users/1:b=1")]
    [InlineData("include counters('Friend', 'b'), Friend", """{"users/1":["b"]}""", "users/1:b=1")]
    [InlineData("include counters(Friend)", """{"users/1":[]}""", "users/1:Likes=9007199254740993 users/1:b=1")]
    public async Task Query_WithIncludes_BringsCounters(string include, string names, string counters)
    {
        JsonElement answer = (await QueryAsync($"from Users {include}")).Json;

        Assert.Equal(names, answer.GetProperty("IncludedCounterNames").GetRawText());
        Assert.Equal(counters.Split(' ').Order(), Included(answer).Order());
    }

    [Theory]
    [InlineData("from Users as u where u.N > 1 include counters(u)", "users/2:Likes=2")]
    [InlineData("from Users as u where u.N > 1 include counters(u, 'Likes')", "users/2:Likes=2")]
    [InlineData("from Users as u where u.N > 1 include counters(u.Friend, $name)", "users/1:Likes=9007199254740993")]
    [InlineData("from Users as u where u.N > 1 load u.Friend as f select f.N as N include counters(f, 'b')", "users/1:b=1")]
    public async Task Query_WithAliases_BringsCounters(string query, string counters) =>
        Assert.Equal(counters.Split(' '), Included((await QueryAsync(query, wait: true)).Json));

    [Theory]
    [InlineData("from Users where N = 2 select counter('likes')", """{"likes":2,""")]
    [InlineData("from Users as u where u.N = 2 select u.N, counter(u, 'likes') as L, counter($name), counter('none') as M",
        """{"N":2,"L":2,"Likes":2,"M":null,""")]
    [InlineData("from Users as u where u.N = 2 load u.Friend as f select counter(f, 'Likes') as L", """{"L":9007199254740993,""")]
    [InlineData("from Users as u where u.N = 1 load u.Friend as f select counter(f, 'Likes') as L", """{"L":null,""")]
    [InlineData("from Users as u where u.N = 1 select { a: counter(u, 'Likes'), b: counter('users/2', 'LIKES') + 1, c: counter(u, 'None') }",
        """{"a":9007199254740993,"b":3,"c":null,""")]
    [InlineData("declare function f(u) { return { n: counter(u, 'Likes'), m: getMetadata(u)['@counters'] }; } from Users as u where u.N = 2 select f(u)",
        """{"n":2,"m":["Likes"],""")]
    public async Task Query_ThatSelectsCounters_GivesThem(string query, string row) =>
        Assert.StartsWith(row, (await QueryAsync(query, wait: true)).Json.GetProperty("Results")[0].GetRawText(), StringComparison.Ordinal);

    [Fact]
    public async Task Query_ThatSelectsRaw_GivesTheShareOfTheNode()
    {
        string share = $$"""{"A-{{_server.Database.DatabaseId}}":2}""";
        string selected = (await QueryAsync("from Users where id() = 'users/2' select counterRaw('Likes')")).Text;
        string scripted = (await QueryAsync("from Users as u where id() = 'users/2' select { r: counterRaw(u, 'Likes') }")).Text;
        Assert.Contains($"\"Likes\":{share}", selected, StringComparison.Ordinal);
        Assert.Contains($"\"r\":{share}", scripted, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("from Users include counters('Likes')")]
    [InlineData("from Users select counter('Likes')")]
    [InlineData("from Users as u select { n: counter(u, 'Likes') }")]
    [InlineData("from Users where N = 1 select counter('Likes')")]
    public async Task Query_IsAnotherAnswerWhenACounterIs(string query)
    {
        string tag = (await QueryAsync(query, wait: true)).Header("ETag")!;
        Assert.Equal(304, (await QueryAsync(query, wait: true, tag)).Status);
        await CountAsync("users/1", """{"Type":"Increment","CounterName":"Likes","Delta":1}""");
        Assert.Equal(200, (await QueryAsync(query, wait: true, tag)).Status);
    }

    [Fact]
    public async Task Stream_WithIncludedCounters_IsRefused() =>
        (await DbAsync("POST", "/streams/queries", """{"Query":"from Users include counters()"}"""))
            .AssertProblem(400, "InvalidQueryException", "stream");

    [Fact]
    public async Task Patch_Counts_OverWhatItsBatchDid()
    {
        const string script = "this.A = counter(this, 'likes'); incrementCounter(this, 'Likes', 5); incrementCounter(this, 'P'); " +
            "this.B = counter(this, 'LIKES'); this.C = [counter(this, 'P'), counter('users/1', 'b'), deleteCounter('users/1', 'b'), " +
            "deleteCounter('users/1', 'b'), counter('users/1', 'b'), counterRaw(this, 'none')]";
        Answer answer = await DbAsync("POST", "/bulk_docs", """
            {"Commands":[
             {"Type":"Counters","Id":"users/2","Counters":{"Operations":[
               {"Type":"Increment","CounterName":"Likes","Delta":3},{"Type":"Put","CounterName":"P","Delta":8}]}},
             {"Type":"PATCH","Id":"users/2","Patch":{"Script":"SCRIPT"}},
             {"Type":"DELETE","Id":"users/1"},
             {"Type":"PATCH","Id":"users/2","Patch":{"Script":"this.D = counter('users/1', 'Likes')"}}]}
            """.Replace("SCRIPT", script, StringComparison.Ordinal));

        Assert.Equal(201, answer.Status);
        const string expected = """{"N":2,"Friend":"Users/1","A":5,"B":10,"C":[9,1,true,false,null,null],"D":null,""";
        Assert.StartsWith(expected, await LoadAsync("users/2"), StringComparison.Ordinal);
        Assert.Contains("\"TotalValue\":10", (await DbAsync("GET", "/counters?docId=users/2&counter=Likes")).Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Patch_ThatMakesADocument_CountsForIt()
    {
        Answer answer = await DbAsync("PATCH", "/docs?id=users/9&debug=true", """
            {"Patch":{"Script":"x"},"PatchIfMissing":{
              "Script":"this.A = 1; incrementCounter('users/9', 'Likes', args.n); output(counter('users/9', 'Likes'))","Values":{"n":9007199254740993}}}
            """);

        Assert.Equal(201, answer.Status);
        Assert.Equal("""["9007199254740993"]""", answer.Json.GetProperty("Debug").GetProperty("Info").GetRawText());
        Assert.Equal("""["users/9 Likes"]""", answer.Json.GetProperty("Debug").GetProperty("Actions").GetProperty("IncrementCounter").GetRawText());
        using JsonDocument stored = JsonDocument.Parse(await LoadAsync("users/9"));
        JsonElement metadata = stored.RootElement.GetProperty("@metadata");
        Assert.Equal(metadata.GetProperty("@change-vector").GetString(), answer.Json.GetProperty("ChangeVector").GetString());
        Assert.Equal("""["Likes"]""", metadata.GetProperty("@counters").GetRawText());
    }

    [Theory]
    [InlineData("incrementCounter('users/none', 'x')", "DocumentDoesNotExistException", "users/none")]
    [InlineData("incrementCounter(this, 'Likes', args.n)", "CounterOverflowException", "Likes")]
    [InlineData("incrementCounter(this, 'Likes', 9223372036854775807)", "JavaScriptException", "whole number")]
    [InlineData("incrementCounter(this, 'x', 1.5)", "JavaScriptException", "whole number")]
    [InlineData("incrementCounter(this, 'x', 'y')", "JavaScriptException", "number")]
    [InlineData("incrementCounter(this)", "JavaScriptException", "Argument 2")]
    [InlineData("incrementCounter({}, 'x')", "JavaScriptException", "a document that the script")]
    [InlineData("incrementCounter(this, '')", "JavaScriptException", "empty")]
    [InlineData("counter(7, 'x')", "JavaScriptException", "Argument 1")]
    [InlineData("for (let i = 0; i <= 1000; i++) incrementCounter(this, 'x')", "JavaScriptException", "1000")]
    public async Task Patch_ThatCannotCount_ChangesNothing(string script, string type, string message)
    {
        string body = JsonSerializer.Serialize(new { Patch = new { Script = "this.A = 1; " + script, Values = new { n = long.MaxValue } } });
        (await DbAsync("PATCH", "/docs?id=users/1", body)).AssertProblem(500, type, message);
        Assert.DoesNotContain("\"A\"", await LoadAsync("users/1"), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Patches_ThatReadACounterOthersIncrement_LoseNothing()
    {
        Task<Answer>[] all =
        [
            .. Enumerable.Range(0, 20).Select(_ => DbAsync("PATCH", "/docs?id=users/2",
                """{"Patch":{"Script":"incrementCounter(this, 'Twice', counter(this, 'Once') || 0); incrementCounter(this, 'Sum')"}}""")),
            .. Enumerable.Range(0, 20).Select(_ => CountAsync("users/2",
                """{"Type":"Increment","CounterName":"Once","Delta":1},{"Type":"Increment","CounterName":"Sum","Delta":1}""")),
        ];
        Assert.All(await Task.WhenAll(all), answer => Assert.True(answer.Status == 200, answer.Text));

        string text = (await DbAsync("GET", "/counters?docId=users/2&counter=Sum&counter=Once")).Text;
        Assert.Contains("\"TotalValue\":40", text, StringComparison.Ordinal);
        Assert.Contains("\"TotalValue\":20", text, StringComparison.Ordinal);
    }

    /// <summary>Each sees what the one before it did: patches of different documents do not queue.</summary>
    [Fact]
    public async Task Patches_ThatTakeANumberOfACounter_TakeEachOnce()
    {
        const int patches = 24;
        Answer[] answers = await Task.WhenAll(Enumerable.Range(0, patches).Select(i => DbAsync("PATCH", $"/docs?id=tickets/{i}",
            """{"Patch":{"Script":"x"},"PatchIfMissing":{"Script":"this.N = counter('users/1', 'Taken') || 0; incrementCounter('users/1', 'Taken')"}}""")));

        Assert.Equal(
            Enumerable.Range(0, patches), answers.Select(answer => answer.Json.GetProperty("ModifiedDocument").GetProperty("N").GetInt32()).Order());
    }

    private static IEnumerable<string> Included(JsonElement answer) => answer.GetProperty("CounterIncludes").EnumerateObject().SelectMany(document =>
        document.Value.EnumerateArray().Select(detail => detail.ValueKind == JsonValueKind.Null
            ? $"{document.Name}:null"
            : $"{document.Name}:{detail.GetProperty("CounterName").GetString()}={detail.GetProperty("TotalValue").GetInt64()}"));

    private Task<Answer> DbAsync(string method, string path, object? body = null, params (string Name, string Value)[] headers) =>
        Answer.ToAsync(_server.Client, method, "/databases/db1" + path, body, headers);

    private Task<Answer> CountAsync(string id, string operations) =>
        DbAsync("POST", "/counters", $$"""{"Documents":[{"DocumentId":"{{id}}","Operations":[{{operations}}]}]}""");

    private async Task<string> LoadAsync(string id) =>
        (await DbAsync("GET", $"/docs?id={id}")).Json.GetProperty("Results")[0].GetRawText();

    private Task<Answer> QueryAsync(string text, bool wait = false, string? tag = null)
    {
        object query = new
        {
            Query = text,
            QueryParameters = new { names = (string[])["b", "None"], name = "Likes" },
            WaitForNonStaleResults = wait,
            WaitForNonStaleResultsTimeout = "00:00:15",
        };
        return DbAsync("POST", "/queries", JsonSerializer.Serialize(query), tag is null ? [] : [("If-None-Match", tag)]);
    }
}
