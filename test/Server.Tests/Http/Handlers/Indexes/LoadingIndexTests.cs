using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Indexes;

/// <summary>Indexes that load other documents, and what follows from changes of those.</summary>
public sealed class LoadingIndexTests : IAsyncLifetime
{
    private const int Orders = 700;

    private ServerFixture _server = null!;

    public async Task InitializeAsync()
    {
        _server = await ServerFixture.StartAsync();
        await _server.PutAsync("companies/1", "Companies", """{"Name":"old"}""");
    }

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Theory]
    [InlineData("People", "Companies")]
    [InlineData("Companies", "People")]
    public async Task Load_OneIdOfTwoCollections_FindsItInItsOwn(string first, string second)
    {
        await _server.PutAsync("orders/1", "Orders", """{"Owner":"companies/1"}""");
        await PutAsync($$"""
            from o in docs.Orders let a = LoadDocument(o.Owner, "{{first}}") let b = LoadDocument(o.Owner, "{{second}}")
            select new { {{first}} = a.Name, {{second}} = b.Name }
            """);
        Assert.Equal("orders/1", await _server.IdsAsync("from index 'Loading' where Companies = 'old' and People = null"));
    }

    /// <summary>Whatever the collection that a definition names, or names none, a change is followed at once.</summary>
    [Theory]
    [InlineData("""LoadDocument(o.Company, "Companies")""")]
    [InlineData("LoadDocument<Company>(o.Company)")]
    [InlineData("LoadDocument(o.Company)")]
    public async Task Change_OfALoadedDocument_IsFollowedAtOnce(string load)
    {
        await _server.PutAsync("orders/1", "Orders", """{"Company":"companies/1"}""");
        await PutAsync($"from o in docs.Orders let c = {load} select new {{ Name = c.Name }}");
        await _server.PutAsync("companies/1", "Companies", """{"Name":"new"}""");
        Answer answer = await _server.QueryAsync("from index 'Loading' where Name = 'new'", more: new { WaitForNonStaleResultsTimeout = "00:00:20" });
        Assert.Equal((200, 1), (answer.Status, answer.Json.GetProperty("TotalResults").GetInt32()));
    }

    /// <summary>More loaders than a batch maps: until the last one is mapped, the index is not up to date.</summary>
    [Fact]
    public async Task Change_OfADocumentThatManyLoad_IsWaitedForToItsEnd()
    {
        await _server.PutAllAsync("Orders", Enumerable.Range(0, Orders).Select(i =>
            ($"orders/{i}", new Dictionary<string, object> { ["Company"] = "companies/1" })));
        await PutAsync(
            """from o in docs.Orders let c = LoadDocument(o.Company, "Companies") select new { c.Name }""",
            new { Configuration = new Dictionary<string, string> { ["Indexing.MapBatchSize"] = "128" } });
        for (int round = 0; round < 5; round++)
        {
            await _server.PutAsync("companies/1", "Companies", $$"""{"Name":"new {{round}}"}""");
            Answer answer = await _server.QueryAsync($"from index 'Loading' where Name = 'new {round}' limit 0");
            Assert.Equal((200, Orders), (answer.Status, answer.Json.GetProperty("TotalResults").GetInt32()));
        }
    }

    private async Task PutAsync(string map, object? more = null)
    {
        Answer answer = await _server.PutIndexAsync("Loading", map, more: more);
        Assert.True(answer.Status == 201, answer.Text);
        await _server.SettledAsync();
    }
}
