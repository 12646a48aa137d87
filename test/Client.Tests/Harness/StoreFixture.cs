using Jackdaw.Server;
using Jackdaw.Server.Configuration;
using Jackdaw.Server.Hosting;
using Microsoft.Extensions.Logging.Abstractions;

namespace Jackdaw.Client.Tests.Harness;

/// <summary>A server in this process with files in memory, and a store of its database.</summary>
internal sealed class StoreFixture : IAsyncDisposable
{
    private readonly JackdawServer _server;

    private StoreFixture(JackdawServer server, DocumentStore store)
    {
        _server = server;
        Store = store;
    }

    public DocumentStore Store { get; }

    public static async Task<StoreFixture> StartAsync(Action<DocumentStore>? configure = null)
    {
        var options = new ServerOptions { ServerUrl = new ListenAddress("127.0.0.1", 0), DataDir = "unused", RunInMemory = true };
        var server = new JackdawServer(
            options,
            (options, progress, token) => ServerDatabases.OpenAsync(options, TimeProvider.System, NullLogger.Instance, progress, token),
            NullLoggerFactory.Instance,
            TimeProvider.System);
        await server.StartAsync(default);
        await server.Opened;
        using (var client = new HttpClient())
        {
            using var record = new StringContent("""{"DatabaseName":"db1"}""");
            using HttpResponseMessage made = await client.PutAsync(new Uri($"{server.Address}/admin/databases?name=db1&replicationFactor=1"), record);
            made.EnsureSuccessStatusCode();
        }

        var store = new DocumentStore(server.Address, "db1");
        configure?.Invoke(store);
        store.Initialize();
        return new StoreFixture(server, store);
    }

    public async ValueTask DisposeAsync()
    {
        await Store.DisposeAsync();
        await _server.DisposeAsync();
    }
}
