using System.Net;
using System.Text;
using Jackdaw.Documents.Callers;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Databases;
using Jackdaw.Documents.Identity;
using Jackdaw.Pal.InMemory;
using Jackdaw.Pal.Native;
using Jackdaw.Server.Configuration;
using Jackdaw.Server.Hosting;
using Jackdaw.Storage;
using Jackdaw.TestKit;
using Microsoft.Extensions.Logging.Abstractions;

namespace Jackdaw.Server.Tests.Http;

/// <summary>A whole server on a free port of the loopback address, with storages in memory and a database "db1".</summary>
internal sealed class ServerFixture : IAsyncDisposable
{
    private readonly DatabaseProbes _probes;

    private ServerFixture(JackdawServer server, DatabaseCatalog databases, DatabaseProbes probes, HttpClient client)
    {
        Server = server;
        Databases = databases;
        _probes = probes;
        Client = client;
    }

    public JackdawServer Server { get; }

    public DatabaseCatalog Databases { get; }

    public HttpClient Client { get; }

    /// <summary>The database "db1"; after it was closed, the one that was open.</summary>
    public DocumentDatabase Database => Probe.Database;

    /// <summary>Of <see cref="Database"/>.</summary>
    public DatabaseProbe Probe => _probes.Find("db1");

    /// <summary>What requests for a database find from now on.</summary>
    public void Show(DatabaseLookup lookup, string name = "db1") => Databases.FindSlot(name)!.Lookup = lookup;

    public Uri Address => Client.BaseAddress!;

    public static ServerOptions Options { get; } = new()
    {
        ServerUrl = new ListenAddress("127.0.0.1", 0),
        DataDir = "unused",
        RunInMemory = true,
    };

    /// <param name="open">Opens the databases in place of the store.</param>
    /// <param name="waitUntilOpen">Not before the databases are open does it return.</param>
    /// <param name="time">The clock of the server.</param>
    /// <param name="node">Its node tag.</param>
    /// <param name="folder">Where the files lie; in memory when there is none.</param>
    /// <param name="caller">Sends all requests.</param>
    public static async Task<ServerFixture> StartAsync(
        OpenDatabaseCatalog? open = null, bool waitUntilOpen = true, TimeProvider? time = null, NodeTag? node = null, string? folder = null,
        Caller? caller = null)
    {
        ServerOptions options = Options with { NodeTag = node ?? NodeTag.Default };
        var probes = new DatabaseProbes();
        DatabaseCatalog databases = await DatabaseCatalog.OpenAsync(
            folder is null ? new MemoryPlatform() : new NativePlatform(), folder ?? "/data", new StorageOptions(),
            options.NodeTag, StandardExtensions.All, [probes], new Progress<RecoveryProgress>(), NullLogger.Instance,
            CancellationToken.None);
        await databases.PutRecordAsync("db1", Encoding.UTF8.GetBytes("""{"DatabaseName":"db1"}"""), null, default);
        var server = new JackdawServer(
            options, open ?? ((_, _, _) => Task.FromResult(databases)), NullLoggerFactory.Instance, time ?? TimeProvider.System,
            callers: caller is null ? null : _ => caller);
        await server.StartAsync(CancellationToken.None);
        if (waitUntilOpen)
        {
            await server.Opened;
        }

        var handler = new SocketsHttpHandler { AutomaticDecompression = DecompressionMethods.None };
        var client = new HttpClient(handler)
        {
            BaseAddress = new Uri(server.Address),
            Timeout = TimeSpan.FromSeconds(30),
        };
        return new ServerFixture(server, databases, probes, client);
    }

    public async ValueTask DisposeAsync()
    {
        Client.Dispose();
        await Server.DisposeAsync();
        await Databases.DisposeAsync(); // again, unless the server had another catalog
    }

    /// <summary>Sends a request; the path stands behind the database's.</summary>
    public Task<Answer> DbAsync(
        string method, string path, object? body = null, params (string Name, string Value)[] headers) =>
        SendAsync(method, $"/databases/db1{path}", body, headers);

    /// <inheritdoc cref="Answer.ToAsync"/>
    public Task<Answer> SendAsync(string method, string path, object? body = null, params (string Name, string Value)[] headers) =>
        Answer.ToAsync(Client, method, path, body, headers);

    public async Task PutAsync(string id, string json) =>
        Assert.Equal(201, (await DbAsync("PUT", $"/docs?id={id}", json)).Status);
}
