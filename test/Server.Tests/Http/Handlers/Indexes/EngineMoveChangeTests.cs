using System.Text.Json;
using Jackdaw.Indexing;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Storage;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Indexes;

/// <summary>A move of indexes to another engine, and what users and the server do at the same time.</summary>
public sealed class EngineMoveChangeTests : EngineMoveHarness
{
    [Theory]
    [InlineData("DELETE")]
    [InlineData("kill")]
    public async Task Stop_InTheMiddle_DiscardsWhatIsBuilt_AndStaysStopped(string way)
    {
        string[] folders = [.. Server.Indexes.All.Select(index => index.Record.Folder)];
        using (await Server.HoldIndexesAsync())
        {
            long id = (await MoveAsync("Corax")).Json.GetProperty("OperationId").GetInt64();
            await Server.WaitUntilAsync(() => Server.Indexes.Current.Any(index => index.Record.IsMove));
            Answer stopped = way == "kill"
                ? await Server.DbAsync("POST", $"/operations/kill?id={id}")
                : await Server.DbAsync("DELETE", Path);
            Assert.Equal(204, stopped.Status);
            Assert.Equal("Canceled", (await Server.EndOfOperationAsync(id)).GetProperty("Status").GetString());
            await Server.WaitUntilAsync(() => !Server.Indexes.Current.Any(index => index.Record.IsMove));
        }

        JsonElement state = await GetAsync();
        Assert.Equal(("Stopped", 5), (state.GetProperty("Status").GetString(), state.GetProperty("Left").GetArrayLength()));
        await Server.RestartAsync();
        await Server.SettledAsync();
        Assert.Equal("Stopped", (await GetAsync()).GetProperty("Status").GetString());
        Assert.Equal(folders, Server.Indexes.All.Select(index => index.Record.Folder));
        Assert.Equal(404, (await Server.DbAsync("DELETE", Path)).Status);
        await MoveAsync("Corax");
        await UntilEndAsync();
        Assert.Equal(5, NamesOf(await GetAsync(), "Moved").Length);
    }

    [Fact]
    public async Task Restart_InTheMiddle_GoesOnWithWhatIsLeft()
    {
        IDisposable hold = await Server.HoldIndexesAsync();
        await MoveAsync("Corax", "People", "Counts", "Auto/Users/ByName");
        await ReplacementAsync("People");
        Task restart = Server.RestartAsync();
        hold.Dispose();
        await restart;
        JsonElement state = await GetAsync();
        Assert.True(state.GetProperty("Status").GetString() is "Running" or "Completed", state.GetRawText());
        Assert.Contains("MoveEngine", (await Server.DbAsync("GET", "/operations")).Text, StringComparison.Ordinal);
        await UntilEndAsync();
        Assert.Equal(["People", "Counts", "Auto/Users/ByName"], NamesOf(await GetAsync(), "Moved"));
        Assert.Equal("Lucene", Server.Indexes.Require("Script").Record.Engine);
    }

    [Fact]
    public async Task Definition_PutAgainWhileItMoves_IsNotBegunAgain()
    {
        using (await Server.HoldIndexesAsync())
        {
            await MoveAsync("Corax", "People");
            DatabaseIndex begun = await ReplacementAsync("People");
            Assert.Equal(201, (await Server.PutIndexAsync("People", ByName)).Status);
            Assert.Same(begun, Server.Indexes.Require("ReplacementOf/People"));
        }

        await UntilEndAsync();
        Assert.Equal("Corax", Server.Indexes.Require("People").Record.Engine);
    }

    // The engine of the move is not that of the setting.
    [Theory]
    [InlineData(null, "Lucene")]
    [InlineData("Corax", "Corax")]
    public async Task Definition_ChangedWhileItMoves_IsBuiltWithTheEngineOfTheMove_UnlessItNamesOne(string? named, string expected)
    {
        await MoveAsync("Corax", "People");
        await UntilEndAsync();
        using (await Server.HoldIndexesAsync())
        {
            await MoveAsync("Lucene", "People");
            await ReplacementAsync("People");
            object? more = named is null ? null : new { Configuration = new Dictionary<string, string> { [Key] = named } };
            Assert.Equal(201, (await Server.PutIndexAsync("People", "from u in docs.Users select new { u.Name, u.Age }", more: more)).Status);
            await Server.WaitUntilAsync(() => named is not null || Server.Indexes.Require("ReplacementOf/People").Record is { IsMove: true });
        }

        await UntilEndAsync();
        await Server.SettledAsync();
        Assert.Equal(expected, Server.Indexes.Require("People").Record.Engine);
        Assert.Equal("users/7", await Server.IdsAsync("from index 'People' where Age = 7"));
        Assert.Equal(named is null, NamesOf(await GetAsync(), "Moved").Length == 1);
    }

    [Fact]
    public async Task Index_DeletedWhileItMoves_IsLeftOut()
    {
        using (await Server.HoldIndexesAsync())
        {
            await MoveAsync("Corax", "People", "Script");
            await ReplacementAsync("People");
            Assert.Equal(204, (await Server.DbAsync("DELETE", "/indexes?name=People")).Status);
        }

        await UntilEndAsync();
        Assert.Equal("It was deleted.", ReasonsOf(await GetAsync(), "LeftOut")["People"]);
        Assert.Equal(["Script"], NamesOf(await GetAsync(), "Moved"));
        Assert.Null(Server.Indexes.Find("ReplacementOf/People"));
    }

    [Fact]
    public async Task Replacement_DamagedWhileItMoves_KeepsTheEngineOfTheMove()
    {
        await MoveAsync("Corax", "People");
        await UntilEndAsync();
        using (await Server.HoldIndexesAsync())
        {
            await MoveAsync("Lucene", "People");
            DatabaseIndex begun = await ReplacementAsync("People");
            begun.NoteDamage(new CorruptionException("flipped"));
            await Server.WaitUntilAsync(() => Server.Indexes.Find("ReplacementOf/People") is { } anew && anew != begun);
            Assert.Equal("Lucene", Server.Indexes.Require("ReplacementOf/People").Record.Engine);
        }

        await UntilEndAsync();
        Assert.Equal("Lucene", Server.Indexes.Require("People").Record.Engine);
    }

    [Fact]
    public async Task Move_WhileIndexesArePaused_SaysSo_AndGoesOnWhenTheyStart()
    {
        await Server.DbAsync("POST", "/admin/indexes/stop");
        await MoveAsync("Corax", "People");
        await ReplacementAsync("People");
        JsonElement moving = (await GetAsync()).GetProperty("Moving");
        Assert.Equal("People", moving.GetProperty("Name").GetString());
        Assert.Contains("It is paused; POST /admin/indexes/start", moving.GetProperty("Waits").GetString(), StringComparison.Ordinal);
        await Server.DbAsync("POST", "/admin/indexes/start");
        await UntilEndAsync();
        Assert.Equal("Corax", Server.Indexes.Require("People").Record.Engine);
    }

    // A document is written in each batch, so that the replacement is never up to date; and there is no old index that is open, with which it could catch up.
    [Fact]
    public async Task AutoIndex_ThatIsIdle_Moves_AlthoughDocumentsAreWritten()
    {
        await Server.Indexes.ChangeAsync(["Auto/Users/ByName"], record => record with { State = IndexState.Idle }, default);
        await Server.RestartAsync(); // its files stay closed
        int batches = 0;
        int needed = 0;
        Server.Indexes.IndexChanged += change => needed = change.Kind == IndexChangeKind.SideBySideReplace ? batches : needed;
        Own.Batching = () =>
        {
            batches++;
            Server.PutAsync("users/more", "Users", """{"Name":"Ann"}""").GetAwaiter().GetResult();
        };
        await MoveAsync("Corax", "Auto/Users/ByName");
        await UntilEndAsync();
        Own.Batching = null;
        Assert.Equal("Corax", Server.Indexes.Require("Auto/Users/ByName").Record.Engine);
        Assert.InRange(needed, 1, 5000); // one, and some until the reaction to it has the gate; by chance it takes far more
    }

    // Queries must not take the replacement of an automatic index for an index.
    [Fact]
    public async Task AutoIndex_BeingMoved_AnswersAlone()
    {
        using (await Server.HoldIndexesAsync())
        {
            await MoveAsync("Corax", "Auto/Users/ByName");
            DatabaseIndex replacement = await ReplacementAsync("Auto/Users/ByName");
            Assert.NotNull(replacement.Auto);
            Answer answer = await Server.QueryAsync("from Users where Name = 'Ann'", waits: false);
            Assert.Equal("Auto/Users/ByName", answer.Json.GetProperty("IndexName").GetString());
            Assert.Equal(Users / 2, answer.Json.GetProperty("TotalResults").GetInt32());
            Answer record = await Server.SendAsync("GET", "/databases/db1/admin/record");
            Assert.Equal(2, record.Json.GetProperty("AutoIndexes").EnumerateObject().Count());
        }

        await UntilEndAsync();
        Assert.Equal("Corax", Server.Indexes.Require("Auto/Users/ByName").Record.Engine);
    }

    // What is done about unused and superseded automatic indexes must not end the work of a replacement.
    [Fact]
    public async Task AutoIndex_BeingMoved_IsNeitherIdleNorSuperseded()
    {
        await Server.DbAsync("PUT", "/admin/configuration/settings", """
            {"Indexing.TimeToWaitBeforeMarkingAutoIndexAsIdleInMin":"0","Indexing.TimeBeforeDeletionOfSupersededAutoIndexInSec":"0"}
            """);
        List<IndexChange> changes = [];
        Server.Indexes.IndexChanged += changes.Add;
        DatabaseIndex replacement;
        using (await Server.HoldIndexesAsync())
        {
            await MoveAsync("Corax", "Auto/Users/ByName");
            replacement = await ReplacementAsync("Auto/Users/ByName");
            replacement.IsPaused = true;
            await Server.AutoIndexes.CleanUpAsync();
            Assert.All((DatabaseIndex[])[replacement, Server.Indexes.Require("Auto/Users/ByName")],
                index => Assert.Equal(IndexState.Normal, index.Record.State));
        }

        await Server.PutAsync("users/1", "Users", """{"Name":"Ann"}"""); // the index is up to date after it, and covers what its replacement has
        await Server.QueryAsync("from Users where Name = 'Ann'");
        await Server.Indexes.ChangeAsync([], record => record, default);
        Assert.Same(replacement, Server.Indexes.Require("ReplacementOf/Auto/Users/ByName"));
        replacement.IsPaused = false;
        await UntilEndAsync();
        Assert.DoesNotContain(new IndexChange(IndexChangeKind.IndexRemoved, replacement.Name), changes);
        Assert.DoesNotContain(new IndexChange(IndexChangeKind.IndexRemoved, "ReplacementOf/Auto/Users/ByName"), changes);
        Assert.Equal("Corax", Server.Indexes.Require("Auto/Users/ByName").Record.Engine);
    }

    [Fact]
    public async Task Move_AwayFromTheEngineOfTheSettings_RemarksIt()
    {
        Assert.Equal(JsonValueKind.Null, (await MoveAsync("Corax", "People")).Json.GetProperty("Remark").ValueKind);
        await UntilEndAsync();
        Answer back = await MoveAsync("Lucene");
        Assert.Contains("built later are of Corax, and those that queries make of Corax", back.Text, StringComparison.Ordinal);
        await UntilEndAsync();
        Assert.All(Server.Indexes.All, index => Assert.Equal("Lucene", index.Record.Engine));
        await Server.DbAsync("RESET", "/indexes?name=People");
        Assert.Equal("Corax", Server.Indexes.Require("People").Record.Engine);
    }

    [Fact]
    public async Task Index_OfAnEngineThatIsGone_Moves()
    {
        await Server.Indexes.ChangeAsync(["People"], record => record with { Engine = "Vespa" }, default);
        await Server.RestartAsync();
        await Server.WaitUntilAsync(() => Server.Indexes.Require("People").Fault is not null);
        await MoveAsync("Corax", "People");
        await UntilEndAsync();
        await Server.SettledAsync();
        Assert.Equal(Users, (await Server.IdsAsync("from index 'People'")).Split(',').Length);
    }

    [Fact]
    public async Task Replacement_CannotBeNamed()
    {
        using (await Server.HoldIndexesAsync())
        {
            await MoveAsync("Corax", "People");
            await ReplacementAsync("People");
            (await MoveAsync("Corax", "ReplacementOf/People")).AssertProblem(400, "ArgumentException", "name 'People'");
        }

        await UntilEndAsync();
    }
}
