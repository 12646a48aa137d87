using Jackdaw.Client.BulkInserts;
using Jackdaw.Client.Caching;
using Jackdaw.Client.Conventions;
using Jackdaw.Client.Linq;
using Jackdaw.Client.Sessions;
using Jackdaw.Client.Tests.Harness;
using Jackdaw.TestKit;

namespace Jackdaw.Client.Tests.Caching;

/// <summary>Aggressive caching of a store against a server: what costs no request, and what makes an answer old.</summary>
public sealed class AggressiveCacheTests : IAsyncLifetime
{
    private StoreFixture _fixture = null!;
    private DocumentStore _other = null!;
    private NoticeProbe _probe = null!;

    private DocumentStore Store => _fixture.Store;

    public async Task InitializeAsync()
    {
        _fixture = await StoreFixture.StartAsync();
        _other = await _fixture.NewStoreAsync();
        _probe = new NoticeProbe(Store);
        (await Store.AggressivelyCacheAsync()).Dispose(); // connected
        await WriteAsync(new Company { Id = "companies/1", Name = "Hen" });
        await WriteAsync(new Order { Id = "orders/1", Company = "companies/1", Total = 1 });

        // The last notice comes after the others; one that came within a test would make its answers old.
        await _probe.AfterAsync("orders/2", () => WriteAsync(new Order { Id = "orders/2", Company = "companies/2", Total = 2 }));
    }

    public async Task DisposeAsync()
    {
        _probe.Dispose();
        await _other.DisposeAsync();
        await _fixture.DisposeAsync();
    }

    [Fact]
    public async Task Load_SecondTime_CostsNoRequest()
    {
        using IDisposable scope = await Store.AggressivelyCacheAsync();
        Assert.Equal(1, await RequestsAsync(session => session.LoadAsync<Order>("orders/1")));
        await Eventually.IsTrueAsync(async () => await RequestsAsync(session => session.LoadAsync<Order>("orders/1")) == 0);
        Assert.Equal(1, await RequestsAsync(session => session.LoadAsync<Order>("orders/none")));
        await Eventually.IsTrueAsync(async () => await RequestsAsync(session => session.LoadAsync<Order>("orders/none")) == 0);
    }

    [Fact]
    public async Task Load_BlockingSession_CostsNoRequestEither()
    {
        using IDisposable scope = await Store.AggressivelyCacheAsync();
        await RequestsAsync(session => session.LoadAsync<Order>("orders/1"));
        await Eventually.IsTrueAsync(() =>
        {
            using IDocumentSession blocking = Store.OpenSession();
            Assert.Equal(1, blocking.Load<Order>("orders/1")!.Total);
            return blocking.Advanced.NumberOfRequests == 0; // not at once when a notice of a write from before comes late
        });
    }

    [Fact]
    public async Task Load_ChangedByAnother_IsSeenAfterItsNotice()
    {
        using IDisposable scope = await Store.AggressivelyCacheAsync();
        await RequestsAsync(session => session.LoadAsync<Order>("orders/1"));
        await RequestsAsync(session => session.LoadAsync<Order>("orders/2"));
        await ByAnotherAsync(new Order { Id = "orders/1", Total = 10 });
        await using IAsyncDocumentSession session = Store.OpenAsyncSession();
        Assert.Equal(10, (await session.LoadAsync<Order>("orders/1"))!.Total);
        await Eventually.IsTrueAsync(async () => await RequestsAsync(other => other.LoadAsync<Order>("orders/2")) == 0);
    }

    [Fact]
    public async Task Load_IncludedDocumentChanged_IsSeen()
    {
        using IDisposable scope = await Store.AggressivelyCacheAsync();
        Assert.Equal("Hen", await NameByIncludeAsync());
        await Eventually.IsTrueAsync(
            async () => await RequestsAsync(session => session.Include<Order>(order => order.Company).LoadAsync<Order>("orders/1")) == 0);
        await ByAnotherAsync(new Company { Id = "companies/1", Name = "Rooster" });
        Assert.Equal("Rooster", await NameByIncludeAsync());
    }

    [Fact]
    public async Task Load_IncludedDocumentIsMadeLater_IsSeen()
    {
        using IDisposable scope = await Store.AggressivelyCacheAsync();
        Assert.Null(await CompanyOfAsync("orders/2"));
        await ByAnotherAsync(new Company { Id = "companies/2", Name = "Duck" });
        Assert.Equal("Duck", (await CompanyOfAsync("orders/2"))?.Name);
    }

    [Fact]
    public async Task Query_NewDocumentMatches_IsSeen()
    {
        using IDisposable scope = await Store.AggressivelyCacheAsync();
        Assert.Equal(2, await CountAsync());
        await Eventually.IsTrueAsync(async () => await RequestsAsync(session => session.Query<Order>().ToListAsync()) == 0);
        await ByAnotherAsync(new Order { Id = "orders/3", Total = 3 });
        Assert.Equal(3, await CountAsync());
    }

    [Fact]
    public async Task Query_ThatLoadsOtherDocuments_SeesThemChange()
    {
        const string rql = "from Orders as o where id() = 'orders/1' load o.Company as c select { Name: c.Name }";
        using IDisposable scope = await Store.AggressivelyCacheAsync();
        Assert.Equal("Hen", await FirstNameAsync(rql));
        await Eventually.IsTrueAsync(async () => await RequestsAsync(session => session.Advanced.RawQuery<Named>(rql).ToListAsync()) == 0);
        await ByAnotherAsync(new Company { Id = "companies/1", Name = "Rooster" });
        Assert.Equal("Rooster", await FirstNameAsync(rql));
    }

    [Theory]
    [InlineData("from Orders")]
    [InlineData("from @all_docs where startsWith(id(), 'orders/')")]
    public async Task RawQuery_NewDocumentMatches_IsSeen(string rql)
    {
        using IDisposable scope = await Store.AggressivelyCacheAsync();
        Assert.Equal(2, (await RawAsync(rql)).Count);
        await Eventually.IsTrueAsync(async () => await RequestsAsync(session => session.Advanced.RawQuery<Order>(rql).ToListAsync()) == 0);
        await ByAnotherAsync(new Order { Id = "orders/3", Total = 3 });
        Assert.Equal(3, (await RawAsync(rql)).Count);
    }

    [Fact]
    public async Task Query_OfAnIndex_IsSeenAfterTheIndexHasReadIt()
    {
        using IDisposable scope = await Store.AggressivelyCacheAsync();
        Assert.Equal(["orders/2"], await LargeAsync());
        // Until the last notice of the new index has come.
        await Eventually.IsTrueAsync(async () => await RequestsAsync(session => session.Query<Order>().Where(order => order.Total > 1).ToListAsync()) == 0);
        await ByAnotherAsync(new Order { Id = "orders/1", Total = 7 }, "Auto/Orders/ByTotal");
        Assert.Equal(["orders/1", "orders/2"], await LargeAsync());
    }

    [Fact]
    public async Task OwnWrite_TakesEffectAtOnce()
    {
        using IDisposable scope = await Store.AggressivelyCacheForAsync(TimeSpan.FromDays(1), AggressiveCacheMode.DoNotTrackChanges);
        for (int i = 2; i < 20; i++)
        {
            await WriteAsync(new Order { Id = "orders/1", Total = i });
            await using IAsyncDocumentSession session = Store.OpenAsyncSession();
            Assert.Equal(i, (await session.LoadAsync<Order>("orders/1"))!.Total);
        }
    }

    [Fact]
    public async Task BulkInsert_TakesEffectAtOnce()
    {
        using IDisposable scope = await Store.AggressivelyCacheForAsync(TimeSpan.FromDays(1), AggressiveCacheMode.DoNotTrackChanges);
        await RequestsAsync(session => session.LoadAsync<Order>("orders/1"));
        await using (BulkInsertOperation bulk = Store.BulkInsert())
        {
            await bulk.StoreAsync(new Order { Id = "orders/1", Total = 100 });
        }

        await using IAsyncDocumentSession session = Store.OpenAsyncSession();
        Assert.Equal(100, (await session.LoadAsync<Order>("orders/1"))!.Total);
    }

    [Fact]
    public async Task Answers_FromBeforeTheScope_AreAskedForOnce()
    {
        Task<int> LoadAsync() => RequestsAsync(_other, session => session.LoadAsync<Order>("orders/1"));
        await LoadAsync();
        using IDisposable scope = await _other.AggressivelyCacheAsync();
        Assert.Equal(1, await LoadAsync());
        using var probe = new NoticeProbe(_other);
        await probe.AfterAsync("orders/2", () => WriteAsync(new Order { Id = "orders/2", Total = 20 }));
        Assert.Equal(0, await LoadAsync());
    }

    [Fact]
    public async Task DisableAggressiveCaching_Within_AsksTheServer()
    {
        using IDisposable scope = await Store.AggressivelyCacheAsync();
        await RequestsAsync(session => session.LoadAsync<Order>("orders/1"));
        using (Store.DisableAggressiveCaching())
        {
            Assert.Equal(1, await RequestsAsync(session => session.LoadAsync<Order>("orders/1")));
        }

        await Eventually.IsTrueAsync(async () => await RequestsAsync(session => session.LoadAsync<Order>("orders/1")) == 0);
    }

    [Fact]
    public async Task BackgroundRefresh_ChangedByAnother_GivesTheOldOneAndThenTheNewOne()
    {
        using IDisposable scope = await Store.AggressivelyCacheForAsync(TimeSpan.FromDays(1), AggressiveCacheMode.BackgroundRefresh);
        await RequestsAsync(session => session.LoadAsync<Order>("orders/1"));
        await RequestsAsync(session => session.Query<Order>().ToListAsync());
        await ByAnotherAsync(new Order { Id = "orders/1", Total = 10 });
        await Eventually.IsTrueAsync(async () => await RequestsAsync(session => session.LoadAsync<Order>("orders/1")) == 0);
        await Eventually.IsTrueAsync(async () => await RequestsAsync(session => session.Query<Order>().ToListAsync()) == 0);
        await Eventually.IsTrueAsync(async () =>
        {
            await using IAsyncDocumentSession session = Store.OpenAsyncSession();
            Order? loaded = await session.LoadAsync<Order>("orders/1");
            await using IAsyncDocumentSession querying = Store.OpenAsyncSession();
            List<Order> found = await querying.Query<Order>().ToListAsync();
            Assert.Equal(0, session.Advanced.NumberOfRequests + querying.Advanced.NumberOfRequests);
            return loaded!.Total == 10 && found.Any(order => order.Total == 10);
        });
    }

    [Fact]
    public async Task RecordCache_OverTheStore_SharesObjectsUntilTheyChange()
    {
        await using var cache = new RecordCache<Frozen>(Store);
        await Eventually.IsTrueAsync(async () => ReferenceEquals(await cache.GetAsync("orders/1"), await cache.GetAsync("orders/1")));
        Frozen before = (await cache.GetAsync("orders/1"))!;
        Assert.Same(before, await cache.GetAsync("ORDERS/1"));
        await ByAnotherAsync(new Order { Id = "orders/1", Total = 10 });
        await Eventually.IsTrueAsync(async () => (await cache.GetAsync("orders/1"))!.Total == 10);
    }

    private async Task<string> NameByIncludeAsync()
    {
        await using IAsyncDocumentSession session = Store.OpenAsyncSession();
        Order order = (await session.Include<Order>(order => order.Company).LoadAsync<Order>("orders/1"))!;
        return (await session.LoadAsync<Company>(order.Company!))!.Name;
    }

    private async Task<Company?> CompanyOfAsync(string id)
    {
        await using IAsyncDocumentSession session = Store.OpenAsyncSession();
        Order order = (await session.Include<Order>(order => order.Company).LoadAsync<Order>(id))!;
        return await session.LoadAsync<Company>(order.Company!);
    }

    private async Task<string> FirstNameAsync(string rql)
    {
        await using IAsyncDocumentSession session = Store.OpenAsyncSession();
        return (await session.Advanced.RawQuery<Named>(rql).ToListAsync())[0].Name;
    }

    private async Task<List<Order>> RawAsync(string rql)
    {
        await using IAsyncDocumentSession session = Store.OpenAsyncSession();
        return await session.Advanced.RawQuery<Order>(rql).ToListAsync();
    }

    private async Task<int> CountAsync()
    {
        await using IAsyncDocumentSession session = Store.OpenAsyncSession();
        return (await session.Query<Order>().ToListAsync()).Count;
    }

    private async Task<string[]> LargeAsync()
    {
        await using IAsyncDocumentSession session = Store.OpenAsyncSession();
        List<Order> found = await session.Query<Order>().Where(order => order.Total > 1).ToListAsync();
        return [.. found.Select(order => order.Id!).Order(StringComparer.Ordinal)];
    }

    private Task<int> RequestsAsync(Func<IAsyncDocumentSession, Task> read) => RequestsAsync(Store, read);

    private static async Task<int> RequestsAsync(DocumentStore store, Func<IAsyncDocumentSession, Task> read)
    {
        await using IAsyncDocumentSession session = store.OpenAsyncSession();
        await read(session);
        return session.Advanced.NumberOfRequests;
    }

    private async Task WriteAsync(object entity)
    {
        await using IAsyncDocumentSession session = Store.OpenAsyncSession();
        await session.StoreAsync(entity);
        await session.SaveChangesAsync();
    }

    /// <summary>Another program writes; ends when the caches of this one were told.</summary>
    private Task ByAnotherAsync(object entity, string? index = null) => _probe.AfterAsync(index is null ? IdOf(entity) : "index " + index, async () =>
    {
        await using IAsyncDocumentSession session = _other.OpenAsyncSession();
        await session.StoreAsync(entity);
        await session.SaveChangesAsync();
    });

    private static string IdOf(object entity) => entity is Order order ? order.Id! : ((Company)entity).Id!;

    private sealed record Frozen(string? Id, int Total);

    private sealed class Order
    {
        public string? Id { get; set; }

        public string? Company { get; set; }

        public int Total { get; set; }
    }

    private sealed class Company
    {
        public string? Id { get; set; }

        public string Name { get; set; } = "";
    }

    private sealed class Named
    {
        public string Name { get; set; } = "";
    }
}
