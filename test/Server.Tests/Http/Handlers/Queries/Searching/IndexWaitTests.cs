using System.Globalization;
using System.Text.Json;
using System.Text.RegularExpressions;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;
using Jackdaw.Indexing;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Queries.Planning;
using Jackdaw.Queries.Rows;
using Jackdaw.Scripting.Caching;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Queries.Searching;

/// <summary>Writes and queries that wait until indexes have what was written.</summary>
public sealed partial class IndexWaitTests : IAsyncLifetime
{
    /// <summary>Far less than the waits that must not happen.</summary>
    private static readonly TimeSpan s_atOnce = TimeSpan.FromMinutes(2);

    private const string Users = "Auto/Users/ByName";
    private const string Firms = "Auto/Firms/ByName";

    private static readonly QueryScripts s_scripts = new();

    private ServerFixture _server = null!;

    public async Task InitializeAsync()
    {
        _server = await ServerFixture.StartAsync();
        await _server.QueryAsync("from Users where Name = 'x'");
        await _server.QueryAsync("from Firms where Name = 'x'");
    }

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Theory]
    [InlineData("waitForIndexesTimeout=00:01:00")]
    [InlineData("waitForIndexesTimeout=00:01:00&waitForIndexThrow=false")]
    [InlineData("waitForIndexesTimeout=00:01:00&waitForSpecificIndex=Auto%2FUsers%2FByName")]
    [InlineData("waitForSpecificIndex=auto%2Fusers%2Fbyname&waitForSpecificIndex=Auto%2FFirms%2FByName")]
    public async Task BulkDocs_ThatWaits_IsSeenByTheNextQuery(string wait)
    {
        for (int i = 0; i < 20; i++)
        {
            Answer answer = await WriteAsync($"users/{i}", "Users", wait);
            Assert.Equal(201, answer.Status);
            Assert.Matches(IndexTiming(), answer.Header("Server-Timing"));
            Answer found = await _server.QueryAsync($"from Users where Name = 'users/{i}'", waits: false);
            Assert.Equal(1, found.Json.GetProperty("TotalResults").GetInt64());
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Wait_IndexIsResetMeanwhile_IsForTheNewOne(bool isNamed)
    {
        Task<IReadOnlyList<string>> wait;
        using (await _server.HoldIndexesAsync())
        {
            await _server.PutAsync("users/1", "Users", """{"Name":"users/1"}""");
            wait = _server.Waits.WaitForWritesAsync(Etag.None, new Etag(1), isNamed ? [Users] : [], TimeSpan.FromMinutes(1), default);
            Assert.False(wait.IsCompleted);
            Assert.Equal(204, (await _server.DbAsync("RESET", "/indexes?name=" + Uri.EscapeDataString(Users))).Status);
            await Task.WhenAny(wait, Task.Delay(50)); // it goes on with the new one, or ends too early
        }

        Assert.Empty(await wait);
        Answer found = await _server.QueryAsync("from Users where Name = 'users/1'", waits: false);
        Assert.Equal(1, found.Json.GetProperty("TotalResults").GetInt64());
    }

    [Fact]
    public async Task BulkDocs_IndexOfAnotherCollectionIsBehind_IsNotWaitedFor()
    {
        // The index of firms has a write to read and does not; that of users is all that this write concerns.
        _server.Indexes.Find(Firms)!.IsPaused = true;
        await _server.PutAsync("firms/1", "Firms", """{"Name":"Acme"}""");
        Assert.Equal(201, (await WriteAsync("users/1", "Users", "waitForIndexesTimeout=00:01:00")).Status);
    }

    [Fact]
    public async Task BulkDocs_DisabledIndexes_AreNotWaitedFor()
    {
        await _server.Indexes.ChangeAsync([Users], record => record with { State = IndexState.Disabled }, CancellationToken.None);
        Assert.Equal(201, (await WriteAsync("users/2", "Users", "waitForIndexesTimeout=00:01:00")).Status);
    }

    [Theory]
    [InlineData("paused", false, "")]
    [InlineData("paused", false, "true")]
    [InlineData("paused", false, "false")]
    [InlineData("paused", true, "")]
    [InlineData("paused", true, "false")]
    [InlineData("all paused", false, "true")]
    [InlineData("all paused", false, "false")]
    [InlineData("all paused", true, "true")]
    public async Task BulkDocs_IndexThatStandsStill_IsAnErrorUnlessNoneIsWanted(string why, bool isNamed, string throws)
    {
        await StopAsync(why);
        string named = isNamed ? $"&waitForSpecificIndex={Uri.EscapeDataString(Users)}" : "";
        string wanted = throws.Length > 0 ? $"&waitForIndexThrow={throws}" : "";
        Answer answer = await WriteAsync("users/1", "Users", $"waitForIndexesTimeout=00:01:00{named}{wanted}").WaitAsync(s_atOnce);
        Assert.Equal(throws == "false" ? 201 : 408, answer.Status);
        Assert.Equal(200, (await _server.DbAsync("GET", "/docs?id=users/1")).Status);
        if (answer.Status == 408)
        {
            string message = answer.Json.GetProperty("Message").GetString()!;
            Assert.Equal("Raven.Client.Exceptions.RavenTimeoutException", answer.Json.GetProperty("Type").GetString());
            Assert.True(answer.Json.GetProperty("FailImmediately").GetBoolean());
            Assert.Contains("could not verify that", message, StringComparison.Ordinal);
            Assert.Contains(Users, message, StringComparison.Ordinal);
            Assert.DoesNotContain(Firms, message, StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task BulkDocs_PausedIndexThatHasReadEverything_IsNoError()
    {
        await WriteAsync("users/1", "Users", "waitForIndexesTimeout=00:01:00");
        await StopAsync("all paused");
        Assert.Equal(201, (await WriteAsync("others/1", "Others", "waitForIndexesTimeout=00:01:00")).Status);
    }

    [Fact]
    public async Task BulkDocs_UnknownIndex_IsRefusedBeforeAnythingIsWritten()
    {
        Answer answer = await WriteAsync("users/1", "Users", "waitForSpecificIndex=Auto%2FUsers%2FByNames");
        Assert.Contains("IndexDoesNotExistException", answer.Text, StringComparison.Ordinal);
        Assert.Equal(404, (await _server.DbAsync("GET", "/docs?id=users/1")).Status);
    }

    [Fact]
    public async Task Query_WaitForEtag_SeesThatWriteWithoutWaitingForLaterOnes()
    {
        for (int i = 0; i < 20; i++)
        {
            Answer written = await WriteAsync($"users/{i}", "Users", "");
            string vector = written.Json.GetProperty("Results")[0].GetProperty("@change-vector").GetString()!;
            long etag = long.Parse(vector[2..vector.IndexOf('-', StringComparison.Ordinal)], CultureInfo.InvariantCulture);
            Answer found = await _server.QueryAsync($"from Users where Name = 'users/{i}'", waits: false, new { WaitForEtag = etag });
            Assert.Equal(1, found.Json.GetProperty("TotalResults").GetInt64());
            Assert.Matches(IndexTiming(), found.Header("Server-Timing"));
        }
    }

    [Fact]
    public async Task Query_WaitForEtagThatIsOver_AnswersStale()
    {
        using IDisposable hold = await _server.HoldIndexesAsync();
        await WriteAsync("users/1", "Users", "");
        Answer found = await _server.QueryAsync(
            "from Users where Name = 'users/1'", waits: false, new { WaitForEtag = 1000, WaitForNonStaleResultsTimeout = 1 });
        Assert.Equal(200, found.Status);
        Assert.True(found.Json.GetProperty("IsStale").GetBoolean());
    }

    [Theory]
    [InlineData(false, "paused")]
    [InlineData(true, "paused")]
    [InlineData(false, "disabled")]
    [InlineData(true, "disabled")]
    [InlineData(false, "all paused")]
    public async Task Query_WaitsForAnIndexThatDoesNotWork_AnswersStaleAtOnce(bool forEtag, string why)
    {
        await StopAsync(why);
        await WriteAsync("users/1", "Users", "");
        object wait = forEtag ? new { WaitForEtag = 1, WaitForNonStaleResultsTimeout = "10:00:00" } : new { WaitForNonStaleResultsTimeout = "10:00:00" };
        Answer found = await _server.QueryAsync("from index 'Auto/Users/ByName' where Name = 'users/1'", waits: !forEtag, wait).WaitAsync(s_atOnce);
        Assert.Equal(200, found.Status);
        Assert.True(found.Json.GetProperty("IsStale").GetBoolean());
        Assert.Equal(0, found.Json.GetProperty("TotalResults").GetInt64());
    }

    [Theory]
    [InlineData("from index 'Auto/Users/ByName' where Name = 'users/1'")]
    [InlineData("from Users where Name = 'users/1'")]
    public async Task Query_IndexFailsWhileItWaits_GetsTheErrorOfAFailedIndex(string query)
    {
        using IDisposable hold = await _server.HoldIndexesAsync();
        await WriteAsync("users/1", "Users", "");
        using QueryRun waiting = QueryRun.Prepare(
            _server.Database, new QueryRequest { Text = query, WaitForNonStale = TimeSpan.FromHours(10) }, s_scripts, CancellationToken.None);
        Task search = waiting.SearchAsync(TimeSpan.Zero, default).AsTask();
        Assert.False(search.IsCompleted);
        await StopAsync("failed");
        IndexException refused = await Assert.ThrowsAsync<IndexException>(() => search.WaitAsync(s_atOnce));
        Assert.Equal(IndexFault.Unusable, refused.Fault);
        Assert.Contains("has failed for too many documents", refused.Message, StringComparison.Ordinal);
        Answer later = await _server.QueryAsync("from index 'Auto/Users/ByName' where Name = 'users/1'", waits: false);
        Assert.Equal((500, refused.Message), (later.Status, later.Json.GetProperty("Message").GetString()));
    }

    [Theory]
    [InlineData("paused")]
    [InlineData("disabled")]
    [InlineData("all paused")]
    [InlineData("failed")]
    public async Task Wait_IndexThatIsStoppedMeanwhile_EndsAtOnce(string why)
    {
        DatabaseIndex index = _server.Indexes.Find(Users)!;
        using IDisposable hold = await _server.HoldIndexesAsync();
        await WriteAsync("users/1", "Users", "");
        using DocumentReadScope read = _server.Database.BeginRead();
        Task<bool> query = index.WaitAsync(index.CutoffOf(read)!, TimeSpan.FromHours(10), default);
        Task<IReadOnlyList<string>> write = _server.Waits.WaitForWritesAsync(new(0), read.LastEtag, [], TimeSpan.FromHours(10), default);
        Assert.False(query.IsCompleted || write.IsCompleted);
        await StopAsync(why);
        Assert.False(await query.WaitAsync(s_atOnce));
        Assert.Equal(why.EndsWith("paused", StringComparison.Ordinal) ? [Users] : [], await write.WaitAsync(s_atOnce));
    }

    [Fact]
    public async Task BulkDocs_NamedIndexIsPausedMeanwhile_IsAnErrorAtOnce()
    {
        using IDisposable hold = await _server.HoldIndexesAsync();
        await WriteAsync("users/1", "Users", "");
        Etag last;
        using (DocumentReadScope read = _server.Database.BeginRead())
        {
            last = read.LastEtag;
        }

        Task<IReadOnlyList<string>> wait = _server.Waits.WaitForWritesAsync(new(0), last, [Users], TimeSpan.FromHours(10), default);
        Assert.False(wait.IsCompleted);
        await StopAsync("paused");
        Assert.Equal([Users], await wait.WaitAsync(s_atOnce));
    }

    private async Task StopAsync(string why)
    {
        switch (why)
        {
            case "paused":
                _server.Indexes.Find(Users)!.IsPaused = true;
                break;
            case "all paused":
                _server.Indexes.Pause(isPaused: true);
                break;
            default:
                IndexState state = why == "failed" ? IndexState.Error : IndexState.Disabled;
                await _server.Indexes.ChangeAsync([Users], record => record with { State = state }, CancellationToken.None);
                break;
        }
    }

    private Task<Answer> WriteAsync(string id, string collection, string wait)
    {
        var document = new Dictionary<string, object>
        {
            ["Name"] = id,
            ["@metadata"] = new Dictionary<string, string> { ["@collection"] = collection },
        };
        object command = new { Type = "PUT", Id = id, ChangeVector = (string?)null, Document = document };
        return _server.DbAsync("POST", $"/bulk_docs?{wait}", JsonSerializer.Serialize(new { Commands = new[] { command } }));
    }

    [GeneratedRegex(@"total;dur=[0-9.]+.*, index;dur=[0-9]+\.[0-9]{3}$")]
    private static partial Regex IndexTiming();
}
