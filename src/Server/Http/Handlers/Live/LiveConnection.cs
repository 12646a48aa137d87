using System.Buffers;
using System.Net.WebSockets;
using System.Text.Json;
using Jackdaw.Server.Http.Limits;
using Jackdaw.Server.Http.Routing;
using Jackdaw.Server.Http.Sockets;
using Jackdaw.Server.Live;

namespace Jackdaw.Server.Http.Handlers.Live;

/// <summary>One websocket of live statistics. It sends the kept samples first, then a frame every second.</summary>
/// <remarks>A client that reads slowly gets what it missed in its next frame. One that does not read at all is cut.</remarks>
internal sealed class LiveConnection(WebSocket socket, RequestContext context)
{
    private readonly ServerState _server = context.Server;
    private readonly CancellationTokenSource _cut = new(); // not disposed, because the connection may be cut after its end
    private readonly ArrayBufferWriter<byte> _text = new();
    private long _sent; // number of the last sample that the client got

    /// <summary>Runs until the connection is closed by either side, or lost.</summary>
    public async Task RunAsync(CancellationToken aborted)
    {
        using CancellationTokenRegistration gone = aborted.Register(Cut);
        using CancellationTokenRegistration stopping = _server.Stopping.Token.Register(Cut);
        context.WhenAccessIsLost(Cut);
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

    private void Cut() => _ = _cut.CancelAsync();

    private async Task SendAllAsync()
    {
        await SendAsync("History").ConfigureAwait(false);
        while (true)
        {
            await _server.Live.WaitAsync(_sent, _cut.Token).ConfigureAwait(false);
            await SendAsync("Samples").ConfigureAwait(false);
        }
    }

    private async Task SendAsync(string member)
    {
        Write(member);
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(_cut.Token);
        limit.CancelAfter(HttpLimits.AnswerStepTime);
        await socket.SendAsync(_text.WrittenMemory, WebSocketMessageType.Text, endOfMessage: true, limit.Token).ConfigureAwait(false);
    }

    private void Write(string member)
    {
        IReadOnlyList<LiveSample> samples = _server.Live.After(_sent);
        _sent = samples.Count > 0 ? samples[^1].Number : _sent;
        _text.ResetWrittenCount();
        using var json = new Utf8JsonWriter(_text);
        json.WriteStartObject();
        json.WriteStartArray(member);
        foreach (LiveSample sample in samples)
        {
            LiveText.Write(json, sample, name => context.Caller.MayKnowOf(name));
        }

        json.WriteEndArray();
        WriteStates(json);
        json.WriteEndObject();
    }

    private void WriteStates(Utf8JsonWriter json)
    {
        json.WriteStartArray("States"u8);
        foreach (DatabaseState state in _server.Live.States)
        {
            if (context.Caller.MayKnowOf(state.Name))
            {
                LiveText.Write(json, state);
            }
        }

        json.WriteEndArray();
    }

    // What a client sends means nothing here, but its close frame and its end have to be seen.
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
            bool isAway = _server.Stopping.IsCancellationRequested;
            Task closed = isAway
                ? socket.CloseOutputAsync(WebSocketCloseStatus.EndpointUnavailable, "The server is stopping.", limit.Token)
                : socket.CloseOutputAsync(WebSocketCloseStatus.NormalClosure, "", limit.Token);
            await closed.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }
}
