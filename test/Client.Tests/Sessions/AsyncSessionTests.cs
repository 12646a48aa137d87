using Jackdaw.Client.Exceptions;
using Jackdaw.Client.Linq;
using Jackdaw.Client.Sessions;
using Jackdaw.Client.Tests.Harness;

namespace Jackdaw.Client.Tests.Sessions;

/// <summary>Sessions against a real server: identity, changes, versions, queries.</summary>
public sealed class AsyncSessionTests : IAsyncLifetime
{
    private StoreFixture _fixture = null!;

    private DocumentStore Store => _fixture.Store;

    public async Task InitializeAsync() => _fixture = await StoreFixture.StartAsync();

    public async Task DisposeAsync() => await _fixture.DisposeAsync();

    [Fact]
    public async Task Store_NewObject_GetsAnIdAndComesBack()
    {
        var order = new Order { Company = "companies/1", Lines = [new Line("tea", 3, 1.5m)] };
        using (IAsyncDocumentSession session = Store.OpenAsyncSession())
        {
            await session.StoreAsync(order);
            await session.SaveChangesAsync();
            Assert.Equal("orders/1-A", order.Id);
            Assert.Equal("Orders", session.Advanced.GetMetadataFor(order).GetString("@collection"));
            Assert.StartsWith("A:", session.Advanced.GetChangeVectorFor(order), StringComparison.Ordinal);
            Assert.False(session.Advanced.HasChanges);
            Assert.Equal(1, session.Advanced.NumberOfRequests);
        }

        using IAsyncDocumentSession other = Store.OpenAsyncSession();
        Order loaded = (await other.LoadAsync<Order>("ORDERS/1-a"))!;
        Assert.Equal(("orders/1-A", "companies/1"), (loaded.Id, loaded.Company));
        Assert.Equal([new Line("tea", 3, 1.5m)], loaded.Lines);
        Assert.Same(loaded, await other.LoadAsync<Order>("orders/1-A"));
        Assert.False(other.Advanced.HasChanged(loaded));
        Assert.Equal(1, other.Advanced.NumberOfRequests);
    }

    [Fact]
    public async Task SaveChanges_OnlyWhatChanged_IsSent()
    {
        string[] ids = await FillAsync(3);
        using IAsyncDocumentSession session = Store.OpenAsyncSession();
        Dictionary<string, Order?> orders = await session.LoadAsync<Order>([.. ids, "orders/none", ids[0]]);
        Assert.Equal(4, orders.Count);
        Assert.Null(orders["orders/none"]);
        orders[ids[1]]!.Company = "companies/9";
        string before = session.Advanced.GetChangeVectorFor(orders[ids[0]]!)!;
        session.Delete(orders[ids[2]]!);
        await session.SaveChangesAsync();
        await session.SaveChangesAsync(); // nothing is left to save
        Assert.Equal(2, session.Advanced.NumberOfRequests);
        Assert.Null(await session.LoadAsync<Order>("orders/none"));
        Assert.Equal(2, session.Advanced.NumberOfRequests);

        using IAsyncDocumentSession other = Store.OpenAsyncSession();
        orders = await other.LoadAsync<Order>(ids);
        Assert.Equal("companies/9", orders[ids[1]]!.Company);
        Assert.Equal(before, other.Advanced.GetChangeVectorFor(orders[ids[0]]!));
        Assert.Null(orders[ids[2]]);
    }

    [Fact]
    public async Task SaveChanges_OptimisticConcurrency_FailsWholeAndKeepsTheChanges()
    {
        string[] ids = await FillAsync(2);
        using IAsyncDocumentSession session = Store.OpenAsyncSession();
        session.Advanced.UseOptimisticConcurrency = true;
        Order first = (await session.LoadAsync<Order>(ids[0]))!;
        Order second = (await session.LoadAsync<Order>(ids[1]))!;
        using (IAsyncDocumentSession other = Store.OpenAsyncSession())
        {
            (await other.LoadAsync<Order>(ids[1]))!.Company = "theirs";
            await other.SaveChangesAsync();
        }

        (first.Company, second.Company) = ("mine", "mine");
        ConcurrencyException conflict = await Assert.ThrowsAsync<ConcurrencyException>(() => session.SaveChangesAsync());
        Assert.Equal((ids[1], 409), (conflict.Id, conflict.StatusCode));
        Assert.True(session.Advanced.HasChanged(first) && session.Advanced.HasChanged(second));
        session.Advanced.Evict(second);
        await session.SaveChangesAsync();
        using IAsyncDocumentSession last = Store.OpenAsyncSession();
        Assert.Equal("mine", (await last.LoadAsync<Order>(ids[0]))!.Company);
        Assert.Equal("theirs", (await last.LoadAsync<Order>(ids[1]))!.Company);

        var again = new Order { Company = "new" };
        session.Advanced.UseOptimisticConcurrency = true;
        await session.StoreAsync(again, ids[1]);
        await Assert.ThrowsAsync<ConcurrencyException>(() => session.SaveChangesAsync());
    }

    [Fact]
    public async Task Include_BringsWhatItRefersTo()
    {
        using (IAsyncDocumentSession session = Store.OpenAsyncSession())
        {
            await session.StoreAsync(new Company { Name = "Acme" }, "companies/1");
            await session.StoreAsync(new Order { Company = "companies/1" }, "orders/1");
            await session.SaveChangesAsync();
        }

        using IAsyncDocumentSession reader = Store.OpenAsyncSession();
        Order order = (await reader.Include<Order>(one => one.Company).LoadAsync<Order>("orders/1"))!;
        Assert.Equal("Acme", (await reader.LoadAsync<Company>(order.Company))!.Name);
        Assert.Equal(1, reader.Advanced.NumberOfRequests);
    }

    [Fact]
    public async Task Query_SeesTheSessionsOwnWrites()
    {
        await FillAsync(20);
        using IAsyncDocumentSession session = Store.OpenAsyncSession();
        await session.StoreAsync(new Order { Company = "companies/3", Number = 100 });
        await session.SaveChangesAsync();
        List<Order> orders = await session.Query<Order>().Where(order => order.Company == "companies/3").OrderByDescending(order => order.Number).ToListAsync();
        Assert.Equal(100, orders[0].Number);
        Assert.Equal(5, orders.Count);
        Assert.Equal(5, await session.Query<Order>().CountAsync(order => order.Company == "companies/3"));
        Assert.Equal(
            ["companies/3"],
            (await session.Query<Order>().Where(order => order.Number == 100).Select(order => order.Company).ToListAsync()));
        orders[1].Company = "changed";
        await session.SaveChangesAsync();
        Assert.Equal(4, await session.Query<Order>().CountAsync(order => order.Company == "companies/3"));
    }

    [Fact]
    public async Task Query_OfACollectionThatWasNotWritten_WaitsForNothing()
    {
        await FillAsync(2);
        var sent = new RecordingHandler(_fixture.Server.CreateHandler());
        await using var store = new DocumentStore(Store.Urls[0], "db1") { MessageHandler = sent };
        store.Initialize();
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        await session.Query<Company>().ToListAsync();
        Assert.DoesNotContain("WaitForEtag", sent.Last, StringComparison.Ordinal);
        await session.StoreAsync(new Company { Name = "Acme" });
        await session.SaveChangesAsync();
        await session.Query<Order>().ToListAsync();
        Assert.DoesNotContain("WaitForEtag", sent.Last, StringComparison.Ordinal);
        await session.Query<Company>().ToListAsync();
        Assert.Contains("WaitForEtag", sent.Last, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Query_AfterASaveThatDeletesInAnotherCollection_WaitsForIt()
    {
        string[] ids = await FillAsync(2);
        var sent = new RecordingHandler(_fixture.Server.CreateHandler());
        await using var store = new DocumentStore(Store.Urls[0], "db1") { MessageHandler = sent };
        store.Initialize();
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        await session.StoreAsync(new Company { Name = "Acme" });
        session.Delete(ids[0]); // of Orders, which the session has not loaded
        await session.SaveChangesAsync();
        Assert.Equal(0, await session.Query<Order>().CountAsync(order => order.Number == 0));
        Assert.Contains("WaitForEtag", sent.Last, StringComparison.Ordinal);
        await session.Query<Order>("None").ToListAsync().ContinueWith(static _ => { }, TaskScheduler.Default);
        Assert.Contains("WaitForEtag", sent.Last, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Document_WithUnknownMembers_KeepsThem()
    {
        using (IAsyncDocumentSession session = Store.OpenAsyncSession())
        {
            await session.StoreAsync(new Company { Name = "Acme" }, "companies/1");
            await session.SaveChangesAsync();
        }

        using (IAsyncDocumentSession session = Store.OpenAsyncSession())
        {
            var part = (await session.LoadAsync<CompanyPart>("companies/1"))!;
            part.Country = "AT";
            await session.SaveChangesAsync();
        }

        using IAsyncDocumentSession last = Store.OpenAsyncSession();
        Assert.Equal("Acme", (await last.LoadAsync<Company>("companies/1"))!.Name);
        last.Advanced.Clear();
        Assert.Equal("AT", (await last.LoadAsync<CompanyPart>("companies/1"))!.Country);
    }

    [Fact]
    public async Task Session_UsedTwiceAtOnce_NamesBothCalls()
    {
        var gate = new GatedHandler(_fixture.Server.CreateHandler());
        await using var store = new DocumentStore(Store.Urls[0], "db1") { MessageHandler = gate };
        store.Initialize();
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        Task<Order?> first = session.LoadAsync<Order>("orders/1");
        ConcurrentSessionUseException two = await Assert.ThrowsAsync<ConcurrentSessionUseException>(() => session.LoadAsync<Order>("orders/2"));
        Assert.Contains("orders/1", two.Message, StringComparison.Ordinal);
        Assert.Contains("orders/2", two.Message, StringComparison.Ordinal);
        gate.Open();
        await first;
        Assert.Null(await session.LoadAsync<Order>("orders/2"));
    }

    [Fact]
    public async Task Requests_BeyondTheLimit_AreRefused()
    {
        using IAsyncDocumentSession session = Store.OpenAsyncSession();
        session.Advanced.MaxNumberOfRequestsPerSession = 2;
        await session.LoadAsync<Order>("orders/1");
        await session.LoadAsync<Order>("orders/2");
        await Assert.ThrowsAsync<TooManyRequestsInSessionException>(() => session.LoadAsync<Order>("orders/3"));
    }

    [Fact]
    public async Task Store_TwoObjectsOfOneId_IsRefused()
    {
        using IAsyncDocumentSession session = Store.OpenAsyncSession();
        await session.StoreAsync(new Order(), "orders/1");
        await Assert.ThrowsAsync<NonUniqueObjectException>(() => session.StoreAsync(new Order(), "ORDERS/1"));
    }

    [Fact]
    public async Task Database_Missing_IsSaid()
    {
        using IAsyncDocumentSession session = Store.OpenAsyncSession("none");
        DatabaseDoesNotExistException missing = await Assert.ThrowsAsync<DatabaseDoesNotExistException>(() => session.LoadAsync<Order>("orders/1"));
        Assert.Contains("none", missing.Message, StringComparison.Ordinal);
    }

    private async Task<string[]> FillAsync(int count)
    {
        using IAsyncDocumentSession session = Store.OpenAsyncSession();
        List<Order> orders = [.. Enumerable.Range(0, count).Select(i => new Order { Company = $"companies/{i % 5}", Number = i })];
        foreach (Order order in orders)
        {
            await session.StoreAsync(order);
        }

        await session.SaveChangesAsync();
        return [.. orders.Select(order => order.Id!)];
    }
}

/// <summary>Sends nothing before it is opened.</summary>
internal sealed class GatedHandler(HttpMessageHandler connections) : DelegatingHandler(connections)
{
    private readonly TaskCompletionSource _opened = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public void Open() => _opened.SetResult();

    protected override async Task<HttpResponseMessage> SendAsync(HttpRequestMessage request, CancellationToken cancellationToken)
    {
        await _opened.Task;
        return await base.SendAsync(request, cancellationToken);
    }
}

/// <summary>Keeps the body of the last request.</summary>
internal sealed class RecordingHandler(HttpMessageHandler connections) : DelegatingHandler(connections)
{
    public string Last { get; private set; } = "";

    protected override async Task<HttpResponseMessage> SendAsync(HttpRequestMessage request, CancellationToken cancellationToken)
    {
        Last = request.Content is null ? "" : await request.Content.ReadAsStringAsync(cancellationToken);
        return await base.SendAsync(request, cancellationToken);
    }
}

public sealed class Order
{
    public string? Id { get; set; }

    public string? Company { get; set; }

    public int Number { get; set; }

    public List<Line> Lines { get; set; } = [];
}

public sealed record Line(string Product, int Count, decimal Price);

public sealed class Company
{
    public string? Id { get; set; }

    public string? Name { get; set; }
}

[Conventions.Collection("Companies")]
public sealed class CompanyPart
{
    public string? Country { get; set; }
}
