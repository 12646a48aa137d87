using Jackdaw.Server;
using Jackdaw.Server.Configuration;
using Jackdaw.Server.Hosting;
using Microsoft.Extensions.Logging.Abstractions;

namespace Jackdaw.Client.Tests.Harness;

/// <summary>A server in this process that listens on a port, for what only real sockets do.</summary>
internal sealed class SocketServer : IAsyncDisposable
{
    private readonly JackdawServer _server;

    private SocketServer(JackdawServer server) => _server = server;

    public string Url => _server.Address;

    public static async Task<SocketServer> StartAsync()
    {
        var options = new ServerOptions { ServerUrl = new ListenAddress("127.0.0.1", 0), DataDir = "unused", RunInMemory = true };
        var server = new JackdawServer(
            options,
            (options, progress, token) => ServerDatabases.OpenAsync(options, TimeProvider.System, NullLogger.Instance, progress, token),
            NullLoggerFactory.Instance,
            TimeProvider.System);
        await server.StartAsync(default);
        await server.Opened;
        return new SocketServer(server);
    }

    public ValueTask DisposeAsync() => _server.DisposeAsync();
}
