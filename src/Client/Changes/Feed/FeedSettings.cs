using System.Net.WebSockets;

namespace Jackdaw.Client.Changes.Feed;

/// <summary>Where notices come from, and with whose clock.</summary>
/// <param name="Servers">At least one; after a failed attempt the next one is tried.</param>
/// <param name="Connect">Opens a websocket. Its token ends the attempt.</param>
internal sealed record FeedSettings(IReadOnlyList<Uri> Servers, string Database, Func<Uri, CancellationToken, ValueTask<WebSocket>> Connect)
{
    public TimeProvider Time { get; init; } = TimeProvider.System;

    /// <summary>Spreads the attempts of clients that lost the same server. Null: another one for each feed.</summary>
    public Random? Jitter { get; init; }

    /// <summary>Address of the notices, in the form with etags, gaps and names.</summary>
    public Uri AddressOf(int server)
    {
        Uri url = Servers[server % Servers.Count];
        string scheme = url.Scheme is "https" or "wss" ? "wss" : "ws";
        return new Uri($"{scheme}://{url.Authority}/databases/{Uri.EscapeDataString(Database)}/changes?extended=true");
    }
}
