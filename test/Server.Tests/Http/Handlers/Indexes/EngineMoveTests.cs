using System.Text.Json;
using Jackdaw.Indexing;
using Jackdaw.Indexing.Catalog;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Server.Tests.Additions;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Indexes;

/// <summary>POST admin/indexes/move-engine: indexes that are built again with another engine.</summary>
public sealed class EngineMoveTests : EngineMoveHarness
{
    [Fact]
    public async Task Move_OfAllIndexes_OneAtATime_WithTheSameAnswers()
    {
        string[][] before = await AnswersAsync();
        int most = 0;
        Server.Indexes.IndexChanged += _ => most = Math.Max(most, Server.Indexes.All.Count(index => index.Record.Replaces is not null));
        Answer begun = await MoveAsync("corax");
        Assert.Equal(202, begun.Status);
        Assert.Equal(5, begun.Json.GetProperty("Total").GetInt32());

        JsonElement operation = await Server.EndOfOperationAsync(begun.Json.GetProperty("OperationId").GetInt64());
        Assert.Equal("Completed", operation.GetProperty("Status").GetString());
        Assert.Equal(5, operation.GetProperty("Result").GetProperty("Moved").GetInt32());
        Assert.Equal(1, most);
        Assert.Equal(before, await AnswersAsync());
        Assert.Equal(["Auto/Users/ByCountReducedByName", "Auto/Users/ByName", "Counts", "People", "Script"], NamesOf(await GetAsync(), "Moved"));
        Assert.All(Server.Indexes.All, index => Assert.Equal(("Corax", false), (index.Record.Engine, index.Record.IsMove)));
        Answer listed = await Server.DbAsync("GET", "/operations");
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
            foreach (string query in Queries)
            {
                Answer answer = await Server.QueryAsync(query, waits: false);
                Assert.True(answer.Status == 200, answer.Text);
                int least = query.Contains("Name =", StringComparison.Ordinal) ? Users / 2 : 2;
                Assert.InRange(answer.Json.GetProperty("TotalResults").GetInt32(), least, int.MaxValue);
            }
        }

        await end.CancelAsync();
        await writes;
        await Server.SettledAsync();
        Assert.All(Server.Indexes.All, index => Assert.Equal("Corax", index.Record.Engine));
        Assert.Equal(5, Server.Indexes.Count);
    }

    [Fact]
    public async Task Move_AskedForAgain_IsTheSameMove()
    {
        long first;
        using (await Server.HoldIndexesAsync())
        {
            first = (await MoveAsync("Corax", "People")).Json.GetProperty("OperationId").GetInt64();
            DatabaseIndex begun = await ReplacementAsync("People");
            Answer again = await MoveAsync("Corax", "people", "Script");
            Assert.Equal((202, first), (again.Status, again.Json.GetProperty("OperationId").GetInt64()));
            Assert.Equal(2, again.Json.GetProperty("Total").GetInt32());
            Assert.Same(begun, Server.Indexes.Require("ReplacementOf/People"));
        }

        await Server.EndOfOperationAsync(first);
        string[] folders = [.. Server.Indexes.All.Select(index => index.Record.Folder)];
        Answer later = await MoveAsync("Corax", "People", "Script");
        Assert.Equal("Completed", later.Json.GetProperty("Status").GetString());
        await Server.EndOfOperationAsync(later.Json.GetProperty("OperationId").GetInt64());
        await Server.SettledAsync();
        Assert.Equal(folders, Server.Indexes.All.Select(index => index.Record.Folder));
        Assert.Equal(["Lucene", "Corax"], new[] { "Counts", "Script" }.Select(name => Server.Indexes.Require(name).Record.Engine));
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
        Answer answer = await Server.DbAsync("POST", Path, body);
        Assert.InRange(answer.Status, 400, 500);
        Assert.Contains(message, answer.Json.GetProperty("Message").GetString(), StringComparison.Ordinal);
        Assert.Equal("""{"Status":"None"}""", (await Server.DbAsync("GET", Path)).Text);
    }

    [Fact]
    public async Task Engine_ThatTheProgramDoesNotHave_IsRefused()
    {
        await using ServerFixture one = await ServerFixture.StartAsync(new ServerSetup { Engines = StandInEngine.LuceneAlone });
        Answer answer = await one.DbAsync("POST", Path, """{"Engine":"corax"}""");
        answer.AssertProblem(400, "ArgumentException", "does not have the search engine 'Corax' (it has Lucene)", "name another");
    }

    [Fact]
    public async Task AnotherMove_WhileOneRuns_IsRefused()
    {
        using (await Server.HoldIndexesAsync())
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
        await Server.PutIndexAsync("Pinned", ByName, more: new { Configuration = lucene });
        await Server.SettledAsync();
        Answer begun = await MoveAsync("Corax");
        Assert.Equal(["Pinned"], ReasonsOf(begun.Json, "LeftOut").Keys);
        Assert.Contains("names Lucene itself (Indexing.Static.SearchEngineType", ReasonsOf(begun.Json, "LeftOut")["Pinned"], StringComparison.Ordinal);
        await UntilEndAsync();
        Assert.Equal("Lucene", Server.Indexes.Require("Pinned").Record.Engine);
        Assert.Equal(5, NamesOf(await GetAsync(), "Moved").Length);
    }

    [Theory]
    [InlineData("LockedIgnore")]
    [InlineData("LockedError")]
    public async Task Index_ThatIsLocked_MovesAsAResetWould(string lockMode)
    {
        IndexLockMode mode = Enum.Parse<IndexLockMode>(lockMode);
        await Server.Indexes.ChangeAsync(["People"], record => record with { LockMode = mode }, default);
        await MoveAsync("Corax", "People");
        await UntilEndAsync();
        Assert.Equal(("Corax", mode), (Server.Indexes.Require("People").Record.Engine, Server.Indexes.Require("People").Record.LockMode));
    }

    [Fact]
    public async Task Index_ThatIsDisabled_FailsWithTheReason_AndTheOthersMove()
    {
        await Server.DbAsync("POST", "/admin/indexes/disable?name=Counts");
        await MoveAsync("Corax");
        await UntilEndAsync();
        JsonElement state = await GetAsync();
        Assert.Contains("enable it, and move it again", ReasonsOf(state, "Failed")["Counts"], StringComparison.Ordinal);
        Assert.Equal(4, NamesOf(state, "Moved").Length);
        Assert.Equal((IndexState.Disabled, "Lucene"), (Server.Indexes.Require("Counts").Record.State, Server.Indexes.Require("Counts").Record.Engine));

        await Server.DbAsync("POST", "/admin/indexes/enable?name=Counts");
        await MoveAsync("Corax");
        await UntilEndAsync();
        Assert.Equal("Corax", Server.Indexes.Require("Counts").Record.Engine);
    }

    [Fact]
    public async Task Index_ThatIsDisabledWhileItMoves_Fails()
    {
        using (await Server.HoldIndexesAsync())
        {
            await MoveAsync("Corax", "People");
            await ReplacementAsync("People");
            await Server.DbAsync("POST", "/admin/indexes/disable?name=People");
            await UntilEndAsync();
        }

        Assert.Contains("It is disabled", ReasonsOf(await GetAsync(), "Failed")["People"], StringComparison.Ordinal);
        Assert.Null(Server.Indexes.Find("ReplacementOf/People"));
    }

    [Fact]
    public async Task Index_ThatFailsTooOften_FailsWithItsError_AndTheOthersMove()
    {
        await PutBrokenAsync();
        await MoveAsync("Corax", "Broken", "People");
        await UntilEndAsync();
        JsonElement state = await GetAsync();
        Assert.Contains("too many documents failed", ReasonsOf(state, "Failed")["Broken"], StringComparison.Ordinal);
        Assert.Equal(["People"], NamesOf(state, "Moved"));
        Assert.DoesNotContain(Server.Indexes.All, index => index.Record.Replaces is not null);
    }

    // A move without its worker: nothing else removes the replacement.
    [Fact]
    public async Task Replacement_ThatFailsTooOften_DoesNotTakeThePlaceOfItsIndex()
    {
        await PutBrokenAsync();
        DatabaseIndex broken = Server.Indexes.Require("Broken");
        using (CatalogChange change = await Server.Indexes.BeginChangeAsync(default))
        {
            await change.AddAsync(broken.Record with { Name = "ReplacementOf/Broken", Engine = "Corax", IsMove = true, State = IndexState.Normal });
        }

        await Server.WaitUntilAsync(() => Server.Indexes.Require("ReplacementOf/Broken").Record.State == IndexState.Error);
        await Server.Indexes.ChangeAsync([], record => record, default);
        Assert.Same(broken, Server.Indexes.Require("Broken"));
    }

    private async Task PutBrokenAsync()
    {
        for (int i = 0; i < 150; i++)
        {
            await Server.PutAsync($"dogs/{i}", "Dogs", """{"Zero":0}""");
        }

        await Server.PutIndexAsync("Broken", "from d in docs.Dogs select new { X = 1 / (int)d.Zero }");
        await Server.WaitUntilAsync(() => Server.Indexes.Require("Broken").Record.State == IndexState.Error);
        await Server.Indexes.ChangeAsync(["Broken"], record => record with { Engine = "Lucene" }, default);
    }
}
