using System.Text.Json;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Revisions;

/// <summary>Forcing, reverting and deleting revisions over HTTP.</summary>
public sealed class RevisionChangeTests : IAsyncLifetime
{
    private ServerFixture _server = null!;

    public async Task InitializeAsync() => _server = await ServerFixture.StartAsync();

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Fact]
    public async Task Force_KeepsTheStoredVersionOnce()
    {
        await _server.PutNumberAsync("Users/1", 1);
        string vector = (await _server.LoadAsync("users/1")).Vector();
        JsonElement made = await ForceAsync("users/1");
        Assert.Equal(("ForceRevisionCreation", true, "Users/1", vector, "HasRevisions"), (
            made.GetProperty("Type").GetString(), made.GetProperty("RevisionCreated").GetBoolean(), made.GetProperty("@id").GetString(),
            made.GetProperty("@change-vector").GetString(), made.GetProperty("@flags").GetString()));
        Assert.True(made.TryGetProperty("@last-modified", out _));
        Assert.Equal("""{"Type":"ForceRevisionCreation","RevisionCreated":false}""", (await ForceAsync("users/1")).GetRawText());

        JsonElement document = await _server.LoadAsync("users/1");
        Assert.Equal((vector, "HasRevisions"), (document.Vector(), document.Flags()));
        await _server.PutNumberAsync("users/1", 2);
        JsonElement revision = Assert.Single(await _server.RevisionsAsync("users/1"));
        Assert.Equal((1, "HasRevisions, Revision, ForceCreated"), (revision.Number(), revision.Flags()));
    }

    [Fact]
    public async Task PutWithStrategyBefore_KeepsTheVersionBefore()
    {
        await _server.PutNumberAsync("users/1", 1);
        Answer put = await BatchAsync("""
            {"Id":"users/1","Document":{"N":2,"@metadata":{"@collection":"Users"}},"ForceRevisionCreationStrategy":"Before","Type":"PUT"}
            """);
        Assert.Equal("HasRevisions", put.Json.GetProperty("Results")[0].GetProperty("@flags").GetString());
        Assert.Equal([1], (await _server.RevisionsAsync("users/1")).Select(revision => revision.Number()));
    }

    [Theory]
    [InlineData("""{"Id":"users/none","Type":"ForceRevisionCreation"}""")]
    [InlineData("""{"Id":"users/none","Document":{},"ForceRevisionCreationStrategy":"Before","Type":"PUT"}""")]
    [InlineData("""{"Id":"users/","Document":{},"ForceRevisionCreationStrategy":"Before","Type":"PUT"}""")]
    public async Task Force_OfAMissingDocument_UndoesTheBatch(string command)
    {
        Answer answer = await BatchAsync("""{"Id":"users/2","Document":{},"Type":"PUT"},""" + command);
        answer.AssertProblem(500, "InvalidOperationException", "does not exist");
        Assert.Equal(404, (await _server.DbAsync("GET", "/docs?id=users/2")).Status);
    }

    [Fact]
    public async Task Force_OfAnotherVersion_IsAConflict()
    {
        await _server.PutNumberAsync("users/1", 1);
        (await BatchAsync("""{"Id":"users/1","Document":{},"ChangeVector":"A:9-x","ForceRevisionCreationStrategy":"Before","Type":"PUT"}"""))
            .AssertProblem(409, "ConcurrencyException", "users/1");
        Assert.Equal(0, await _server.CountAsync("users/1"));
    }

    [Fact]
    public async Task RevertDocuments_GoBackAndCanGoForthAgain()
    {
        await _server.ConfigureAsync("""{"Default":{}}""");
        await _server.PutNumberAsync("users/1", 1);
        await _server.PutNumberAsync("users/1", 2, "People");
        await _server.PutNumberAsync("users/2", 3);
        await _server.DbAsync("DELETE", "/docs?id=users/2");
        string first = (await _server.RevisionsAsync("users/1"))[1].Vector();
        JsonElement[] deleted = await _server.RevisionsAsync("users/2");
        Assert.Equal(204, (await RevertAsync($"\"USERS/1\":\"{first}\",\"users/2\":\"{deleted[1].Vector()}\"")).Status);

        JsonElement document = await _server.LoadAsync("users/1");
        Assert.Equal((1, "Users", "HasRevisions, Reverted"), (document.Number(), document.Metadata("@collection"), document.Flags()));
        Assert.Equal("HasRevisions, Revision, Reverted", (await _server.RevisionsAsync("users/1"))[0].Flags());
        Assert.Equal(3, (await _server.LoadAsync("users/2")).Number());
        Assert.Equal("""{"Results":[]}""", (await _server.DbAsync("GET", "/revisions/bin")).Text);

        // To what it is: nothing is written.
        Assert.Equal(204, (await RevertAsync($"\"users/1\":\"{document.Vector()}\"")).Status);
        Assert.Equal(document.Vector(), (await _server.LoadAsync("users/1")).Vector());
        await _server.PutNumberAsync("users/1", 4);
        Assert.Equal("HasRevisions", (await _server.LoadAsync("users/1")).Flags());

        // To a deletion.
        Assert.Equal(204, (await RevertAsync($"\"users/2\":\"{deleted[0].Vector()}\"")).Status);
        Assert.Equal(404, (await _server.DbAsync("GET", "/docs?id=users/2")).Status);
    }

    [Fact]
    public async Task RevertDocuments_OneOfWhichHasNoSuchRevision_ChangesNone()
    {
        await _server.ConfigureAsync("""{"Default":{}}""");
        await _server.PutNumberAsync("users/1", 1);
        await _server.PutNumberAsync("users/1", 2);
        await _server.PutNumberAsync("users/2", 3);
        string first = (await _server.RevisionsAsync("users/1"))[1].Vector();
        (await RevertAsync($"\"users/1\":\"{first}\",\"users/2\":\"{first}\"")).AssertProblem(400, "InvalidOperationException", "users/2", first);
        (await RevertAsync("\"users/1\":7")).AssertProblem(400, "InvalidOperationException", "users/1");
        Assert.Equal(2, (await _server.LoadAsync("users/1")).Number());
    }

    [Fact]
    public async Task RevertDatabase_ToATime_ChangesWhatWasWrittenSince()
    {
        await _server.ConfigureAsync("""{"Default":{},"Collections":{"Limited":{"MinimumRevisionsToKeep":2},"Off":{"Disabled":true}}}""");
        await _server.PutNumberAsync("users/changed", 1);
        await _server.PutNumberAsync("users/same", 1);
        await _server.PutNumberAsync("users/deleted", 1);
        await _server.PutNumberAsync("users/gone", 1);
        await _server.DbAsync("DELETE", "/docs?id=users/gone");
        await _server.PutNumberAsync("orders/changed", 1, "Orders");
        await _server.PutNumberAsync("off/changed", 1, "Off");
        string same = (await _server.LoadAsync("users/same")).Vector();
        string time = RevisionRequests.NextMoment().ToString("O");
        await _server.PutNumberAsync("users/changed", 2);
        await _server.PutNumberAsync("users/changed", 3);
        await _server.DbAsync("DELETE", "/docs?id=users/deleted");
        await _server.PutNumberAsync("users/gone", 2);
        await _server.PutNumberAsync("users/new", 1);
        await _server.PutNumberAsync("orders/changed", 2, "Orders");
        await _server.PutNumberAsync("off/changed", 2, "Off");
        for (int i = 1; i <= 4; i++)
        {
            await _server.PutNumberAsync("limited/1", i, "Limited");
        }

        JsonElement state = await _server.RunAsync(
            "/revisions/revert", $$"""{"Time":"{{time}}","WindowInSec":172800,"Collections":["users","LIMITED","Off"]}""");
        Assert.Equal("Completed", state.GetProperty("Status").GetString());
        JsonElement result = state.GetProperty("Result");
        Assert.Contains("RevertResult", result.GetProperty("$type").GetString(), StringComparison.Ordinal);
        Assert.Equal((5, 6), (result.GetProperty("RevertedDocuments").GetInt32(), result.GetProperty("ScannedDocuments").GetInt32()));

        Assert.Equal(1, (await _server.LoadAsync("users/changed")).Number());
        Assert.Equal(same, (await _server.LoadAsync("users/same")).Vector());
        Assert.Equal(1, (await _server.LoadAsync("users/deleted")).Number());
        Assert.Equal(404, (await _server.DbAsync("GET", "/docs?id=users/gone")).Status);
        Assert.Equal(404, (await _server.DbAsync("GET", "/docs?id=users/new")).Status);
        Assert.Equal(2, await _server.CountAsync("users/new"));
        Assert.Equal(2, (await _server.LoadAsync("orders/changed")).Number());
        Assert.Equal(2, (await _server.LoadAsync("off/changed")).Number());
        Assert.Equal(3, (await _server.LoadAsync("limited/1")).Number()); // the oldest one that the limit has left
    }

    [Fact]
    public async Task RevertDatabase_WhereRevisionsMayBeMissing_TakesTheOldestAndWarns()
    {
        const string off = "\"Off\":{\"Disabled\":true}";
        await _server.ConfigureAsync($$$"""{"Default":{},"Collections":{"Late":{"Disabled":true},{{{off}}}}}""");
        await _server.PutNumberAsync("removed/1", 1);
        await _server.PutNumberAsync("late/1", 1, "Late");
        await _server.PutNumberAsync("forced/1", 1, "Off");
        string time = RevisionRequests.NextMoment().ToString("O");
        await _server.ConfigureAsync($$$"""{"Default":{},"Collections":{"Aged":{"MinimumRevisionAgeToKeep":"1.00:00:00"},{{{off}}}}}""");
        await _server.PutNumberAsync("late/1", 2, "Late");
        await _server.PutNumberAsync("new/1", 1);
        for (int i = 2; i <= 3; i++)
        {
            await _server.PutNumberAsync("removed/1", i);
            await _server.PutNumberAsync("aged/1", i, "Aged");
            await _server.PutNumberAsync("forced/1", i, "Off");
            await _server.PutNumberAsync("unkept/1", i, "Off");
            if (i == 2)
            {
                await ForceAsync("forced/1");
                await ForceAsync("unkept/1");
            }
        }

        string oldest = (await _server.RevisionsAsync("removed/1"))[2].Vector();
        await DeleteAsync($$"""{"DocumentIds":["removed/1"],"RevisionsChangeVectors":["{{oldest}}"]}""");

        JsonElement state = await _server.RunAsync("/revisions/revert", $$"""{"Time":"{{time}}"}""");
        Assert.True(state.GetProperty("Status").GetString() == "Completed", state.GetRawText());
        Assert.Equal(404, (await _server.DbAsync("GET", "/docs?id=new/1")).Status);
        foreach ((string id, int number) in ((string, int)[])[("removed/1", 2), ("aged/1", 2), ("forced/1", 2), ("unkept/1", 2), ("late/1", 1)])
        {
            Assert.Equal(number, (await _server.LoadAsync(id)).Number());
        }

        Assert.Equal(
            ["aged/1", "forced/1", "removed/1", "unkept/1"],
            state.GetProperty("Result").GetProperty("Warnings").EnumerateObject().Select(warning => warning.Name).Order());
    }

    [Fact]
    public async Task RevertDatabase_WhereTheFirstVersionsWereNotKept_TakesTheOldest()
    {
        await _server.PutNumberAsync("users/0", 0); // the first write of all has nothing before it
        await _server.PutNumberAsync("users/1", 1);
        string time = RevisionRequests.NextMoment().ToString("O");
        await _server.PutNumberAsync("users/1", 2);
        await _server.ConfigureAsync("""{"Default":{}}""");
        await _server.PutNumberAsync("users/1", 3);
        JsonElement state = await _server.RunAsync("/revisions/revert", $$"""{"Time":"{{time}}"}""");
        Assert.Equal(2, (await _server.LoadAsync("users/1")).Number());
        Assert.Equal("users/1", Assert.Single(state.GetProperty("Result").GetProperty("Warnings").EnumerateObject()).Name);
    }

    [Fact]
    public async Task RevertDatabase_OfADocumentWhoseLastVersionIsNotKept_LeavesItAndWarns()
    {
        await _server.ConfigureAsync("""{"Collections":{"Users":{}}}""");
        await _server.PutNumberAsync("users/1", 1);
        await _server.ConfigureAsync("""{"Collections":{"Users":{"Disabled":true}}}""");
        string time = RevisionRequests.NextMoment().ToString("O");
        await _server.PutNumberAsync("users/1", 2);
        await _server.PutNumberAsync("users/1", 3);
        JsonElement state = await _server.RunAsync("/revisions/revert", $$"""{"Time":"{{time}}"}""");
        Assert.Equal(3, (await _server.LoadAsync("users/1")).Number());
        JsonProperty warning = Assert.Single(state.GetProperty("Result").GetProperty("Warnings").EnumerateObject());
        Assert.Equal("users/1", warning.Name);
        Assert.Contains("not changed", warning.Value.GetString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Revert_WhereNothingIsConfigured_KeepsWhatItReplaces()
    {
        await _server.PutNumberAsync("users/1", 1);
        await ForceAsync("users/1");
        string first = (await _server.RevisionsAsync("users/1"))[0].Vector();
        await _server.PutNumberAsync("users/1", 2);
        await RevertAsync("users/1", first);
        Assert.Equal(1, (await _server.LoadAsync("users/1")).Number());
        Assert.Equal([2, 1], (await _server.RevisionsAsync("users/1")).Select(revision => revision.Number()));
    }

    [Fact]
    public async Task RevertDatabase_PurgeOnDelete_KeepsWhatItDeletes()
    {
        await _server.ConfigureAsync("""{"Default":{}}""");
        string time = RevisionRequests.NextMoment().ToString("O");
        await _server.PutNumberAsync("users/1", 1);
        await _server.PutNumberAsync("users/2", 1);
        await _server.DbAsync("DELETE", "/docs?id=users/2");
        await _server.ConfigureAsync("""{"Default":{"PurgeOnDelete":true}}""");
        JsonElement state = await _server.RunAsync("/revisions/revert", $$"""{"Time":"{{time}}"}""");

        // Its revisions of then may have been purged, so that it is not known that there was none.
        Assert.Equal(1, (await _server.LoadAsync("users/1")).Number());
        Assert.Contains("users/1", state.GetProperty("Result").GetProperty("Warnings").EnumerateObject().Select(warning => warning.Name));

        await _server.PutNumberAsync("users/2", 2);
        string gone = (await _server.RevisionsAsync("users/2")).Single(revision => revision.Flags().Contains("DeleteRevision")).Vector();
        await RevertAsync("users/2", gone);
        Assert.Equal(404, (await _server.DbAsync("GET", "/docs?id=users/2")).Status);
        Assert.Equal(5, await _server.CountAsync("users/2"));
    }

    [Fact]
    public async Task Revert_OfCountersThatChangedWithoutAVersion_KeepsThemAndSetsThoseOfThen()
    {
        await _server.ConfigureAsync("""{"Default":{}}""");
        await _server.PutNumberAsync("users/1", 1);
        await IncrementAsync(1);
        await _server.PutNumberAsync("users/1", 2);
        string newest = (await _server.LoadAsync("users/1")).Vector();
        await IncrementAsync(4);

        await RevertAsync("users/1", newest);
        Assert.Equal(1, await LikesAsync());
        JsonElement[] revisions = await _server.RevisionsAsync("users/1");
        Assert.Equal([1, 5, 1], revisions.Take(3).Select(revision =>
            revision.GetProperty("@metadata").GetProperty("@counters-snapshot").GetProperty("Likes").GetInt32()));
        int count = revisions.Length;
        await RevertAsync("users/1", revisions[0].Vector());
        Assert.Equal(count, await _server.CountAsync("users/1")); // it is what it was
    }

    private Task IncrementAsync(int by) => _server.DbAsync("POST", "/counters",
        $$"""{"Documents":[{"DocumentId":"users/1","Operations":[{"Type":"Increment","CounterName":"Likes","Delta":{{by}}}]}]}""");

    private async Task<int> LikesAsync() => (await _server.DbAsync("GET", "/counters?docId=users/1&counter=Likes")).Json
        .GetProperty("Counters")[0].GetProperty("TotalValue").GetInt32();

    private async Task RevertAsync(string id, string vector)
    {
        Answer answer = await _server.DbAsync("POST", "/revisions/revert/docs", $$$"""{"IdToChangeVector":{"{{{id}}}":"{{{vector}}}"}}""");
        Assert.True(answer.Status is 200 or 204, answer.Text);
    }

    [Fact]
    public async Task Enforce_RemovesWhatTheConfigurationDoesNotKeep()
    {
        await _server.ConfigureAsync("""{"Default":{}}""");
        foreach (string collection in (string[])["Users", "Orders", "Off", "None"])
        {
            for (int i = 1; i <= 5; i++)
            {
                await _server.PutNumberAsync($"{collection}/1", i, collection);
            }
        }

        await _server.ConfigureAsync("{}");
        await _server.PutNumberAsync("none/2", 1, "None");
        await ForceAsync("none/2");
        await _server.ConfigureAsync(
            """{"Collections":{"Users":{"MinimumRevisionsToKeep":2},"Orders":{"MinimumRevisionsToKeep":1},"Off":{"Disabled":true}}}""");

        JsonElement users = await _server.RunAsync(
            "/admin/revisions/config/enforce?operationId=77", """{"IncludeForceCreated":false,"Collections":["Users"]}""");
        JsonElement result = users.GetProperty("Result");
        Assert.Contains("EnforceConfigurationResult", result.GetProperty("$type").GetString(), StringComparison.Ordinal);
        Assert.Equal((1, 5, 3), (
            result.GetProperty("ScannedDocuments").GetInt32(), result.GetProperty("ScannedRevisions").GetInt32(),
            result.GetProperty("RemovedRevisions").GetInt32()));
        Assert.Equal([5, 4], (await _server.RevisionsAsync("users/1")).Select(revision => revision.Number()));
        Assert.Equal(5, await _server.CountAsync("orders/1"));

        await _server.RunAsync("/admin/revisions/config/enforce", """{"Collections":null,"MaxOpsPerSecond":1000}""");
        Assert.Equal((1, 5, 0, 1), (
            await _server.CountAsync("orders/1"), await _server.CountAsync("off/1"), await _server.CountAsync("none/1"), await _server.CountAsync("none/2")));
        Assert.Equal("", (await _server.LoadAsync("none/1")).Flags());
        await _server.RunAsync("/admin/revisions/config/enforce", """{"IncludeForceCreated":true}""");
        Assert.Equal(0, await _server.CountAsync("none/2"));
    }

    [Fact]
    public async Task Delete_ByIdTimeAndVectors()
    {
        await _server.ConfigureAsync("""{"Default":{}}""");
        for (int i = 1; i <= 4; i++)
        {
            await _server.PutNumberAsync("users/1", i);
            await _server.PutNumberAsync("users/2", i);
            RevisionRequests.NextMoment();
        }

        JsonElement[] revisions = await _server.RevisionsAsync("users/1");
        Assert.Equal(1, await DeleteAsync($$"""{"DocumentIds":["users/1"],"RevisionsChangeVectors":["{{revisions[2].Vector()}}"]}"""));
        Assert.Equal([4, 3, 1], (await _server.RevisionsAsync("users/1")).Select(revision => revision.Number()));
        Assert.Equal(1, await DeleteAsync($$"""{"DocumentIds":["users/1"],"To":"{{revisions[3].Metadata("@last-modified")}}"}"""));
        Assert.Equal(1, await DeleteAsync($$"""{"DocumentIds":["USERS/1"],"From":"{{revisions[0].Metadata("@last-modified")}}"}"""));
        Assert.Equal([3], (await _server.RevisionsAsync("users/1")).Select(revision => revision.Number()));
        Assert.Equal(5, await DeleteAsync("""{"DocumentIds":["users/1","users/2","users/none"],"RemoveForceCreatedRevisions":false}"""));
        Assert.Equal("", (await _server.LoadAsync("users/1")).Flags());
        Assert.Equal(0, (await _server.DbAsync("GET", "/stats")).Json.GetProperty("CountOfRevisionDocuments").GetInt32());
    }

    [Fact]
    public async Task Delete_Forced_OnlyWhenAsked()
    {
        await _server.PutNumberAsync("users/1", 1);
        await ForceAsync("users/1");
        Assert.Equal(0, await DeleteAsync("""{"DocumentIds":["users/1"]}"""));
        Assert.Equal(1, await DeleteAsync("""{"DocumentIds":["users/1"],"RemoveForceCreatedRevisions":true}"""));
    }

    [Fact]
    public async Task Delete_OfADeletion_TakesTheBinEntryOnlyWithTheLastRevision()
    {
        await _server.ConfigureAsync("""{"Default":{}}""");
        await _server.PutNumberAsync("users/1", 1);
        await _server.DbAsync("DELETE", "/docs?id=users/1");
        string deletion = (await _server.RevisionsAsync("users/1"))[0].Vector();
        Assert.Equal(0, await DeleteAsync($$"""{"DocumentIds":["users/1"],"RevisionsChangeVectors":["{{deletion}}"]}"""));
        Assert.Equal(2, await DeleteAsync("""{"DocumentIds":["users/1"]}"""));
        Assert.Equal("""{"Results":[]}""", (await _server.DbAsync("GET", "/revisions/bin")).Text);
    }

    [Theory]
    [InlineData("DELETE", "/admin/revisions", "{}", "DocumentIds is empty")]
    [InlineData("DELETE", "/admin/revisions", """{"DocumentIds":"users/1"}""", "DocumentIds")]
    [InlineData("DELETE", "/admin/revisions", """{"DocumentIds":[""]}""", "empty")]
    [InlineData("DELETE", "/admin/revisions", """{"DocumentIds":["a","b"],"RevisionsChangeVectors":["x"]}""", "one document")]
    [InlineData("DELETE", "/admin/revisions", """{"DocumentIds":["a"],"RevisionsChangeVectors":["x"],"From":"2024-01-01"}""", "From")]
    [InlineData("DELETE", "/admin/revisions", """{"DocumentIds":["a"],"RevisionsChangeVectors":["x"]}""", "no revision")]
    [InlineData("DELETE", "/admin/revisions", """{"DocumentIds":["a"],"From":"soon"}""", "soon")]
    [InlineData("DELETE", "/admin/revisions", """{"DocumentIds":["a"],"From":"2024-01-02","To":"2024-01-01"}""", "later")]
    [InlineData("POST", "/revisions/revert/docs", "{}", "names no documents")]
    [InlineData("POST", "/revisions/revert/docs", """{"IdToChangeVector":{}}""", "names no documents")]
    [InlineData("POST", "/revisions/revert/docs", """{"IdToChangeVector":{"":"x"}}""", "empty")]
    [InlineData("POST", "/revisions/revert/docs", "[]", "object")]
    [InlineData("POST", "/revisions/revert", "{}", "Time")]
    [InlineData("POST", "/revisions/revert", """{"Time":"2999-01-01T00:00:00Z"}""", "future")]
    [InlineData("POST", "/revisions/revert", """{"Time":"noon"}""", "noon")]
    [InlineData("POST", "/admin/revisions/revert", """{"Time":"2024-01-01","Collections":[""]}""", "Collections")]
    [InlineData("POST", "/admin/revisions/config/enforce", """{"MaxOpsPerSecond":0}""", "MaxOpsPerSecond")]
    [InlineData("POST", "/admin/revisions/config/enforce", """{"IncludeForceCreated":"no"}""", "IncludeForceCreated")]
    [InlineData("POST", "/admin/revisions/config/enforce", """{"Collections":"Users"}""", "Collections")]
    [InlineData("POST", "/admin/revisions/config/enforce?operationId=x", "{}", "operationId")]
    public async Task BadRequest_IsRefused(string method, string path, string body, string message) =>
        (await _server.DbAsync(method, path, body)).AssertProblem(400, "Exception", message);

    [Fact]
    public async Task Operation_Slow_ShowsHowFarItIsAndCanBeKilled()
    {
        await _server.ConfigureAsync("""{"Default":{}}""");
        for (int i = 0; i < 130; i++)
        {
            await _server.PutNumberAsync($"users/{i}", i);
        }

        Answer begun = await _server.DbAsync("POST", "/admin/revisions/config/enforce?operationId=9", """{"MaxOpsPerSecond":1}""");
        Assert.Equal("""{"OperationId":9,"OperationNodeTag":"A"}""", begun.Text);
        JsonElement state = await Eventually.ReadAsync(
            async () => (await _server.DbAsync("GET", "/operations/state?id=9")).Json,
            state => state.GetProperty("Progress").GetProperty("Processed").GetInt32() >= 128); // one batch, and then it waits
        Assert.Equal("InProgress", state.GetProperty("Status").GetString());

        Assert.Equal(130, state.GetProperty("Progress").GetProperty("Total").GetInt32());
        Assert.Contains("DeterminateProgress", state.GetProperty("Progress").GetProperty("$type").GetString(), StringComparison.Ordinal);
        Assert.Equal(204, (await _server.DbAsync("POST", "/operations/kill?id=9")).Status);
        Assert.Equal("Canceled", (await _server.DbAsync("GET", "/operations/state?id=9")).Json.GetProperty("Status").GetString());
    }

    [Fact]
    public async Task Operation_WithATakenNumber_IsRefused()
    {
        await _server.RunAsync("/admin/revisions/config/enforce?operationId=5", "{}");
        (await _server.DbAsync("POST", "/admin/revisions/config/enforce?operationId=5", "{}")).AssertProblem(400, "ArgumentException", "operation 5");
    }

    private Task<Answer> BatchAsync(string commands) => _server.DbAsync("POST", "/bulk_docs", $$"""{"Commands":[{{commands}}]}""");

    private async Task<JsonElement> ForceAsync(string id)
    {
        Answer answer = await BatchAsync($$"""{"Id":"{{id}}","Type":"ForceRevisionCreation"}""");
        Assert.True(answer.Status == 201, answer.Text);
        return answer.Json.GetProperty("Results")[0];
    }

    private Task<Answer> RevertAsync(string documents) => _server.DbAsync("POST", "/revisions/revert/docs", $$$"""{"IdToChangeVector":{{{{documents}}}}}""");

    private async Task<int> DeleteAsync(string body)
    {
        Answer answer = await _server.DbAsync("DELETE", "/admin/revisions", body);
        Assert.True(answer.Status == 200, answer.Text);
        return answer.Json.GetProperty("TotalDeletes").GetInt32();
    }
}
