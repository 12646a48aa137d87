using System.Text.Json;
using Jackdaw.Documents.Rows;
using Jackdaw.Documents.Schedules;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Settings;

/// <summary>Configurations, dates in metadata, archived documents in patches and indexes.</summary>
public sealed class ScheduleHttpTests : IAsyncLifetime
{
    private ServerFixture _server = null!;

    public async Task InitializeAsync() => _server = await ServerFixture.StartAsync();

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Theory]
    [InlineData("expiration", "Expiration", "DeleteFrequencyInSec")]
    [InlineData("refresh", "Refresh", "RefreshFrequencyInSec")]
    [InlineData("data-archival", "DataArchival", "ArchiveFrequencyInSec")]
    public async Task Configuration_IsStoredInTheRecordAndReadBack(string path, string member, string frequency)
    {
        Assert.Equal(404, (await _server.DbAsync("GET", $"/{path}/config")).Status);
        string body = $$"""{"Disabled":false,"{{frequency}}":5,"MaxItemsToProcess":null,"Other":1}""";

        Answer put = await _server.DbAsync("POST", $"/admin/{path}/config?raft-request-id=x", body);

        Assert.Equal(200, put.Status);
        Assert.True(put.Json.GetProperty("RaftCommandIndex").GetInt64() > 0);
        Assert.Equal(body, (await _server.DbAsync("GET", $"/{path}/config")).Text);
        Assert.Equal(body, (await _server.DbAsync("GET", $"/admin/{path}/config")).Text);
        Assert.Equal(body, (await _server.SendAsync("GET", "/admin/databases?name=db1")).Json.GetProperty(member).GetRawText());
        Assert.Equal(200, (await _server.DbAsync("POST", $"/admin/{path}/config", "{}")).Status);
        Assert.Equal("{}", (await _server.DbAsync("GET", $"/{path}/config")).Text);
    }

    [Theory]
    [InlineData("expiration", """{"DeleteFrequencyInSec":0}""", "'DeleteFrequencyInSec' of the configuration of expiration must be a whole number from 1")]
    [InlineData("refresh", """{"RefreshFrequencyInSec":"5"}""", "'RefreshFrequencyInSec'")]
    [InlineData("data-archival", """{"ArchiveFrequencyInSec":1.5}""", "'ArchiveFrequencyInSec'")]
    [InlineData("expiration", """{"DeleteFrequencyInSec":99999999999}""", "'DeleteFrequencyInSec'")]
    [InlineData("expiration", """{"MaxItemsToProcess":-1}""", "'MaxItemsToProcess'")]
    [InlineData("expiration", """{"Disabled":1}""", "'Disabled' of the configuration of expiration must be true or false")]
    [InlineData("expiration", "[]", "object")]
    public async Task Configuration_BadValue_IsRefused(string path, string body, string message)
    {
        (await _server.DbAsync("POST", $"/admin/{path}/config", body)).AssertProblem(400, "Exception", message);

        Assert.Equal(404, (await _server.DbAsync("GET", $"/{path}/config")).Status);
    }

    [Theory]
    [InlineData("""{"@expires":"tomorrow"}""", "@expires in @metadata must be a date such as", "\"tomorrow\"")]
    [InlineData("""{"@refresh":5}""", "@refresh", "5")]
    [InlineData("""{"@archive-at":{}}""", "@archive-at", "{}")]
    [InlineData("""{"@expires":"2030-02-30T00:00:00Z"}""", "@expires", "2030-02-30")]
    [InlineData("""{"\u0040expires":""}""", "@expires", "\"\"")]
    [InlineData("""{"@archived":"yes"}""", "@archived in @metadata must be true or false", "@archive-at")]
    public async Task Put_BadDate_IsRefused(string metadata, string message, string found)
    {
        string body = $$"""{"@metadata":{{metadata}}}""";

        (await _server.DbAsync("PUT", "/docs?id=a", body)).AssertProblem(500, "System.InvalidOperationException", message, found);
        (await _server.DbAsync("POST", "/bulk_docs", $$"""{"Commands":[{"Id":"a","Document":{{body}},"Type":"PUT"}]}"""))
            .AssertProblem(500, "System.InvalidOperationException", message, found);
        Assert.Equal(404, (await _server.DbAsync("GET", "/docs?id=a")).Status);
    }

    [Theory]
    [InlineData("""{"@expires":null,"@archived":null}""")]
    [InlineData("""{"@expires":"2030-01-31"}""")]
    [InlineData("""{"@expires":"2030-01-31T10:00:00.1234567+02:00","@refresh":"2030-01-31T10:00","@archive-at":"2030-01-31T10:00:00Z"}""")]
    public async Task Put_Date_ComesBackAsItWasSent(string metadata)
    {
        await _server.PutAsync("a", $$"""{"@metadata":{{metadata}}}""");

        string text = (await _server.DbAsync("GET", "/docs?id=a")).Text;
        Assert.Contains(metadata[1..^1], text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task ClusterWide_DocumentThatHasExpired_CanBeStoredAgain()
    {
        await _server.DbAsync("POST", "/admin/expiration/config", """{"Disabled":false,"DeleteFrequencyInSec":1}""");
        Answer first = await PutClusterWideAsync();
        Assert.True(first.Status == 201, first.Text);
        await Eventually.IsTrueAsync(async () => (await _server.DbAsync("GET", "/docs?id=sessions/x")).Status == 404);
        await Eventually.IsTrueAsync(async () => (await PutClusterWideAsync()).Status == 201); // its guard goes, too, a batch later
    }

    private async Task<Answer> PutClusterWideAsync()
    {
        string expires = DateTime.UtcNow.AddMilliseconds(300).ToString("O");
        return await _server.DbAsync("POST", "/bulk_docs",
            """{"TransactionMode":"ClusterWide","Commands":[{"Type":"PUT","Id":"sessions/x","Document":{"@metadata":{"@expires":"?"}}}]}"""
                .Replace("?", expires, StringComparison.Ordinal));
    }

    [Fact]
    public async Task PutValue_BadExpiry_IsRefused() =>
        (await _server.DbAsync("PUT", "/cmpxchg?key=a&index=0", """{"Object":1,"@metadata":{"@expires":"x"}}"""))
            .AssertProblem(500, "System.InvalidOperationException", "@expires", "\"x\"");

    [Fact]
    public async Task Settings_AreStoredInTheRecordAndReadBack()
    {
        Assert.Equal("""{"Settings":{}}""", (await _server.DbAsync("GET", "/admin/configuration/settings")).Text);
        Assert.Equal(204, (await _server.DbAsync("PUT", "/admin/configuration/settings", """{"Indexing.MaxStepsForScript":"5"}""")).Status);
        Assert.Equal("""{"Settings":{"Indexing.MaxStepsForScript":"5"}}""", (await _server.DbAsync("GET", "/admin/configuration/settings")).Text);
        (await _server.DbAsync("PUT", "/admin/configuration/settings", """{"a":5}""")).AssertProblem(400, "ArgumentException", "'a' must be a text");
    }

    [Fact]
    public async Task Patch_ArchiveAtAndUnarchive_ChangeTheMetadata()
    {
        await _server.PutAsync("a", "{}");

        await PatchAsync("archived.archiveAt(this, '2040-01-01T00:00:00Z')");
        Assert.Equal("2040-01-01T00:00:00Z", (await MetadataAsync()).GetProperty("@archive-at").GetString());
        Assert.Equal(1, CountScheduled());
        await PatchAsync("archived.archiveAt(this, new Date(Date.UTC(2041, 0, 1)))");
        Assert.Equal("2041-01-01T00:00:00.0000000Z", (await MetadataAsync()).GetProperty("@archive-at").GetString());
        await _server.PutAsync("a", """{"n":1,"@metadata":{"@archived":true}}""");
        Assert.Equal("Archived", (await MetadataAsync()).GetProperty("@flags").GetString());
        await PatchAsync("archived.unarchive(this)");
        Assert.False((await MetadataAsync()).TryGetProperty("@archived", out _));
        Assert.False((await MetadataAsync()).TryGetProperty("@flags", out _));
        (await _server.DbAsync("PATCH", "/docs?id=a", """{"Patch":{"Script":"archived.archiveAt(this, 'x')"}}"""))
            .AssertProblem(500, "JavaScriptException", "archived.archiveAt()", "'x'");
        (await _server.DbAsync("PATCH", "/docs?id=a", """{"Patch":{"Script":"archived.unarchive(5)"}}"""))
            .AssertProblem(500, "JavaScriptException", "Argument 1 of archived.unarchive() must be a document");
    }

    [Fact]
    public async Task Index_ArchivedDocuments_AreInThoseThatAsk()
    {
        await using ServerFixture server = await ServerFixture.StartAsync();
        string map = "from t in docs.Things select new { t.n }";
        foreach (string behaviour in (string[])["ExcludeArchived", "IncludeArchived", "ArchivedOnly"])
        {
            Answer answer = await server.PutIndexAsync(behaviour, map, more: new { ArchivedDataProcessingBehavior = behaviour });
            Assert.True(answer.Status == 201, answer.Text);
        }

        await server.PutAsync("a", "Things", """{"n":1}""");
        await server.PutAsync("b", "Things", """{"n":2}""");
        await server.DbAsync("PUT", "/docs?id=b", """{"n":2,"@metadata":{"@collection":"Things","@archived":true}}""");

        Assert.Equal("a", await server.IdsAsync("from index 'ExcludeArchived'"));
        Assert.Equal("a,b", await server.IdsAsync("from index 'IncludeArchived' order by n"));
        Assert.Equal("b", await server.IdsAsync("from index 'ArchivedOnly'"));
        Assert.Equal("a", await server.IdsAsync("from Things where n > 0"));
        await server.DbAsync("PATCH", "/docs?id=b", """{"Patch":{"Script":"archived.unarchive(this)"}}""");
        Assert.Equal("a,b", await server.IdsAsync("from index 'ExcludeArchived' order by n"));
        Assert.Equal("", await server.IdsAsync("from index 'ArchivedOnly'"));
    }

    private long CountScheduled()
    {
        using DocumentReadScope read = _server.Database.BeginRead();
        return ScheduleTree.Count(read.Transaction.Trees);
    }

    private async Task PatchAsync(string script)
    {
        Answer answer = await _server.DbAsync("PATCH", "/docs?id=a", JsonSerializer.Serialize(new { Patch = new { Script = script } }));
        Assert.True(answer.Status == 200, answer.Text);
    }

    private async Task<JsonElement> MetadataAsync() =>
        (await _server.DbAsync("GET", "/docs?id=a")).Json.GetProperty("Results")[0].GetProperty("@metadata");
}
