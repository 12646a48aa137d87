using Jackdaw.Search.Lucene;
using Jackdaw.Server.Configuration;
using Jackdaw.Server.Documents.Databases;
using Jackdaw.Server.Documents.Expiration;
using Jackdaw.Server.Hosting;
using Jackdaw.Server.Http.Handlers;
using Jackdaw.Server.Indexing;
using Jackdaw.Server.Indexing.Running;
using Jackdaw.Server.Notices;
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
        var server = new JackdawServer(options, OpenAsync, NullLoggerFactory.Instance, TimeProvider.System);
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

    // As the program does.
    private static async Task<DatabaseCatalog> OpenAsync(ServerOptions options, IProgress<RecoveryProgress> progress, CancellationToken token)
    {
        var indexes = new IndexPartKind(
            new IndexingWorkers(), new IndexFactory(LuceneSearchIndex.Open), TimeProvider.System, NullLogger.Instance, options.Indexing);
        var notices = new NoticePartKind(OperationHandlers.WriteState, TimeProvider.System, NullLogger.Instance);
        var due = new DuePartKind(TimeProvider.System, NullLogger.Instance);
        return await StoredDatabaseCatalog.OpenAsync(options, [indexes, notices, due], progress, NullLogger.Instance, token);
    }

    public async ValueTask DisposeAsync()
    {
        await Store.DisposeAsync();
        await _server.DisposeAsync();
    }
}
