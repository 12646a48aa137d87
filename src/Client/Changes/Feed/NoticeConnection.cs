using System.Buffers;
using System.Net.WebSockets;
using System.Text.Json;
using Jackdaw.Client.Exceptions;

namespace Jackdaw.Client.Changes.Feed;

/// <summary>One open websocket, which sends commands and receives notices.</summary>
/// <remarks>
/// There are two loops, one that sends and one that reads. When one of them ends, it cuts the other. A server must complete a message within <see cref="s_silenceTime"/>
/// and
/// confirm a command within <see cref="s_confirmTime"/>, so a server that is gone without notice, or sends only a few bytes at a time, is detected.
/// </remarks>
internal sealed class NoticeConnection(WebSocket socket, WatchTable watches, INoticeSink sink, TimeProvider time)
{
    /// <summary>Bytes of one message. Servers send some 16 KB, or one larger notice: the largest is the end of an operation that lists 1,024 ids of
    /// 512 bytes.</summary>
    public const int MessageBytesMax = 4 * 1024 * 1024;

    /// <summary>Bytes of the buffer while messages are of the usual size.</summary>
    private const int BufferBytes = 20 * 1024;

    /// <summary>Servers send something every 5 seconds.</summary>
    private static readonly TimeSpan s_silenceTime = TimeSpan.FromSeconds(30);

    private static readonly TimeSpan s_confirmTime = TimeSpan.FromSeconds(15);

    /// <summary>How often the times above are checked.</summary>
    private static readonly TimeSpan s_lookTime = TimeSpan.FromSeconds(5);

    /// <summary>Time that the closing handshake may take.</summary>
    private static readonly TimeSpan s_closeTime = TimeSpan.FromSeconds(1);

    private readonly CancellationTokenSource _cut = new(); // not disposed: it may be cut after its end
    private long _heardAt = time.GetTimestamp();
    private long _sendingSince; // 0: nothing is being sent
    private Exception? _why;
    private ITimer? _looking;

    /// <summary>Whether the sink was notified that it is connected.</summary>
    public bool WasConnected { get; private set; }

    public long ConnectedAt { get; private set; }

    /// <summary>Runs until the connection is lost or the client stops.</summary>
    /// <returns>Why it ended.</returns>
    public async Task<Exception> RunAsync(CancellationToken stopping)
    {
        watches.Begin();
        using ITimer looking = _looking = time.CreateTimer(_ => Look(), null, s_lookTime, Timeout.InfiniteTimeSpan);
        Task sending = SendAllAsync(stopping);
        try
        {
            await ReceiveAllAsync().ConfigureAwait(false);
        }
        catch (Exception lost)
        {
            End(lost);
        }

        await sending.ConfigureAwait(false);
        return _why!;
    }

    private void End(Exception why)
    {
        Interlocked.CompareExchange(ref _why, why, null);
        _ = _cut.CancelAsync(); // The caller does not run what follows from the cut.
        socket.Abort();
    }

    private void Look()
    {
        long sending = Volatile.Read(ref _sendingSince);
        if (time.GetElapsedTime(Volatile.Read(ref _heardAt)) > s_silenceTime)
        {
            End(new TimeoutException($"The server has sent no whole message for {s_silenceTime.TotalSeconds} seconds."));
        }
        else if (watches.IsOverdue(s_confirmTime) || (sending != 0 && time.GetElapsedTime(sending) > s_confirmTime))
        {
            End(new TimeoutException($"The server has not confirmed a command for {s_confirmTime.TotalSeconds} seconds."));
        }

        _looking?.Change(s_lookTime, Timeout.InfiniteTimeSpan);
    }

    private async Task SendAllAsync(CancellationToken stopping)
    {
        try
        {
            using var ending = CancellationTokenSource.CreateLinkedTokenSource(stopping, _cut.Token);
            var text = new ArrayBufferWriter<byte>(256);
            do
            {
                while (watches.TryNextCommand(text))
                {
                    Volatile.Write(ref _sendingSince, Math.Max(1, time.GetTimestamp()));
                    await socket.SendAsync(text.WrittenMemory, WebSocketMessageType.Text, endOfMessage: true, ending.Token).ConfigureAwait(false);
                    Volatile.Write(ref _sendingSince, 0);
                    text.ResetWrittenCount();
                }
            }
            while (await watches.WaitAsync(ending.Token).ConfigureAwait(false));
        }
        catch (Exception lost)
        {
            if (stopping.IsCancellationRequested && !_cut.IsCancellationRequested && Volatile.Read(ref _sendingSince) == 0)
            {
                await SayGoodbyeAsync().ConfigureAwait(false);
            }

            End(lost);
        }
    }

    private async Task SayGoodbyeAsync()
    {
        try
        {
            using var limit = new CancellationTokenSource(s_closeTime, time);
            await socket.CloseOutputAsync(WebSocketCloseStatus.NormalClosure, null, limit.Token).ConfigureAwait(false);
        }
        catch (Exception)
        {
            // The connection ends anyway.
        }
    }

    private async Task ReceiveAllAsync()
    {
        byte[] buffer = new byte[BufferBytes];
        while (true)
        {
            int length = 0;
            bool isWhole = false;
            while (!isWhole)
            {
                if (length == buffer.Length)
                {
                    Array.Resize(ref buffer, Math.Min(length * 2, MessageBytesMax + 1));
                }

                ValueWebSocketReceiveResult part = await socket.ReceiveAsync(buffer.AsMemory(length), _cut.Token).ConfigureAwait(false);
                length += part.Count;
                isWhole = part.EndOfMessage;
                Check(part.MessageType, length);
            }

            Volatile.Write(ref _heardAt, time.GetTimestamp());
            Take(buffer.AsSpan(0, length));
            buffer = buffer.Length > BufferBytes ? new byte[BufferBytes] : buffer;
        }
    }

    private void Check(WebSocketMessageType type, int length)
    {
        if (type == WebSocketMessageType.Close)
        {
            throw new DocumentDatabaseException($"The server ended the connection ({(int?)socket.CloseStatus}). {socket.CloseStatusDescription}");
        }

        if (type == WebSocketMessageType.Binary || length > MessageBytesMax)
        {
            throw new DocumentDatabaseException(type == WebSocketMessageType.Binary
                ? "The server sent a binary message, but notices are texts."
                : $"The server sent a message of more than {MessageBytesMax} bytes.");
        }
    }

    private void Take(ReadOnlySpan<byte> frame)
    {
        try
        {
            var notices = new NoticeParser(frame);
            while (notices.TryRead(out Notice notice))
            {
                Take(notice);
            }
        }
        catch (Exception wrong) when (wrong is JsonException or InvalidOperationException or FormatException)
        {
            throw new DocumentDatabaseException($"The server sent something that is not a frame of notices: {wrong.Message}", wrong);
        }

        TellConnected();
    }

    private void Take(in Notice notice)
    {
        switch (notice.Kind)
        {
            case NoticeKind.Confirmation:
                WatchEntry? confirmed = watches.Confirm(notice.CommandId);
                TellConnected(); // first, because a caller that is notified of the confirmation may ask for it
                confirmed?.Confirmed.Succeed();
                break;
            case NoticeKind.Error:
                throw new DocumentDatabaseException($"The server refuses to send notices of changes: {notice.Text}");
            default:
                sink.Told(notice);
                break;
        }
    }

    private void TellConnected()
    {
        if (!WasConnected && watches.HasConfirmedAll)
        {
            WasConnected = true;
            ConnectedAt = time.GetTimestamp();
            sink.Connected();
        }
    }
}
