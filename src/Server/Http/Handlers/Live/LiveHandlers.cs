using System.Net.WebSockets;
using Jackdaw.Documents.Callers;
using Jackdaw.Server.Http.Routing;
using Jackdaw.Server.Http.Sockets;

namespace Jackdaw.Server.Http.Handlers.Live;

/// <summary>The websocket with the statistics of the server and its databases, once a second.</summary>
internal static class LiveHandlers
{
    public static void Map(RouteTable routes) =>
        routes
            .Server("GET", "/live/statistics", Access.ValidUser, RouteTraits.Streams, static context =>
                FollowAsync(context, socket => new LiveConnection(socket, context)))
            .Says("Follows what the server and its databases do, once a second, by a websocket.")
            .AnswersEmpty(101, "The websocket.");

    /// <summary>Turns the request into a websocket that sends, until it ends.</summary>
    public static async ValueTask FollowAsync(RequestContext context, Func<WebSocket, FeedConnection> connect)
    {
        if (WebSocketUpgrade.Check(context) is { } refusal)
        {
            context.Response.Headers.SecWebSocketVersion = "13";
            await context.Send(refusal).ConfigureAwait(false);
            return;
        }

        using WebSocket socket = await WebSocketUpgrade.AcceptAsync(context).ConfigureAwait(false);
        context.EndMeasurement();
        await connect(socket).RunAsync(context.Aborted).ConfigureAwait(false);
    }
}
