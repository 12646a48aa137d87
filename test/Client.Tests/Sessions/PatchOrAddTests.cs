using Jackdaw.Client.Exceptions;
using Jackdaw.Client.Sessions;
using Jackdaw.Client.Tests.Harness;

namespace Jackdaw.Client.Tests.Sessions;

/// <summary>Patches that store a document where there is none, and saves that wait for other servers.</summary>
public sealed class PatchOrAddTests : IAsyncLifetime
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
    }

    public async Task DisposeAsync()
    {
        await _store.DisposeAsync();
        await _fixture.DisposeAsync();
    }

    [Fact]
    public async Task AddOrPatch_StoresOrSets()
    {
        for (int i = 1; i <= 2; i++)
        {
            using IAsyncDocumentSession session = _store.OpenAsyncSession();
            session.Advanced.Patches.AddOrPatch("orders/1", new Order { Company = "companies/1", Number = 1 }, order => order.Company, "companies/2");
            session.Advanced.Patches.AddOrIncrement("orders/2", new Order { Number = 10 }, order => order.Number, 5);
            await session.SaveChangesAsync();
            Assert.False(session.Advanced.HasChanges);
            Assert.Equal(i == 1 ? "companies/1" : "companies/2", (await session.LoadAsync<Order>("orders/1"))!.Company);
            Order second = (await session.LoadAsync<Order>("orders/2"))!;
            Assert.Equal(i == 1 ? 10 : 15, second.Number);
            Assert.Equal("Orders", session.Advanced.GetMetadataFor(second).GetString("@collection"));
        }

        using IDocumentSession sync = _store.OpenSession();
        sync.Advanced.Patches.AddOrIncrement("orders/2", new Order { Number = 10 }, order => order.Number, 5);
        sync.SaveChanges();
        Assert.Equal(20, sync.Load<Order>("orders/2")!.Number);
        Assert.Throws<ArgumentNullException>(() => sync.Advanced.Patches.AddOrPatch<Order, int>("orders/2", null!, order => order.Number, 5));
    }

    [Fact]
    public async Task WaitForReplication_OnOneServer_IsAMajority()
    {
        using IAsyncDocumentSession session = _store.OpenAsyncSession();
        session.Advanced.WaitForReplicationAfterSaveChanges(majority: true, timeout: TimeSpan.FromSeconds(2));
        session.Advanced.WaitForIndexesAfterSaveChanges();
        await session.StoreAsync(new Order(), "orders/1");
        await session.SaveChangesAsync();
        Assert.Contains("waitForReplicasTimeout=00:00:02", _log.Last.Path, StringComparison.Ordinal);
        Assert.Contains("numberOfReplicasToWaitFor=majority", _log.Last.Path, StringComparison.Ordinal);
        Assert.Contains("waitForIndexesTimeout=00:00:15", _log.Last.Path, StringComparison.Ordinal);
        await session.StoreAsync(new Order(), "orders/2");
        await session.SaveChangesAsync();
        Assert.EndsWith("/bulk_docs", _log.Last.Path, StringComparison.Ordinal);
    }

    [Fact]
    public void WaitForReplication_ForServersThatAreNot_IsRefusedOrNot()
    {
        using IDocumentSession session = _store.OpenSession();
        session.Advanced.WaitForReplicationAfterSaveChanges(replicas: 2);
        session.Store(new Order(), "orders/1");
        DocumentDatabaseException refused = Assert.ThrowsAny<DocumentDatabaseException>(session.SaveChanges);
        Assert.Contains("2 replicas", refused.Message, StringComparison.Ordinal);
        session.Advanced.WaitForReplicationAfterSaveChanges(replicas: 2, throwOnTimeout: false);
        session.SaveChanges();
        Assert.True(session.Advanced.Exists("orders/1"));
        Assert.Throws<ArgumentOutOfRangeException>(() => session.Advanced.WaitForReplicationAfterSaveChanges(replicas: -1));
    }
}
