using System.Text.Json;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Pal.Simulation;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Indexes;

/// <summary>Errors of indexes: kept over restarts and power cuts, bounded, deleted.</summary>
public sealed class IndexErrorTests : IAsyncLifetime
{
    private const string Ratio = "from u in docs.Users select new { Value = 10 / u.Divisor }";

    private SimulatedPlatform _platform = new(seed: 1);
    private ServerFixture _server = null!;

    public async Task InitializeAsync() => _server = await ServerFixture.StartAsync(new ServerSetup { Platform = _platform });

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Fact]
    public async Task Errors_AfterARestart_AreTheSame()
    {
        await PutUsersAsync(good: 3, bad: 2);
        await _server.PutIndexAsync("Ratio", Ratio);
        await _server.SettledAsync();
        string errors = await ErrorsAsync();
        using (var json = JsonDocument.Parse(errors))
        {
            JsonElement first = json.RootElement[0];
            Assert.Equal(2, json.RootElement.GetArrayLength());
            Assert.Equal("bad/0", first.GetProperty("Document").GetString());
            Assert.Equal("Map", first.GetProperty("Action").GetString());
            Assert.Contains("divide by zero", first.GetProperty("Error").GetString(), StringComparison.Ordinal);
            Assert.True(first.GetProperty("Timestamp").GetDateTime() > DateTime.UnixEpoch);
        }

        await _server.RestartAsync();
        Assert.Equal(errors, await ErrorsAsync());
        await _server.PutAsync("bad/9", "Users", """{"Divisor":0}""");
        await _server.SettledAsync();
        await CutPowerAsync();
        Assert.StartsWith(errors[..^1], await ErrorsAsync(), StringComparison.Ordinal);
        Assert.Equal(3, await CountAsync());
    }

    /// <summary>What is nested so deep that a row of it cannot be read again concerns that document, and no other one.</summary>
    [Theory]
    [InlineData(
        "from d in docs.Deep select new { Key = 1, d.Payload }",
        "from r in results group r by r.Key into g select new { Key = g.Key, g.First().Payload }", 250, 1)]
    [InlineData(
        "from d in docs.Deep select new { Key = 1, P = new { Q = new { d.Payload } } }",
        "from r in results group r by r.Key into g select new { Key = g.Key, g.First().P }", 254, 1)]
    [InlineData(
        "from d in docs.Deep select new { Key = 1, d.Payload }",
        "from r in results group r by r.Key into g select new { Key = g.Key, Payload = new { A = new { B = new { C = g.First().Payload } } } }", 254, 0)]
    [InlineData("map('Deep', d => ({ Key: 1, Payload: d.Payload }))", null, 255, 1)]
    [InlineData(
        "map('Deep', d => ({ Key: 1, Payload: d.Payload, _: createField('T', 'x', JSON.parse('[0]'.padStart(103, '[').padEnd(203, ']'))) }))",
        null, 1, 0)]
    public async Task Document_NestedTooDeepForARow_LeavesTheOthers(string map, string? reduce, int depth, int good)
    {
        object? output = reduce is null ? null : new { OutputReduceToCollection = "Rows", PatternForOutputReduceToCollectionReferences = "rows/{Key}" };
        Answer put = await _server.PutIndexAsync("Deep", map, reduce, output);
        Assert.True(put.Status == 201, put.Text);
        await _server.PutAsync("deep/1", "Deep", $$"""{"Payload":{{new string('[', depth)}}{{new string(']', depth)}}}""");
        await _server.PutAsync("deep/2", "Deep", """{"Payload":1}""");
        await _server.SettledAsync().WaitAsync(TimeSpan.FromSeconds(30));
        Answer found = await _server.QueryAsync("from index 'Deep' limit 0");
        Assert.True(found.Json.GetProperty("TotalResults").GetInt32() >= good, found.Text);
        Assert.DoesNotContain("\"Action\":\"Index\"", (await _server.DbAsync("GET", "/indexes/errors?name=Deep")).Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Errors_MoreThanAreKept_TheNewestStayAlsoAfterAPowerCut()
    {
        await _server.PutIndexAsync("Ratio", Ratio);
        await PutUsersAsync(good: 4000, bad: 0);
        for (int round = 0; round < 7; round++)
        {
            await PutUsersAsync(good: 0, bad: 100, first: round * 100);
            await _server.SettledAsync(); // a batch tells of a hundred
        }

        string errors = await ErrorsAsync();
        Assert.Equal(IndexFailuresKept, await CountAsync());
        Assert.DoesNotContain("bad/199\"", errors, StringComparison.Ordinal);
        Assert.Contains("bad/200\"", errors, StringComparison.Ordinal);
        await CutPowerAsync();
        Assert.Equal(errors, await ErrorsAsync());
    }

    [Theory]
    [InlineData("works")]
    [InlineData("paused")]
    [InlineData("disabled")]
    public async Task Delete_Errors_AreGoneAlsoAfterAPowerCut(string how)
    {
        await PutUsersAsync(good: 3, bad: 2);
        await _server.PutIndexAsync("Ratio", Ratio);
        await _server.PutIndexAsync("Other", Ratio);
        await _server.SettledAsync();
        _server.Indexes.Require("Ratio").IsPaused = how == "paused";
        if (how == "disabled")
        {
            await _server.Indexes.ChangeAsync(["Ratio"], record => record with { State = IndexState.Disabled }, default);
        }

        Answer unknown = await _server.DbAsync("DELETE", "/indexes/errors?name=Ratio&name=None");
        unknown.AssertProblem(500, "IndexDoesNotExistException", "None");
        Assert.Equal(2, await CountAsync());
        Answer deleted = await _server.DbAsync("DELETE", "/indexes/errors?name=Ratio");
        Assert.Equal((204, ""), (deleted.Status, deleted.Text));
        Assert.Equal("[]", await ErrorsAsync());
        await CutPowerAsync();
        Assert.Equal("[]", await ErrorsAsync());
        Assert.Equal(2, await CountAsync("Other"));
    }

    [Fact]
    public async Task FailingIndex_PowerCutAtAnyMoment_StaysFailedUntilItIsEnabled()
    {
        await PutUsersAsync(good: 50, bad: 50);
        await _server.PutIndexAsync("Ratio", Ratio);
        await _server.WaitUntilAsync(() => !_server.Indexes.Require("Ratio").IsActive); // its state may not be written yet
        await CutPowerAsync();
        await _server.WaitUntilAsync(() => _server.Indexes.Require("Ratio").Record.State == IndexState.Error);
        (await _server.QueryAsync("from index 'Ratio'")).AssertProblem(500, "IndexInvalidException", "failed for too many documents");
        Assert.Equal(50, await CountAsync());
        Assert.Equal(204, (await _server.DbAsync("POST", "/admin/indexes/enable?name=Ratio")).Status);
        await PutUsersAsync(good: 10, bad: 0, first: 1000);
        await _server.SettledAsync();
        await CutPowerAsync();
        await _server.SettledAsync();
        Assert.Equal(IndexState.Normal, _server.Indexes.Require("Ratio").Record.State);
    }

    [Fact]
    public async Task Errors_LongMessage_IsCut()
    {
        await _server.PutAsync("users/1", "Users", $$"""{"Text":"{{new string('x', 10_000)}}"}""");
        await _server.PutIndexAsync("Ratio", "from u in docs.Users select new { Value = (int)u.Text }");
        await _server.SettledAsync();
        using var json = JsonDocument.Parse(await ErrorsAsync());
        Assert.True(json.RootElement[0].GetProperty("Error").GetString()!.Length < 5000);
    }

    private const int IndexFailuresKept = 500;

    private Task PutUsersAsync(int good, int bad, int first = 0) => _server.PutAllAsync("Users", Enumerable.Range(first, good + bad).Select(i =>
        i < first + good
            ? ($"good/{i}", new Dictionary<string, object> { ["Divisor"] = 5 })
            : ($"bad/{i - good}", new Dictionary<string, object> { ["Divisor"] = 0 })));

    private async Task CutPowerAsync()
    {
        _platform = _platform.Crash(seed: 7);
        await _server.DisposeAsync();
        _server = await ServerFixture.StartAsync(new ServerSetup { Platform = _platform });
    }

    private async Task<string> ErrorsAsync(string name = "Ratio")
    {
        Answer answer = await _server.DbAsync("GET", "/indexes/errors?name=" + name);
        Assert.True(answer.Status == 200, answer.Text);
        return answer.Json.GetProperty("Results")[0].GetProperty("Errors").GetRawText();
    }

    private async Task<int> CountAsync(string name = "Ratio")
    {
        using var json = JsonDocument.Parse(await ErrorsAsync(name));
        return json.RootElement.GetArrayLength();
    }
}
