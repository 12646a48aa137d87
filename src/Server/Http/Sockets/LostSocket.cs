using System.Net.WebSockets;

namespace Jackdaw.Server.Http.Sockets;

/// <summary>Tells the end of a websocket's connection from a fault of ours.</summary>
internal static class LostSocket
{
    /// <summary>Whether a failure to send or receive means that the client is gone, or that the connection was cut.</summary>
    public static bool IsCause(Exception failure) =>
        failure is WebSocketException or OperationCanceledException or IOException or ObjectDisposedException or InvalidOperationException;
}
