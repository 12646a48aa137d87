using System.Net;
using System.Net.Sockets;
using Jackdaw.Client.BulkInserts;
using Jackdaw.Client.Exceptions;
using Jackdaw.Client.Operations;
using Jackdaw.Client.Sessions;
using Jackdaw.Client.Tests.Harness;
using Jackdaw.Client.Tests.Sessions;

namespace Jackdaw.Client.Tests.Http;

/// <summary>The store over real sockets; the other tests have connections in memory.</summary>
public sealed class SocketTests : IAsyncLifetime
{
    private SocketServer _server = null!;

    public async Task InitializeAsync() => _server = await SocketServer.StartAsync();

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Fact]
    public async Task Store_OverSockets_SavesLoadsStreamsAndIsTold()
    {
        await using DocumentStore store = await MakeStoreAsync([_server.Url]);
        using var told = new SemaphoreSlim(0);
        using IDisposable subscription = store.Changes().ForDocument("orders/1").Subscribe(_ => told.Release());
        await store.Changes().ForDocument("orders/1").EnsureSubscribedNow();
        using (IDocumentSession session = store.OpenSession())
        {
            session.Store(new Order { Company = "companies/1" }, "orders/1");
            session.SaveChanges();
        }

        await using (BulkInsertOperation bulk = store.BulkInsert())
        {
            for (int i = 2; i <= 500; i++)
            {
                await bulk.StoreAsync(new Order { Company = new string('x', 1000) }, $"orders/{i}");
            }
        }

        using IAsyncDocumentSession reader = store.OpenAsyncSession();
        Assert.Equal("companies/1", (await reader.LoadAsync<Order>("orders/1"))!.Company);
        Assert.NotNull(await reader.LoadAsync<Order>("orders/500"));
        Assert.True(await told.WaitAsync(TimeSpan.FromSeconds(30)));
    }

    [Fact]
    public async Task Store_WhoseFirstServerRefusesConnections_UsesTheNext()
    {
        await using DocumentStore store = await MakeStoreAsync([$"http://127.0.0.1:{UnusedPort()}", _server.Url]);
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        await session.StoreAsync(new Order { Company = "companies/1" }, "orders/1");
        await session.SaveChangesAsync();
        Assert.NotNull(await store.OpenAsyncSession().LoadAsync<Order>("orders/1"));
    }

    [Fact]
    public async Task Store_WhoseServersAllRefuseConnections_NamesEach()
    {
        string[] urls = [$"http://127.0.0.1:{UnusedPort()}", $"http://127.0.0.1:{UnusedPort()}"];
        await using var store = new DocumentStore(urls, "db1");
        store.Initialize();
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        AllTopologyNodesDownException down = await Assert.ThrowsAsync<AllTopologyNodesDownException>(() => session.LoadAsync<Order>("orders/1"));
        Assert.All(urls, url => Assert.Contains(url, down.Message, StringComparison.Ordinal));
    }

    private static async Task<DocumentStore> MakeStoreAsync(string[] urls)
    {
        var store = new DocumentStore(urls, "db1");
        store.Initialize();
        await store.Maintenance.Server.SendAsync(new CreateDatabaseOperation("db1"));
        return store;
    }

    // Nothing listens there any more.
    private static int UnusedPort()
    {
        using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        socket.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        return ((IPEndPoint)socket.LocalEndPoint!).Port;
    }
}
