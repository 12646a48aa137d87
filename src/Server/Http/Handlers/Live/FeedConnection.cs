using System.Buffers;
using System.Net.WebSockets;
using System.Text.Json;
using Jackdaw.Documents.Answers;
using Jackdaw.Server.Http.Limits;
using Jackdaw.Server.Http.Routing;
using Jackdaw.Server.Http.Sockets;

namespace Jackdaw.Server.Http.Handlers.Live;

/// <summary>One websocket that only sends: JSON texts, until either side closes it, the access is lost or the server stops.</summary>
/// <remarks>A client that does not read at all is cut. What a client sends means nothing.</remarks>
internal abstract class FeedConnection(WebSocket socket, RequestContext context)
{
    private readonly CancellationTokenSource _cut = new(); // not disposed, because the connection may be cut after its end
    private readonly ArrayBufferWriter<byte> _text = new();

    protected RequestContext Context { get; } = context;

    protected ServerState Server => Context.Server;

    /// <summary>Fires when the connection ends.</summary>
    protected CancellationToken Ended => _cut.Token;

    /// <summary>Runs until the connection is closed by either side, or lost.</summary>
    public async Task RunAsync(CancellationToken aborted)
    {
        using CancellationTokenRegistration gone = aborted.Register(Cut);
        using CancellationTokenRegistration stopping = Server.Stopping.Token.Register(Cut);
        Context.WhenAccessIsLost(Cut);
        Task receiving = ReceiveAsync();
        try
        {
            await SendAllAsync().ConfigureAwait(false);
        }
        catch (Exception lost) when (LostSocket.IsCause(lost))
        {
            // The client is gone or does not read, the server stops, or the access is lost.
        }
        finally
        {
            await CloseAsync().ConfigureAwait(false);
            socket.Abort();
            await receiving.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }

    /// <summary>Sends frames until <see cref="Ended"/> fires.</summary>
    protected abstract Task SendAllAsync();

    /// <summary>Sends one text.</summary>
    protected async Task SendAsync(Action<Utf8JsonWriter> write)
    {
        _text.ResetWrittenCount();
        await using (var json = new Utf8JsonWriter(_text, JsonAnswers.WriterOptions))
        {
            write(json);
        }

        using var limit = CancellationTokenSource.CreateLinkedTokenSource(_cut.Token);
        limit.CancelAfter(HttpLimits.AnswerStepTime);
        await socket.SendAsync(_text.WrittenMemory, WebSocketMessageType.Text, endOfMessage: true, limit.Token).ConfigureAwait(false);
    }

    private void Cut() => _ = _cut.CancelAsync();

    // A close frame and the end of the connection have to be seen.
    private async Task ReceiveAsync()
    {
        byte[] ignored = new byte[64];
        try
        {
            while ((await socket.ReceiveAsync(ignored.AsMemory(), _cut.Token).ConfigureAwait(false)).MessageType != WebSocketMessageType.Close)
            {
            }
        }
        finally
        {
            Cut();
        }
    }

    private async Task CloseAsync()
    {
        if (socket.State is WebSocketState.Open or WebSocketState.CloseReceived)
        {
            using var limit = new CancellationTokenSource(HttpLimits.SocketCloseTime);
            bool isAway = Server.Stopping.IsCancellationRequested;
            Task closed = isAway
                ? socket.CloseOutputAsync(WebSocketCloseStatus.EndpointUnavailable, "The server is stopping.", limit.Token)
                : socket.CloseOutputAsync(WebSocketCloseStatus.NormalClosure, "", limit.Token);
            await closed.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }
}
