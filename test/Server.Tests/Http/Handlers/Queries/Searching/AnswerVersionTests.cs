using System.Net;
using System.Text.Json;

namespace Jackdaw.Server.Tests.Http.Handlers.Queries.Searching;

/// <summary>When an answer of an index may be answered again by 304, and when not.</summary>
public sealed class AnswerVersionTests : IAsyncLifetime
{
    private const string Query = "from Users where Name = 'ann'";
    private const string Index = "Auto/Users/ByName";

    private ServerFixture _server = null!;

    public async Task InitializeAsync()
    {
        _server = await ServerFixture.StartAsync();
        await _server.PutAsync("users/1", "Users", """{"Name":"Ann","Firm":"firms/1"}""");
        await _server.PutAsync("firms/1", "Firms", """{"Name":"Acme"}""");
    }

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Fact]
    public async Task Post_NothingChanged_Is304AlsoAfterARestart()
    {
        (HttpStatusCode first, string? tag, _) = await AskAsync(Query, null);
        Assert.Equal(HttpStatusCode.OK, first);
        (HttpStatusCode again, string? same, string body) = await AskAsync(Query, tag);
        Assert.Equal((HttpStatusCode.NotModified, tag, ""), (again, same, body));
        await _server.RestartAsync();
        Assert.Equal(HttpStatusCode.NotModified, (await AskAsync(Query, tag)).Status);
    }

    [Theory]
    [InlineData("PUT", "users/1")]
    [InlineData("PUT", "users/2")]
    [InlineData("DELETE", "users/1")]
    public async Task Post_DocumentOfTheCollectionChanged_IsAnsweredAnew(string method, string id)
    {
        (_, string? tag, _) = await AskAsync(Query, null);
        if (method == "PUT")
        {
            await _server.PutAsync(id, "Users", """{"Name":"Ann"}""");
        }
        else
        {
            await _server.DeleteAsync(id);
        }

        (HttpStatusCode status, string? next, _) = await AskAsync(Query, tag);
        Assert.Equal(HttpStatusCode.OK, status);
        Assert.NotEqual(tag, next);
    }

    [Fact]
    public async Task Post_DocumentOfAnotherCollectionChanged_CountsOnlyWithIncludesAndLoads()
    {
        const string including = Query + " include Firm";
        (_, string? tag, _) = await AskAsync(Query, null);
        (_, string? tagOfInclude, _) = await AskAsync(including, null);
        await _server.PutAsync("firms/1", "Firms", """{"Name":"Other"}""");
        Assert.Equal(HttpStatusCode.NotModified, (await AskAsync(Query, tag)).Status);
        Assert.Equal(HttpStatusCode.OK, (await AskAsync(including, tagOfInclude)).Status);
    }

    [Fact]
    public async Task Post_DocumentChangedTwiceWhileItsIndexIsStale_IsNever304()
    {
        (_, string? tag, _) = await AskAsync(Query, null);
        _server.Indexes.Find(Index)!.IsPaused = true;
        HashSet<string?> tags = [tag];
        for (int i = 0; i < 3; i++)
        {
            await _server.PutAsync("users/1", "Users", $$"""{"Name":"Ann","Version":{{i}}}""");
            (HttpStatusCode status, string? next, string body) = await AskAsync(Query, tag, waits: false);
            Assert.Equal(HttpStatusCode.OK, status);
            Assert.Contains($"\"Version\":{i}", body, StringComparison.Ordinal);
            Assert.Contains("\"IsStale\":true", body, StringComparison.Ordinal);
            Assert.True(tags.Add(next), $"{next} came twice");
            Assert.Equal(HttpStatusCode.NotModified, (await AskAsync(Query, next, waits: false)).Status);
            tag = next;
        }

        _server.Indexes.Find(Index)!.IsPaused = false;
        Assert.Equal(HttpStatusCode.OK, (await AskAsync(Query, tag)).Status);
    }

    [Fact]
    public async Task Post_DocumentThatLeftTheCollectionsOfAStaleIndexChanged_IsAnsweredAnew()
    {
        const string query = "from index Names where Name = 'ann'";
        await _server.PutIndexAsync("Names", "from u in docs.Users select new { u.Name }");
        await AskAsync(query, null);
        _server.Indexes.Find("Names")!.IsPaused = true;
        await _server.PutAsync("users/1", "Archive", """{"V":1}""");
        (HttpStatusCode status, string? tag, string body) = await AskAsync(query, null, waits: false);
        Assert.Equal(HttpStatusCode.OK, status);
        Assert.Contains("\"V\":1", body, StringComparison.Ordinal);
        Assert.Equal(HttpStatusCode.NotModified, (await AskAsync(query, tag, waits: false)).Status);
        await _server.PutAsync("users/1", "Archive", """{"V":2}""");
        (status, _, body) = await AskAsync(query, tag, waits: false);
        Assert.Equal(HttpStatusCode.OK, status);
        Assert.Contains("\"V\":2", body, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Post_IndexBuiltAnew_IsAnsweredAnew()
    {
        (_, string? tag, _) = await AskAsync(Query, null);
        await _server.Indexes.ResetAsync(Index, isSideBySide: false, CancellationToken.None);
        Assert.Equal(HttpStatusCode.OK, (await AskAsync(Query, tag)).Status);
    }

    [Fact]
    public async Task Post_DefinitionReplacedOverTheSameDocuments_IsAnsweredAnew()
    {
        const string query = "from index Names where Name = 'ann'";
        await _server.PutIndexAsync("Names", "from u in docs.Users select new { u.Name }");
        (_, string? tag, _) = await AskAsync(query, null);
        Assert.Equal(HttpStatusCode.NotModified, (await AskAsync(query, tag)).Status);
        await _server.PutIndexAsync("Names", "from u in docs.Users where u.Name != \"Ann\" select new { u.Name }");
        await _server.SettledAsync();
        (HttpStatusCode status, _, string body) = await AskAsync(query, tag);
        Assert.Equal(HttpStatusCode.OK, status);
        Assert.Contains("\"TotalResults\":0", body, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Post_SetupOfFacetsChanged_IsAnsweredAnew()
    {
        const string query = "from index Names select facet(id('facets/1'))";
        await _server.PutIndexAsync("Names", "from u in docs.Users select new { u.Name, u.Firm }");
        await _server.PutAsync("facets/1", "Setups", """{"Facets":[{"FieldName":"Name"}]}""");
        (_, string? tag, _) = await AskAsync(query, null);
        Assert.Equal(HttpStatusCode.NotModified, (await AskAsync(query, tag)).Status);
        await _server.PutAsync("facets/1", "Setups", """{"Facets":[{"FieldName":"Firm"}]}""");
        (HttpStatusCode status, _, string body) = await AskAsync(query, tag);
        Assert.Equal(HttpStatusCode.OK, status);
        Assert.Contains("firms/1", body, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Post_StaleThoughTheQueryWaited_HasNoETag()
    {
        await AskAsync(Query, null);
        _server.Indexes.Find(Index)!.IsPaused = true;
        await _server.PutAsync("users/1", "Users", """{"Name":"Ann"}""");
        (HttpStatusCode status, string? tag, _) = await AskAsync(Query, null, timeoutMs: 1);
        Assert.Equal((HttpStatusCode.OK, null), (status, tag));
    }

    [Fact]
    public async Task Post_OtherPageOrOtherIndex_HasAnotherETag()
    {
        (_, string? first, _) = await AskAsync(Query, null);
        (_, string? second, _) = await AskAsync(Query + " limit 5", null);
        (_, string? third, _) = await AskAsync($"from index '{Index}' where Name = 'ann'", null);
        Assert.Equal(3, new HashSet<string?> { first, second, third }.Count);
    }

    private async Task<(HttpStatusCode Status, string? Tag, string Body)> AskAsync(
        string query, string? tag, bool waits = true, int timeoutMs = 60_000)
    {
        string body = JsonSerializer.Serialize(
            new { Query = query, WaitForNonStaleResults = waits, WaitForNonStaleResultsTimeout = timeoutMs });
        using var request = new HttpRequestMessage(HttpMethod.Post, "/databases/db1/queries") { Content = new StringContent(body) };
        if (tag is not null)
        {
            request.Headers.TryAddWithoutValidation("If-None-Match", tag);
        }

        using HttpResponseMessage answer = await _server.Client.SendAsync(request);
        return (answer.StatusCode, answer.Headers.ETag?.Tag, await answer.Content.ReadAsStringAsync());
    }
}
