using Jackdaw.Client.Sessions;
using Jackdaw.Client.Sessions.Tracking;
using Jackdaw.Client.Tests.Harness;

namespace Jackdaw.Client.Tests.Sessions;

/// <summary>What a save would do, and loads that have changed.</summary>
public sealed class WhatChangedTests : IAsyncLifetime
{
    private StoreFixture _fixture = null!;

    private DocumentStore Store => _fixture.Store;

    public async Task InitializeAsync()
    {
        _fixture = await StoreFixture.StartAsync();
        using IAsyncDocumentSession session = Store.OpenAsyncSession();
        await session.StoreAsync(new Order { Company = "companies/1", Number = 1, Lines = [new Line("tea", 1, 1.5m), new Line("milk", 2, 1m)] }, "orders/1");
        await session.StoreAsync(new Order { Company = "companies/2", Number = 2 }, "orders/2");
        await session.SaveChangesAsync();
    }

    public async Task DisposeAsync() => await _fixture.DisposeAsync();

    [Fact]
    public async Task WhatChanged_NamesEachDifference()
    {
        using IAsyncDocumentSession session = Store.OpenAsyncSession();
        Order order = (await session.LoadAsync<Order>("orders/1"))!;
        Assert.Empty(session.Advanced.WhatChanged());
        Assert.Empty(session.Advanced.WhatChangedFor(order));
        order.Number = 7;
        order.Company = null;
        order.Lines[1] = order.Lines[1] with { Price = 2.5m };
        order.Lines.Add(new Line("bread", 1, 3m));
        session.Advanced.GetMetadataFor(order)["note"] = "new";
        session.Delete("orders/2");
        await session.StoreAsync(new Order(), "orders/3");

        IReadOnlyDictionary<string, IReadOnlyList<DocumentsChanges>> all = session.Advanced.WhatChanged();
        Assert.Equal(["orders/1", "orders/2", "orders/3"], all.Keys.Order());
        Assert.Equal(ChangeType.DocumentDeleted, Assert.Single(all["orders/2"]).Change);
        Assert.Equal(ChangeType.DocumentAdded, Assert.Single(all["orders/3"]).Change);
        Assert.Equal(
            [
                "FieldChanged Company companies/1 ", "FieldChanged Number 1 7", "FieldChanged Lines[1].Price 1 2.5",
                "ArrayValueAdded Lines[2]  {\"Product\":\"bread\",\"Count\":1,\"Price\":3}", "NewField @metadata.note  new",
            ],
            all["Orders/1"].Select(Text));
        Assert.Equal(all["orders/1"].Select(Text), session.Advanced.WhatChangedFor(order).Select(Text));

        await session.SaveChangesAsync();
        Assert.Empty(session.Advanced.WhatChanged());
        order.Lines.Clear();
        session.Advanced.GetMetadataFor(order).Remove("note");
        Assert.Equal(
            ["ArrayValueRemoved", "ArrayValueRemoved", "ArrayValueRemoved", "RemovedField"],
            session.Advanced.WhatChangedFor(order).Select(one => one.Change.ToString()));
    }

    [Fact]
    public void WhatChanged_OfASessionThatBlocks_KnowsWhatIsIgnored()
    {
        using IDocumentSession session = Store.OpenSession();
        Order order = session.Load<Order>("orders/1")!;
        order.Number = 9;
        session.Advanced.IgnoreChangesFor(order);
        Assert.Empty(session.Advanced.WhatChanged());
        Assert.False(session.Advanced.HasChanges);
        Order second = session.Load<Order>("orders/2")!;
        second.Number = 9;
        Assert.True(session.Advanced.HasChanged(second));
        second.Number = 2;
        Assert.False(session.Advanced.HasChanges);
        session.Advanced.GetMetadataFor(second)["note"] = "x";
        session.Advanced.GetMetadataFor(second).Remove("note");
        Assert.Empty(session.Advanced.WhatChangedFor(second));
        Assert.Throws<InvalidOperationException>(() => session.Advanced.WhatChangedFor(new Order()));
    }

    [Fact]
    public async Task TrackedEntities_AreThoseLoadedStoredAndDeleted()
    {
        using IAsyncDocumentSession session = Store.OpenAsyncSession();
        Order order = (await session.LoadAsync<Order>("orders/1"))!;
        Order second = (await session.LoadAsync<Order>("orders/2"))!;
        session.Delete(second);
        session.Delete("orders/unknown");
        IReadOnlyDictionary<string, TrackedEntity> all = session.Advanced.GetTrackedEntities();
        Assert.Equal(new TrackedEntity("orders/1", order, false), all["Orders/1"]);
        Assert.Equal(new TrackedEntity("orders/2", second, true), all["orders/2"]);
        Assert.Equal(new TrackedEntity("orders/unknown", null, true), all["orders/unknown"]);
    }

    [Fact]
    public async Task ConditionalLoad_SendsADocumentOnlyWhenItHasChanged()
    {
        string version;
        using (IAsyncDocumentSession session = Store.OpenAsyncSession())
        {
            Order order = (await session.LoadAsync<Order>("orders/1"))!;
            version = session.Advanced.GetChangeVectorFor(order)!;
            Assert.Equal((order, version), await session.Advanced.ConditionalLoadAsync<Order>("orders/1", "other"));
            Assert.Equal(1, session.Advanced.NumberOfRequests);
        }

        using (IDocumentSession session = Store.OpenSession())
        {
            Assert.Equal((null, version), session.Advanced.ConditionalLoad<Order>("orders/1", version));
            Assert.Equal((null, null), session.Advanced.ConditionalLoad<Order>("orders/none", version));
            Assert.False(session.Advanced.IsLoaded("orders/1"));
            Assert.Throws<ArgumentException>(() => session.Advanced.ConditionalLoad<Order>("orders/1", ""));
            Order changed = session.Load<Order>("orders/1")!;
            changed.Number = 5;
            session.SaveChanges();
        }

        using IAsyncDocumentSession reader = Store.OpenAsyncSession();
        (Order? loaded, string? now) = await reader.Advanced.ConditionalLoadAsync<Order>("orders/1", version);
        Assert.Equal(5, loaded!.Number);
        Assert.NotEqual(version, now);
        Assert.Same(loaded, await reader.LoadAsync<Order>("orders/1"));
        Assert.Equal(1, reader.Advanced.NumberOfRequests);
    }

    private static string Text(DocumentsChanges one) => $"{one.Change} {one.FieldFullName} {one.FieldOldValue} {one.FieldNewValue}";
}
