using Jackdaw.Client.Conventions;
using Jackdaw.TestServer;

namespace Jackdaw.Client.Tests.Harness;

/// <summary>A server in this process without sockets, and a store of its database.</summary>
internal sealed class StoreFixture : IAsyncDisposable
{
    private StoreFixture(JackdawTestServer server, DocumentStore store)
    {
        Server = server;
        Store = store;
    }

    public JackdawTestServer Server { get; }

    public DocumentStore Store { get; }

    public static async Task<StoreFixture> StartAsync(Action<DocumentConventions>? conventions = null)
    {
        JackdawTestServer server = await JackdawTestServer.StartAsync();
        return new StoreFixture(server, await server.NewStoreAsync(new TestStoreOptions { Database = "db1", Conventions = conventions }));
    }

    /// <summary>Another store of the same database.</summary>
    public Task<DocumentStore> NewStoreAsync() => Server.NewStoreAsync("db1");

    public async ValueTask DisposeAsync()
    {
        await Store.DisposeAsync();
        await Server.DisposeAsync();
    }
}
