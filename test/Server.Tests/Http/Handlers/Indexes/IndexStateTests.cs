using System.Text.Json;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Indexes;

/// <summary>Lock modes, priority, pausing, disabling, resetting over HTTP.</summary>
public sealed class IndexStateTests : IAsyncLifetime
{
    private const string ByName = "from u in docs.Users select new { u.Name }";
    private const string ByAge = "from u in docs.Users select new { u.Age }";

    private ServerFixture _server = null!;

    public async Task InitializeAsync()
    {
        _server = await ServerFixture.StartAsync();
        await _server.PutAsync("users/1", "Users", """{"Name":"Ann","Age":40}""");
        Assert.Equal(201, (await _server.PutIndexAsync("People", ByName)).Status);
        Assert.Equal("users/1", await _server.IdsAsync("from index 'People' where Name = 'ann'"));
    }

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Fact]
    public async Task SetLock_LockedError_AnotherDefinitionIsRefusedAndTheSameIsNot()
    {
        await EmptyAsync("POST", "/indexes/set-lock", """{"IndexNames":["people"],"Mode":"LockedError"}""");
        Assert.Equal("LockedError", await MemberAsync("LockMode"));
        Answer refused = await _server.PutIndexAsync("People", ByAge);
        refused.AssertProblem(500, "InvalidOperationException", "locked", "set-lock");
        Assert.Equal(201, (await _server.PutIndexAsync("People", ByName, more: new { LockMode = "LockedError" })).Status);
        Assert.Equal(ByName, (await DefinitionAsync()).GetProperty("Maps")[0].GetString());
        Assert.Equal("""["People"]""", await NamesAsync());
    }

    [Fact]
    public async Task SetLock_LockedIgnore_AnotherDefinitionIsIgnoredAndDeletingIsNot()
    {
        await EmptyAsync("POST", "/indexes/set-lock", """{"IndexNames":["People"],"Mode":"LockedIgnore"}""");
        Assert.Equal(201, (await _server.PutIndexAsync("People", ByAge)).Status);
        Assert.Equal("""["People"]""", await NamesAsync());
        Assert.Equal(ByName, (await DefinitionAsync()).GetProperty("Maps")[0].GetString());
        await EmptyAsync("DELETE", "/indexes?name=People");
    }

    [Theory]
    [InlineData("set-lock", """{"IndexNames":["People"],"Mode":"Open"}""", 400, "Unlock, LockedIgnore, LockedError")]
    [InlineData("set-lock", """{"IndexNames":[],"Mode":"Unlock"}""", 400, "IndexNames")]
    [InlineData("set-lock", """{"IndexNames":["People","Peple"],"Mode":"LockedError"}""", 500, "nearest name is 'People'")]
    [InlineData("set-priority", """{"IndexNames":["People"],"Priority":"1"}""", 400, "Low, Normal, High")]
    [InlineData("set-priority", """{"IndexNames":["None"],"Priority":"Low"}""", 500, "no index 'None'")]
    public async Task Setting_ThatIsWrong_IsRefusedAndNothingChanges(string path, string body, int status, string message)
    {
        Answer answer = await _server.DbAsync("POST", "/indexes/" + path, body);
        Assert.Equal(status, answer.Status);
        Assert.Contains(message, answer.Text, StringComparison.Ordinal);
        Assert.Equal("Unlock", await MemberAsync("LockMode"));
        Assert.Equal("Normal", await MemberAsync("Priority"));
    }

    [Fact]
    public async Task SetPriority_Survives_ARestart()
    {
        await EmptyAsync("POST", "/indexes/set-priority", """{"IndexNames":["People"],"Priority":"Low"}""");
        await _server.RestartAsync();
        Assert.Equal("Low", await MemberAsync("Priority"));
    }

    [Fact]
    public async Task Stop_All_PausesUntilStartAndNewIndexesToo()
    {
        await EmptyAsync("POST", "/admin/indexes/stop");
        Assert.Equal("""{"Status":"Paused","Indexes":[{"Name":"People","Status":"Paused"}]}""", await StatusAsync());
        await _server.PutAsync("users/2", "Users", """{"Name":"Ann"}""");
        await AssertStaleAsync("users/1");
        await _server.PutIndexAsync("Another", ByAge);
        Assert.Equal(
            """{"Status":"Paused","Indexes":[{"Name":"Another","Status":"Paused"},{"Name":"People","Status":"Paused"}]}""", await StatusAsync());
        await EmptyAsync("POST", "/admin/indexes/start");
        Assert.Equal("users/1,users/2", await _server.IdsAsync("from index 'People' where Name = 'ann'"));
        Assert.StartsWith("""{"Status":"Running",""", await StatusAsync(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Stop_OneAndByType_OthersGoOn()
    {
        await _server.PutIndexAsync(
            "Counts", "from u in docs.Users select new { u.Name, N = 1 }",
            "from r in results group r by r.Name into g select new { Name = g.Key, N = g.Sum(x => x.N) }");
        await EmptyAsync("POST", "/admin/indexes/stop?name=People");
        Assert.Equal(
            """{"Status":"Running","Indexes":[{"Name":"Counts","Status":"Running"},{"Name":"People","Status":"Paused"}]}""", await StatusAsync());
        await EmptyAsync("POST", "/admin/indexes/start?name=People");
        await EmptyAsync("POST", "/admin/indexes/stop?type=map-reduce");
        Assert.Equal(
            """{"Status":"Running","Indexes":[{"Name":"Counts","Status":"Paused"},{"Name":"People","Status":"Running"}]}""", await StatusAsync());
        await EmptyAsync("POST", "/admin/indexes/stop?type=map");
        await _server.RestartAsync();
        Assert.Equal(
            """{"Status":"Running","Indexes":[{"Name":"Counts","Status":"Running"},{"Name":"People","Status":"Running"}]}""", await StatusAsync());
        Assert.Equal(400, (await _server.DbAsync("POST", "/admin/indexes/stop?type=fast")).Status);
        Assert.Equal(500, (await _server.DbAsync("POST", "/admin/indexes/stop?name=Nobody")).Status);
    }

    [Fact]
    public async Task Disable_Survives_ARestartAndAnswersStale()
    {
        await EmptyAsync("POST", "/admin/indexes/disable?name=People&clusterWide=false");
        await _server.PutAsync("users/2", "Users", """{"Name":"Ann"}""");
        await _server.RestartAsync();
        await AssertStaleAsync("users/1");
        Assert.Equal("Disabled", await MemberAsync("State"));
        Assert.Contains("\"Disabled\"", await StatusAsync(), StringComparison.Ordinal);
        await EmptyAsync("POST", "/admin/indexes/enable?name=People");
        Assert.Equal("users/1,users/2", await _server.IdsAsync("from index 'People' where Name = 'ann'"));
    }

    [Theory]
    [InlineData("")]
    [InlineData("&mode=InPlace")]
    [InlineData("&mode=SideBySide")]
    [InlineData("&asSideBySide=true")]
    public async Task Reset_EitherWay_BuildsAgainWithTheSameSettings(string mode)
    {
        await EmptyAsync("POST", "/indexes/set-priority", """{"IndexNames":["People"],"Priority":"High"}""");
        string created = (await StatsAsync()).GetProperty("CreatedTimestamp").GetString()!;
        await EmptyAsync("RESET", "/indexes?name=People" + mode);
        Assert.Equal("users/1", await _server.IdsAsync("from index 'People' where Name = 'ann'"));
        await _server.SettledAsync();
        JsonElement stats = await StatsAsync();
        Assert.NotEqual(created, stats.GetProperty("CreatedTimestamp").GetString());
        Assert.Equal("High", stats.GetProperty("Priority").GetString());
        Assert.Equal(1, stats.GetProperty("EntriesCount").GetInt64());
        Assert.Equal("""["People"]""", await NamesAsync());
    }

    [Fact]
    public async Task Reset_UnknownIndexOrMode_IsRefused()
    {
        Assert.Equal(500, (await _server.DbAsync("RESET", "/indexes?name=Nobody")).Status);
        Assert.Equal(400, (await _server.DbAsync("RESET", "/indexes?name=People&mode=Fast")).Status);
        Assert.Equal(400, (await _server.DbAsync("RESET", "/indexes")).Status);
    }

    [Fact]
    public async Task Put_OtherSettingsOnly_ChangesThemWithoutARebuild()
    {
        string created = (await StatsAsync()).GetProperty("CreatedTimestamp").GetString()!;
        await _server.PutIndexAsync("People", ByName + "\r\n", more: new { Priority = "High", State = "Disabled" });
        JsonElement stats = await StatsAsync();
        Assert.Equal(created, stats.GetProperty("CreatedTimestamp").GetString());
        Assert.Equal("High", stats.GetProperty("Priority").GetString());
        Assert.Equal("Disabled", stats.GetProperty("State").GetString());
        await _server.PutIndexAsync("People", ByName, more: new { Priority = "High" });
        Assert.Equal("Disabled", await MemberAsync("State")); // who does not speak of the state does not change it
    }

    [Fact]
    public async Task AutoIndex_DisabledAndReset_IsStillTheOneOfItsQuery()
    {
        const string query = "from Users where Age = 40";
        Assert.Equal("users/1", await _server.IdsAsync(query));
        await EmptyAsync("POST", "/admin/indexes/disable?name=Auto/Users/ByAge");
        Answer disabled = await _server.QueryAsync(query, waits: false);
        Assert.Equal("Auto/Users/ByAge", disabled.Json.GetProperty("IndexName").GetString());
        Assert.Equal(1, disabled.Json.GetProperty("TotalResults").GetInt32());
        await EmptyAsync("POST", "/admin/indexes/enable?name=Auto/Users/ByAge");
        await EmptyAsync("RESET", "/indexes?name=Auto/Users/ByAge&mode=SideBySide");
        Assert.Equal("users/1", await _server.IdsAsync(query));
        Assert.Equal("""["Auto/Users/ByAge","People"]""", await NamesAsync());
        Answer locked = await _server.DbAsync("POST", "/indexes/set-lock", """{"IndexNames":["Auto/Users/ByAge"],"Mode":"LockedError"}""");
        Assert.Equal(400, locked.Status);
    }

    [Theory]
    [InlineData("People", ByName, "Unlock", false)]
    [InlineData("people", ByName + " ", "Unlock", false)]
    [InlineData("People", ByAge, "Unlock", true)]
    [InlineData("People", ByName, "LockedError", true)]
    [InlineData("Nobody", ByName, "Unlock", true)]
    public async Task HasChanged_Definition_IsCompared(string name, string map, string lockMode, bool changed)
    {
        string body = JsonSerializer.Serialize(new { Name = name, Maps = new[] { map }, LockMode = lockMode });
        Answer answer = await _server.DbAsync("POST", "/indexes/has-changed", body);
        Assert.Equal($$"""{"Changed":{{(changed ? "true" : "false")}}}""", answer.Text);
    }

    private async Task EmptyAsync(string method, string path, string? body = null)
    {
        Answer answer = await _server.DbAsync(method, path, body);
        Assert.Equal((204, ""), (answer.Status, answer.Text));
    }

    private async Task AssertStaleAsync(string ids)
    {
        Answer answer = await _server.QueryAsync(
            "from index 'People' where Name = 'ann'", more: new { WaitForNonStaleResultsTimeout = "00:00:00.05" });
        Assert.True(answer.Json.GetProperty("IsStale").GetBoolean(), answer.Text);
        Assert.Equal(ids, answer.Json.GetProperty("Results")[0].GetProperty("@metadata").GetProperty("@id").GetString());
        Assert.Equal(1, answer.Json.GetProperty("TotalResults").GetInt64());
        Answer why = await _server.DbAsync("GET", "/indexes/staleness?name=People");
        Assert.True(why.Json.GetProperty("IsStale").GetBoolean());
        Assert.Contains("collection 'users'", why.Json.GetProperty("StalenessReasons")[0].GetString(), StringComparison.Ordinal);
    }

    private async Task<string> StatusAsync() => (await _server.DbAsync("GET", "/indexes/status")).Text;

    private async Task<JsonElement> DefinitionAsync() => (await _server.DbAsync("GET", "/indexes?name=People")).Json.GetProperty("Results")[0];

    private async Task<string?> MemberAsync(string member) => (await DefinitionAsync()).GetProperty(member).GetString();

    private async Task<JsonElement> StatsAsync() => (await _server.DbAsync("GET", "/indexes/stats?name=People")).Json.GetProperty("Results")[0];

    private async Task<string> NamesAsync() =>
        (await _server.DbAsync("GET", "/indexes?namesOnly=true")).Json.GetProperty("Results").GetRawText();
}
