using System.Net.Sockets;

namespace Jackdaw.Client.Tests.Harness;

/// <summary>Connections of one store that a test can cut, those of websockets as well.</summary>
internal sealed class CuttableConnections
{
    private readonly Lock _lock = new(); // guards the sockets
    private readonly List<Socket> _sockets = [];

    public CuttableConnections() => Handler = new SocketsHttpHandler
    {
        ConnectCallback = async (context, token) =>
        {
            var socket = new Socket(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
            try
            {
                await socket.ConnectAsync(context.DnsEndPoint, token);
            }
            catch
            {
                socket.Dispose();
                throw;
            }

            lock (_lock)
            {
                _sockets.RemoveAll(static known => !known.Connected);
                _sockets.Add(socket);
            }

            return new NetworkStream(socket, ownsSocket: true);
        },
    };

    public SocketsHttpHandler Handler { get; }

    /// <summary>Cuts all of them, in the middle of whatever they carry.</summary>
    public void Cut()
    {
        lock (_lock)
        {
            _sockets.ForEach(static socket => socket.Close(0));
            _sockets.Clear();
        }
    }
}
