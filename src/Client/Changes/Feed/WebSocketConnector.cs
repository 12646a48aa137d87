using System.Net;
using System.Net.WebSockets;
using Jackdaw.Client.Exceptions;
using Jackdaw.Client.Http;

namespace Jackdaw.Client.Changes.Feed;

/// <summary>Opens websockets over the connections of a store, with its certificates and proxies.</summary>
internal static class WebSocketConnector
{
    public static Func<Uri, CancellationToken, ValueTask<WebSocket>> Over(HttpTransport transport) =>
        (address, token) => ConnectAsync(transport, address, token);

    private static async ValueTask<WebSocket> ConnectAsync(HttpTransport transport, Uri address, CancellationToken token)
    {
        var socket = new ClientWebSocket();
        socket.Options.CollectHttpResponseDetails = true;
        try
        {
            await socket.ConnectAsync(address, transport.Client, token).ConfigureAwait(false);
            return socket;
        }
        catch (WebSocketException refused) when (socket.HttpStatusCode != 0)
        {
            HttpStatusCode status = socket.HttpStatusCode;
            using (socket)
            {
                throw await transport.TryExplainAsync(AsHttp(address), status, token).ConfigureAwait(false)
                    ?? new DocumentDatabaseException($"{address} answered {(int)status} instead of opening a websocket.", refused)
                    {
                        RequestUri = address,
                        StatusCode = (int)status,
                    };
            }
        }
        catch (WebSocketException failed) when (failed.InnerException is HttpRequestException
        {
            HttpRequestError: HttpRequestError.SecureConnectionError,
        })
        {
            socket.Dispose();
            throw new DocumentDatabaseException(ConnectionFailures.ReasonOf(failed.InnerException), failed) { RequestUri = address };
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    private static Uri AsHttp(Uri address) => new UriBuilder(address) { Scheme = address.Scheme == "wss" ? "https" : "http" }.Uri;
}
