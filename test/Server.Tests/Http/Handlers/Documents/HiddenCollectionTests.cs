using System.Text.Json;
using System.Text.RegularExpressions;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Documents;

/// <summary>What people save in the Studio is in no list, count or index of all documents, and is found by those who ask for it.</summary>
public sealed partial class HiddenCollectionTests : IAsyncLifetime
{
    private const int Users = 30;

    private ServerFixture _server = null!;

    [GeneratedRegex("@studio/[a-z0-9/]+|users/[0-9]+")]
    private static partial Regex Ids { get; }

    public async Task InitializeAsync()
    {
        _server = await ServerFixture.StartAsync();
        Assert.Equal(201, (await _server.PutIndexAsync("All", "from d in docs select new { d.Name }")).Status);
        Assert.Equal(201, (await _server.PutIndexAsync("Counted", "from d in docs select new { Name = \"all\", Count = 1 }",
            "from r in results group r by r.Name into g select new { Name = g.Key, Count = g.Sum(x => x.Count) }")).Status);
        for (int i = 0; i < Users; i++)
        {
            await _server.PutAsync($"@studio/queries/{i}", "@studio", """{"Name":"a query"}""");
            await _server.PutAsync($"users/{i}", "Users", """{"Name":"a user"}""");
            await _server.PutAsync($"@Studio/columns/{i}", "@STUDIO", """{"Name":"columns"}""");
        }

        // A document that was the application's and is hidden now, one that was hidden and is not any more, and a deleted one of each.
        await _server.PutAsync("@studio/moved/1", "Users", """{"Name":"moved"}""");
        await _server.PutAsync("users/100", "@studio", """{"Name":"moved"}""");
        await _server.SettledAsync();
        await _server.PutAsync("@studio/moved/1", "@studio", """{"Name":"moved"}""");
        await _server.PutAsync("users/100", "Users", """{"Name":"moved"}""");
        await _server.PutAsync("users/101", "Users", "{}");
        await _server.DeleteAsync("users/101");
        await _server.DeleteAsync("@studio/queries/7");
        await _server.PutAsync("@studio/last", "@studio", """{"Name":"the newest document is hidden"}""");
    }

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Theory]
    [InlineData("GET", "/docs?pageSize=1000")]
    [InlineData("GET", "/docs?startsWith=&pageSize=1000")]
    [InlineData("GET", "/streams/docs")]
    [InlineData("GET", "/docs/preview?pageSize=1000")]
    [InlineData("GET", "/docs/export?format=json")]
    [InlineData("GET", "/docs/export?format=csv")]
    [InlineData("POST", "/queries", "from @all_docs")]
    [InlineData("POST", "/queries", "from @all_docs order by random()")]
    [InlineData("POST", "/queries", "from @all_docs order by id()")]
    [InlineData("POST", "/queries", "from @all_docs order by Name")]
    [InlineData("POST", "/queries", "from @all_docs where exists(Name)")]
    [InlineData("POST", "/queries", "from @all_docs filter Name != 'x'")]
    [InlineData("POST", "/queries", "from index 'All'")]
    [InlineData("POST", "/queries", "from index 'All' where Name != 'x'")]
    public async Task Lists_OfAllDocuments_LeaveThemOut(string method, string path, string? query = null)
    {
        Answer answer = query is null ? await _server.DbAsync(method, path) : await _server.QueryAsync(query);

        Assert.True(answer.Status == 200, answer.Text);
        string[] ids = [.. Ids.Matches(answer.Text).Select(match => match.Value).Distinct().Order(StringComparer.Ordinal)];
        Assert.Equal(Enumerable.Range(0, Users).Append(100).Select(i => $"users/{i}").Order(StringComparer.Ordinal), ids);
        if (query is not null)
        {
            Assert.Equal((Users + 1, false), (answer.Json.GetProperty("TotalResults").GetInt32(), answer.Json.GetProperty("IsStale").GetBoolean()));
        }
    }

    [Theory]
    [InlineData("/stats", "CountOfDocuments")]
    [InlineData("/collections/stats", "CountOfDocuments")]
    [InlineData("/collections/stats/detailed", "CountOfDocuments")]
    [InlineData("/docs/preview", "TotalResults")]
    public async Task Counts_OfAllDocuments_LeaveThemOut(string path, string member)
    {
        Answer answer = await _server.DbAsync("GET", path);

        Assert.Equal(Users + 1, answer.Json.GetProperty(member).GetInt32());
        Assert.DoesNotContain("studio", answer.Text, StringComparison.OrdinalIgnoreCase);
    }

    [Fact]
    public async Task Reduce_OfAllDocuments_LeavesThemOut() =>
        Assert.Contains($"\"Count\":{Users + 1}", Assert.Single(await _server.RowsAsync("from index 'Counted'")), StringComparison.Ordinal);

    [Fact]
    public async Task Fields_OfAllDocuments_LeaveThemOut() =>
        Assert.Equal(Users + 1, (await _server.DbAsync("GET", "/collections/fields?sample=1000")).Json.GetProperty("Sampled").GetInt32());

    [Fact]
    public async Task WhoAsksForThem_FindsThem()
    {
        const int hidden = (2 * Users) - 1 + 2;
        Assert.Equal(200, (await _server.DbAsync("GET", "/docs?id=@studio/last")).Status);
        Assert.Equal(hidden, (await _server.DbAsync("GET", "/docs?startsWith=@studio/&pageSize=1000")).Json.GetProperty("Results").GetArrayLength());
        Assert.Equal(hidden, (await _server.QueryAsync("from '@studio'")).Json.GetProperty("TotalResults").GetInt32());
        Assert.Equal(hidden, (await _server.QueryAsync("from '@studio' order by id()")).Json.GetProperty("Results").GetArrayLength());
        Assert.Equal(hidden, (await _server.QueryAsync("from '@studio' order by random()")).Json.GetProperty("Results").GetArrayLength());
        Assert.Equal(hidden, (await _server.QueryAsync("from '@studio' where startsWith(id(), '')")).Json.GetProperty("Results").GetArrayLength());
        Answer named = await _server.QueryAsync("from '@studio' where Name = 'columns' or Name = 'a query'");
        Assert.Equal(hidden - 2, named.Json.GetProperty("TotalResults").GetInt32());
        Assert.Equal(hidden, (await _server.DbAsync("GET", "/docs/preview?collection=@studio")).Json.GetProperty("TotalResults").GetInt32());
        Assert.Equal(hidden, (await _server.DbAsync("GET", "/collections/docs?name=@studio&pageSize=1000")).Json.GetProperty("Results").GetArrayLength());
    }

    [Fact]
    public async Task Indexes_OfAllDocuments_AreNotStaleForThem()
    {
        await _server.SettledAsync();
        for (int i = 0; i < 10; i++)
        {
            await _server.PutAsync($"@studio/later/{i}", "@studio", "{}");
            foreach (JsonElement index in (await _server.DbAsync("GET", "/indexes/stats")).Json.GetProperty("Results").EnumerateArray())
            {
                Assert.False(index.GetProperty("IsStale").GetBoolean(), index.GetRawText());
            }
        }

        Assert.Equal(31, (await _server.QueryAsync("from index 'All'", waits: false)).Json.GetProperty("TotalResults").GetInt32());
    }
}
