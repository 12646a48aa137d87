using System.Text.Json;
using Jackdaw.Indexing;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Server.Tests.Additions;
using Jackdaw.Storage;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Indexes;

/// <summary>POST admin/indexes/move-engine: indexes that are built again with another engine.</summary>
public sealed class EngineMoveTests : IAsyncLifetime
{
    private const string Path = "/admin/indexes/move-engine";
    private const string ByName = "from u in docs.Users select new { u.Name }";
    private const string Key = "Indexing.Static.SearchEngineType";
    private const int Users = 20;

    private static readonly string[] s_queries =
    [
        "from index 'People' where Name = 'Ann'", "from index 'Counts'", "from index 'Script' where Name = 'Bob'", "from Users where Name = 'Ann'",
        "from Users group by Name select count(), key()",
    ];

    private readonly StandInEngine _own = new();
    private ServerFixture _server = null!;

    // A folder that was written when there was Lucene only: indexes of all kinds.
    public async Task InitializeAsync()
    {
        _server = await ServerFixture.StartAsync();
        for (int i = 0; i < Users; i++)
        {
            await _server.PutAsync($"users/{i}", "Users", $$"""{"Name":"{{(i % 2 == 0 ? "Ann" : "Bob")}}","Age":{{i}}}""");
        }

        await _server.PutIndexAsync("People", ByName);
        await _server.PutIndexAsync(
            "Counts", "from u in docs.Users select new { u.Name, Count = 1 }",
            "from r in results group r by r.Name into g select new { Name = g.Key, Count = g.Sum(x => x.Count) }");
        await _server.PutIndexAsync("Script", "map('Users', u => ({ Name: u.Name }))");
        foreach (string query in s_queries)
        {
            await _server.QueryAsync(query);
        }

        await _server.SettledAsync();
        _server.Setup = _server.Setup with { Engines = StandInEngine.Both(_own) };
        await _server.RestartAsync();
    }

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Fact]
    public async Task Move_OfAllIndexes_OneAtATime_WithTheSameAnswers()
    {
        string[][] before = await AnswersAsync();
        int most = 0;
        _server.Indexes.IndexChanged += _ => most = Math.Max(most, _server.Indexes.All.Count(index => index.Record.Replaces is not null));
        Answer begun = await MoveAsync("corax");
        Assert.Equal(202, begun.Status);
        Assert.Equal(5, begun.Json.GetProperty("Total").GetInt32());

        JsonElement operation = await _server.EndOfOperationAsync(begun.Json.GetProperty("OperationId").GetInt64());
        Assert.Equal("Completed", operation.GetProperty("Status").GetString());
        Assert.Equal(5, operation.GetProperty("Result").GetProperty("Moved").GetInt32());
        Assert.Equal(1, most);
        Assert.Equal(before, await AnswersAsync());
        Assert.Equal(["Auto/Users/ByCountReducedByName", "Auto/Users/ByName", "Counts", "People", "Script"], NamesOf(await GetAsync(), "Moved"));
        Assert.All(_server.Indexes.All, index => Assert.Equal(("Corax", false), (index.Record.Engine, index.Record.IsMove)));
        Answer listed = await _server.DbAsync("GET", "/operations");
        Assert.Contains("\"Kind\":\"MoveEngine\"", listed.Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Move_WhileDocumentsAreWritten_EachAnswerHasWhatWasThere()
    {
        using var end = new CancellationTokenSource();
        Task writes = WriteUntilAsync(end.Token);
        await MoveAsync("Corax");
        while (!await IsEndedAsync())
        {
            foreach (string query in s_queries)
            {
                Answer answer = await _server.QueryAsync(query, waits: false);
                Assert.True(answer.Status == 200, answer.Text);
                Assert.InRange(answer.Json.GetProperty("TotalResults").GetInt32(), query.Contains("Name =", StringComparison.Ordinal) ? Users / 2 : 2, int.MaxValue);
            }
        }

        await end.CancelAsync();
        await writes;
        await _server.SettledAsync();
        Assert.All(_server.Indexes.All, index => Assert.Equal("Corax", index.Record.Engine));
        Assert.Equal(5, _server.Indexes.Count);
    }

    [Fact]
    public async Task Move_AskedForAgain_IsTheSameMove()
    {
        long first;
        using (await _server.HoldIndexesAsync())
        {
            first = (await MoveAsync("Corax", "People")).Json.GetProperty("OperationId").GetInt64();
            DatabaseIndex begun = await ReplacementAsync("People");
            Answer again = await MoveAsync("Corax", "people", "Script");
            Assert.Equal((202, first), (again.Status, again.Json.GetProperty("OperationId").GetInt64()));
            Assert.Equal(2, again.Json.GetProperty("Total").GetInt32());
            Assert.Same(begun, _server.Indexes.Require("ReplacementOf/People"));
        }

        await _server.EndOfOperationAsync(first);
        string[] folders = [.. _server.Indexes.All.Select(index => index.Record.Folder)];
        Answer later = await MoveAsync("Corax", "People", "Script");
        Assert.Equal("Completed", later.Json.GetProperty("Status").GetString());
        await _server.EndOfOperationAsync(later.Json.GetProperty("OperationId").GetInt64());
        await _server.SettledAsync();
        Assert.Equal(folders, _server.Indexes.All.Select(index => index.Record.Folder));
        Assert.Equal(["Lucene", "Corax"], new[] { "Counts", "Script" }.Select(name => _server.Indexes.Require(name).Record.Engine));
    }

    [Theory]
    [InlineData("""{}""", "'Engine' is missing; it can be Corax or Lucene")]
    [InlineData("""{"Engine":"Elastic"}""", "no search engine 'Elastic'; Engine can be Lucene or Corax")]
    [InlineData("""{"Engine":"Corax","Names":[]}""", "'Names' is empty")]
    [InlineData("""{"Engine":"Corax","Names":["Peple"]}""", "the nearest name is 'People'")]
    [InlineData("""{"Engine":7}""", "Engine")]
    [InlineData("""{"Engine":"Corax","Names":"People"}""", "Names")]
    public async Task WrongBodies_AreRefused_AndNothingBegins(string body, string message)
    {
        Answer answer = await _server.DbAsync("POST", Path, body);
        Assert.InRange(answer.Status, 400, 500);
        Assert.Contains(message, answer.Json.GetProperty("Message").GetString(), StringComparison.Ordinal);
        Assert.Equal("""{"Status":"None"}""", (await _server.DbAsync("GET", Path)).Text);
    }

    [Fact]
    public async Task Engine_ThatTheProgramDoesNotHave_IsRefused()
    {
        await using ServerFixture one = await ServerFixture.StartAsync();
        Answer answer = await one.DbAsync("POST", Path, """{"Engine":"corax"}""");
        answer.AssertProblem(400, "ArgumentException", "does not have the search engine 'Corax' (it has Lucene)", "name another");
    }

    [Fact]
    public async Task AnotherMove_WhileOneRuns_IsRefused()
    {
        using (await _server.HoldIndexesAsync())
        {
            await MoveAsync("Corax", "People");
            Answer other = await MoveAsync("Lucene");
            Assert.Contains("being moved to 'Corax'; stop that first, with DELETE /admin/indexes/move-engine", other.Text, StringComparison.Ordinal);
        }

        await UntilEndAsync();
    }

    [Fact]
    public async Task Index_WhoseDefinitionNamesAnotherEngine_IsLeftOut()
    {
        var lucene = new Dictionary<string, string> { [Key] = "lucene" };
        await _server.PutIndexAsync("Pinned", ByName, more: new { Configuration = lucene });
        await _server.SettledAsync();
        Answer begun = await MoveAsync("Corax");
        Assert.Equal(["Pinned"], ReasonsOf(begun.Json, "LeftOut").Keys);
        Assert.Contains("names Lucene itself (Indexing.Static.SearchEngineType in Configuration)", ReasonsOf(begun.Json, "LeftOut")["Pinned"], StringComparison.Ordinal);
        await UntilEndAsync();
        Assert.Equal("Lucene", _server.Indexes.Require("Pinned").Record.Engine);
        Assert.Equal(5, NamesOf(await GetAsync(), "Moved").Length);
    }

    [Theory]
    [InlineData("LockedIgnore")]
    [InlineData("LockedError")]
    public async Task Index_ThatIsLocked_MovesAsAResetWould(string lockMode)
    {
        IndexLockMode mode = Enum.Parse<IndexLockMode>(lockMode);
        await _server.Indexes.ChangeAsync(["People"], record => record with { LockMode = mode }, default);
        await MoveAsync("Corax", "People");
        await UntilEndAsync();
        Assert.Equal(("Corax", mode), (_server.Indexes.Require("People").Record.Engine, _server.Indexes.Require("People").Record.LockMode));
    }

    [Fact]
    public async Task Index_ThatIsDisabled_FailsWithTheReason_AndTheOthersMove()
    {
        await _server.DbAsync("POST", "/admin/indexes/disable?name=Counts");
        await MoveAsync("Corax");
        await UntilEndAsync();
        JsonElement state = await GetAsync();
        Assert.Contains("enable it, and move it again", ReasonsOf(state, "Failed")["Counts"], StringComparison.Ordinal);
        Assert.Equal(4, NamesOf(state, "Moved").Length);
        Assert.Equal((IndexState.Disabled, "Lucene"), (_server.Indexes.Require("Counts").Record.State, _server.Indexes.Require("Counts").Record.Engine));

        await _server.DbAsync("POST", "/admin/indexes/enable?name=Counts");
        await MoveAsync("Corax");
        await UntilEndAsync();
        Assert.Equal("Corax", _server.Indexes.Require("Counts").Record.Engine);
    }

    [Fact]
    public async Task Index_ThatIsDisabledWhileItMoves_Fails()
    {
        using (await _server.HoldIndexesAsync())
        {
            await MoveAsync("Corax", "People");
            await ReplacementAsync("People");
            await _server.DbAsync("POST", "/admin/indexes/disable?name=People");
            await UntilEndAsync();
        }

        Assert.Contains("It is disabled", ReasonsOf(await GetAsync(), "Failed")["People"], StringComparison.Ordinal);
        Assert.Null(_server.Indexes.Find("ReplacementOf/People"));
    }

    [Fact]
    public async Task Index_ThatFailsTooOften_FailsWithItsError_AndTheOthersMove()
    {
        for (int i = 0; i < 150; i++)
        {
            await _server.PutAsync($"dogs/{i}", "Dogs", """{"Zero":0}""");
        }

        await _server.PutIndexAsync("Broken", "from d in docs.Dogs select new { X = 1 / (int)d.Zero }");
        await _server.WaitUntilAsync(() => _server.Indexes.Require("Broken").Record.State == IndexState.Error);
        await _server.Indexes.ChangeAsync(["Broken"], record => record with { Engine = "Lucene" }, default);
        await MoveAsync("Corax", "Broken", "People");
        await UntilEndAsync();
        JsonElement state = await GetAsync();
        Assert.Contains("too many documents failed", ReasonsOf(state, "Failed")["Broken"], StringComparison.Ordinal);
        Assert.Equal(["People"], NamesOf(state, "Moved"));
        Assert.Null(_server.Indexes.Find("ReplacementOf/Broken"));
    }

    [Theory]
    [InlineData("DELETE")]
    [InlineData("kill")]
    public async Task Stop_InTheMiddle_DiscardsWhatIsBuilt_AndStaysStopped(string way)
    {
        string[] folders = [.. _server.Indexes.All.Select(index => index.Record.Folder)];
        using (await _server.HoldIndexesAsync())
        {
            long id = (await MoveAsync("Corax")).Json.GetProperty("OperationId").GetInt64();
            await _server.WaitUntilAsync(() => _server.Indexes.Current.Any(index => index.Record.IsMove));
            Answer stopped = way == "kill"
                ? await _server.DbAsync("POST", $"/operations/kill?id={id}")
                : await _server.DbAsync("DELETE", Path);
            Assert.Equal(204, stopped.Status);
            Assert.Equal("Canceled", (await _server.EndOfOperationAsync(id)).GetProperty("Status").GetString());
            await _server.WaitUntilAsync(() => !_server.Indexes.Current.Any(index => index.Record.IsMove));
        }

        JsonElement state = await GetAsync();
        Assert.Equal(("Stopped", 5), (state.GetProperty("Status").GetString(), state.GetProperty("Left").GetArrayLength()));
        await _server.RestartAsync();
        await _server.SettledAsync();
        Assert.Equal("Stopped", (await GetAsync()).GetProperty("Status").GetString());
        Assert.Equal(folders, _server.Indexes.All.Select(index => index.Record.Folder));
        Assert.Equal(404, (await _server.DbAsync("DELETE", Path)).Status);
        await MoveAsync("Corax");
        await UntilEndAsync();
        Assert.Equal(5, NamesOf(await GetAsync(), "Moved").Length);
    }

    [Fact]
    public async Task Restart_InTheMiddle_GoesOnWithWhatIsLeft()
    {
        IDisposable hold = await _server.HoldIndexesAsync();
        await MoveAsync("Corax", "People", "Counts", "Auto/Users/ByName");
        await ReplacementAsync("People");
        Task restart = _server.RestartAsync();
        hold.Dispose();
        await restart;
        JsonElement state = await GetAsync();
        Assert.True(state.GetProperty("Status").GetString() is "Running" or "Completed", state.GetRawText());
        Assert.Contains("MoveEngine", (await _server.DbAsync("GET", "/operations")).Text, StringComparison.Ordinal);
        await UntilEndAsync();
        Assert.Equal(["People", "Counts", "Auto/Users/ByName"], NamesOf(await GetAsync(), "Moved"));
        Assert.Equal("Lucene", _server.Indexes.Require("Script").Record.Engine);
    }

    [Fact]
    public async Task Definition_PutAgainWhileItMoves_IsNotBegunAgain()
    {
        using (await _server.HoldIndexesAsync())
        {
            await MoveAsync("Corax", "People");
            DatabaseIndex begun = await ReplacementAsync("People");
            Assert.Equal(201, (await _server.PutIndexAsync("People", ByName)).Status);
            Assert.Same(begun, _server.Indexes.Require("ReplacementOf/People"));
        }

        await UntilEndAsync();
        Assert.Equal("Corax", _server.Indexes.Require("People").Record.Engine);
    }

    // The engine of the move is not that of the setting.
    [Theory]
    [InlineData(null, "Lucene")]
    [InlineData("Corax", "Corax")]
    public async Task Definition_ChangedWhileItMoves_IsBuiltWithTheEngineOfTheMove_UnlessItNamesOne(string? named, string expected)
    {
        await MoveAsync("Corax", "People");
        await UntilEndAsync();
        using (await _server.HoldIndexesAsync())
        {
            await MoveAsync("Lucene", "People");
            await ReplacementAsync("People");
            object? more = named is null ? null : new { Configuration = new Dictionary<string, string> { [Key] = named } };
            Assert.Equal(201, (await _server.PutIndexAsync("People", "from u in docs.Users select new { u.Name, u.Age }", more: more)).Status);
            await _server.WaitUntilAsync(() => named is not null || _server.Indexes.Require("ReplacementOf/People").Record is { IsMove: true });
        }

        await UntilEndAsync();
        await _server.SettledAsync();
        Assert.Equal(expected, _server.Indexes.Require("People").Record.Engine);
        Assert.Equal("users/7", await _server.IdsAsync("from index 'People' where Age = 7"));
        Assert.Equal(named is null, NamesOf(await GetAsync(), "Moved").Length == 1);
    }

    [Fact]
    public async Task Index_DeletedWhileItMoves_IsLeftOut()
    {
        using (await _server.HoldIndexesAsync())
        {
            await MoveAsync("Corax", "People", "Script");
            await ReplacementAsync("People");
            Assert.Equal(204, (await _server.DbAsync("DELETE", "/indexes?name=People")).Status);
        }

        await UntilEndAsync();
        Assert.Equal("It was deleted.", ReasonsOf(await GetAsync(), "LeftOut")["People"]);
        Assert.Equal(["Script"], NamesOf(await GetAsync(), "Moved"));
        Assert.Null(_server.Indexes.Find("ReplacementOf/People"));
    }

    [Fact]
    public async Task Replacement_DamagedWhileItMoves_KeepsTheEngineOfTheMove()
    {
        await MoveAsync("Corax", "People");
        await UntilEndAsync();
        using (await _server.HoldIndexesAsync())
        {
            await MoveAsync("Lucene", "People");
            DatabaseIndex begun = await ReplacementAsync("People");
            begun.NoteDamage(new CorruptionException("flipped"));
            await _server.WaitUntilAsync(() => _server.Indexes.Find("ReplacementOf/People") is { } anew && anew != begun);
            Assert.Equal("Lucene", _server.Indexes.Require("ReplacementOf/People").Record.Engine);
        }

        await UntilEndAsync();
        Assert.Equal("Lucene", _server.Indexes.Require("People").Record.Engine);
    }

    [Fact]
    public async Task Move_WhileIndexesArePaused_SaysSo_AndGoesOnWhenTheyStart()
    {
        await _server.DbAsync("POST", "/admin/indexes/stop");
        await MoveAsync("Corax", "People");
        await ReplacementAsync("People");
        JsonElement moving = (await GetAsync()).GetProperty("Moving");
        Assert.Equal("People", moving.GetProperty("Name").GetString());
        Assert.Contains("It is paused; POST /admin/indexes/start", moving.GetProperty("Waits").GetString(), StringComparison.Ordinal);
        await _server.DbAsync("POST", "/admin/indexes/start");
        await UntilEndAsync();
        Assert.Equal("Corax", _server.Indexes.Require("People").Record.Engine);
    }

    [Fact]
    public async Task AutoIndex_ThatIsIdle_Moves_AlthoughDocumentsAreWritten()
    {
        await _server.Indexes.ChangeAsync(["Auto/Users/ByName"], record => record with { State = IndexState.Idle }, default);
        await _server.RestartAsync(); // its files stay closed
        using var end = new CancellationTokenSource();
        Task writes = WriteUntilAsync(end.Token);
        await MoveAsync("Corax", "Auto/Users/ByName");
        await UntilEndAsync();
        await end.CancelAsync();
        await writes;
        Assert.Equal("Corax", _server.Indexes.Require("Auto/Users/ByName").Record.Engine);
    }

    // Queries must not take the replacement of an automatic index for an index.
    [Fact]
    public async Task AutoIndex_BeingMoved_AnswersAlone()
    {
        using (await _server.HoldIndexesAsync())
        {
            await MoveAsync("Corax", "Auto/Users/ByName");
            DatabaseIndex replacement = await ReplacementAsync("Auto/Users/ByName");
            Assert.NotNull(replacement.Auto);
            Answer answer = await _server.QueryAsync("from Users where Name = 'Ann'", waits: false);
            Assert.Equal("Auto/Users/ByName", answer.Json.GetProperty("IndexName").GetString());
            Assert.Equal(Users / 2, answer.Json.GetProperty("TotalResults").GetInt32());
            Answer record = await _server.SendAsync("GET", "/databases/db1/admin/record");
            Assert.Equal(2, record.Json.GetProperty("AutoIndexes").EnumerateObject().Count());
        }

        await UntilEndAsync();
        Assert.Equal("Corax", _server.Indexes.Require("Auto/Users/ByName").Record.Engine);
    }

    [Fact]
    public async Task Move_AwayFromTheEngineOfTheSettings_RemarksIt()
    {
        Assert.Equal(JsonValueKind.Null, (await MoveAsync("Corax", "People")).Json.GetProperty("Remark").ValueKind);
        await UntilEndAsync();
        Answer back = await MoveAsync("Lucene");
        Assert.Contains("built later are of Corax, and those that queries make of Corax", back.Json.GetProperty("Remark").GetString(), StringComparison.Ordinal);
        await UntilEndAsync();
        Assert.All(_server.Indexes.All, index => Assert.Equal("Lucene", index.Record.Engine));
        await _server.DbAsync("RESET", "/indexes?name=People");
        Assert.Equal("Corax", _server.Indexes.Require("People").Record.Engine);
    }

    [Fact]
    public async Task Index_OfAnEngineThatIsGone_Moves()
    {
        await _server.Indexes.ChangeAsync(["People"], record => record with { Engine = "Vespa" }, default);
        await _server.RestartAsync();
        await _server.WaitUntilAsync(() => _server.Indexes.Require("People").Fault is not null);
        await MoveAsync("Corax", "People");
        await UntilEndAsync();
        await _server.SettledAsync();
        Assert.Equal(Users, (await _server.IdsAsync("from index 'People'")).Split(',').Length);
    }

    [Fact]
    public async Task Replacement_CannotBeNamed()
    {
        using (await _server.HoldIndexesAsync())
        {
            await MoveAsync("Corax", "People");
            await ReplacementAsync("People");
            (await MoveAsync("Corax", "ReplacementOf/People")).AssertProblem(400, "ArgumentException", "name 'People'");
        }

        await UntilEndAsync();
    }

    private Task<Answer> MoveAsync(string engine, params string[] names) =>
        _server.DbAsync("POST", Path, JsonSerializer.Serialize(names.Length == 0 ? new { Engine = engine } : (object)new { Engine = engine, Names = names }));

    // The worker begins to build it after the answer.
    private async Task<DatabaseIndex> ReplacementAsync(string name)
    {
        await _server.WaitUntilAsync(() => _server.Indexes.Find("ReplacementOf/" + name) is not null);
        return _server.Indexes.Require("ReplacementOf/" + name);
    }

    private async Task<JsonElement> GetAsync() => (await _server.DbAsync("GET", Path)).Json;

    private async Task<bool> IsEndedAsync() => (await GetAsync()).GetProperty("Status").GetString() != "Running";

    // By the operation, because the state is written before the worker has ended.
    private async Task UntilEndAsync()
    {
        if ((await GetAsync()).TryGetProperty("OperationId", out JsonElement id))
        {
            await _server.EndOfOperationAsync(id.GetInt64());
        }
    }

    private async Task WriteUntilAsync(CancellationToken end)
    {
        for (int i = 0; !end.IsCancellationRequested; i++)
        {
            await _server.PutAsync($"users/more-{i % 50}", "Users", $$"""{"Name":"Ann","Age":{{i}}}""");
        }
    }

    private async Task<string[][]> AnswersAsync()
    {
        List<string[]> answers = [];
        foreach (string query in s_queries)
        {
            answers.Add([.. (await _server.RowsAsync(query)).Order(StringComparer.Ordinal)]);
        }

        return [.. answers];
    }

    private static string[] NamesOf(JsonElement state, string member) =>
        [.. state.GetProperty(member).EnumerateArray().Select(name => name.GetString()!)];

    private static Dictionary<string, string> ReasonsOf(JsonElement state, string member) => state.GetProperty(member).EnumerateArray()
        .ToDictionary(one => one.GetProperty("Name").GetString()!, one => one.GetProperty("Reason").GetString()!);
}
