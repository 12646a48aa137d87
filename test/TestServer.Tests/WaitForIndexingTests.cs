using System.Net.Http.Json;
using System.Text.Json;
using Jackdaw.Client;
using Jackdaw.Client.BulkInserts;
using Jackdaw.Client.Linq;
using Jackdaw.Client.Sessions;

namespace Jackdaw.TestServer.Tests;

public sealed class WaitForIndexingTests : IAsyncLifetime
{
    private JackdawTestServer _server = null!;
    private DocumentStore _store = null!;

    public async Task InitializeAsync()
    {
        _server = await JackdawTestServer.StartAsync();
        _store = await _server.NewStoreAsync("shop");
    }

    public async Task DisposeAsync()
    {
        await _store.DisposeAsync();
        await _server.DisposeAsync();
    }

    [Fact]
    public async Task Wait_AfterWrites_LetsQueriesFindThemAll()
    {
        using IAsyncDocumentSession session = _store.OpenAsyncSession();
        await session.Query<Thing>().Where(thing => thing.Name == "some").ToListAsync();
        await InsertAsync(3000);
        await _store.WaitForIndexingAsync();
        await session.Query<Thing>().Statistics(out QueryStatistics statistics).Where(thing => thing.Name == "some").Take(1).ToListAsync();
        Assert.Equal(3000, statistics.TotalResults);
        Assert.False(statistics.IsStale);
    }

    [Fact]
    public async Task Wait_WithoutIndexes_ReturnsAtOnce()
    {
        await InsertAsync(1);
        await _store.WaitForIndexingAsync();
    }

    [Fact]
    public async Task Wait_IndexThatFails_SaysWhichAndWhy()
    {
        await InsertAsync(300);
        await PutIndexAsync("Broken", "map('Things', thing => { throw new Error('no such luck'); })");
        InvalidOperationException failed = await Assert.ThrowsAsync<InvalidOperationException>(() => _store.WaitForIndexingAsync());
        Assert.Contains("Broken", failed.Message, StringComparison.Ordinal);
        Assert.Contains("no such luck", failed.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Wait_IndexThatIsSlow_SaysWhichWhenTheTimeIsOver()
    {
        await InsertAsync(2000);
        await PutIndexAsync("Slow", "map('Things', thing => { let n = 0; for (let i = 0; i < 3000; i++) n += i; return { n: n }; })");
        TimeoutException late = await Assert.ThrowsAsync<TimeoutException>(() => _store.WaitForIndexingAsync(TimeSpan.FromMilliseconds(1)));
        Assert.Contains("Slow", late.Message, StringComparison.Ordinal);
        await _store.WaitForIndexingAsync(TimeSpan.FromMinutes(5));
    }

    [Fact]
    public async Task Wait_OfAStoreOrADatabaseThatIsUnknown_SaysSo()
    {
        using var foreign = new DocumentStore("http://127.0.0.1:1", "shop");
        ArgumentException unknown = await Assert.ThrowsAsync<ArgumentException>(() => foreign.WaitForIndexingAsync());
        Assert.Contains("NewStoreAsync", unknown.Message, StringComparison.Ordinal);
        ArgumentException missing = await Assert.ThrowsAsync<ArgumentException>(() => _store.WaitForIndexingAsync(database: "none"));
        Assert.Contains("'none'", missing.Message, StringComparison.Ordinal);
    }

    private async Task InsertAsync(int count)
    {
        await using BulkInsertOperation bulk = _store.BulkInsert();
        for (int i = 0; i < count; i++)
        {
            await bulk.StoreAsync(new Thing { Name = "some" }, $"things/{i}");
        }
    }

    private async Task PutIndexAsync(string name, string map)
    {
        using var http = new HttpClient(_server.CreateHandler()) { BaseAddress = new Uri(_server.Url) };
        using HttpResponseMessage answer = await http.PutAsJsonAsync(
            "/databases/shop/admin/indexes",
            new { Indexes = new[] { new { Name = name, Type = "JavaScriptMap", Maps = new[] { map } } } },
            JsonSerializerOptions.Default);
        Assert.True(answer.IsSuccessStatusCode, await answer.Content.ReadAsStringAsync());
    }
}
