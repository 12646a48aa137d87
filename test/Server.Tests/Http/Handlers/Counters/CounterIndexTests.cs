using System.Text.Json;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Counters;

/// <summary>Indexes over names of counters, and over counters.</summary>
public sealed class CounterIndexTests : IAsyncLifetime
{
    private ServerFixture _server = null!;

    public async Task InitializeAsync()
    {
        _server = await ServerFixture.StartAsync();
        await _server.PutAsync("users/1", "Users", """{"City":"Paris"}""");
        await _server.PutAsync("users/2", "Users", """{"City":"Rome","Friend":"users/1"}""");
        await _server.PutAsync("dogs/1", "Dogs", "{}");
        await CountAsync("users/1", ("Likes", 3), ("Views", 1));
        await CountAsync("users/2", ("likes", 4));
        await CountAsync("dogs/1", ("Likes", 100));
    }

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Theory]
    [InlineData("from u in docs.Users select new { Names = CounterNamesFor(u) }")]
    [InlineData("map('Users', u => ({ Names: counterNamesFor(u) }))")]
    public async Task Index_OfNames_FollowsThem(string map)
    {
        Assert.Equal(201, (await _server.PutIndexAsync("ByName", map)).Status);
        Assert.Equal("users/1", await _server.IdsAsync("from index 'ByName' where Names = 'Views'"));

        await CountAsync("users/2", ("Views", 1));
        Assert.Equal("users/1,users/2", await _server.IdsAsync("from index 'ByName' where Names = 'Views' order by id()"));

        await OperateAsync("users/1", """{"Type":"Delete","CounterName":"views"}""");
        Assert.Equal("users/2", await _server.IdsAsync("from index 'ByName' where Names = 'Views'"));
    }

    [Theory]
    [InlineData("from u in docs.Users select new { Names = CounterNamesFor(LoadDocument(u.Friend, \"Users\")) }")]
    [InlineData("map('Users', u => ({ Names: counterNamesFor(load(u.Friend, 'Users')) }))")]
    public async Task Index_OfNamesOfALoadedDocument_FollowsThem(string map)
    {
        Assert.Equal(201, (await _server.PutIndexAsync("ByName", map)).Status);
        Assert.Equal("", await _server.IdsAsync("from index 'ByName' where Names = 'New'"));

        await CountAsync("users/1", ("New", 1));
        Assert.Equal("users/2", await _server.IdsAsync("from index 'ByName' where Names = 'New'"));
    }

    [Fact]
    public async Task Index_OfNames_DoesNotWorkForAnIncrement()
    {
        await _server.PutIndexAsync("ByName", "from u in docs.Users select new { Names = CounterNamesFor(u) }");
        await _server.SettledAsync();
        long batches = _server.Indexes.Find("ByName")!.Counters.Batches;
        for (int i = 0; i < 5; i++)
        {
            await CountAsync("users/1", ("Likes", 1));
        }

        await _server.SettledAsync();
        Assert.Equal(batches, _server.Indexes.Find("ByName")!.Counters.Batches);
    }

    [Theory]
    [InlineData("from c in counters.Users.Likes select new { c.Value, c.Name, c.DocumentId }")]
    [InlineData("counters.Users.Likes.Select(c => new { c.Value, c.Name, c.DocumentId })")]
    [InlineData("counters.map('Users', 'Likes', c => ({ Value: c.Value, Name: c.Name, DocumentId: c.DocumentId }))")]
    public async Task Index_OfOneCounter_FollowsItsValue(string map)
    {
        Assert.Equal(201, (await _server.PutIndexAsync("Likes", map)).Status);
        Assert.Equal("users/2", await _server.IdsAsync("from index 'Likes' where Value > 3"));
        Assert.Equal("users/1,users/2", await _server.IdsAsync("from index 'Likes' where Name = 'likes' order by id()"));

        await CountAsync("users/1", ("LIKES", 5));
        Assert.Equal("users/1,users/2", await _server.IdsAsync("from index 'Likes' where Value > 3 order by id()"));
        await OperateAsync("users/1", """{"Type":"Delete","CounterName":"likes"}""");
        Assert.Equal("users/2", await _server.IdsAsync("from index 'Likes' where Value > 0"));
        await _server.DeleteAsync("users/2");
        Assert.Equal("", await _server.IdsAsync("from index 'Likes' where Value > 0"));
        Assert.Contains("\"Counters\"", (await _server.DbAsync("GET", "/indexes/stats?name=Likes")).Text, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(
        "from c in counters select new { Name = c.Name.ToLower(), Sum = c.Value, Count = 1 }",
        "from r in results group r by r.Name into g select new { Name = g.Key, Sum = g.Sum(x => x.Sum), Count = g.Sum(x => x.Count) }")]
    [InlineData(
        "counters.map(c => ({ Name: c.Name.toLowerCase(), Sum: c.Value, Count: 1 }))",
        "groupBy(r => r.Name).aggregate(g => ({ Name: g.key, Sum: g.values.reduce((a, r) => a + r.Sum, 0), Count: g.values.length }))")]
    public async Task Index_ThatReducesCounters_HasTheirSums(string map, string reduce)
    {
        Assert.Equal(201, (await _server.PutIndexAsync("Sums", map, reduce)).Status);
        Assert.Equal(["likes 107 3", "views 1 1"], await SumsAsync());

        await Task.WhenAll(Enumerable.Range(0, 20).Select(i => CountAsync($"users/{1 + (i % 2)}", ("Likes", 1), ("Views", 1))));
        Assert.Equal(["likes 127 3", "views 21 2"], await SumsAsync());

        await _server.DeleteAsync("dogs/1");
        Assert.Equal(["likes 27 2", "views 21 2"], await SumsAsync());
        await _server.RestartAsync();
        await CountAsync("users/1", ("Views", 1));
        Assert.Equal(["likes 27 2", "views 22 2"], await SumsAsync());
    }

    [Fact]
    public async Task Index_OfCounters_LoadsDocumentsAndFollowsThem()
    {
        const string map = "from c in counters.Users let u = LoadDocument(c.DocumentId, \"Users\") select new { u.City, c.Name }";
        Assert.Equal(201, (await _server.PutIndexAsync("Cities", map)).Status);
        Assert.Equal("users/1", await _server.IdsAsync("from index 'Cities' where City = 'Paris' and Name = 'Views'"));

        await _server.PutAsync("users/1", "Users", """{"City":"Oslo"}""");
        Assert.Equal("users/1", await _server.IdsAsync("from index 'Cities' where City = 'Oslo' and Name = 'Views'"));
        Assert.Equal("", await _server.IdsAsync("from index 'Cities' where City = 'Paris'"));
    }

    [Fact]
    public async Task Put_OfDocumentsAndCountersInOneIndex_IsRefused() => Assert.Equal(400, (await _server.PutDefinitionsAsync(new
    {
        Name = "Both",
        Maps = new[] { "map('Users', u => ({ N: 1 }))", "counters.map('Users', c => ({ N: 2 }))" },
    })).Status);

    private async Task<string[]> SumsAsync() => [.. (await _server.RowsAsync("from index 'Sums' order by Name")).Select(row =>
    {
        using JsonDocument json = JsonDocument.Parse(row);
        return $"{json.RootElement.GetProperty("Name")} {json.RootElement.GetProperty("Sum")} {json.RootElement.GetProperty("Count")}";
    })];

    private Task CountAsync(string id, params (string Name, long Delta)[] counters) => OperateAsync(id, string.Join(',', counters.Select(counter =>
        $$"""{"Type":"Increment","CounterName":"{{counter.Name}}","Delta":{{counter.Delta}}}""")));

    private async Task OperateAsync(string id, string operations)
    {
        Answer answer = await _server.DbAsync("POST", "/counters", $$"""{"Documents":[{"DocumentId":"{{id}}","Operations":[{{operations}}]}]}""");
        Assert.True(answer.Status == 200, answer.Text);
    }
}
