using System.Text.Json;
using Jackdaw.Documents.Callers;
using Jackdaw.Server.Http.Routing;
using Jackdaw.Server.Tests.Http.Routing;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Security;

/// <summary>What requests leave in the audit log.</summary>
public sealed class AuditTests : IAsyncLifetime
{
    private readonly string _root = Directory.CreateTempSubdirectory("jackdaw-audit-").FullName;
    private readonly TestCaller _caller = new();
    private ServerFixture _server = null!;

    private string Folder => Path.Combine(_root, "Security", "audit");

    public async Task InitializeAsync() =>
        _server = await ServerFixture.StartAsync(new ServerSetup { DataDir = _root, RunInMemory = false, Caller = _caller });

    public async Task DisposeAsync()
    {
        await _server.DisposeAsync();
        Directory.Delete(_root, recursive: true);
    }

    [Theory]
    [InlineData("PUT", "/admin/databases?name=audited", """{"DatabaseName":"audited"}""", "database", "audited", "done")]
    [InlineData("PUT", "/admin/databases?name=db1", """{"DatabaseName":"db1"}""", "database", "db1", "failed")]
    [InlineData("DELETE", "/admin/databases", """{"DatabaseNames":["none"]}""", "database", null, "")]
    [InlineData("PUT", "/databases/db1/indexes", """{"Indexes":[{"Name":"A","Maps":["from d in docs select new { d.Name }"]}]}""", "index", "db1", "failed")]
    [InlineData("PUT", "/databases/db1/admin/indexes", """{"Indexes":[{"Name":"B","Maps":["from d in docs select new { d.A }"]}]}""", "index", "db1", "done")]
    [InlineData("PUT", "/databases/db1/indexes", "no json", "index", "db1", "failed")]
    [InlineData("DELETE", "/databases/db1/indexes?name=A", null, "index", "db1", "")]
    [InlineData("POST", "/databases/db1/admin/expiration/config", """{"Disabled":false}""", "setting", "db1", "done")]
    [InlineData("PUT", "/databases/db1/admin/configuration/settings", """{}""", "setting", "db1", "")]
    [InlineData("POST", "/admin/logs/configuration", """{"Mode":"Information"}""", "setting", null, "")]
    [InlineData("PATCH", "/databases/db1/queries", """{"Query":{"Query":"from Users update { this.a = 1 }"}}""", "change-by-query", "db1", "done")]
    [InlineData("DELETE", "/databases/db1/queries", """{"Query":"from Users"}""", "change-by-query", "db1", "done")]
    public async Task ChangeOfEachKind_WritesBothLines(string method, string path, string? body, string kind, string? database, string outcome)
    {
        Answer answer = await _server.SendAsync(method, path, body);
        await Eventually.IsTrueAsync(() => Lines().Length == 2, AllText); // a change by query ends after its answer

        JsonElement[] lines = Lines();
        Assert.All(lines, line => Assert.Equal((kind, database), (Text(line, "kind"), Text(line, "database"))));
        Assert.All(lines, line => Assert.StartsWith(method, Text(line, "route"), StringComparison.Ordinal));
        Assert.All(lines, line => Assert.Equal(("the caller of the test", "127.0.0.1"), (Text(line, "who"), Text(line, "from"))));
        Assert.Equal("begun", Text(lines[0], "outcome"));
        Assert.Equal(answer.Status < 400 ? "done" : "failed", Text(lines[1], "outcome"));
        Assert.True(outcome.Length == 0 || outcome == Text(lines[1], "outcome"), answer.Text);
        Assert.Equal(answer.Status == 202 ? 200 : answer.Status, lines[1].GetProperty("status").GetInt32());
        Assert.Equal(lines[0].GetProperty("action").GetInt64(), lines[1].GetProperty("action").GetInt64());
    }

    [Fact]
    public void Routes_OfAdministratorsAndOfIndexesThatChangeSomething_AreAudited() => Assert.All(
        RouteListTests.All().Where(method => method.Name is not ("GET" or "HEAD") && IsChange(method)),
        method => Assert.True(method.Has(RouteTraits.Audited | RouteTraits.AuditedWithDetails), method.Title));

    [Fact]
    public async Task ReadsAndWritesOfDocuments_WriteNothing()
    {
        await _server.PutAsync("users/1", "{}");
        await _server.DbAsync("GET", "/docs?id=users/1");
        await _server.DbAsync("GET", "/queries?query=from Users");
        await _server.SendAsync("GET", "/databases");

        Assert.Empty(Lines());
    }

    [Fact]
    public async Task ChangeByQuery_TextIsLogged_ParametersAndScriptsAreNot()
    {
        const string body = """
            {"Query":{"Query":"declare function secret1(a) { return 'secret2' } from Users as u where u.Name = $name update { u.Key = 'secret3'; /* } */ }",
            "QueryParameters":{"name":"secret4"}}}
            """;
        Assert.Equal(202, (await _server.DbAsync("PATCH", "/queries", body)).Status);
        await _server.DbAsync("PATCH", "/queries", """{"Query":{"Query":"from Users update { this.x = 'secret5' oops"}}""");
        await _server.DbAsync("DELETE", "/queries?maxOpsPerSec=1", """{"Query":"from Users where Name = $n","QueryParameters":{"n":"secret6"}}""");

        string text = AllText();
        Assert.Contains("declare function secret1(a) {...} from Users as u where u.Name = $name update {...}", text, StringComparison.Ordinal);
        Assert.Contains("from Users where Name = $n", text, StringComparison.Ordinal);
        Assert.All(["secret2", "secret3", "secret4", "secret5", "secret6"], secret => Assert.DoesNotContain(secret, text, StringComparison.Ordinal));
    }

    /// <summary>The second line of an operation says how it ended, not that it was begun.</summary>
    [Theory]
    [InlineData("this.a = 1", false, "done")]
    [InlineData("throw 'no'", false, "failed")]
    [InlineData("this.a = 1", true, "failed")]
    public async Task ChangeByQuery_SecondLineSaysHowItEnded(string script, bool isKilled, string outcome)
    {
        await _server.PutAsync("users/1", """{"@metadata":{"@collection":"Users"}}""");
        await _server.PutAsync("users/2", """{"@metadata":{"@collection":"Users"}}""");
        Answer begun = await _server.DbAsync(
            "PATCH", $"/queries?maxOpsPerSec={(isKilled ? 1 : 1000)}", $$$"""{"Query":{"Query":"from Users update { {{{script}}} }"}}""");
        if (isKilled)
        {
            Assert.Equal(1, Lines().Count(line => Text(line, "kind") == "change-by-query"));
            await _server.DbAsync("POST", $"/operations/kill?id={begun.Json.GetProperty("OperationId")}");
        }

        await Eventually.IsTrueAsync(() => Lines().Count(line => Text(line, "kind") == "change-by-query") == 2, AllText);
        JsonElement last = Lines()[^1];
        Assert.Equal(outcome, Text(last, "outcome"));
        Assert.Equal(begun.Json.GetProperty("OperationId").GetRawText(), Text(last.GetProperty("details"), "operation"));
        Assert.Equal(isKilled ? "somebody killed it" : null, Text(last.GetProperty("details"), "ended"));
    }

    [Fact]
    public async Task Refusals_OfKnownCallers_AreRecordedOnceASecondWithTheirNumber()
    {
        _caller.Grant(Access.Read);
        for (int i = 0; i < 20; i++)
        {
            Assert.Equal(403, (await _server.DbAsync("PUT", "/docs?id=a", "{}")).Status);
        }

        await Eventually.IsTrueAsync(() => Lines().Sum(CountOf) == 20, AllText);
        JsonElement line = Lines()[0];
        Assert.Equal(("refusal", "PUT /databases/{database}/docs", "db1"), (Text(line, "kind"), Text(line, "route"), Text(line, "database")));
        Assert.Equal("ReadWrite", line.GetProperty("details").GetProperty("needs").GetString());
        Assert.InRange(Lines().Length, 1, 10);
    }

    [Theory]
    [InlineData("POST", "/bulk_docs", """{"Commands":[{"Type":"PUT","Id":"users/1","Document":{}}]}""")]
    [InlineData("POST", "/multi_get", """{"Requests":[{"Url":"/databases/db1/admin/record","Query":"","Method":"GET"}]}""")]
    public async Task Refusals_OfParts_AreRecorded(string method, string path, string body)
    {
        _caller.Grant(Access.Read);
        await _server.DbAsync(method, path, body);

        Assert.Equal("refusal", Text(Assert.Single(Lines()), "kind"));
    }

    [Fact]
    public async Task Refusals_OfPages_AreRecordedWithTheirOrigin()
    {
        await _server.DbAsync("GET", "/docs?id=a", null, ("Origin", "http://evil.example"));

        Assert.Equal("http://evil.example", Assert.Single(Lines()).GetProperty("details").GetProperty("origin").GetString());
    }

    [Theory]
    [InlineData("PUT", "/admin/databases?name=late", """{"DatabaseName":"late"}""")]
    [InlineData("PUT", "/databases/db1/admin/indexes", """{"Indexes":[{"Name":"Late","Maps":["from d in docs select new { d.Name }"]}]}""")]
    [InlineData("DELETE", "/databases/db1/queries", """{"Query":"from @all_docs"}""")]
    [InlineData("POST", "/databases/db1/admin/expiration/config", """{"Disabled":false}""")]
    public async Task Change_WhoseLineCannotBeWritten_IsRefusedAndNotMade(string method, string path, string body)
    {
        await _server.PutAsync("users/1", "{}");
        Directory.CreateDirectory(Path.GetDirectoryName(Folder)!);
        await File.WriteAllTextAsync(Folder, ""); // a file where the folder should be
        string before = await StateAsync();

        (await _server.SendAsync(method, path, body)).AssertProblem(503, "RavenException", "audit log", "was not made");
        Assert.Equal(before, await StateAsync());
        Assert.Equal(200, (await _server.DbAsync("GET", "/docs?id=users/1")).Status);
        Assert.Equal(201, (await _server.DbAsync("PUT", "/docs?id=users/2", "{}")).Status); // documents need no line

        File.Delete(Folder);
        Assert.InRange((await _server.SendAsync(method, path, body)).Status, 200, 299);
    }

    [Fact]
    public async Task Change_OnAFullDisk_Answers507()
    {
        if (!File.Exists("/dev/full"))
        {
            return; // only Linux has it
        }

        Directory.CreateDirectory(Folder);
        string day = DateTimeOffset.UtcNow.ToString("yyyy-MM-dd", System.Globalization.CultureInfo.InvariantCulture);
        File.CreateSymbolicLink(Path.Combine(Folder, $"audit-{day}.jsonl"), "/dev/full");

        (await _server.SendAsync("PUT", "/admin/databases?name=late", """{"DatabaseName":"late"}""")).AssertProblem(507, "RavenException", "audit log");
    }

    [Fact]
    public async Task Get_ShowsNewestFirstPageByPage()
    {
        for (int i = 0; i < 5; i++)
        {
            await _server.SendAsync("PUT", $"/admin/databases?name=shop{i}", $$"""{"DatabaseName":"shop{{i}}"}""");
        }

        JsonElement first = (await _server.SendAsync("GET", "/admin/audit?pageSize=3")).Json;
        JsonElement second = (await _server.SendAsync("GET", $"/admin/audit?pageSize=100&before={first.GetProperty("Next").GetString()}")).Json;

        Assert.Equal(["shop4", "shop4", "shop3"], first.GetProperty("Results").EnumerateArray().Select(line => Text(line, "database")));
        Assert.Equal(7, second.GetProperty("Results").GetArrayLength());
        Assert.Equal(JsonValueKind.Null, second.GetProperty("Next").ValueKind);
        (await _server.SendAsync("GET", "/admin/audit?before=yesterday")).AssertProblem(400, "ArgumentException", "yesterday");
    }

    [Fact]
    public async Task Get_Filters_ShowsOnlyWhatIsWanted()
    {
        await _server.SendAsync("PUT", "/admin/databases?name=shop", """{"DatabaseName":"shop"}""");
        await _server.SendAsync("PUT", "/admin/databases?name=shop", """{"DatabaseName":"shop"}""");
        await _server.SendAsync("POST", "/admin/logs/configuration", """{"Mode":"Information"}""");
        DateTimeOffset now = _server.Setup.Time.GetUtcNow();

        Assert.Equal(4, await CountAsync("kind=database"));
        Assert.Equal(1, await CountAsync("kind=database&outcome=failed"));
        Assert.Equal(4, await CountAsync("database=SHOP&who=CALLER%20OF&kind="));
        Assert.Equal(6, await CountAsync("who=127.0.0.1"));
        Assert.Equal(0, await CountAsync("who=nobody"));
        Assert.Equal(6, await CountAsync($"since={now.AddHours(-1):yyyy-MM-ddTHH:mm:ss}Z&until={now.AddHours(1):yyyy-MM-ddTHH:mm:ss}Z"));
        Assert.Equal(0, await CountAsync($"since={now.AddHours(1):yyyy-MM-ddTHH:mm:ss}Z"));
        Assert.Equal(0, await CountAsync($"until={now.AddHours(-1):yyyy-MM-ddTHH:mm:ss}Z"));
    }

    [Theory]
    [InlineData("kind=war", "change-by-query")]
    [InlineData("outcome=Done", "begun, done, failed, refused")]
    [InlineData("since=yesterday", "give a time, such as")]
    [InlineData("until=2026-13-01", "give a time, such as")]
    public async Task Get_FilterThatCannotBe_IsRefused(string query, string message) =>
        (await _server.SendAsync("GET", $"/admin/audit?{query}")).AssertProblem(400, "ArgumentException", message);

    private async Task<int> CountAsync(string query) =>
        (await _server.SendAsync("GET", $"/admin/audit?{query}")).Json.GetProperty("Results").GetArrayLength();

    private static bool IsChange(RouteMethod method) =>
        method.Access >= Access.Admin || (method.Route.Pattern.StartsWith("/indexes", StringComparison.Ordinal) && method.Access >= Access.ReadWrite)
        || (method.Route.Pattern == "/queries" && method.Access >= Access.ReadWrite);

    private static string? Text(JsonElement line, string name) => line.TryGetProperty(name, out JsonElement value) ? value.GetString() : null;

    private static int CountOf(JsonElement line) => line.TryGetProperty("count", out JsonElement count) ? count.GetInt32() : 1;

    private async Task<string> StateAsync() =>
        (await _server.SendAsync("GET", "/admin/databases?name=db1")).Text + (await _server.SendAsync("GET", "/databases?namesOnly=true")).Text
        + (await _server.DbAsync("GET", "/indexes?namesOnly=true")).Text;

    private string AllText() => Directory.Exists(Folder) ? string.Concat(Directory.GetFiles(Folder).Select(File.ReadAllText)) : "";

    private JsonElement[] Lines() => [.. AllText().Split('\n', StringSplitOptions.RemoveEmptyEntries).Select(line => JsonDocument.Parse(line).RootElement)];
}
