using Jackdaw.Client.Exceptions;
using Jackdaw.Client.Linq;
using Jackdaw.Client.Operations.CompareExchange;
using Jackdaw.Client.Sessions;
using Jackdaw.Client.Tests.Harness;

namespace Jackdaw.Client.Tests.Sessions;

/// <summary>Cluster-wide transactions: values and guards of documents.</summary>
public sealed class ClusterWideTests : IAsyncLifetime
{
    private static readonly SessionOptions s_clusterWide = new() { TransactionMode = TransactionMode.ClusterWide };

    private RequestLog _log = null!;
    private StoreFixture _fixture = null!;
    private DocumentStore _store = null!;

    public async Task InitializeAsync()
    {
        _fixture = await StoreFixture.StartAsync();
        _log = new RequestLog(_fixture.Server.CreateHandler());
        _store = new DocumentStore(_fixture.Store.Urls[0], "db1") { MessageHandler = _log };
        _store.Initialize();
    }

    public async Task DisposeAsync()
    {
        await _store.DisposeAsync();
        await _fixture.DisposeAsync();
    }

    [Fact]
    public async Task Values_AreSavedWithDocuments()
    {
        using (IAsyncDocumentSession session = Open())
        {
            CompareExchangeValue<Reservation> value = session.Advanced.ClusterTransaction.CreateCompareExchangeValue("emails/a", new Reservation("users/1"));
            var company = new Company { Name = "Acme" };
            await session.StoreAsync(company, "companies/1");
            Assert.True(session.Advanced.HasChanges);
            await session.SaveChangesAsync();
            Assert.True(value.Index > 0);
            Assert.False(session.Advanced.HasChanges);
            Assert.Contains("TRXN:", session.Advanced.GetChangeVectorFor(company), StringComparison.Ordinal);
            company.Name = "Acme 2";
            value.Value = new Reservation("users/2");
            long before = value.Index;
            await session.SaveChangesAsync();
            Assert.True(value.Index > before);
            Assert.Same(value, await session.Advanced.ClusterTransaction.GetCompareExchangeValueAsync<Reservation>("EMAILS/A"));
            Assert.Equal(2, session.Advanced.NumberOfRequests);
        }

        using IAsyncDocumentSession reader = Open();
        CompareExchangeValue<Reservation> read = (await reader.Advanced.ClusterTransaction.GetCompareExchangeValueAsync<Reservation>("emails/a"))!;
        Assert.Equal(("emails/a", new Reservation("users/2")), (read.Key, read.Value));
        Assert.Null(await reader.Advanced.ClusterTransaction.GetCompareExchangeValueAsync<Reservation>("emails/none"));
        Assert.Null(await reader.Advanced.ClusterTransaction.GetCompareExchangeValueAsync<Reservation>("emails/none"));
        Assert.Equal(2, reader.Advanced.NumberOfRequests);
        Assert.Equal("Acme 2", (await reader.LoadAsync<Company>("companies/1"))!.Name);
        reader.Advanced.ClusterTransaction.DeleteCompareExchangeValue(read);
        await reader.SaveChangesAsync();
        Assert.Null(await reader.Advanced.ClusterTransaction.GetCompareExchangeValueAsync<Reservation>("emails/a"));
        reader.Advanced.ClusterTransaction.CreateCompareExchangeValue("emails/a", new Reservation("users/3"));
        await reader.SaveChangesAsync();
    }

    [Fact]
    public void Values_OfASessionThatBlocks_AreSavedWithDocuments()
    {
        using (IDocumentSession session = _store.OpenSession(s_clusterWide))
        {
            session.Advanced.ClusterTransaction.CreateCompareExchangeValue("numbers/1", 1);
            session.Advanced.ClusterTransaction.CreateCompareExchangeValue("numbers/2", 2).Metadata["note"] = "two";
            session.Store(new Company { Name = "Acme" }, "companies/1");
            session.SaveChanges();
        }

        using IDocumentSession reader = _store.OpenSession(s_clusterWide);
        Assert.Equal([1, 2], reader.Advanced.ClusterTransaction.GetCompareExchangeValues<int>(["numbers/1", "numbers/2", "numbers/3"])
            .OrderBy(one => one.Key).Select(one => one.Value.Value));
        Assert.Equal(1, reader.Advanced.NumberOfRequests);
        CompareExchangeValue<int> second = Assert.Single(reader.Advanced.ClusterTransaction.GetCompareExchangeValues<int>("numbers/", start: 1)).Value;
        Assert.Equal("two", second.Metadata.GetString("note"));
        Assert.Equal(3, reader.Advanced.ClusterTransaction.GetCompareExchangeValues<int>(startsWith: null).Count + 1);
        Assert.False(reader.Advanced.HasChanges);
        second.Value = 22;
        CompareExchangeValue<int> first = reader.Advanced.ClusterTransaction.GetCompareExchangeValue<int>("numbers/1")!;
        reader.Advanced.ClusterTransaction.DeleteCompareExchangeValue("numbers/1", first.Index);
        reader.SaveChanges();
        using IDocumentSession last = _store.OpenSession(s_clusterWide);
        Assert.Equal(22, Assert.Single(last.Advanced.ClusterTransaction.GetCompareExchangeValues<int>("numbers/")).Value.Value);
    }

    [Fact]
    public async Task Values_ChangedByAnother_FailWholeWithTheFacts()
    {
        using IAsyncDocumentSession first = Open();
        CompareExchangeValue<int> mine = first.Advanced.ClusterTransaction.CreateCompareExchangeValue("k", 1);
        await first.SaveChangesAsync();
        using IAsyncDocumentSession second = Open();
        CompareExchangeValue<int> theirs = (await second.Advanced.ClusterTransaction.GetCompareExchangeValueAsync<int>("k"))!;
        theirs.Value = 2;
        await second.StoreAsync(new Company { Name = "Theirs" }, "companies/1");
        mine.Value = 3;
        await first.SaveChangesAsync();

        ClusterTransactionConcurrencyException conflict =
            await Assert.ThrowsAsync<ClusterTransactionConcurrencyException>(() => second.SaveChangesAsync());
        ConcurrencyViolation violation = Assert.Single(conflict.Violations);
        Assert.Equal(("k", "CompareExchange", theirs.Index, mine.Index), (violation.Id, violation.Type, violation.Expected, violation.Actual));
        Assert.True(second.Advanced.HasChanges);
        using IAsyncDocumentSession reader = Open();
        Assert.Null(await reader.LoadAsync<Company>("companies/1"));
        reader.Advanced.ClusterTransaction.CreateCompareExchangeValue("k", 4);
        await Assert.ThrowsAsync<ClusterTransactionConcurrencyException>(() => reader.SaveChangesAsync());
    }

    [Fact]
    public async Task Documents_ChangedByAnother_FailByTheirGuards()
    {
        await StoreAsync("companies/1");
        using IAsyncDocumentSession first = Open();
        using IAsyncDocumentSession second = Open();
        (await first.LoadAsync<Company>("companies/1"))!.Name = "first";
        (await second.LoadAsync<Company>("companies/1"))!.Name = "second";
        await first.SaveChangesAsync();
        ClusterTransactionConcurrencyException conflict =
            await Assert.ThrowsAsync<ClusterTransactionConcurrencyException>(() => second.SaveChangesAsync());
        Assert.Equal(("companies/1", "Document"), (conflict.Violations[0].Id, conflict.Violations[0].Type));
        second.Advanced.Clear();
        second.Delete((await second.LoadAsync<Company>("companies/1"))!);
        await second.SaveChangesAsync();

        // Without guards the last one wins.
        await StoreAsync("companies/2");
        var unguarded = new SessionOptions { TransactionMode = TransactionMode.ClusterWide, DisableAtomicDocumentWritesInClusterWideTransaction = true };
        using IAsyncDocumentSession third = _store.OpenAsyncSession(unguarded);
        using IAsyncDocumentSession fourth = _store.OpenAsyncSession(unguarded);
        (await third.LoadAsync<Company>("companies/2"))!.Name = "third";
        (await fourth.LoadAsync<Company>("companies/2"))!.Name = "fourth";
        await third.SaveChangesAsync();
        await fourth.SaveChangesAsync();
    }

    [Fact]
    public async Task Documents_DeletedOutsideOfTheCluster_AreMadeAgainFromTheirGuard()
    {
        await StoreAsync("companies/1");
        using (IAsyncDocumentSession session = _store.OpenAsyncSession())
        {
            session.Delete("companies/1");
            await session.SaveChangesAsync();
        }

        using (IAsyncDocumentSession blind = Open())
        {
            await blind.StoreAsync(new Company { Name = "again" }, "companies/1");
            await Assert.ThrowsAsync<ClusterTransactionConcurrencyException>(() => blind.SaveChangesAsync());
        }

        using (IAsyncDocumentSession session = Open())
        {
            Dictionary<string, Company?> none = await session.LoadAsync<Company>(["companies/1", "companies/2"]);
            Assert.Equal([null, null], none.Values);
            await session.StoreAsync(new Company { Name = "again" }, "companies/1");
            await session.SaveChangesAsync();
        }

        using IAsyncDocumentSession untracked = _store.OpenAsyncSession(
            new SessionOptions { TransactionMode = TransactionMode.ClusterWide, NoTracking = true });
        Assert.Equal("again", (await untracked.LoadAsync<Company>(["companies/2", "companies/1"]))["companies/1"]!.Name);
        Assert.Null(await untracked.LoadAsync<Company>("companies/2"));
    }

    [Fact]
    public async Task Query_SeesTheSessionsOwnClusterWideWrites()
    {
        using IAsyncDocumentSession session = Open();
        await session.StoreAsync(new Order { Company = "companies/7", Number = 1 }, "orders/1");
        await session.SaveChangesAsync();
        Assert.Single(await session.Query<Order>().Where(order => order.Company == "companies/7").ToListAsync());
        Assert.Contains("WaitForEtag", _log.Last.Body, StringComparison.Ordinal);
        Lazy<Task<int>> count = session.Query<Order>().Where(order => order.Company == "companies/7").CountLazilyAsync();
        Lazy<Task<Order?>> missing = session.Advanced.Lazily.LoadAsync<Order>("orders/none");
        Lazy<Task<Order?>> other = session.Advanced.Lazily.LoadAsync<Order>("orders/none2");
        Assert.Equal(1, await count.Value);
        Assert.Null(await missing.Value);
        Assert.Null(await other.Value);
        Assert.Contains("txMode=ClusterWide", _log.Last.Body, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Load_IncludesValues()
    {
        using (IAsyncDocumentSession session = Open())
        {
            session.Advanced.ClusterTransaction.CreateCompareExchangeValue("companies/9", "reserved");
            await session.StoreAsync(new Order { Company = "companies/9" }, "orders/1");
            await session.StoreAsync(new Order { Company = "companies/8" }, "orders/2");
            await session.SaveChangesAsync();
        }

        using IAsyncDocumentSession reader = Open();
        await reader.LoadAsync<Order>(["orders/1", "orders/2"], includes => includes.IncludeCompareExchangeValue(order => order.Company));
        Assert.Equal("reserved", (await reader.Advanced.ClusterTransaction.GetCompareExchangeValueAsync<string>("companies/9"))!.Value);
        Assert.Null(await reader.Advanced.ClusterTransaction.GetCompareExchangeValueAsync<string>("companies/8"));
        Assert.Equal(1, reader.Advanced.NumberOfRequests);
        using IDocumentSession sync = _store.OpenSession(s_clusterWide);
        sync.Load<Order>("orders/1", includes => includes.IncludeCompareExchangeValue("Company").IncludeDocuments(order => order.Company));
        Assert.Equal("reserved", sync.Advanced.ClusterTransaction.GetCompareExchangeValue<string>("companies/9")!.Value);
        Assert.Equal(1, sync.Advanced.NumberOfRequests);
    }

    [Fact]
    public async Task Mode_WhatItDoesNotAllow_SaysWhatToDo()
    {
        using IAsyncDocumentSession single = _store.OpenAsyncSession();
        InvalidOperationException refused = Assert.Throws<InvalidOperationException>(
            () => single.Advanced.ClusterTransaction.CreateCompareExchangeValue("k", 1));
        Assert.Contains("SetTransactionMode", refused.Message, StringComparison.Ordinal);
        single.Advanced.SetTransactionMode(TransactionMode.ClusterWide);
        single.Advanced.ClusterTransaction.CreateCompareExchangeValue("k", 1);
        Assert.Throws<InvalidOperationException>(() => single.Advanced.ClusterTransaction.CreateCompareExchangeValue("K", 2));
        Assert.Throws<InvalidOperationException>(() => single.Advanced.SetTransactionMode(TransactionMode.SingleNode));
        await Assert.ThrowsAsync<InvalidOperationException>(() => single.Advanced.ClusterTransaction.GetCompareExchangeValueAsync<string>("k"));
        single.CountersFor("orders/1").Increment("likes");
        refused = await Assert.ThrowsAsync<InvalidOperationException>(() => single.SaveChangesAsync());
        Assert.Contains("Counters of 'orders/1'", refused.Message, StringComparison.Ordinal);
        single.Advanced.Clear();
        await single.StoreAsync(new Order(), "orders/");
        refused = await Assert.ThrowsAsync<InvalidOperationException>(() => single.SaveChangesAsync());
        Assert.Contains("'orders|'", refused.Message, StringComparison.Ordinal);
        Assert.Empty(_log.All);
    }

    [Fact]
    public async Task Operations_ReplaceValuesByTheirIndex()
    {
        CompareExchangeResult<string> made = await _store.Operations.SendAsync(new PutCompareExchangeValueOperation<string>("a/1", "one", 0));
        Assert.True(made.Successful && made.Index > 0);
        CompareExchangeResult<string> late = _store.Operations.Send(new PutCompareExchangeValueOperation<string>("A/1", "two", 0));
        Assert.Equal((false, made.Index, "one"), (late.Successful, late.Index, late.Value));
        await _store.Operations.SendAsync(new PutCompareExchangeValueOperation<int[]>("a/2", [1, 2], 0) { Metadata = { ["note"] = "n" } });
        CompareExchangeValue<int[]> list = _store.Operations.Send(new GetCompareExchangeValueOperation<int[]>("a/2"))!;
        Assert.Equal([1, 2], list.Value!);
        Assert.Equal("n", list.Metadata.GetString("note"));
        Assert.Null(await _store.Operations.SendAsync(new GetCompareExchangeValueOperation<int>("none")));
        Assert.Equal(["a/1", "a/2"], (await _store.Operations.SendAsync(new GetCompareExchangeValuesOperation<object>("a/"))).Keys);
        Assert.Single(await _store.Operations.SendAsync(new GetCompareExchangeValuesOperation<object>("a/", 1, 5)));
        Assert.Equal(["a/1"], _store.Operations.Send(new GetCompareExchangeValuesOperation<object>(["a/1", "none"])).Keys);
        Assert.Empty(_store.Operations.Send(new GetCompareExchangeValuesOperation<object>([])));
        Assert.False((await _store.Operations.SendAsync(new DeleteCompareExchangeValueOperation<string>("a/1", made.Index + 1000))).Successful);
        CompareExchangeResult<string> deleted = _store.Operations.Send(new DeleteCompareExchangeValueOperation<string>("a/1", made.Index));
        Assert.Equal((true, "one"), (deleted.Successful, deleted.Value));
    }

    private IAsyncDocumentSession Open() => _store.OpenAsyncSession(s_clusterWide);

    private async Task StoreAsync(string id)
    {
        using IAsyncDocumentSession session = Open();
        await session.StoreAsync(new Company { Name = id }, id);
        await session.SaveChangesAsync();
    }

    private sealed record Reservation(string User);
}
