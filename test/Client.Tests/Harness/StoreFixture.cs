using System.Text;
using Jackdaw.Pal.InMemory;
using Jackdaw.Server.Configuration;
using Jackdaw.Server.Documents.Databases;
using Jackdaw.Server.Hosting;
using Jackdaw.Storage;
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
        var catalog = await StoredDatabaseCatalog.OpenAsync(
            new MemoryPlatform(), "/data", new StorageOptions(), options.NodeTag, [], new Progress<RecoveryProgress>(), NullLogger.Instance, default);
        await catalog.PutRecordAsync("db1", Encoding.UTF8.GetBytes("""{"DatabaseName":"db1"}"""), null, default);
        var server = new JackdawServer(options, (_, _, _) => Task.FromResult<DatabaseCatalog>(catalog), NullLoggerFactory.Instance, TimeProvider.System);
        await server.StartAsync(default);
        await server.Opened;
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
