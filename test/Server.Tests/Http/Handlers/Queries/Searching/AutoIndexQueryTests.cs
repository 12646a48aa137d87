using System.Net;
using System.Text.Json;
using Jackdaw.Pal.InMemory;

namespace Jackdaw.Server.Tests.Http.Handlers.Queries.Searching;

/// <summary>Queries with conditions over HTTP: an index is made for them, follows the documents and is found again.</summary>
public sealed class AutoIndexQueryTests : IAsyncLifetime
{
    private readonly MemoryPlatform _platform = new();
    private ServerFixture _server = null!;

    public async Task InitializeAsync()
    {
        _server = await ServerFixture.StartAsync(new ServerSetup { Platform = _platform });
        await PutAsync("users/2", "Users", """{"Name":"Bob","Age":30,"Tags":["x","Y"],"Notes":"the quick brown fox"}""");
        await PutAsync("users/1", "Users", """{"Name":"Ann","Age":40,"Tags":[],"Notes":"a lazy dog"}""");
        await PutAsync("users/3", "Users", """{"Name":"bob","Age":30.5,"Home":{"City":"Ulm"}}""");
        await PutAsync("orders/1", "Orders", """{"Name":"Bob"}""");
    }

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Theory]
    [InlineData("from Users where Name = 'BOB'", "users/2,users/3", "Auto/Users/ByName")]
    [InlineData("from Users where exact(Name = 'bob')", "users/3", "Auto/Users/ByExact(Name)")]
    [InlineData("from Users where Age > 30 order by Age as double desc", "users/1,users/3", "Auto/Users/ByAge")]
    [InlineData("from Users where Age between 30 and 35", "users/2,users/3", "Auto/Users/ByAge")]
    [InlineData("from Users where Tags = 'y'", "users/2", "Auto/Users/ByTags")]
    [InlineData("from Users where Home.City = 'ulm'", "users/3", "Auto/Users/ByHome.City")]
    [InlineData("from Users where Name in ('ann', 'x')", "users/1", "Auto/Users/ByName")]
    [InlineData("from Users where Name != 'bob'", "users/1", "Auto/Users/ByName")]
    [InlineData("from Users where search(Notes, 'fox dog')", "users/2,users/1", "Auto/Users/BySearch(Notes)")]
    [InlineData("from Users where search(Notes, 'quick fox', and)", "users/2", "Auto/Users/BySearch(Notes)")]
    [InlineData("from Users where startsWith(Name, 'b') and not Age = 30", "users/3", "Auto/Users/ByAgeAndName")]
    [InlineData("from Users where exists(Home)", "users/3", "Auto/Users/ByHome")]
    [InlineData("from Users order by Name desc limit 1", "users/2", "Auto/Users/ByName")]
    [InlineData("from @all_docs where Name = 'bob'", "users/2,users/3,orders/1", "Auto/AllDocs/ByName")]
    public async Task Post_QueryWithCondition_IsAnsweredByItsIndex(string query, string ids, string index)
    {
        using JsonDocument answer = await QueryAsync(query);
        Assert.Equal(ids, string.Join(',', Ids(answer)));
        Assert.Equal(index, answer.RootElement.GetProperty("IndexName").GetString());
        Assert.False(answer.RootElement.GetProperty("IsStale").GetBoolean());
    }

    [Theory]
    [InlineData("from Users where Age between 1 and 'x'")]
    [InlineData("from Users where Age in (1, 'x')")]
    [InlineData("from Users where startsWith(Name, 5)")]
    [InlineData("from Users where Name = $list")]
    [InlineData("from Users where Name = $object")]
    [InlineData("from Users where Name in ($nested)")]
    [InlineData("from Users where Name = Age")]
    public async Task Post_ConditionOfMixedOrNoValues_IsRefused(string query)
    {
        object parameters = new { list = new[] { "a" }, @object = new { a = 1 }, nested = new[] { new[] { "a" } } };
        using var content = new StringContent(JsonSerializer.Serialize(new { Query = query, QueryParameters = parameters }));
        using HttpResponseMessage answer = await _server.Client.PostAsync("/databases/db1/queries", content);
        Assert.Contains("InvalidQueryException", await answer.Content.ReadAsStringAsync(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Post_PageOfAnIndex_HasTheExactTotal()
    {
        using JsonDocument answer = await QueryAsync("from Users where Age > 1 order by Age as double limit 1, 1");
        Assert.Equal(["users/3"], Ids(answer));
        Assert.Equal(3, answer.RootElement.GetProperty("TotalResults").GetInt64());
    }

    [Fact]
    public async Task Post_AfterChanges_SeesThemWhenItWaits()
    {
        using (await QueryAsync("from Users where Name = 'bob'"))
        {
        }

        await PutAsync("users/2", "Users", """{"Name":"Carl"}""");
        await PutAsync("users/4", "Users", """{"Name":"BOB"}""");
        using HttpResponseMessage deleted = await _server.Client.DeleteAsync("/databases/db1/docs?id=users/3");
        Assert.True(deleted.IsSuccessStatusCode);
        using JsonDocument answer = await QueryAsync("from Users where Name = 'bob'", waits: true);
        Assert.Equal(["users/4"], Ids(answer));
        Assert.False(answer.RootElement.GetProperty("IsStale").GetBoolean());
    }

    [Fact]
    public async Task Post_AfterARestart_IsAnsweredByTheSameIndex()
    {
        using (await QueryAsync("from Users where Name = 'bob'"))
        {
        }

        await _server.RestartAsync();
        using JsonDocument answer = await QueryAsync("from Users where Name = 'bob'", waits: true);
        Assert.Equal(["users/2", "users/3"], Ids(answer));
        string folder = Assert.Single(_platform.ListDirectory("/data/Databases/db1/Indexes"));
        Assert.StartsWith("auto_users_byname-", folder, StringComparison.Ordinal);
    }

    private async Task PutAsync(string id, string collection, string json)
    {
        string document = $$$"""{{{json[..^1]}}},"@metadata":{"@collection":"{{{collection}}}"}}""";
        using var content = new StringContent(document);
        using HttpResponseMessage answer = await _server.Client.PutAsync($"/databases/db1/docs?id={id}", content);
        Assert.Equal(HttpStatusCode.Created, answer.StatusCode);
    }

    private async Task<JsonDocument> QueryAsync(string query, bool waits = false)
    {
        using var content = new StringContent(JsonSerializer.Serialize(new { Query = query, WaitForNonStaleResults = waits }));
        using HttpResponseMessage answer = await _server.Client.PostAsync("/databases/db1/queries", content);
        string text = await answer.Content.ReadAsStringAsync();
        Assert.True(answer.IsSuccessStatusCode, text);
        return JsonDocument.Parse(text);
    }

    private static List<string> Ids(JsonDocument answer) =>
        [.. answer.RootElement.GetProperty("Results").EnumerateArray().Select(row => row.GetProperty("@metadata").GetProperty("@id").GetString()!)];
}
