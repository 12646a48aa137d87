using System.Text.Json;
using Jackdaw.Documents.Rows;
using Jackdaw.Indexing;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Indexes;

/// <summary>Indexes that rest or are disabled hold no tombstones: what was deleted meanwhile and forgotten does not come back with them. What was
/// forgotten before an index began is none of its concern.</summary>
public sealed class ForgottenDeletionTests : IAsyncLifetime
{
    private const string Auto = "from Users where Name = 'Ann'";
    private const string Map = "from u in docs.Users select new { u.Name }";

    private ServerFixture _server = null!;

    public async Task InitializeAsync()
    {
        _server = await ServerFixture.StartAsync();
        for (int i = 1; i <= 5; i++)
        {
            await _server.PutAsync($"users/{i}", "Users", """{"Name":"Ann"}""");
        }
    }

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Fact]
    public async Task Query_WakesAnIndex_ItIsBuiltAgainHoweverOftenItRested()
    {
        await AssertFoundAsync(Auto, 5);
        for (int left = 4; left >= 0; left--)
        {
            string folder = Assert.Single(_server.Indexes.All).Record.Folder;
            await RestOverDeletionAsync($"users/{left + 1}");
            await AssertFoundAsync(Auto, left);
            DatabaseIndex index = Assert.Single(_server.Indexes.All);
            Assert.Equal(IndexState.Normal, index.Record.State);
            Assert.NotEqual(folder, index.Record.Folder);
        }
    }

    /// <summary>As a query that makes an index waits for it, so does one that wakes it: it would find nothing.</summary>
    [Fact]
    public async Task Query_ThatDoesNotAskToWait_WaitsForTheIndexThatItWakes()
    {
        await AssertFoundAsync(Auto, 5);
        await RestOverDeletionAsync("users/1");
        Answer answer = await _server.QueryAsync(Auto, waits: false);
        Assert.Equal((4, false), (answer.Json.GetProperty("TotalResults").GetInt32(), answer.Json.GetProperty("IsStale").GetBoolean()));
    }

    [Fact]
    public async Task DisabledIndex_ThatMissedADeletion_SaysThatItIsStale()
    {
        await _server.PutIndexAsync("People", Map);
        await AssertFoundAsync("from index 'People'", 5);
        await PostAsync("/admin/indexes/disable?name=People");
        await DeleteAndTrimAsync("users/5");
        Answer answer = await _server.QueryAsync("from index 'People'", waits: false);
        Assert.True(answer.Json.GetProperty("IsStale").GetBoolean(), answer.Text);
        Answer reasons = await _server.DbAsync("GET", "/indexes/staleness?name=People");
        Assert.Contains("Deletions up to etag", reasons.Text, StringComparison.Ordinal);
        await PostAsync("/admin/indexes/enable?name=People");
        await _server.WaitUntilAsync(() => _server.Indexes.Require("People").Failures.Last is not null);
        await AssertFoundAsync("from index 'People'", 4);
    }

    /// <summary>It is built again when it works again, not by itself.</summary>
    [Fact]
    public async Task RestingIndex_ThatMissedADeletion_IsLeftAlone()
    {
        await AssertFoundAsync(Auto, 5);
        DatabaseIndex index = Assert.Single(_server.Indexes.All);
        await RestOverDeletionAsync("users/1");
        using (await _server.HoldIndexesAsync())
        {
            Assert.Same(index, Assert.Single(_server.Indexes.All));
            Assert.Null(index.Failures.Last);
        }
    }

    [Fact]
    public async Task FaultyIndex_HoldsNoTombstones()
    {
        await _server.PutIndexAsync("People", Map);
        await AssertFoundAsync("from index 'People'", 5);
        byte[] broken = JsonSerializer.SerializeToUtf8Bytes(new { Name = "People", Maps = new[] { "from u in docs.Users select new { u.Name +" } });
        await _server.Indexes.ChangeAsync(["People"], record => record with { Definition = broken }, default);
        await _server.RestartAsync();
        await _server.WaitUntilAsync(() => _server.Indexes.Require("People").Fault is not null);
        await DeleteAndTrimAsync("users/1");
        Assert.Equal(201, (await _server.PutIndexAsync("People", Map)).Status);
        await _server.SettledAsync();
        await AssertFoundAsync("from index 'People'", 4);
    }

    [Fact]
    public async Task Build_InManyBatchesAfterTombstonesWereTrimmed_IsNotBegunAnew()
    {
        await DeleteAndTrimAsync("users/1");
        using (DocumentReadScope read = _server.Database.BeginRead())
        {
            Assert.True(read.TrimmedEtag.Value > 0, $"trimmed up to {read.TrimmedEtag}");
        }

        await _server.PutAllAsync("Users", Enumerable.Range(1, 500).Select(i => ($"users/{i}", new Dictionary<string, object> { ["Name"] = $"N{i}" })));
        await _server.PutIndexAsync("People", Map, more: new { Configuration = new Dictionary<string, string> { ["Indexing.MapBatchSize"] = "128" } });
        string folder = _server.Indexes.Require("People").Record.Folder;
        await AssertFoundAsync("from index 'People'", 500); // settles never when it is begun anew each time
        Assert.Equal(folder, _server.Indexes.Require("People").Record.Folder);
        Assert.Empty(_server.Indexes.Require("People").Failures.List());
    }

    /// <summary>An index deletes nothing for documents that it cannot have had, and knows which those are while others change.</summary>
    [Theory]
    [InlineData(null)]
    [InlineData("from r in results group r by r.Name into g select new { Name = g.Key }")]
    public async Task Build_DocumentsChangeBetweenBatches_EachIsFoundOnce(string? reduce)
    {
        const int userCount = 1200;
        var random = new Random(7);
        await _server.PutAllAsync("Users", Enumerable.Range(1, userCount).Select(i => ($"users/{i}", new Dictionary<string, object> { ["Name"] = $"N{i}" })));
        await _server.PutIndexAsync(
            "People", Map, reduce, new { Configuration = new Dictionary<string, string> { ["Indexing.MapBatchSize"] = "128" } });
        Dictionary<int, string?> names = Enumerable.Range(1, userCount).ToDictionary(i => i, i => (string?)$"N{i}");
        for (int change = 0; change < 150; change++)
        {
            int user = random.Next(1, userCount + 1);
            names[user] = random.Next(3) == 0 ? null : $"C{change}";
            await (names[user] is { } name ? _server.PutAsync($"users/{user}", "Users", $$"""{"Name":"{{name}}"}""") : _server.DeleteAsync($"users/{user}"));
        }

        await AssertFoundAsync("from index 'People'", names.Values.Count(name => name is not null));
        await AssertFoundAsync("from index 'People' where startsWith(Name, 'C')", names.Values.Count(name => name?[0] == 'C'));
        await AssertFoundAsync("from index 'People' where startsWith(Name, 'N')", names.Values.Count(name => name?[0] == 'N'));
    }

    // An index runs once more when it is told to rest: the thread is held meanwhile.
    private async Task RestOverDeletionAsync(string id)
    {
        using (await _server.HoldIndexesAsync())
        {
            await _server.Indexes.ChangeAsync(
                [.. _server.Indexes.All.Select(index => index.Name)], record => record with { State = IndexState.Idle }, default);
            await DeleteAndTrimAsync(id);
        }
    }

    private async Task DeleteAndTrimAsync(string id)
    {
        await _server.DeleteAsync(id);
        while (await _server.Database.TrimAsync(default))
        {
            // There are more.
        }

        using DocumentReadScope read = _server.Database.BeginRead();
        Assert.Equal(0, read.Counts.Tombstones);
    }

    private async Task AssertFoundAsync(string query, int count)
    {
        Answer answer = await _server.QueryAsync(query + " select Name", more: new { ProjectionBehavior = "FromIndex" });
        Assert.True(answer.Status == 200, answer.Text);
        Assert.Equal((count, false), (answer.Json.GetProperty("TotalResults").GetInt32(), answer.Json.GetProperty("IsStale").GetBoolean()));
    }

    private async Task PostAsync(string path) => Assert.Equal(204, (await _server.DbAsync("POST", path)).Status);
}
