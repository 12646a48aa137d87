using System.Text;
using System.Text.Json;
using Jackdaw.Indexing;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Pal.InMemory;
using Jackdaw.Search;
using Jackdaw.Storage;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Indexes;

/// <summary>Replacing, rebuilding and following: what becomes of an index over time.</summary>
public sealed class IndexLifeCycleTests : IAsyncLifetime
{
    private const string First = "from u in docs.Users select new { u.Name, Version = 1 }";
    private const string Second = "from u in docs.Users select new { u.Name, Version = 2 }";
    private const string Third = "from u in docs.Users select new { u.Name, Version = 3 }";

    private readonly MemoryPlatform _platform = new();
    private ServerFixture _server = null!;

    public async Task InitializeAsync()
    {
        _server = await ServerFixture.StartAsync(new ServerSetup { Platform = _platform });
        await _server.PutAsync("users/1", "Users", """{"Name":"Ann"}""");
        await _server.PutIndexAsync("People", First);
        await AssertVersionAsync(1, "users/1");
    }

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Fact]
    public async Task Put_AnotherDefinition_TheOldAnswersAndFollowsUntilTheNewHasCaughtUp()
    {
        await PostAsync("/admin/indexes/stop");
        await _server.PutIndexAsync("People", Second);
        Assert.Equal("People,ReplacementOf/People", await NamesAsync());
        await PostAsync("/admin/indexes/start?name=People");
        await _server.PutAsync("users/2", "Users", """{"Name":"Bob"}""");
        await AssertVersionAsync(1, "users/1,users/2");
        await PostAsync("/admin/indexes/start");
        await _server.SettledAsync();
        Assert.Equal("People", await NamesAsync());
        await AssertVersionAsync(2, "users/1,users/2");
        Assert.Single(_platform.ListDirectory("/data/Databases/db1/Indexes"));
    }

    [Fact]
    public async Task Put_WhileAReplacementIsBuilt_TheNewestWinsAndTheOldIsDropped()
    {
        await PostAsync("/admin/indexes/stop");
        await _server.PutIndexAsync("People", Second);
        await _server.PutIndexAsync("People", Third);
        Assert.Equal("People,ReplacementOf/People", await NamesAsync());
        await PostAsync("/admin/indexes/start");
        await _server.SettledAsync();
        await AssertVersionAsync(3, "users/1");
        Assert.Equal("People", await NamesAsync());
        Assert.Single(_platform.ListDirectory("/data/Databases/db1/Indexes"));
    }

    [Fact]
    public async Task Put_TheOldDefinitionAgain_EndsTheReplacement()
    {
        await PostAsync("/admin/indexes/stop");
        await _server.PutIndexAsync("People", Second);
        await _server.PutIndexAsync("People", First);
        Assert.Equal("People", await NamesAsync());
        await PostAsync("/admin/indexes/start");
        await AssertVersionAsync(1, "users/1");
    }

    [Fact]
    public async Task Restart_WhileAReplacementIsBuilt_ItGoesOn()
    {
        await PostAsync("/admin/indexes/stop");
        await _server.PutIndexAsync("People", Second, more: new { Priority = "High" });
        await PostAsync("/indexes/set-lock", """{"IndexNames":["People"],"Mode":"LockedIgnore"}""");
        await _server.RestartAsync();
        await _server.SettledAsync();
        Assert.Equal("People", await NamesAsync());
        await AssertVersionAsync(2, "users/1");
        JsonElement definition = (await _server.DbAsync("GET", "/indexes?name=People")).Json.GetProperty("Results")[0];
        Assert.Equal(Second, definition.GetProperty("Maps")[0].GetString());
        Assert.Equal("LockedIgnore", definition.GetProperty("LockMode").GetString()); // the lock of the meantime holds
    }

    [Fact]
    public async Task Replace_Forced_SwapsBeforeItHasCaughtUp()
    {
        Answer none = await _server.DbAsync("POST", "/indexes/replace?name=People");
        none.AssertProblem(500, "InvalidOperationException", "no replacement");
        await PostAsync("/admin/indexes/stop");
        await _server.PutIndexAsync("People", Second);
        await PostAsync("/indexes/replace?name=ReplacementOf/People");
        Assert.Equal("People", await NamesAsync());
        await PostAsync("/admin/indexes/start");
        await AssertVersionAsync(2, "users/1");
    }

    [Fact]
    public async Task Delete_IndexThatIsBeingReplaced_BothAreGone()
    {
        await PostAsync("/admin/indexes/stop");
        await _server.PutIndexAsync("People", Second);
        Assert.Equal(204, (await _server.DbAsync("DELETE", "/indexes?name=ReplacementOf/People")).Status);
        Assert.Equal("People", await NamesAsync());
        await _server.PutIndexAsync("People", Second);
        Assert.Equal(204, (await _server.DbAsync("DELETE", "/indexes?name=People")).Status);
        Assert.Equal("", await NamesAsync());
        Assert.Empty(_platform.ListDirectory("/data/Databases/db1/Indexes"));
        await _server.RestartAsync();
        Assert.Equal("", await NamesAsync());
    }

    [Fact]
    public async Task Query_WhileTheIndexIsReplacedAgainAndAgain_IsAlwaysAnswered()
    {
        for (int i = 0; i < 50; i++)
        {
            await _server.PutAsync($"users/{i}", "Users", """{"Name":"Ann"}""");
        }

        await _server.SettledAsync();
        using var done = new CancellationTokenSource();
        Task<int>[] askers = [.. Enumerable.Range(0, 3).Select(_ => Task.Run(async () =>
        {
            int answered = 0;
            while (!done.IsCancellationRequested)
            {
                Answer answer = await _server.QueryAsync("from index 'People' where Name = 'ann'", waits: false);
                Assert.True(answer.Status == 200, answer.Text);
                Assert.Equal(50, answer.Json.GetProperty("TotalResults").GetInt32());
                answered++;
            }

            return answered;
        }))];
        for (int round = 2; round < 12; round++)
        {
            await _server.PutIndexAsync("People", $"from u in docs.Users select new {{ u.Name, Version = {round} }}");
            await _server.SettledAsync();
        }

        await done.CancelAsync();
        Assert.All(await Task.WhenAll(askers), answered => Assert.True(answered > 0));
        Assert.Single(_platform.ListDirectory("/data/Databases/db1/Indexes"));
    }

    [Fact]
    public async Task Open_DamagedFiles_IndexIsBuiltAgainWhileDocumentsAreServed()
    {
        for (int i = 0; i < 200; i++)
        {
            await _server.PutAsync($"users/{i}", "Users", $$"""{"Name":"user {{i}}"}""");
        }

        await _server.SettledAsync();
        string folder = Assert.Single(_platform.ListDirectory("/data/Databases/db1/Indexes"));
        string path = $"/data/Databases/db1/Indexes/{folder}/data";
        await _server.RestartAsync(whileClosed: () =>
        {
            long length = _platform.ReadAll(path).Length;
            Assert.True(length > 8192);
            for (long at = 8192 + 100; at < length; at += 8192)
            {
                _platform.FlipBit(path, at * 8);
            }
        });
        Assert.Equal(200, (await _server.DbAsync("GET", "/docs?id=users/7")).Status);
        Assert.Equal(201, (await _server.PutIndexAsync("Other", First)).Status);
        await _server.SettledAsync();
        await AssertVersionAsync(1, "users/7", "user 7");
        Assert.NotEqual(folder, _server.Indexes.Require("People").Record.Folder);
        JsonElement errors = (await _server.DbAsync("GET", "/indexes/errors?name=People")).Json.GetProperty("Results")[0].GetProperty("Errors");
        Assert.Equal("Damage", errors[0].GetProperty("Action").GetString());
    }

    [Fact]
    public async Task Damage_FoundBySearchesAgainAndAgain_EndsTheRebuilding()
    {
        for (int time = 1; time <= 4; time++)
        {
            DatabaseIndex index = _server.Indexes.Require("People");
            index.NoteDamage(new CorruptionException($"page {time}"));
            await _server.WaitUntilAsync(() => _server.Indexes.Require("People") != index || index.Record.State == IndexState.Error);
            await _server.SettledAsync();
            Assert.Equal(time == 4 ? IndexState.Error : IndexState.Normal, _server.Indexes.Require("People").Record.State);
        }

        (await _server.QueryAsync("from index 'People'")).AssertProblem(500, "IndexInvalidException", "reset it");
        Assert.Equal(204, (await _server.DbAsync("RESET", "/indexes?name=People")).Status);
        await AssertVersionAsync(1, "users/1");
    }

    [Fact]
    public async Task Open_DefinitionThatDoesNotCompileAnyMore_IsFaultyUntilAnotherOneIsPut()
    {
        byte[] broken = JsonSerializer.SerializeToUtf8Bytes(new { Name = "People", Maps = new[] { "from u in docs.Users select new { u.Name +" } });
        await _server.Indexes.ChangeAsync(["People"], record => record with { Definition = broken }, default);
        await _server.RestartAsync();
        await _server.WaitUntilAsync(() => _server.Indexes.Require("People").Fault is not null);
        Answer stats = await _server.DbAsync("GET", "/indexes/stats?name=People");
        Assert.Equal("Faulty", stats.Json.GetProperty("Results")[0].GetProperty("Type").GetString());
        (await _server.QueryAsync("from index 'People'")).AssertProblem(500, "IndexInvalidException", "Failed to compile index 'People'");
        Assert.Equal(200, (await _server.DbAsync("GET", "/docs?id=users/1")).Status);
        Assert.Equal(201, (await _server.PutIndexAsync("People", Second)).Status);
        await _server.SettledAsync();
        await AssertVersionAsync(2, "users/1");
    }

    [Fact]
    public async Task Open_IndexAheadOfItsDocuments_BeginsAnew()
    {
        string folder = _server.Indexes.Require("People").Record.Folder;
        await PostAsync("/admin/indexes/stop");
        WriteProgressAhead();
        await _server.RestartAsync();
        await _server.PutAsync("users/2", "Users", """{"Name":"Bob"}""");
        await _server.SettledAsync();
        await AssertVersionAsync(1, "users/1,users/2");
        Assert.NotEqual(folder, _server.Indexes.Require("People").Record.Folder);
    }

    [Fact]
    public async Task Open_DisabledIndexAheadOfItsDocuments_IsStale()
    {
        await PostAsync("/admin/indexes/stop");
        WriteProgressAhead();
        await PostAsync("/admin/indexes/disable?name=People");
        await _server.RestartAsync();
        await _server.SettledAsync();
        JsonElement answer = (await _server.QueryAsync("from index 'People'")).Json;
        Assert.True(answer.GetProperty("IsStale").GetBoolean());
        Assert.Contains("further than its documents", (await _server.DbAsync("GET", "/indexes/staleness?name=People")).Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task LoadedDocument_ChangesAppearsOrGoes_EntriesFollow()
    {
        await _server.PutIndexAsync(
            "Orders", "from o in docs.Orders let c = LoadDocument(o.Company, \"Companies\") select new { Company = c.Name ?? \"none\" }");
        await _server.PutAsync("orders/1", "Orders", """{"Company":"companies/1"}""");
        await AssertCompanyAsync("none");
        await _server.PutAsync("companies/1", "Companies", """{"Name":"Acme"}""");
        await AssertCompanyAsync("acme");
        await _server.PutAsync("companies/1", "Companies", """{"Name":"Zeta"}""");
        await AssertCompanyAsync("zeta");
        await _server.PutAsync("companies/1", "Firms", """{"Name":"Moved"}""");
        await AssertCompanyAsync("none");
        await _server.PutAsync("companies/1", "Companies", """{"Name":"Back"}""");
        await AssertCompanyAsync("back");
        await _server.DeleteAsync("companies/1");
        await AssertCompanyAsync("none");
    }

    private void WriteProgressAhead()
    {
        using IndexBatch batch = _server.Indexes.Require("People").Builder!.Index.BeginBatch();
        byte[] progress = Encoding.UTF8.GetBytes("""{"documents":{"users":1000},"references":{},"passed":1000}""");
        batch.Transaction.Trees.CreateTree("index state"u8).Put("progress"u8, progress);
        batch.Commit();
    }

    private async Task AssertCompanyAsync(string name)
    {
        Assert.Equal("orders/1", await _server.IdsAsync($"from index 'Orders' where Company = '{name}'"));
        Assert.Equal(1, (await _server.QueryAsync("from index 'Orders'")).Json.GetProperty("TotalResults").GetInt32());
    }

    private async Task AssertVersionAsync(int version, string ids, string? name = null)
    {
        string more = name is null ? "" : $" and Name = '{name}'";
        Assert.Equal(ids, await _server.IdsAsync($"from index 'People' where Version = {version}{more} order by id()"));
    }

    private async Task PostAsync(string path, string? body = null) => Assert.Equal(204, (await _server.DbAsync("POST", path, body)).Status);

    private async Task<string> NamesAsync() => string.Join(',', (await _server.DbAsync("GET", "/indexes?namesOnly=true")).Json
        .GetProperty("Results").EnumerateArray().Select(name => name.GetString()));
}
