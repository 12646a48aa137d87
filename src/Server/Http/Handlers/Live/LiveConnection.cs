using System.Buffers;
using System.Net.WebSockets;
using System.Text.Json;
using Jackdaw.Documents.Databases;
using Jackdaw.Server.Http.Limits;
using Jackdaw.Server.Http.Routing;
using Jackdaw.Server.Live;

namespace Jackdaw.Server.Http.Handlers.Live;

/// <summary>One websocket that gets the live statistics: first what was kept, then a frame for each second.</summary>
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
        catch (Exception lost) when (lost is WebSocketException or OperationCanceledException or IOException
            or ObjectDisposedException or InvalidOperationException)
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
        await SendAsync("History"u8.ToArray()).ConfigureAwait(false);
        while (true)
        {
            await _server.Live.WaitAsync(_sent, _cut.Token).ConfigureAwait(false);
            await SendAsync("Samples"u8.ToArray()).ConfigureAwait(false);
        }
    }

    private async Task SendAsync(byte[] member)
    {
        Write(member);
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(_cut.Token);
        limit.CancelAfter(HttpLimits.AnswerStepTime);
        await socket.SendAsync(_text.WrittenMemory, WebSocketMessageType.Text, endOfMessage: true, limit.Token).ConfigureAwait(false);
    }

    private void Write(ReadOnlySpan<byte> member)
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
        foreach (DatabaseRecord record in context.Databases.ListRecords())
        {
            if (context.Caller.MayKnowOf(record.Name))
            {
                LiveText.Write(json, DatabaseState.Read(record, context.Databases.Find(record.Name)));
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
