using System.Net;
using Jackdaw.Security.Auditing;
using Microsoft.AspNetCore.Connections;

namespace Jackdaw.Server.Hosting.Connections;

/// <summary>Refuses connections from public addresses to a server without https.</summary>
internal static class PrivateConnections
{
    /// <param name="audit">Records the refusals; null for a server without such a log.</param>
    public static void Use(IConnectionBuilder listen, TimeProvider time, AuditLog? audit) =>
        listen.Use(next => connection => IsServed(connection) ? next(connection) : RefuseAsync(connection, time, audit));

    private static bool IsServed(ConnectionContext connection) =>
        connection.RemoteEndPoint is not IPEndPoint sender || NetworkAddresses.IsPrivate(sender.Address);

    private static async Task RefuseAsync(ConnectionContext connection, TimeProvider time, AuditLog? audit)
    {
        audit?.RefuseConnection((connection.RemoteEndPoint as IPEndPoint)?.Address, "a public address");
        await PlainAnswers.SayPrivateAsync(connection, time).ConfigureAwait(false);
        connection.Abort(new ConnectionAbortedException("The connection comes from a public address."));
    }
}
