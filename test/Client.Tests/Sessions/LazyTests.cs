using Jackdaw.Client.Exceptions;
using Jackdaw.Client.Linq;
using Jackdaw.Client.Sessions;
using Jackdaw.Client.Tests.Harness;

namespace Jackdaw.Client.Tests.Sessions;

/// <summary>Reads that are sent together.</summary>
public sealed class LazyTests : IAsyncLifetime
{
    private RequestLog _log = null!;
    private StoreFixture _fixture = null!;
    private DocumentStore _store = null!;

    public async Task InitializeAsync()
    {
        _fixture = await StoreFixture.StartAsync();
        _log = new RequestLog(_fixture.Server.CreateHandler());
        _store = new DocumentStore(_fixture.Store.Urls[0], "db1") { MessageHandler = _log };
        _store.Initialize();
        using IAsyncDocumentSession session = _store.OpenAsyncSession();
        await session.StoreAsync(new Company { Name = "Acme" }, "companies/1");
        await session.StoreAsync(new Order { Company = "companies/1", Number = 1 }, "orders/1");
        await session.StoreAsync(new Order { Company = "companies/1", Number = 2 }, "orders/2");
        await session.StoreAsync(new Order { Company = "companies/2", Number = 3 }, "orders/3");
        await session.SaveChangesAsync();
        _log.Clear();
    }

    public async Task DisposeAsync()
    {
        await _store.DisposeAsync();
        await _fixture.DisposeAsync();
    }

    [Fact]
    public async Task Lazily_LoadsAndQueries_AreOneRequest()
    {
        using IAsyncDocumentSession session = _store.OpenAsyncSession();
        Lazy<Task<Order?>> one = session.Advanced.Lazily.Include<Order>(order => order.Company).LoadAsync<Order>("orders/1");
        Lazy<Task<Dictionary<string, Order?>>> several = session.Advanced.Lazily.LoadAsync<Order>(["orders/2", "orders/none", "ORDERS/2"]);
        Lazy<Task<Order?>> missing = session.Advanced.Lazily.LoadAsync<Order>("orders/none");
        Lazy<Task<List<Order>>> starting = session.Advanced.Lazily.LoadStartingWithAsync<Order>("orders/", pageSize: 2);
        List<string?> told = [];
        Lazy<Task<List<Order>>> query = session.Query<Order>().Statistics(out QueryStatistics statistics).Where(order => order.Company == "companies/1")
            .OrderBy(order => order.Number).LazilyAsync(orders => told.AddRange(orders.Select(order => order.Id)));
        Lazy<Task<int>> count = session.Query<Order>().Where(order => order.Number > 1).CountLazilyAsync();
        Lazy<Task<List<Order>>> raw = session.Advanced.RawQuery<Order>("from Orders where Number = $number").AddParameter("number", 3).LazilyAsync();
        Assert.Equal(0, session.Advanced.NumberOfRequests);

        Assert.Equal(2, await count.Value);
        Assert.Equal(["orders/1", "orders/2"], told);
        Assert.Equal(2, statistics.TotalResults);
        Order first = (await one.Value)!;
        Assert.Equal([first, (await several.Value)["Orders/2"]!], await query.Value);
        Assert.Equal(2, (await several.Value).Count);
        Assert.Null((await several.Value)["orders/none"]);
        Assert.Null(await missing.Value);
        Assert.Equal(await query.Value, await starting.Value);
        Assert.Equal("orders/3", Assert.Single(await raw.Value).Id);
        Assert.Same(first, await session.LoadAsync<Order>("orders/1"));
        Assert.Equal("Acme", (await session.LoadAsync<Company>(first.Company))!.Name);
        Assert.Equal(1, session.Advanced.NumberOfRequests);
        Assert.EndsWith("/multi_get", Assert.Single(_log.All).Path, StringComparison.Ordinal);
    }

    [Fact]
    public void Lazily_LoadsAndQueriesThatBlock_AreOneRequest()
    {
        using IDocumentSession session = _store.OpenSession();
        Lazy<Order?> one = session.Advanced.Lazily.Include<Order>(order => order.Company).Load<Order>("orders/1");
        Lazy<Dictionary<string, Order?>> several = session.Advanced.Lazily.Load<Order>(["orders/2", "orders/none"]);
        Lazy<List<Order>> starting = session.Advanced.Lazily.LoadStartingWith<Order>("orders/", matches: "3");
        Lazy<List<Order>> query = session.Query<Order>().Where(order => order.Company == "companies/1").OrderBy(order => order.Number).Lazily();
        Lazy<int> count = session.Query<Order>().CountLazily();
        Lazy<List<Order>> raw = session.Advanced.RawQuery<Order>("from Orders where Number = 3").Lazily();
        session.Advanced.Eagerly.ExecuteAllPendingLazyOperations();
        Assert.Equal(1, session.Advanced.NumberOfRequests);
        Assert.Equal([one.Value!, several.Value["orders/2"]!], query.Value);
        Assert.Null(several.Value["orders/none"]);
        Assert.Equal(3, count.Value);
        Assert.Same(Assert.Single(raw.Value), Assert.Single(starting.Value));
        Assert.Equal("Acme", session.Load<Company>(one.Value!.Company)!.Name);
        Assert.Equal(1, session.Advanced.NumberOfRequests);
    }

    [Fact]
    public async Task Lazily_WhatTheSessionKnows_CostsNoRequest()
    {
        using IAsyncDocumentSession session = _store.OpenAsyncSession();
        Order order = (await session.LoadAsync<Order>("orders/1"))!;
        Assert.Null(await session.LoadAsync<Order>("orders/none"));
        Assert.Same(order, await session.Advanced.Lazily.LoadAsync<Order>("Orders/1").Value);
        Assert.Null(await session.Advanced.Lazily.LoadAsync<Order>("orders/none").Value);
        Assert.Null(await session.Advanced.Lazily.LoadAsync<Order>((string?)null).Value);
        await session.Advanced.Eagerly.ExecuteAllPendingLazyOperationsAsync();
        Assert.Equal(2, session.Advanced.NumberOfRequests);
    }

    [Fact]
    public async Task Lazily_WithoutTracking_GivesCopies()
    {
        using IAsyncDocumentSession session = _store.OpenAsyncSession(new SessionOptions { NoTracking = true });
        Lazy<Task<Order?>> one = session.Advanced.Lazily.LoadAsync<Order>("orders/1");
        Lazy<Task<Dictionary<string, Order?>>> several = session.Advanced.Lazily.LoadAsync<Order>(["orders/1", "orders/none"]);
        Assert.Equal(1, (await several.Value)["orders/1"]!.Number);
        Assert.NotSame(await one.Value, (await several.Value)["orders/1"]);
        Assert.False(session.Advanced.IsLoaded("orders/1"));
    }

    [Fact]
    public async Task Lazily_AnswersThatAreKept_AreConfirmedOneByOne()
    {
        await ReadBothAsync();
        Assert.Equal(0, CountOf304(_log.Last));
        await ReadBothAsync();
        Assert.Equal(2, CountOf304(_log.Last));
        using (IAsyncDocumentSession writer = _fixture.Store.OpenAsyncSession())
        {
            (await writer.LoadAsync<Order>("orders/2"))!.Number = 7;
            await writer.SaveChangesAsync();
        }

        int[] numbers = await ReadBothAsync();
        Assert.Equal([1, 7], numbers);
        Assert.Equal(1, CountOf304(_log.Last));

        // What was kept by one of several reads is the answer of the same read alone, and the other way round.
        using IAsyncDocumentSession session = _store.OpenAsyncSession();
        await session.LoadAsync<Order>("orders/2");
        Assert.Empty(_log.Last.Answer);
    }

    [Fact]
    public async Task Lazily_QueryThatWasBegunBeforeASave_SeesIt()
    {
        using IAsyncDocumentSession session = _store.OpenAsyncSession();
        Lazy<Task<List<Order>>> query = session.Query<Order>().Where(order => order.Company == "companies/9").LazilyAsync();
        await session.StoreAsync(new Order { Company = "companies/9" });
        await session.SaveChangesAsync();
        Assert.Single(await query.Value);
        Assert.Contains("WaitForEtag", _log.Last.Body, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Lazily_OneFails_IsNamedAndTheOthersHaveTheirValues()
    {
        using IAsyncDocumentSession session = _store.OpenAsyncSession();
        Lazy<Task<Order?>> load = session.Advanced.Lazily.LoadAsync<Order>("orders/1");
        Lazy<Task<List<Order>>> wrong = session.Advanced.RawQuery<Order>("from Orders where where").LazilyAsync();
        Lazy<Task<List<Order>>> none = session.Query<Order>("NoIndex").LazilyAsync();
        InvalidQueryException failed = await Assert.ThrowsAsync<InvalidQueryException>(
            () => session.Advanced.Eagerly.ExecuteAllPendingLazyOperationsAsync());
        Assert.Contains("the query \"from Orders where where\"", failed.Message, StringComparison.Ordinal);
        Assert.Equal(1, (await load.Value)!.Number);
        Assert.Same(failed, await Assert.ThrowsAsync<InvalidQueryException>(() => wrong.Value));
        await Assert.ThrowsAsync<IndexDoesNotExistException>(() => none.Value);
        Assert.Equal(1, session.Advanced.NumberOfRequests);
    }

    [Fact]
    public void Lazily_BeyondTheLimit_IsRefusedAndGoesOnWaiting()
    {
        using IDocumentSession session = _store.OpenSession();
        session.Advanced.MaxNumberOfRequestsPerSession = 1;
        session.Load<Order>("orders/1");
        Lazy<Order?> load = session.Advanced.Lazily.Load<Order>("orders/2");
        Assert.Throws<TooManyRequestsInSessionException>(() => load.Value);
        session.Advanced.MaxNumberOfRequestsPerSession = 10;
        Assert.Equal(2, load.Value!.Number);
    }

    [Fact]
    public async Task Lazily_WhileAnotherCallRuns_NamesBoth()
    {
        var gate = new GatedHandler(_fixture.Server.CreateHandler());
        await using var store = new DocumentStore(_store.Urls[0], "db1") { MessageHandler = gate };
        store.Initialize();
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        Task<Order?> lazy = session.Advanced.Lazily.LoadAsync<Order>("orders/1").Value;
        ConcurrentSessionUseException two = await Assert.ThrowsAsync<ConcurrentSessionUseException>(() => session.LoadAsync<Order>("orders/2"));
        Assert.Contains("ExecuteAllPendingLazyOperations", two.Message, StringComparison.Ordinal);
        gate.Open();
        Assert.Equal(1, (await lazy)!.Number);
    }

    private async Task<int[]> ReadBothAsync()
    {
        using IAsyncDocumentSession session = _store.OpenAsyncSession();
        Lazy<Task<Order?>> first = session.Advanced.Lazily.LoadAsync<Order>("orders/1");
        Lazy<Task<Order?>> second = session.Advanced.Lazily.LoadAsync<Order>("orders/2");
        return [(await first.Value)!.Number, (await second.Value)!.Number];
    }

    private static int CountOf304(LoggedRequest request) => request.Answer.Split("\"StatusCode\":304").Length - 1;
}
