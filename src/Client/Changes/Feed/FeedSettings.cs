using System.Net.WebSockets;
using Jackdaw.Client.Diagnostics;

namespace Jackdaw.Client.Changes.Feed;

/// <summary>Where notices come from, and which clock is used.</summary>
/// <param name="Servers">At least one; after a failed attempt the next one is tried.</param>
/// <param name="Connect">Opens a websocket. The token ends the attempt.</param>
internal sealed record FeedSettings(IReadOnlyList<Uri> Servers, string Database, Func<Uri, CancellationToken, ValueTask<WebSocket>> Connect)
{
    public TimeProvider Time { get; init; } = TimeProvider.System;

    /// <summary>The log of what happens to the connection.</summary>
    public ClientLog Log { get; init; } = ClientLog.None;

    /// <summary>The seed that spreads the attempts of clients that lost the same server. Null for a different one in each feed.</summary>
    public Random? Jitter { get; init; }

    /// <summary>Address of the extended notices, which have etags, gaps and names.</summary>
    public Uri AddressOf(int server)
    {
        Uri url = Servers[server % Servers.Count];
        string scheme = url.Scheme is "https" or "wss" ? "wss" : "ws";
        return new Uri($"{scheme}://{url.Authority}/databases/{Uri.EscapeDataString(Database)}/changes?extended=true");
    }
}
