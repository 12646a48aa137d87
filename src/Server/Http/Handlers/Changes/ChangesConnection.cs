using System.Buffers;
using System.Net.WebSockets;
using System.Text;
using System.Text.Json;
using Jackdaw.Documents.Callers;
using Jackdaw.Json;
using Jackdaw.Security.Auditing;
using Jackdaw.Server.Http.Limits;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Routing;
using Jackdaw.Server.Http.Sockets;
using Jackdaw.Server.Notices;

namespace Jackdaw.Server.Http.Handlers.Changes;

/// <summary>One websocket of a client that follows a database: commands in, frames of notices out.</summary>
/// <remarks>It runs two loops: one reads commands, the other sends frames. Between frames it holds only a small buffer for commands.</remarks>
internal sealed class ChangesConnection(WebSocket socket, NoticeReader reader, WatchKinds kinds, RequestContext context)
{
    private const string Subject = "A websocket of changes";

    /// <summary>The bytes that are read at once: more than most commands have.</summary>
    private const int ReadBytes = 256;

    /// <summary>The time between two checks whether a heartbeat has to be sent, or the client does not take a frame.</summary>
    private static readonly TimeSpan s_lookTime = TimeSpan.FromSeconds(1);

    private readonly TimeProvider _time = context.Server.Time;

    // Read now, because the access is lost on another thread, when the request may have ended and its parts are gone.
    private readonly Caller _caller = context.Caller;
    private readonly Access _access = context.Access;
    private readonly string _database = context.DatabaseName ?? "";
    private readonly AuditSender _sender = AuditedRequests.SenderOf(context);
    private readonly AuditLog? _audit = context.Server.Audit;
    private readonly CancellationTokenSource _cut = new(); // not disposed, because the connection may be cut after its end
    private long _sentAt = context.Server.Time.GetTimestamp();
    private long _sendingSince; // 0: nothing is being sent
    private ITimer? _looking;

    /// <summary>Runs until the connection is closed by either side, or lost.</summary>
    public async Task RunAsync(CancellationToken aborted)
    {
        using CancellationTokenRegistration gone = aborted.Register(Cut);
        using ITimer looking = _looking = _time.CreateTimer(_ => Look(), null, s_lookTime, Timeout.InfiniteTimeSpan);
        reader.Missed += Cut;
        context.WhenAccessIsLost(EndWithoutAccess);
        Task receiving = ReceiveAsync();
        try
        {
            await SendAllAsync().ConfigureAwait(false);
            await receiving.WaitAsync(HttpLimits.SocketCloseTime, _time, CancellationToken.None).ConfigureAwait(false);
        }
        catch (Exception lost) when (LostSocket.IsCause(lost) || lost is TimeoutException)
        {
            // The client is gone, does not read, or does not answer the close frame.
        }
        finally
        {
            reader.Missed -= Cut;
            Cut();
            socket.Abort();
            await receiving.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }

    private void EndWithoutAccess()
    {
        try
        {
            _caller.Demand(_access, _database, Subject);
        }
        catch (AccessDeniedException denied)
        {
            AuditedRequests.Refuse(_audit, _sender, _database, Subject, _access);
            reader.EndWith(new NoticeEnd(NoticeEndKind.Denied, $"{ProblemTypes.InvalidAuth}: {denied.Message}"));
        }
    }

    // The thread that cuts the connection does not run the continuations.
    private void Cut() => _ = _cut.CancelAsync();

    private void Look()
    {
        long since = Volatile.Read(ref _sendingSince);
        if (since != 0 && _time.GetElapsedTime(since) > HttpLimits.AnswerStepTime)
        {
            Cut();
        }
        else if (IsHeartbeatDue)
        {
            reader.Wake();
        }

        _looking?.Change(s_lookTime, Timeout.InfiniteTimeSpan);
    }

    private bool IsHeartbeatDue => _time.GetElapsedTime(Volatile.Read(ref _sentAt)) >= HttpLimits.HeartbeatTime;

    private async Task SendAllAsync()
    {
        await SendAsync(Encoding.ASCII.GetBytes(reader.IsExtended
            ? """[{"TopologyChange":true,"AggressiveCachingChange":true,"ExtendedNotices":true}]"""
            : """[{"TopologyChange":true,"AggressiveCachingChange":true}]""")).ConfigureAwait(false);
        using var frame = new PooledBuffer();
        long? endedAt = null;
        while (true)
        {
            // The end is read first, so that all notices that were handed out before it are sent.
            NoticeEnd? end = reader.End;
            endedAt ??= end is null ? null : _time.GetTimestamp();
            bool isOverdue = endedAt is { } ended && _time.GetElapsedTime(ended) > HttpLimits.SocketCloseTime;
            if (!isOverdue && reader.TryFill(frame))
            {
                await SendAsync(frame.Slice(0, frame.Length)).ConfigureAwait(false);
                continue;
            }

            if (end is not null)
            {
                await CloseAsync(end).ConfigureAwait(false);
                return;
            }

            frame.Dispose(); // while there is nothing to send, others can use its memory
            if (IsHeartbeatDue)
            {
                await SendAsync("[]"u8.ToArray()).ConfigureAwait(false);
            }

            await reader.WaitAsync(_cut.Token).ConfigureAwait(false);
        }
    }

    private async ValueTask SendAsync(ReadOnlyMemory<byte> text)
    {
        Volatile.Write(ref _sendingSince, Math.Max(1, _time.GetTimestamp()));
        await socket.SendAsync(text, WebSocketMessageType.Text, endOfMessage: true, _cut.Token).ConfigureAwait(false);
        Volatile.Write(ref _sendingSince, 0);
        Volatile.Write(ref _sentAt, _time.GetTimestamp());
    }

    private async Task CloseAsync(NoticeEnd end)
    {
        if (end.Kind is not (NoticeEndKind.Away or NoticeEndKind.Closed))
        {
            await SendAsync(ErrorOf(end.Reason)).ConfigureAwait(false);
        }

        WebSocketCloseStatus status = end.Kind switch
        {
            NoticeEndKind.Away => WebSocketCloseStatus.EndpointUnavailable,
            NoticeEndKind.Closed => WebSocketCloseStatus.NormalClosure,
            NoticeEndKind.TooLarge => WebSocketCloseStatus.MessageTooBig,
            NoticeEndKind.NotText => WebSocketCloseStatus.InvalidMessageType,
            _ => WebSocketCloseStatus.PolicyViolation,
        };
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(_cut.Token);
        limit.CancelAfter(HttpLimits.SocketCloseTime);
        await socket.CloseOutputAsync(status, ShortenReason(end.Reason), limit.Token).ConfigureAwait(false);
    }

    private static byte[] ErrorOf(string reason)
    {
        var text = new ArrayBufferWriter<byte>();
        using var json = new Utf8JsonWriter(text);
        json.WriteStartArray();
        json.WriteStartObject();
        json.WriteString("Type"u8, "Error"u8);
        json.WriteString("Exception"u8, reason);
        json.WriteEndObject();
        json.WriteEndArray();
        json.Flush();
        return text.WrittenSpan.ToArray();
    }

    // A close frame has room for 123 bytes of UTF-8.
    private static string ShortenReason(string reason)
    {
        string ascii = string.Concat(reason.Select(letter => char.IsAscii(letter) ? letter : '?'));
        return ascii.Length <= 123 ? ascii : ascii[..120] + "...";
    }

    /// <summary>Reads commands until the client closes. After an end the rest is read and ignored, so that the client gets the answer and not a reset
    /// connection.</summary>
    private async Task ReceiveAsync()
    {
        using var message = new PooledBuffer();
        byte[] buffer = new byte[ReadBytes];
        try
        {
            while (true)
            {
                ValueWebSocketReceiveResult part = await socket.ReceiveAsync(buffer.AsMemory(), _cut.Token).ConfigureAwait(false);
                if (part.MessageType == WebSocketMessageType.Close)
                {
                    reader.EndWith(new NoticeEnd(NoticeEndKind.Closed, ""));
                    return;
                }

                if (reader.End is not null || !TryAppend(message, buffer.AsSpan(0, part.Count), part.MessageType) || !part.EndOfMessage)
                {
                    continue;
                }

                await ApplyAsync(message).ConfigureAwait(false);
            }
        }
        catch (Exception lost) when (LostSocket.IsCause(lost))
        {
            Cut();
        }
    }

    private bool TryAppend(PooledBuffer message, ReadOnlySpan<byte> part, WebSocketMessageType type)
    {
        if (type == WebSocketMessageType.Binary)
        {
            reader.EndWith(new NoticeEnd(NoticeEndKind.NotText, "The message is binary; send commands as text."));
            return false;
        }

        if (message.Length + part.Length > WatchCommand.MessageBytesMax)
        {
            reader.EndWith(new NoticeEnd(
                NoticeEndKind.TooLarge, $"The message has more than {WatchCommand.MessageBytesMax} bytes; send one command in each."));
            return false;
        }

        message.Append(part);
        return true;
    }

    private async ValueTask ApplyAsync(PooledBuffer message)
    {
        try
        {
            WatchCommand command = WatchCommand.Read(message.Slice(0, message.Length), kinds);
            if (command.IsWatch)
            {
                context.Demand(command.Kind.Access, command.Kind.Title);
            }

            await reader.WaitForRoomAsync(_cut.Token).ConfigureAwait(false);
            reader.Apply(command);
        }
        catch (WatchCommandException bad)
        {
            reader.EndWith(new NoticeEnd(NoticeEndKind.BadCommand, bad.Message));
        }
        catch (AccessDeniedException denied)
        {
            reader.EndWith(new NoticeEnd(NoticeEndKind.Denied, $"{ProblemTypes.InvalidAuth}: {denied.Message}"));
        }
        finally
        {
            message.Dispose();
        }
    }
}
