using Jackdaw.Client.Operations;
using Jackdaw.Server;
using Jackdaw.Server.Configuration;
using Jackdaw.Server.Hosting;
using Microsoft.Extensions.Logging.Abstractions;

namespace Jackdaw.Client.Tests.Harness;

/// <summary>A server in this process that listens on a port, for what only real sockets do; with files, it can stop and come back.</summary>
internal sealed class SocketServer : IAsyncDisposable
{
    private readonly string? _folder;
    private JackdawServer _server;

    private SocketServer(string? folder, JackdawServer server) => (_folder, _server) = (folder, server);

    public string Url => _server.Address;

    /// <summary>A server with files in memory.</summary>
    /// <param name="database">One that it has; null: none.</param>
    public static async Task<SocketServer> StartAsync(string? database = null)
    {
        var server = new SocketServer(null, await StartAsync(null, 0));
        if (database is not null)
        {
            await server.CreateAsync(database);
        }

        return server;
    }

    /// <summary>A server with real files, and a database.</summary>
    public static async Task<SocketServer> StartWithFilesAsync(string database)
    {
        string folder = Directory.CreateTempSubdirectory("jackdaw-client-").FullName;
        var server = new SocketServer(folder, await StartAsync(folder, 0));
        await server.CreateAsync(database);
        return server;
    }

    /// <summary>Stops it and starts it again, at the same address and with the same files.</summary>
    public async Task RestartAsync()
    {
        int port = new Uri(Url).Port;
        await _server.DisposeAsync();
        _server = await StartAsync(_folder, port);
    }

    public async ValueTask DisposeAsync()
    {
        await _server.DisposeAsync();
        if (_folder is not null)
        {
            Directory.Delete(_folder, recursive: true);
        }
    }

    private async Task CreateAsync(string database)
    {
        using var store = new DocumentStore(Url);
        store.Initialize();
        await store.Maintenance.Server.SendAsync(new CreateDatabaseOperation(database));
    }

    private static async Task<JackdawServer> StartAsync(string? folder, int port)
    {
        var options = new ServerOptions { ServerUrl = new ListenAddress("127.0.0.1", port), DataDir = folder ?? "unused", RunInMemory = folder is null };
        var server = new JackdawServer(
            options,
            (options, progress, token) => ServerDatabases.OpenAsync(options, TimeProvider.System, NullLogger.Instance, progress, token),
            NullLoggerFactory.Instance,
            TimeProvider.System);
        await server.StartAsync(default);
        await server.Opened;
        return server;
    }
}
