using System.Text;
using System.Text.Json;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Revisions;

/// <summary>Which versions are kept.</summary>
public sealed class RevisionConfigurationTests : IAsyncLifetime
{
    private ServerFixture _server = null!;

    public async Task InitializeAsync() => _server = await ServerFixture.StartAsync();

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Fact]
    public async Task None_KeepsNothing()
    {
        Assert.Equal(404, (await _server.DbAsync("GET", "/revisions/config")).Status);
        await _server.PutNumberAsync("users/1", 1);
        await _server.PutNumberAsync("users/1", 2);
        await _server.DbAsync("DELETE", "/docs?id=users/1");
        Assert.Equal(0, await _server.CountAsync("users/1"));
        Assert.Equal("""{"Results":[]}""", (await _server.DbAsync("GET", "/revisions/bin")).Text);
    }

    [Fact]
    public async Task Post_IsReadBackAndInForceAtOnce()
    {
        const string rules = """{"Disabled":false,"MinimumRevisionsToKeep":2,"MinimumRevisionAgeToKeep":null,"PurgeOnDelete":true}""";
        const string configuration = "{\"Default\":null,\"Collections\":{\"Users\":" + rules + "},\"Other\":1}";
        await _server.PutNumberAsync("users/1", 1);
        await _server.ConfigureAsync(configuration);
        Assert.Equal(configuration, (await _server.DbAsync("GET", "/revisions/config")).Text);
        JsonElement record = (await _server.SendAsync("GET", "/admin/databases?name=db1")).Json;
        string found = record.GetProperty("Revisions").GetRawText();
        Assert.StartsWith("{\"Default\":null,\"Collections\":{\"Users\":" + rules[..^1], found, StringComparison.Ordinal);
        Assert.Equal(1, record.GetProperty("Revisions").GetProperty("Other").GetInt32());

        // The version from before the configuration is kept when it is replaced; of the three versions two stay.
        await _server.PutNumberAsync("users/1", 2);
        Assert.Equal([2, 1], (await _server.RevisionsAsync("users/1")).Select(revision => revision.Number()));
        await _server.PutNumberAsync("users/1", 3);
        Assert.Equal([3, 2], (await _server.RevisionsAsync("users/1")).Select(revision => revision.Number()));
        await _server.PutNumberAsync("orders/1", 1, "Orders");
        await _server.PutNumberAsync("orders/1", 2, "Orders");
        Assert.Equal(0, await _server.CountAsync("orders/1"));
        await _server.DbAsync("DELETE", "/docs?id=users/1");
        Assert.Equal(0, await _server.CountAsync("users/1"));
    }

    [Fact]
    public async Task Collection_TakesThePlaceOfTheDefault()
    {
        await _server.ConfigureAsync("""{"Default":{"MinimumRevisionsToKeep":1},"Collections":{"users":{"Disabled":true},"Orders":{}}}""");
        foreach (string collection in (string[])["Users", "Orders", "Others", "@hilo"])
        {
            await _server.PutNumberAsync($"{collection}/1", 1, collection);
            await _server.PutNumberAsync($"{collection}/1", 2, collection);
        }

        Assert.Equal(0, await _server.CountAsync("users/1"));
        Assert.Equal(2, await _server.CountAsync("orders/1"));
        Assert.Equal(1, await _server.CountAsync("others/1"));
        Assert.Equal(0, await _server.CountAsync("@hilo/1"));
        Assert.Equal("", (await _server.LoadAsync("users/1")).Flags());
    }

    [Fact]
    public async Task Disabled_StopsAndKeepsWhatIsThere()
    {
        await _server.ConfigureAsync("""{"Default":{}}""");
        await _server.PutNumberAsync("users/1", 1);
        await _server.ConfigureAsync("""{"Default":{"Disabled":true}}""");
        await _server.PutNumberAsync("users/1", 2);
        Assert.Equal([1], (await _server.RevisionsAsync("users/1")).Select(revision => revision.Number()));
        Assert.Equal("HasRevisions", (await _server.LoadAsync("users/1")).Flags());
        await _server.DbAsync("DELETE", "/docs?id=users/1");
        Assert.Equal(["HasRevisions, DeleteRevision", "HasRevisions, Revision"], (await _server.RevisionsAsync("users/1")).Select(one => one.Flags()));
        await _server.PutNumberAsync("users/1", 3);
        Assert.Equal("HasRevisions", (await _server.LoadAsync("users/1")).Flags());
        Assert.Equal("""{"Results":[]}""", (await _server.DbAsync("GET", "/revisions/bin")).Text);
    }

    [Fact]
    public async Task Zero_KeepsNoneAndClearsTheFlag()
    {
        await _server.ConfigureAsync("""{"Default":{}}""");
        await _server.PutNumberAsync("users/1", 1);
        await _server.PutNumberAsync("users/1", 2);
        await _server.ConfigureAsync("""{"Default":{"MinimumRevisionsToKeep":0}}""");
        await _server.PutNumberAsync("users/1", 3);
        Assert.Equal(0, await _server.CountAsync("users/1"));
        Assert.Equal("", (await _server.LoadAsync("users/1")).Flags());
    }

    [Fact]
    public async Task MaximumToDelete_BoundsWhatOneWriteRemoves()
    {
        await _server.ConfigureAsync("""{"Default":{}}""");
        for (int i = 1; i <= 6; i++)
        {
            await _server.PutNumberAsync("users/1", i);
        }

        await _server.ConfigureAsync("""{"Default":{"MinimumRevisionsToKeep":1,"MaximumRevisionsToDeleteUponDocumentUpdate":2}}""");
        await _server.PutNumberAsync("users/1", 7);
        Assert.Equal([7, 6, 5, 4, 3], (await _server.RevisionsAsync("users/1")).Select(revision => revision.Number()));
    }

    [Fact]
    public async Task Patch_AndBatch_MakeRevisions()
    {
        await _server.ConfigureAsync("""{"Default":{}}""");
        Answer put = await _server.DbAsync("POST", "/bulk_docs", """
            {"Commands":[{"Id":"users/1","Document":{"N":1,"@metadata":{"@collection":"Users"}},"Type":"PUT"},
             {"Id":"users/1","Patch":{"Script":"this.N = 2"},"Type":"PATCH"}]}
            """);
        Assert.Equal("HasRevisions", put.Json.GetProperty("Results")[0].GetProperty("@flags").GetString());
        await _server.DbAsync("PATCH", "/docs?id=users/1", """{"Patch":{"Script":"this.N = 3"}}""");
        Assert.Equal([3, 2, 1], (await _server.RevisionsAsync("users/1")).Select(revision => revision.Number()));
    }

    [Fact]
    public async Task Record_BringsAConfiguration()
    {
        Answer created = await _server.SendAsync("PUT", "/admin/databases?name=db2", """{"DatabaseName":"db2","Revisions":{"Default":{}}}""");
        Assert.True(created.Status == 201, created.Text);
        await _server.SendAsync("PUT", "/databases/db2/docs?id=a", "{}");
        Assert.Equal("""{"RevisionsCount":1}""", (await _server.SendAsync("GET", "/databases/db2/revisions/count?id=a")).Text);
        (await _server.SendAsync("PUT", "/admin/databases?name=db3", """{"DatabaseName":"db3","Revisions":{"Default":5}}"""))
            .AssertProblem(400, "ArgumentException", "Default");
    }

    [Fact]
    public async Task Conflicts_AreAcceptedAndReadBack()
    {
        Assert.Equal(404, (await _server.DbAsync("GET", "/revisions/conflicts/config")).Status);
        Answer answer = await _server.DbAsync("POST", "/admin/revisions/conflicts/config", """{"Disabled":false,"PurgeOnDelete":true}""");
        Assert.Equal(200, answer.Status);
        Assert.Equal("""{"Disabled":false,"PurgeOnDelete":true}""", (await _server.DbAsync("GET", "/revisions/conflicts/config")).Text);
        (await _server.DbAsync("POST", "/admin/revisions/conflicts/config", """{"Disabled":7}""")).AssertProblem(400, "ArgumentException", "Disabled");
        Assert.Equal(404, (await _server.DbAsync("GET", "/revisions/config")).Status);
    }

    [Theory]
    [InlineData("[]", "object")]
    [InlineData("""{"Default":7}""", "Default")]
    [InlineData("""{"Default":{"Disabled":"yes"}}""", "Disabled")]
    [InlineData("""{"Default":{"PurgeOnDelete":1}}""", "PurgeOnDelete")]
    [InlineData("""{"Default":{"MinimumRevisionsToKeep":-1}}""", "MinimumRevisionsToKeep")]
    [InlineData("""{"Default":{"MinimumRevisionsToKeep":1.5}}""", "whole number")]
    [InlineData("""{"Default":{"MinimumRevisionAgeToKeep":"soon"}}""", "MinimumRevisionAgeToKeep")]
    [InlineData("""{"Default":{"MinimumRevisionAgeToKeep":"-1.00:00:00"}}""", "MinimumRevisionAgeToKeep")]
    [InlineData("""{"Default":{"MaximumRevisionsToDeleteUponDocumentUpdate":"x"}}""", "MaximumRevisionsToDelete")]
    [InlineData("""{"Collections":[]}""", "Collections")]
    [InlineData("""{"Collections":{"Users":7}}""", "Users")]
    [InlineData("""{"Collections":{"":{}}}""", "0 bytes")]
    [InlineData("""{"Collections":{"Users":{},"users":{}}}""", "twice")]
    public async Task BadConfiguration_IsRefusedAndChangesNothing(string body, string message)
    {
        (await _server.DbAsync("POST", "/admin/revisions/config", body)).AssertProblem(400, "Exception", message);
        Assert.Equal(404, (await _server.DbAsync("GET", "/revisions/config")).Status);
    }

    [Fact]
    public async Task TwoConfigurationsAtOnce_KeepBothMembers()
    {
        Task<Answer>[] posts =
        [
            .. Enumerable.Range(0, 8).Select(i => _server.DbAsync("POST", "/admin/revisions/config", $$$"""{"Default":{"MinimumRevisionsToKeep":{{{i}}}}}""")),
            .. Enumerable.Range(0, 8).Select(_ => _server.DbAsync("POST", "/admin/revisions/conflicts/config", """{"Disabled":true}""")),
        ];
        Assert.All(await Task.WhenAll(posts), answer => Assert.Equal(200, answer.Status));
        string record = Encoding.UTF8.GetString(_server.Databases.GetRecord("db1")!.Json.Span);
        Assert.Contains("\"RevisionsForConflicts\":{\"Disabled\":true}", record, StringComparison.Ordinal);
        Assert.Contains("\"Revisions\":{\"Default\":", record, StringComparison.Ordinal);
    }
}
