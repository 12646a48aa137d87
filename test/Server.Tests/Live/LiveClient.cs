using System.Diagnostics;
using System.Net.WebSockets;
using System.Text.Json;

namespace Jackdaw.Server.Tests.Live;

/// <summary>A websocket of live statistics.</summary>
internal sealed class LiveClient : IDisposable
{
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(30);

    private readonly ClientWebSocket _socket = new();

    public WebSocketCloseStatus? CloseStatus => _socket.CloseStatus;

    public static async Task<LiveClient> ConnectAsync(
        ServerFixture server, Action<ClientWebSocketOptions>? options = null, string path = "/live/statistics")
    {
        var client = new LiveClient();
        options?.Invoke(client._socket.Options);
        using var limit = new CancellationTokenSource(s_patience);
        string scheme = server.Address.Scheme == Uri.UriSchemeHttps ? "wss" : "ws";
        await client._socket.ConnectAsync(new Uri($"{scheme}://{server.Address.Authority}{path}"), limit.Token);
        return client;
    }

    /// <summary>Reads one frame; null when the connection has ended.</summary>
    public async Task<JsonElement?> ReadAsync()
    {
        using var limit = new CancellationTokenSource(s_patience);
        var text = new MemoryStream();
        byte[] buffer = new byte[64 * 1024];
        ValueWebSocketReceiveResult part;
        do
        {
            try
            {
                part = await _socket.ReceiveAsync(buffer.AsMemory(), limit.Token);
            }
            catch (WebSocketException)
            {
                return null;
            }

            text.Write(buffer, 0, part.Count);
        }
        while (!part.EndOfMessage);
        if (part.MessageType == WebSocketMessageType.Close)
        {
            return null;
        }

        text.Position = 0;
        using JsonDocument frame = await JsonDocument.ParseAsync(text);
        return frame.RootElement.Clone();
    }

    /// <summary>Reads frames until one holds.</summary>
    public async Task<JsonElement> ReadUntilAsync(Func<JsonElement, bool> isIt)
    {
        long began = Stopwatch.GetTimestamp();
        while (true)
        {
            Assert.True(Stopwatch.GetElapsedTime(began) < s_patience, "The frame did not come.");
            JsonElement frame = await ReadAsync() ?? throw new InvalidOperationException("The connection has ended.");
            if (isIt(frame))
            {
                return frame;
            }
        }
    }

    public void Dispose() => _socket.Dispose();
}
