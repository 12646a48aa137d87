using System.Net.Sockets;
using System.Net.WebSockets;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using System.Text.Json;

namespace Jackdaw.Server.Tests.Notices;

/// <summary>A websocket that keeps what it is sent. Reads only when it is asked to.</summary>
internal sealed class NoticeClient : IDisposable
{
    private const int TcpLevel = 6;
    private const int MaxSegmentOption = 2;

    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(30);

    private readonly ClientWebSocket _socket = new();
    private readonly byte[] _buffer = new byte[64 * 1024];
    private int _lastCommand;

    /// <summary>Notices in their order, confirmations among them.</summary>
    public List<JsonElement> Received { get; } = [];

    /// <summary>Texts of the frames.</summary>
    public List<string> Frames { get; } = [];

    public WebSocketCloseStatus? CloseStatus => _socket.CloseStatus;

    public string? CloseReason => _socket.CloseStatusDescription;

    public IEnumerable<JsonElement> Changes => Of("DocumentChange");

    /// <summary>Type and id of the document changes.</summary>
    public string Told => string.Join(", ", Changes.Select(change => $"{change.GetProperty("Type")} {change.GetProperty("Id")}"));

    /// <summary>Whether the last thing that was told is a change of this document.</summary>
    public bool EndsWith(string documentId) => Received.Count > 0 && Received[^1].TryGetProperty("Value", out JsonElement last)
        && last.TryGetProperty("Id", out JsonElement id) && id.GetString() == documentId;

    /// <summary>Connects; to a server with https it shows the certificate, or sends the header of a session.</summary>
    public static async Task<NoticeClient> ConnectAsync(
        Uri server, string path, int? receiveBufferBytes = null, X509Certificate2? certificate = null, (string Name, string Value)? header = null)
    {
        var client = new NoticeClient();
        using var limit = new CancellationTokenSource(s_patience);
        using var handler = new SocketsHttpHandler
        {
            ConnectCallback = async (context, token) =>
            {
                var socket = new Socket(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
                if (receiveBufferBytes is { } bytes)
                {
                    socket.ReceiveBufferSize = bytes;
                    if (OperatingSystem.IsLinux())
                    {
                        // Small segments: otherwise the system takes megabytes for a loopback connection that does not read.
                        socket.SetRawSocketOption(TcpLevel, MaxSegmentOption, BitConverter.GetBytes(536));
                    }
                }

                await socket.ConnectAsync(context.DnsEndPoint, token);
                return new NetworkStream(socket, ownsSocket: true);
            },
        };
        handler.SslOptions.RemoteCertificateValidationCallback = (_, _, _, _) => true;
        handler.SslOptions.LocalCertificateSelectionCallback = (_, _, _, _, _) => certificate!;
        using var invoker = new HttpMessageInvoker(handler, disposeHandler: false);
        if (header is { } sent)
        {
            client._socket.Options.SetRequestHeader(sent.Name, sent.Value);
        }

        await client._socket.ConnectAsync(new Uri($"{(server.Scheme == Uri.UriSchemeHttps ? "wss" : "ws")}://{server.Authority}{path}"), invoker, limit.Token);
        return client;
    }

    public IEnumerable<JsonElement> Of(string type) => Received
        .Where(notice => notice.TryGetProperty("Type", out JsonElement of) && of.GetString() == type)
        .Select(notice => notice.TryGetProperty("Value", out JsonElement value) ? value : notice);

    /// <summary>Sends a command and reads until it is confirmed.</summary>
    public async Task CommandAsync(string command, string? param = null) =>
        Assert.True(await TryCommandAsync(command, param), $"The connection ended: {CloseReason}");

    /// <summary>As <see cref="CommandAsync"/>; false when the connection ends before.</summary>
    public async Task<bool> TryCommandAsync(string command, string? param = null)
    {
        int id = ++_lastCommand;
        try
        {
            await SendAsync(JsonSerializer.Serialize(new { CommandId = id, Command = command, Param = param }));
        }
        catch (WebSocketException)
        {
            return false;
        }

        return await TryReadUntilAsync(() => Received.Exists(notice =>
            notice.TryGetProperty("CommandId", out JsonElement confirmed) && confirmed.GetInt32() == id));
    }

    public Task SendAsync(string text) => SendAsync(Encoding.UTF8.GetBytes(text), WebSocketMessageType.Text);

    public async Task SendAsync(byte[] bytes, WebSocketMessageType type)
    {
        using var limit = new CancellationTokenSource(s_patience);
        await _socket.SendAsync(bytes, type, endOfMessage: true, limit.Token);
    }

    /// <summary>Reads until something is there; false when the connection ends before.</summary>
    public async Task<bool> TryReadUntilAsync(Func<bool> isDone)
    {
        while (!isDone())
        {
            if (!await ReadFrameAsync())
            {
                return false;
            }
        }

        return true;
    }

    public async Task ReadUntilAsync(Func<bool> isDone) => Assert.True(await TryReadUntilAsync(isDone), $"The connection ended: {CloseReason}");

    /// <summary>Reads until the server ends the connection, and answers that.</summary>
    public async Task ReadToEndAsync()
    {
        while (await ReadFrameAsync())
        {
        }
    }

    /// <summary>Reads one frame; false when it is the end, which is answered.</summary>
    public async Task<bool> ReadFrameAsync()
    {
        using var limit = new CancellationTokenSource(s_patience);
        var text = new MemoryStream();
        WebSocketReceiveResult part;
        do
        {
            try
            {
                part = await _socket.ReceiveAsync(_buffer, limit.Token);
            }
            catch (WebSocketException)
            {
                return false;
            }

            text.Write(_buffer, 0, part.Count);
        }
        while (!part.EndOfMessage);
        if (part.MessageType == WebSocketMessageType.Close)
        {
            await EndAsync();
            return false;
        }

        string frame = Encoding.UTF8.GetString(text.GetBuffer(), 0, (int)text.Length);
        Frames.Add(frame);
        Received.AddRange(JsonDocument.Parse(frame).RootElement.EnumerateArray());
        return true;
    }

    /// <summary>Says that it ends, and waits for the answer.</summary>
    public async Task CloseAsync()
    {
        using var limit = new CancellationTokenSource(s_patience);
        await _socket.CloseAsync(WebSocketCloseStatus.NormalClosure, null, limit.Token);
    }

    public void Dispose() => _socket.Dispose();

    private async Task EndAsync()
    {
        try
        {
            using var limit = new CancellationTokenSource(s_patience);
            await _socket.CloseOutputAsync(WebSocketCloseStatus.NormalClosure, null, limit.Token);
        }
        catch (WebSocketException)
        {
            // The server has gone already.
        }
    }
}
