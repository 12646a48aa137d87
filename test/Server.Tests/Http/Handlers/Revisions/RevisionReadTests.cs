using System.Text.Json;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Revisions;

/// <summary>Reading revisions over HTTP.</summary>
public sealed class RevisionReadTests : IAsyncLifetime
{
    private ServerFixture _server = null!;

    public async Task InitializeAsync()
    {
        _server = await ServerFixture.StartAsync();
        await _server.ConfigureAsync("""{"Default":{"Disabled":false}}""");
    }

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Fact]
    public async Task List_OfADocument_IsNewestFirstAndBeginsWithTheDocument()
    {
        for (int i = 1; i <= 7; i++)
        {
            await _server.PutNumberAsync("Users/p", i);
        }

        Answer answer = await _server.DbAsync("GET", "/revisions?&id=users%2FP&start=0&pageSize=25");
        JsonElement[] revisions = [.. answer.Json.GetProperty("Results").EnumerateArray()];
        JsonElement document = await _server.LoadAsync("users/p");
        Assert.Equal([7, 6, 5, 4, 3, 2, 1], revisions.Select(revision => revision.Number()));
        Assert.Equal(7, answer.Json.GetProperty("TotalResults").GetInt32());
        Assert.All(revisions, revision => Assert.Equal("HasRevisions, Revision", revision.Flags()));
        Assert.All(revisions, revision => Assert.Equal("Users/p", revision.Metadata("@id")));
        Assert.All(revisions, revision => Assert.Equal("Users", revision.Metadata("@collection")));
        Assert.Equal("HasRevisions", document.Flags());
        Assert.Equal(document.Vector(), revisions[0].Vector());
        Assert.Equal(document.Metadata("@last-modified"), revisions[0].Metadata("@last-modified"));
        Assert.Equal($"\"{document.Vector()}\"", answer.Header("ETag"));
        Assert.Equal(7, await _server.CountAsync("users/p"));
    }

    [Theory]
    [InlineData("&start=2&pageSize=3", "5,4,3")]
    [InlineData("&start=6", "1")]
    [InlineData("&start=7&pageSize=1", "")]
    [InlineData("&pageSize=0", "")]
    [InlineData("&start=undefined&pageSize=undefined", "7,6,5,4,3,2,1")]
    public async Task List_Page_IsThatPage(string parameters, string expected)
    {
        for (int i = 1; i <= 7; i++)
        {
            await _server.PutNumberAsync("users/1", i);
        }

        await _server.PutNumberAsync("users/10", 99); // its key begins with the other one
        Answer answer = await _server.DbAsync("GET", $"/revisions?&id=users/1{parameters}");
        Assert.Equal(expected, string.Join(',', answer.Json.GetProperty("Results").EnumerateArray().Select(revision => revision.Number())));
        Assert.Equal(7, answer.Json.GetProperty("TotalResults").GetInt32());
        Assert.Equal(expected.Length == 0, answer.Header("ETag") is null);
    }

    [Fact]
    public async Task List_WithoutRevisions_IsEmpty()
    {
        Answer answer = await _server.DbAsync("GET", "/revisions?&id=users/none");
        Assert.Equal((200, """{"Results":[],"TotalResults":0}"""), (answer.Status, answer.Text));
        Assert.Null(answer.Header("ETag"));
        Assert.Equal("""{"RevisionsCount":0}""", (await _server.DbAsync("GET", "/revisions/count?&id=users/none")).Text);
        Assert.Equal("""{"Results":[]}""", (await _server.DbAsync("GET", "/revisions/resolved?since=0&take=10")).Text);
    }

    [Fact]
    public async Task List_MetadataOnly_HasNothingElse()
    {
        await _server.PutNumberAsync("users/1", 1);
        JsonElement revision = Assert.Single(await _server.RevisionsAsync("users/1", "&metadataOnly=true"));
        Assert.Equal("@metadata", Assert.Single(revision.EnumerateObject()).Name);
        Assert.Equal("HasRevisions, Revision", revision.Flags());
    }

    [Fact]
    public async Task List_KnownByItsTag_Is304UntilSomethingChanged()
    {
        await _server.PutNumberAsync("users/1", 1);
        await _server.PutNumberAsync("users/1", 2);
        string tag = (await _server.DbAsync("GET", "/revisions?&id=users/1")).Header("ETag")!;
        Assert.Equal(304, (await _server.DbAsync("GET", "/revisions?&id=users/1", null, ("If-None-Match", tag))).Status);
        string oldest = (await _server.RevisionsAsync("users/1"))[1].Vector();
        Answer deleted = await _server.DbAsync(
            "DELETE", "/admin/revisions", $$"""{"DocumentIds":["users/1"],"RevisionsChangeVectors":["{{oldest}}"]}""");
        Assert.Equal("""{"TotalDeletes":1}""", deleted.Text);

        // The newest one is still the same, but the client's answer has two.
        Answer after = await _server.DbAsync("GET", "/revisions?&id=users/1", null, ("If-None-Match", tag));
        Assert.Equal((200, 1), (after.Status, after.Json.GetProperty("TotalResults").GetInt32()));
        await _server.PutNumberAsync("users/1", 3);
        Answer later = await _server.DbAsync("GET", "/revisions?&id=users/1");
        Assert.NotEqual(tag, later.Header("ETag"));
        Assert.Equal(304, (await _server.DbAsync("GET", "/revisions?&id=users/1", null, ("If-None-Match", later.Header("ETag")!))).Status);
    }

    [Fact]
    public async Task List_KnownByItsTag_IsSentAfterAWriteThatOnlyRemoved()
    {
        for (int i = 1; i <= 3; i++)
        {
            await _server.PutNumberAsync("users/1", i);
        }

        string tag = (await _server.DbAsync("GET", "/revisions?&id=users/1")).Header("ETag")!;
        await _server.ConfigureAsync("""{"Default":{"MinimumRevisionsToKeep":0,"MaximumRevisionsToDeleteUponDocumentUpdate":1}}""");
        await _server.PutNumberAsync("users/1", 4);
        Answer after = await _server.DbAsync("GET", "/revisions?&id=users/1", null, ("If-None-Match", tag));
        Assert.Equal((200, 2), (after.Status, after.Json.GetProperty("TotalResults").GetInt32()));
    }

    [Fact]
    public async Task ByChangeVector_OneAndSeveral()
    {
        await _server.PutNumberAsync("users/1", 1);
        await _server.PutNumberAsync("users/1", 2);
        await _server.PutNumberAsync("users/2", 3);
        string first = Uri.EscapeDataString((await _server.RevisionsAsync("users/1"))[1].Vector());
        string other = Uri.EscapeDataString((await _server.RevisionsAsync("users/2"))[0].Vector());
        Answer one = await _server.DbAsync("GET", $"/revisions?&changeVector={first}");
        Assert.Equal(1, Assert.Single(one.Json.GetProperty("Results").EnumerateArray()).Number());
        Assert.Equal(304, (await _server.DbAsync("GET", $"/revisions?&changeVector={first}", null, ("If-None-Match", one.Header("ETag")!))).Status);
        Assert.Equal(404, (await _server.DbAsync("GET", "/revisions?&changeVector=A:99-x")).Status);
        Assert.Equal(404, (await _server.DbAsync("GET", "/revisions?&changeVector=")).Status);
        Answer all = await _server.DbAsync("GET", $"/revisions?&changeVector={other}&changeVector=x&changeVector={first}");
        JsonElement[] several = [.. all.Json.GetProperty("Results").EnumerateArray()];
        Assert.Equal((3, JsonValueKind.Null, 1), (several[0].Number(), several[1].ValueKind, several[2].Number()));
        Answer metadata = await _server.DbAsync("GET", $"/revisions?&changeVector={first}&metadataOnly=true");
        Assert.False(metadata.Json.GetProperty("Results")[0].TryGetProperty("N", out _));
    }

    [Fact]
    public async Task Before_ATime_IsTheNewestRevisionOfThen()
    {
        await _server.PutNumberAsync("users/1", 1);
        RevisionRequests.NextMoment();
        await _server.PutNumberAsync("users/1", 2);
        JsonElement[] revisions = await _server.RevisionsAsync("users/1");
        string first = revisions[1].Metadata("@last-modified");
        Assert.Equal(1, Assert.Single(await _server.RevisionsAsync("users/1", $"&before={first}")).Number());
        Assert.Equal(2, Assert.Single(await _server.RevisionsAsync("users/1", "&before=2999-01-01T00:00:00.0000000Z")).Number());
        Answer none = await _server.DbAsync("GET", "/revisions?&id=users/1&before=1999-01-01T00:00:00.0000000Z");
        Assert.Equal("""{"Results":[],"TotalResults":0}""", none.Text);
    }

    [Fact]
    public async Task Bin_HasDeletedDocumentsLastDeletedFirst()
    {
        await _server.PutNumberAsync("users/1", 1);
        await _server.PutNumberAsync("Users/2", 2);
        Assert.Equal(204, (await _server.DbAsync("DELETE", "/docs?id=users/1")).Status);
        Assert.Equal(204, (await _server.DbAsync("DELETE", "/docs?id=users/2")).Status);

        JsonElement[] bin = await BinAsync("?start=0&pageSize=undefined");
        Assert.Equal(["Users/2", "users/1"], bin.Select(deleted => deleted.Metadata("@id")));
        Assert.All(bin, deleted => Assert.Equal("HasRevisions, DeleteRevision", deleted.Flags()));
        Assert.All(bin, deleted => Assert.Equal("@metadata", Assert.Single(deleted.EnumerateObject()).Name));
        Assert.Equal("users/1", Assert.Single(await BinAsync("?start=1&pageSize=1")).Metadata("@id"));
        Assert.Empty(await BinAsync("?etag=5&pageSize=0"));
        JsonElement[] revisions = await _server.RevisionsAsync("users/1");
        Assert.Equal(["HasRevisions, DeleteRevision", "HasRevisions, Revision"], revisions.Select(revision => revision.Flags()));

        await _server.PutNumberAsync("users/1", 3);
        Assert.Equal("Users/2", Assert.Single(await BinAsync("")).Metadata("@id"));
        Assert.Equal(3, await _server.CountAsync("users/1"));
    }

    [Fact]
    public async Task Load_WithRevisionsOfVectorsAndOfATime_BringsThemOnce()
    {
        await _server.PutNumberAsync("users/1", 1);
        string first = (await _server.LoadAsync("users/1")).Vector();
        await _server.PutNumberAsync("users/2", 2);
        string second = (await _server.LoadAsync("users/2")).Vector();
        await _server.PutAsync("contracts/1", $$$"""
            {"Past":"{{{first}}}","All":["{{{second}}}","{{{first}}}","A:77-none"],"Deep":[{"V":"{{{second}}}"}],"@metadata":{"@collection":"Contracts"}}
            """);
        Answer loaded = await _server.DbAsync("GET", "/docs?&id=contracts/1&revisions=Past");
        JsonElement include = Assert.Single(loaded.Json.GetProperty("RevisionIncludes").EnumerateArray());
        Assert.Equal(("users/1", first, 1), (
            include.GetProperty("Id").GetString(), include.GetProperty("ChangeVector").GetString(), include.GetProperty("Revision").Number()));
        Assert.Equal(JsonValueKind.Null, include.GetProperty("Before").ValueKind);
        Assert.Equal("HasRevisions, Revision", include.GetProperty("Revision").Flags());
        Assert.Equal(304, (await _server.DbAsync("GET", "/docs?&id=contracts/1&revisions=Past", null, ("If-None-Match", loaded.Header("ETag")!))).Status);

        Answer all = await _server.DbAsync("GET", "/docs?&id=contracts/1&revisions=All&revisions=Past&revisions=Deep.V");
        Assert.Equal([2, 1], all.Json.GetProperty("RevisionIncludes").EnumerateArray().Select(one => one.GetProperty("Revision").Number()));

        Answer past = await _server.DbAsync("GET", "/docs?&id=users/1&id=users/2&id=users/none&revisionsBefore=2999-01-01T00:00:00.0000000Z");
        JsonElement[] found = [.. past.Json.GetProperty("RevisionIncludes").EnumerateArray()];
        Assert.Equal(["users/1", "users/2"], found.Select(one => one.GetProperty("Id").GetString()));
        Assert.All(found, one => Assert.Equal("2999-01-01T00:00:00.0000000Z", one.GetProperty("Before").GetString()));
        Answer never = await _server.DbAsync("GET", "/docs?&id=users/1&revisionsBefore=1999-01-01T00:00:00.0000000Z");
        Assert.Empty(never.Json.GetProperty("RevisionIncludes").EnumerateArray());
    }

    [Fact]
    public async Task Query_WithRevisions_BringsThem()
    {
        await _server.PutNumberAsync("users/1", 1);
        string first = (await _server.LoadAsync("users/1")).Vector();
        await _server.PutAsync("contracts/1", $$$"""{"Past":"{{{first}}}","@metadata":{"@collection":"Contracts"}}""");
        foreach (string query in (string[])
            ["from Contracts include revisions('Past')", "from Contracts as c include revisions(c.Past)", "from Contracts include revisions($p)"])
        {
            Answer answer = await QueryAsync(query, """{"p":"Past"}""");
            Assert.Equal(first, Assert.Single(answer.Json.GetProperty("RevisionIncludes").EnumerateArray()).GetProperty("ChangeVector").GetString());
        }

        string path = $"/queries?query={Uri.EscapeDataString("from Contracts include revisions('Past')")}";
        string tag = (await _server.DbAsync("GET", path)).Header("ETag")!;
        Assert.Equal(304, (await _server.DbAsync("GET", path, null, ("If-None-Match", tag))).Status);

        Answer past = await QueryAsync("from Users include revisions('2999-01-01T00:00:00.0000000Z')");
        Assert.Equal("users/1", Assert.Single(past.Json.GetProperty("RevisionIncludes").EnumerateArray()).GetProperty("Id").GetString());
        Assert.False((await QueryAsync("from Users")).Json.TryGetProperty("RevisionIncludes", out _));
        Answer streamed = await _server.DbAsync("POST", "/streams/queries", """{"Query":"from Users include revisions('Past')"}""");
        streamed.AssertProblem(400, "InvalidQueryException", "stream");
    }

    [Fact]
    public async Task Statistics_CountRevisions()
    {
        await _server.PutNumberAsync("users/1", 1);
        await _server.PutNumberAsync("users/1", 2);
        await _server.DbAsync("DELETE", "/docs?id=users/1");
        foreach (string path in (string[])["/stats", "/stats/detailed", "/stats/essential"])
        {
            JsonElement stats = (await _server.DbAsync("GET", path)).Json;
            Assert.Equal((3, 0), (stats.GetProperty("CountOfRevisionDocuments").GetInt32(), stats.GetProperty("CountOfDocuments").GetInt32()));
        }
    }

    [Fact]
    public async Task MultiGet_OfRevisions_AnswersThem()
    {
        await _server.PutNumberAsync("users/1", 1);
        Answer answer = await _server.DbAsync("POST", "/multi_get", """
            {"Requests":[{"Url":"/databases/db1/revisions","Query":"?&id=users%2F1","Method":"GET","Headers":{},"Content":null},
             {"Url":"/databases/db1/revisions","Query":"?&changeVector=none","Method":"GET","Headers":{},"Content":null}]}
            """);
        JsonElement results = answer.Json.GetProperty("Results");
        Assert.Equal(1, results[0].GetProperty("Result").GetProperty("Results")[0].Number());
        Assert.Equal(404, results[1].GetProperty("StatusCode").GetInt32());
    }

    [Theory]
    [InlineData("/revisions", "names no revisions")]
    [InlineData("/revisions?id=a&before=yesterday", "before")]
    [InlineData("/revisions?id=a&start=-1", "start")]
    [InlineData("/revisions?id=a&pageSize=x", "pageSize")]
    [InlineData("/revisions?id=a&metadataOnly=maybe", "metadataOnly")]
    [InlineData("/revisions/count", "id")]
    [InlineData("/revisions/bin?start=x", "start")]
    [InlineData("/docs?id=a&revisions=.", "names no member")]
    [InlineData("/docs?id=a&revisionsBefore=x", "is not a time")]
    [InlineData("/docs?startsWith=a&revisions=x", "by id only")]
    [InlineData("/streams/docs?revisions=x", "by id only")]
    public async Task BadRequest_IsRefused(string path, string message) =>
        (await _server.DbAsync("GET", path)).AssertProblem(400, "ArgumentException", message);

    [Fact]
    public async Task LongIdAndManyVectors_AreRefused()
    {
        (await _server.DbAsync("GET", $"/revisions?id={new string('a', 513)}")).AssertProblem(400, "ArgumentException", "512");
        string vectors = string.Concat(Enumerable.Repeat("&changeVector=x", 1025));
        (await _server.DbAsync("GET", $"/revisions?{vectors}")).AssertProblem(400, "ArgumentException", "1025");
    }

    private async Task<JsonElement[]> BinAsync(string parameters) =>
        [.. (await _server.DbAsync("GET", $"/revisions/bin{parameters}")).Json.GetProperty("Results").EnumerateArray()];

    private async Task<Answer> QueryAsync(string query, string parameters = "{}")
    {
        Answer answer = await _server.DbAsync("POST", "/queries", $$"""{"Query":{{JsonSerializer.Serialize(query)}},"QueryParameters":{{parameters}}}""");
        Assert.True(answer.Status == 200, answer.Text);
        return answer;
    }
}
