using System.Net.WebSockets;
using Jackdaw.Client.Exceptions;

namespace Jackdaw.Client.Changes.Feed;

/// <summary>Opens websockets over the connections of a store, with its certificates and proxies.</summary>
internal static class WebSocketConnector
{
    public static Func<Uri, CancellationToken, ValueTask<WebSocket>> Over(HttpMessageInvoker http) => (address, token) => ConnectAsync(http, address, token);

    private static async ValueTask<WebSocket> ConnectAsync(HttpMessageInvoker http, Uri address, CancellationToken token)
    {
        var socket = new ClientWebSocket();
        socket.Options.CollectHttpResponseDetails = true;
        try
        {
            await socket.ConnectAsync(address, http, token).ConfigureAwait(false);
            return socket;
        }
        catch (WebSocketException refused) when (socket.HttpStatusCode != 0)
        {
            using (socket)
            {
                throw new DocumentDatabaseException($"{address} answered {(int)socket.HttpStatusCode} instead of opening a websocket.", refused)
                {
                    RequestUri = address,
                    StatusCode = (int)socket.HttpStatusCode,
                };
            }
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }
}
