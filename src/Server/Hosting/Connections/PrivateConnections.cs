using System.Net;
using Microsoft.AspNetCore.Connections;

namespace Jackdaw.Server.Hosting.Connections;

/// <summary>Refuses connections from public addresses to a server without https.</summary>
internal static class PrivateConnections
{
    public static void Use(IConnectionBuilder listen, TimeProvider time) =>
        listen.Use(next => connection => IsServed(connection) ? next(connection) : RefuseAsync(connection, time));

    private static bool IsServed(ConnectionContext connection) =>
        connection.RemoteEndPoint is not IPEndPoint sender || NetworkAddresses.IsPrivate(sender.Address);

    private static async Task RefuseAsync(ConnectionContext connection, TimeProvider time)
    {
        await PlainAnswers.SayPrivateAsync(connection, time).ConfigureAwait(false);
        connection.Abort(new ConnectionAbortedException("The connection comes from a public address."));
    }
}
