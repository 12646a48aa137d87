using System.Text.Json;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Queries.Changes;

/// <summary>PATCH of queries.</summary>
public sealed class PatchByQueryTests : IAsyncLifetime
{
    private const int Documents = 300;

    private ServerFixture _server = null!;

    public async Task InitializeAsync()
    {
        _server = await ServerFixture.StartAsync();
        IEnumerable<string> puts = Enumerable.Range(0, Documents).Select(i => $$$$"""
            {"Type":"PUT","Id":"Users/{{{{i:D3}}}}","Document":{"N":{{{{i}}}},"Company":"companies/1","@metadata":{"@collection":"Users"}}}
            """);
        Assert.Equal(201, (await _server.DbAsync("POST", "/bulk_docs", $$"""{"Commands":[{{string.Join(',', puts)}}]}""")).Status);
        await _server.PutAsync("companies/1", """{"Name":"Acme","@metadata":{"@collection":"Companies"}}""");
    }

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Theory]
    [InlineData("from Users update { this.N += 1000 }", 300)]
    [InlineData("from Users as u update { u.N += $n - args.n + 1000; }", 300)]
    [InlineData("from Users where startsWith(id(), 'users/01') update { this.N += 1000 }", 10)]
    [InlineData("from Users as u filter u.N >= 290 update { u.N += 1000 }", 10)]
    [InlineData("from Users order by id() update { this.N += 1000 } limit 5, 7", 7)]
    [InlineData("declare function add(n) { return n + 1000; } from Users as u update { u.N = add(u.N) }", 300)]
    [InlineData("from Users as u load u.Company as c update { u.N += c.Name == 'Acme' ? 1000 : 0 }", 300)]
    [InlineData("from Nobody update { this.N = 1 }", 0)]
    public async Task Patch_ByQuery_ChangesWhatItFindsOnce(string query, int changed)
    {
        JsonElement state = await PatchAsync(query, "?allowStale=false&details=false", new { n = 5 });
        Assert.Equal("Completed", state.GetProperty("Status").GetString());
        Assert.Equal(changed, state.GetProperty("Result").GetProperty("Total").GetInt32());
        Assert.Equal(query, state.GetProperty("Result").GetProperty("Query").GetString());
        Assert.Equal(changed, state.GetProperty("Progress").GetProperty("Total").GetInt32());
        Assert.Equal(changed, state.GetProperty("Progress").GetProperty("Processed").GetInt32());
        JsonElement rows = (await _server.DbAsync("POST", "/queries", """{"Query":"from Users select N"}""")).Json.GetProperty("Results");
        int[] numbers = [.. rows.EnumerateArray().Select(row => row.GetProperty("N").GetInt32())];
        Assert.Equal(changed, numbers.Count(n => n is >= 1000 and < 1000 + Documents));
        Assert.Equal(Documents - changed, numbers.Count(n => n < Documents));
    }

    [Fact]
    public async Task Patch_WithDetails_ListsWhatBecameOfEach()
    {
        JsonElement state = await PatchAsync(
            "from Users where id() in ('users/001', 'users/002') update { if (this.N == 1) this.N = 7 }", "?details=true", null);
        JsonElement[] details = [.. state.GetProperty("Result").GetProperty("Details").EnumerateArray()];
        Assert.Equal(["Users/001", "Users/002"], details.Select(one => one.GetProperty("Id").GetString()).Order());
        Assert.Equal(["NotModified", "Patched"], details.Select(one => one.GetProperty("Status").GetString()).Order());
        Assert.All(details, one => Assert.StartsWith("A:", one.GetProperty("ChangeVector").GetString(), StringComparison.Ordinal));
    }

    [Fact]
    [Trait("Tier", "Full")]
    public async Task Patch_OfLargeDocuments_ChangesThemInSeveralTransactions()
    {
        string document = $$"""{"N":1,"T":"{{new string('x', 7 << 20)}}","@metadata":{"@collection":"Large"} }""";
        for (int i = 0; i < 20; i++)
        {
            await _server.PutAsync($"large/{i}", document);
        }

        int batches = _server.Probe.Batches;
        JsonElement state = await PatchAsync("from Large update { this.N = 2 }", "", null);
        Assert.True(state.GetProperty("Status").GetString() == "Completed", state.GetRawText());
        Assert.Equal(20, state.GetProperty("Result").GetProperty("Total").GetInt32());
        Assert.Equal(2, _server.Probe.Batches - batches);
    }

    [Fact]
    public async Task Patch_WhoseScriptsTakeLongTogether_ChangesThemInSmallerTransactions()
    {
        var clock = new SteppingClock();
        await using ServerFixture slow = await ServerFixture.StartAsync(new ServerSetup { Time = clock });
        (ServerFixture usual, _server) = (_server, slow);
        string puts = string.Join(',', Enumerable.Range(0, 128).Select(
            i => $$"""{"Type":"PUT","Id":"Users/{{i:D3}}","Document":{"N":1,"@metadata":{"@collection":"Users"} } }"""));
        Assert.Equal(201, (await _server.DbAsync("POST", "/bulk_docs", $$"""{"Commands":[{{puts}}]}""")).Status);
        int batches = _server.Probe.Batches;
        clock.StepMs = 300;
        JsonElement state = await PatchAsync("from Users update { this.N = 2 }", "", null);
        clock.StepMs = 0;
        _server = usual;
        Assert.True(state.GetProperty("Status").GetString() == "Completed", state.GetRawText());
        Assert.Equal(128, state.GetProperty("Result").GetProperty("Total").GetInt32());
        Assert.InRange(slow.Probe.Batches - batches, 2, 127);
    }

    [Fact]
    public async Task Patch_WhoseScriptFails_IsFaulted()
    {
        JsonElement state = await PatchAsync("from Users update { throw new Error('no'); }", "", null);
        Assert.Equal("Faulted", state.GetProperty("Status").GetString());
        Assert.EndsWith("JavaScriptException", state.GetProperty("Result").GetProperty("Type").GetString(), StringComparison.Ordinal);
        Assert.Contains("Users/000", state.GetProperty("Result").GetProperty("Message").GetString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Patch_Throttled_CanBeKilled()
    {
        Answer answer = await _server.DbAsync("PATCH", "/queries?maxOpsPerSec=2&operationId=77", """{"Query":{"Query":"from Users update { this.X = 1 }"}}""");
        Assert.Equal(77, answer.Json.GetProperty("OperationId").GetInt64());
        Assert.Equal(204, (await _server.DbAsync("POST", "/operations/kill?id=77")).Status);
        Assert.Equal("Canceled", (await _server.EndOfOperationAsync(77)).GetProperty("Status").GetString());
    }

    [Theory]
    [InlineData("from Users", 400, "InvalidQueryException", "update")]
    [InlineData("from Users update { this.X = }", 400, "JavaScriptParseException", "1:")]
    [InlineData("from Users as u load u.Company as c[] update { this.X = 1 }", 501, "NotSupportedException", "several loaded")]
    [InlineData("from", 400, "InvalidQueryException", "1:5")]
    public async Task Patch_ByWhatCannotBeRun_IsAnError(string query, int status, string type, string message) =>
        (await _server.DbAsync("PATCH", "/queries", JsonSerializer.Serialize(new { Query = new { Query = query } }))).AssertProblem(status, type, message);

    private async Task<JsonElement> PatchAsync(string query, string options, object? parameters)
    {
        Answer answer = await _server.DbAsync(
            "PATCH", "/queries" + options, JsonSerializer.Serialize(new { Query = new { Query = query, QueryParameters = parameters } }));
        Assert.True(answer.Status == 202, answer.Text);
        Assert.Equal("A", answer.Json.GetProperty("OperationNodeTag").GetString());
        return await _server.EndOfOperationAsync(answer.Json.GetProperty("OperationId").GetInt64());
    }

    // Each look at it takes some time.
    private sealed class SteppingClock : TimeProvider
    {
        private long _ms;

        public int StepMs { get; set; }

        public override long TimestampFrequency => 1_000;

        public override long GetTimestamp() => Interlocked.Add(ref _ms, StepMs);
    }
}
