using System.Text.Json;
using Jackdaw.Indexing;
using Jackdaw.Indexing.Settings;
using Jackdaw.Server.Tests.Additions;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Indexes;

/// <summary>Which search engine an index gets in a program that has two, and when it keeps the one that it has.</summary>
public sealed class EngineChoiceTests
{
    private const string ByName = "from u in docs.Users select new { u.Name }";
    private const string Other = "from u in docs.Users select new { u.Name, u.Age }";
    private const string StaticKey = "Indexing.Static.SearchEngineType";
    private const string AutoKey = "Indexing.Auto.SearchEngineType";

    public static TheoryData<string?, string?, string?> Layers()
    {
        string?[] names = [null, "Corax", "Lucene"];
        var layers = new TheoryData<string?, string?, string?>();
        foreach ((string? server, string? database, string? definition) in
            from server in names from database in names from definition in names select (server, database, definition))
        {
            layers.Add(server, database, definition);
        }

        return layers;
    }

    [Theory]
    [MemberData(nameof(Layers))]
    public async Task NewIndex_IsOfTheEngineThatTheInnermostLayerNames(string? server, string? database, string? definition)
    {
        await using ServerFixture fixture = await StartAsync(server, database);
        Assert.Equal(201, (await PutAsync(fixture, "People", ByName, definition)).Status);
        await fixture.QueryAsync("from Users where Name = 'Ann'");
        await fixture.SettledAsync();
        Assert.Equal(definition ?? database ?? server ?? "Corax", EngineOf(fixture, "People"));
        Assert.Equal(database ?? server ?? "Corax", EngineOf(fixture, "Auto/Users/ByName"));
    }

    [Fact]
    public async Task NewIndex_SettingsOfBothKindsDiffer_EachKindFollowsItsOwn()
    {
        await using ServerFixture fixture = await ServerFixture.StartAsync(new ServerSetup
        {
            Engines = StandInEngine.Both(),
            Settings = $$"""{"{{StaticKey}}":"lucene","{{AutoKey}}":"CORAX"}""",
        });
        await fixture.PutAsync("users/1", "Users", """{"Name":"Ann"}""");
        await PutAsync(fixture, "People", ByName);
        await fixture.QueryAsync("from Users where Name = 'Ann'");
        Assert.Equal(("Lucene", "Corax"), (EngineOf(fixture, "People"), EngineOf(fixture, "Auto/Users/ByName")));
    }

    [Theory]
    [InlineData("/indexes/stats?name=People")]
    [InlineData("/indexes?name=People")]
    [InlineData("/indexes/debug?name=People&op=entries-fields")]
    [InlineData("/stats")]
    [InlineData("/stats/detailed")]
    [InlineData("/stats/essential")]
    public async Task Answers_NameTheEngineThatServes(string path)
    {
        await using ServerFixture fixture = await StartAsync();
        foreach (string engine in (string[])["Lucene", "Corax"])
        {
            await PutAsync(fixture, "People", ByName, engine);
            await fixture.SettledAsync();
            Answer answer = await fixture.DbAsync("GET", path);
            Assert.Contains($"\"SearchEngineType\":\"{engine}\"", answer.Text, StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task Definition_ReadAndPutAgain_IsTheSame()
    {
        await using ServerFixture fixture = await StartAsync();
        await PutAsync(fixture, "People", ByName);
        JsonElement read = (await fixture.DbAsync("GET", "/indexes?name=People")).Json.GetProperty("Results")[0];
        Assert.Equal("""{"Changed":false}""", (await fixture.DbAsync("POST", "/indexes/has-changed", read.GetRawText())).Text);
    }

    // The data folder of a program that had Lucene only, with a static and an automatic index, then both engines.
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Upgrade_OfAFolderThatHadOneEngine_BuildsNothingAgain(bool hadNoColumn)
    {
        var own = new StandInEngine();
        await using ServerFixture fixture = await ServerFixture.StartAsync(new ServerSetup { Engines = StandInEngine.LuceneAlone });
        await fixture.PutAsync("users/1", "Users", """{"Name":"Ann"}""");
        await PutAsync(fixture, "People", ByName, "Corax"); // which nobody had
        await PutAsync(fixture, "Others", Other);
        Assert.Equal("users/1", await fixture.IdsAsync("from Users where Name = 'Ann'"));
        await fixture.SettledAsync();
        string[] folders = FoldersOf(fixture);
        if (hadNoColumn)
        {
            await fixture.Indexes.ChangeAsync([.. fixture.Indexes.All.Select(index => index.Name)], record => record with { Engine = "" }, default);
        }

        fixture.Setup = fixture.Setup with { Engines = StandInEngine.Both(own) };
        await fixture.RestartAsync();
        foreach (string query in (string[])["from index 'People'", "from index 'Others'", "from Users where Name = 'Ann'"])
        {
            Answer answer = await fixture.QueryAsync(query, waits: false);
            Assert.Equal((1, false), (answer.Json.GetProperty("TotalResults").GetInt32(), answer.Json.GetProperty("IsStale").GetBoolean()));
        }

        await PutAsync(fixture, "People", ByName, "Corax");
        await PutAsync(fixture, "Others", Other);
        await fixture.PutAsync("users/2", "Users", """{"Name":"Bob"}""");
        Assert.Equal("users/1,users/2", await fixture.IdsAsync("from index 'People'"));
        await fixture.SettledAsync();
        Assert.Equal(folders, FoldersOf(fixture));
        Assert.Equal(0, own.Opened);
        Assert.All(fixture.Indexes.All, index => Assert.Equal("Lucene", index.Record.Engine));
    }

    [Fact]
    public async Task SameDefinition_AfterTheSettingChanged_BuildsNothingAgain()
    {
        await using ServerFixture fixture = await StartAsync(database: "Lucene");
        await PutAsync(fixture, "People", ByName);
        await fixture.SettledAsync();
        string[] folders = FoldersOf(fixture);
        await SetDatabaseAsync(fixture, "Corax");
        await PutAsync(fixture, "People", ByName);
        await fixture.DbAsync("POST", "/indexes/set-priority", """{"IndexNames":["People"],"Priority":"High"}""");
        await PutAsync(fixture, "People", ByName);
        await fixture.RestartAsync();
        await fixture.SettledAsync();
        Assert.Equal(folders, FoldersOf(fixture));
        Assert.Equal("Lucene", EngineOf(fixture, "People"));
    }

    public static TheoryData<string> Rebuilds => ["new", "reset", "side by side", "definition", "auto"];

    [Theory]
    [MemberData(nameof(Rebuilds))]
    public async Task WhatIsBuiltAfterTheSettingChanged_IsOfItsEngine(string kind)
    {
        await using ServerFixture fixture = await StartAsync(database: "Lucene");
        await PutAsync(fixture, "People", ByName);
        await PutAsync(fixture, "Untouched", ByName);
        await fixture.QueryAsync("from Users where Name = 'Ann'");
        await fixture.SettledAsync();
        await SetDatabaseAsync(fixture, "Corax");
        string built = "People";
        switch (kind)
        {
            case "new":
                await PutAsync(fixture, built = "Second", ByName);
                break;
            case "reset" or "side by side":
                string mode = kind == "reset" ? "InPlace" : "SideBySide";
                Assert.Equal(204, (await fixture.DbAsync("RESET", $"/indexes?name=People&mode={mode}")).Status);
                break;
            case "definition":
                await PutAsync(fixture, "People", Other);
                break;
            default:
                await fixture.QueryAsync("from Users where Name = 'Ann' and Age > 3"); // an index that has what the old one has, too
                built = "Auto/Users/ByAgeAndName";
                break;
        }

        await fixture.SettledAsync();
        Assert.Equal(("Corax", "Lucene"), (EngineOf(fixture, built), EngineOf(fixture, "Untouched")));
        Assert.Equal("users/1", await fixture.IdsAsync("from index 'People'"));
    }

    [Theory]
    [InlineData("Lucene", null)] // named, then left to the setting
    [InlineData(null, "Lucene")]
    [InlineData("Corax", "Lucene")]
    [InlineData("Lucene", "Corax")]
    public async Task Definition_WithAnotherEngineOnly_BuildsAReplacementBeside(string? before, string? after)
    {
        await using ServerFixture fixture = await StartAsync();
        await PutAsync(fixture, "People", ByName, before);
        await fixture.SettledAsync();
        using (await fixture.HoldIndexesAsync())
        {
            Assert.Equal(201, (await PutAsync(fixture, "People", ByName, after)).Status);
            Assert.Equal(before ?? "Corax", EngineOf(fixture, "People"));
            Assert.Equal(after ?? "Corax", EngineOf(fixture, "ReplacementOf/People"));
            Assert.Equal(1, (await fixture.QueryAsync("from index 'People'", waits: false)).Json.GetProperty("TotalResults").GetInt32());
        }

        await fixture.SettledAsync();
        Assert.Equal(after ?? "Corax", EngineOf(fixture, "People"));
        Assert.Equal("users/1", await fixture.IdsAsync("from index 'People'"));
    }

    // A program that puts its definitions at each start must not begin the work of a reset again.
    [Theory]
    [InlineData("Normal")]
    [InlineData("Low")]
    public async Task SameDefinition_WhileItIsBuiltAgain_GoesOn(string priority)
    {
        await using ServerFixture fixture = await StartAsync();
        await PutAsync(fixture, "People", ByName);
        await fixture.SettledAsync();
        using (await fixture.HoldIndexesAsync())
        {
            await fixture.DbAsync("RESET", "/indexes?name=People&mode=SideBySide");
            DatabaseIndex begun = fixture.Indexes.Require("ReplacementOf/People");
            Assert.Equal(201, (await fixture.PutIndexAsync("People", ByName, more: new { Priority = priority })).Status);
            Assert.Same(begun, fixture.Indexes.Require("ReplacementOf/People"));
            Assert.All(fixture.Indexes.All, index => Assert.Equal(priority, index.Record.Priority.ToString()));
        }

        await fixture.SettledAsync();
        Assert.Equal(priority, fixture.Indexes.Require("People").Record.Priority.ToString());
    }

    [Fact]
    public async Task SameDefinition_OfALockedIndexThatIsBuiltAgain_IsNotRefused()
    {
        await using ServerFixture fixture = await StartAsync();
        object locked = new { LockMode = "LockedError" };
        await fixture.PutIndexAsync("People", ByName, more: locked);
        await fixture.SettledAsync();
        using (await fixture.HoldIndexesAsync())
        {
            await fixture.DbAsync("RESET", "/indexes?name=People&mode=SideBySide");
            Assert.Equal(201, (await fixture.PutIndexAsync("People", ByName, more: locked)).Status);
        }

        await fixture.SettledAsync();
    }

    [Fact]
    public async Task Program_WithoutTheEngineOfTheSetting_UsesItsFirst()
    {
        await using ServerFixture fixture = await ServerFixture.StartAsync(new ServerSetup { Engines = StandInEngine.LuceneAlone });
        await fixture.PutAsync("users/1", "Users", """{"Name":"Ann"}""");
        await PutAsync(fixture, "People", ByName, "Corax");
        Assert.Equal("Lucene", EngineOf(fixture, "People"));
    }

    private static async Task<ServerFixture> StartAsync(string? server = null, string? database = null)
    {
        IndexingSettings settings = server is null ? new() : new() { StaticEngine = server, AutoEngine = server };
        ServerFixture fixture = await ServerFixture.StartAsync(new ServerSetup
        {
            Engines = StandInEngine.Both(),
            Indexing = settings,
            Settings = SettingsOf(database),
        });
        await fixture.PutAsync("users/1", "Users", """{"Name":"Ann","Age":7}""");
        return fixture;
    }

    private static string SettingsOf(string? engine) => engine is null ? "{}" : $$"""{"{{StaticKey}}":"{{engine}}","{{AutoKey}}":"{{engine}}"}""";

    private static async Task SetDatabaseAsync(ServerFixture fixture, string engine)
    {
        Answer answer = await fixture.DbAsync("PUT", "/admin/configuration/settings", SettingsOf(engine));
        Assert.True(answer.Status < 300, answer.Text);
        Assert.Equal(engine, fixture.Indexes.Settings.StaticEngine);
    }

    private static Task<Answer> PutAsync(ServerFixture fixture, string name, string map, string? engine = null) => fixture.PutIndexAsync(
        name, map, more: engine is null ? null : new { Configuration = new Dictionary<string, string> { [StaticKey] = engine } });

    private static string EngineOf(ServerFixture fixture, string name) => fixture.Indexes.Require(name).Record.Engine;

    private static string[] FoldersOf(ServerFixture fixture) => [.. fixture.Indexes.All.Select(index => index.Record.Folder)];
}
