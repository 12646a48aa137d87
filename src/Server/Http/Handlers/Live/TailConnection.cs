using System.Net.WebSockets;
using System.Text.Json;
using Jackdaw.Server.Http.Limits;
using Jackdaw.Server.Http.Routing;
using Jackdaw.Server.Live;

namespace Jackdaw.Server.Http.Handlers.Live;

/// <summary>One websocket of the newest entries of a tail: frames of those that the client wants, with the number of those that it did not get.</summary>
/// <param name="after">The number of the last entry that it does not want.</param>
/// <param name="frameEntriesMax">The most entries of a frame; older ones count as missed.</param>
/// <param name="wants">The client's filter.</param>
/// <param name="write">Writes an entry as an object.</param>
internal sealed class TailConnection<T>(
    WebSocket socket, RequestContext context, Tail<T> tail, long after, int frameEntriesMax, Predicate<T> wants, Action<Utf8JsonWriter, T> write)
    : FeedConnection(socket, context)
{
    /// <summary>The time between two frames.</summary>
    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(250);

    private readonly List<T> _found = [];
    private long _sent = after;
    private long _missed;

    protected override async Task SendAllAsync()
    {
        long sentAt = Server.Time.GetTimestamp();
        Find();
        await SendFoundAsync().ConfigureAwait(false); // also when there is nothing, so that the client knows that it is connected
        using var timer = new PeriodicTimer(s_pause, Server.Time);
        while (await timer.WaitForNextTickAsync(Ended).ConfigureAwait(false))
        {
            bool isHeartbeatDue = Server.Time.GetElapsedTime(sentAt) >= HttpLimits.HeartbeatTime;
            if (isHeartbeatDue || tail.Newest > _sent)
            {
                Find();
                if (isHeartbeatDue || _found.Count > 0 || _missed > 0)
                {
                    await SendFoundAsync().ConfigureAwait(false);
                    sentAt = Server.Time.GetTimestamp();
                }
            }
        }
    }

    private void Find()
    {
        _found.Clear();
        (_sent, long missed) = tail.Read(_sent, _found);
        _found.RemoveAll(entry => !wants(entry));
        int cut = Math.Max(0, _found.Count - frameEntriesMax);
        _found.RemoveRange(0, cut);
        _missed += missed + cut;
    }

    private Task SendFoundAsync() => SendAsync(json =>
    {
        json.WriteStartObject();
        json.WriteStartArray("Entries"u8);
        foreach (T entry in _found)
        {
            write(json, entry);
        }

        json.WriteEndArray();
        json.WriteNumber("Missed"u8, _missed);
        json.WriteEndObject();
        _missed = 0;
    });
}
