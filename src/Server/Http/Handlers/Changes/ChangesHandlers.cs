using System.Net.WebSockets;
using Jackdaw.Documents.Callers;
using Jackdaw.Server.Http.Descriptions;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Routing;
using Jackdaw.Server.Http.Sockets;
using Jackdaw.Server.Notices;

namespace Jackdaw.Server.Http.Handlers.Changes;

/// <summary>The websocket by which clients follow a database.</summary>
internal static class ChangesHandlers
{
    public static void Map(RouteTable routes) =>
        routes.Database("GET", "/changes", Access.Read, RouteTraits.Streams, FollowAsync)
            .Says("Follows the changes of a database by a websocket.")
            .Takes(
                Input.Flag("throttleConnection", "Sent by clients; every client gets everything, as fast as it reads."),
                Input.Flag("extended", "Whether the server says more than official clients understand."))
            .AnswersEmpty(101, "The websocket.");

    private static async ValueTask FollowAsync(RequestContext context)
    {
        // Official clients send it. Here every client gets everything, as fast as it reads.
        context.Query.GetFlag("throttleConnection");
        bool isExtended = context.Query.GetFlag("extended");
        if (WebSocketUpgrade.Check(context) is { } refusal)
        {
            context.Response.Headers.SecWebSocketVersion = "13";
            await context.Send(refusal).ConfigureAwait(false);
            return;
        }

        var reader = new NoticeReader(isExtended);
        if (context.Database.FindPart<DatabaseNotices>() is not { } notices || !notices.TryAdd(reader))
        {
            await context.Send(Problem.Unavailable(
                ProblemTypes.DatabaseLoading, $"Database '{context.Database.Name}' is being closed; try again in a moment.")).ConfigureAwait(false);
            return;
        }

        try
        {
            using WebSocket socket = await WebSocketUpgrade.AcceptAsync(context).ConfigureAwait(false);
            context.EndMeasurement();
            context.Server.AddChangesConnections(1);
            using CancellationTokenRegistration stopping = context.Server.Stopping.Token.Register(
                () => reader.EndWith(new NoticeEnd(NoticeEndKind.Away, "The server is stopping.")));
            await new ChangesConnection(socket, reader, notices.Kinds, context).RunAsync(context.Aborted).ConfigureAwait(false);
        }
        finally
        {
            notices.Remove(reader);
            if (context.Response.StatusCode == StatusCodes.Status101SwitchingProtocols)
            {
                context.Server.AddChangesConnections(-1);
            }
        }
    }
}
