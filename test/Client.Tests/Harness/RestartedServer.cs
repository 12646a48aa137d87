using Jackdaw.Server;
using Jackdaw.Server.Configuration;
using Jackdaw.Server.Hosting;
using Microsoft.Extensions.Logging.Abstractions;

namespace Jackdaw.Client.Tests.Harness;

/// <summary>A server in this process with real files and sockets, which stops and comes back at the same address.</summary>
internal sealed class RestartedServer : IAsyncDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("jackdaw-client-").FullName;
    private JackdawServer? _server;
    private int _port;

    public string Address { get; private set; } = "";

    public static async Task<RestartedServer> StartAsync(string database)
    {
        var restarted = new RestartedServer();
        await restarted.StartAsync();
        using var store = new DocumentStore(restarted.Address);
        store.Initialize();
        await store.Maintenance.Server.SendAsync(new Client.Operations.CreateDatabaseOperation(database));
        return restarted;
    }

    public async Task RestartAsync()
    {
        await _server!.DisposeAsync();
        await StartAsync();
    }

    public async ValueTask DisposeAsync()
    {
        await _server!.DisposeAsync();
        Directory.Delete(_folder, recursive: true);
    }

    private async Task StartAsync()
    {
        var options = new ServerOptions { ServerUrl = new ListenAddress("127.0.0.1", _port), DataDir = _folder };
        _server = new JackdawServer(
            options,
            (options, progress, token) => ServerDatabases.OpenAsync(options, TimeProvider.System, NullLogger.Instance, progress, token),
            NullLoggerFactory.Instance,
            TimeProvider.System);
        await _server.StartAsync(default);
        await _server.Opened;
        Address = _server.Address;
        _port = new Uri(Address).Port;
    }
}
