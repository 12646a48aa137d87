using System.Net.WebSockets;
using System.Text.Json;
using Jackdaw.Server.Http.Routing;
using Jackdaw.Server.Live;

namespace Jackdaw.Server.Http.Handlers.Live;

/// <summary>One websocket of live statistics. It sends the kept samples first, then a frame every second.</summary>
/// <remarks>A client that reads slowly gets what it missed in its next frame.</remarks>
internal sealed class LiveConnection(WebSocket socket, RequestContext context) : FeedConnection(socket, context)
{
    private long _sent; // number of the last sample that the client got

    protected override async Task SendAllAsync()
    {
        await SendAsync(json => Write(json, "History")).ConfigureAwait(false);
        while (true)
        {
            await Server.Live.WaitAsync(_sent, Ended).ConfigureAwait(false);
            await SendAsync(json => Write(json, "Samples")).ConfigureAwait(false);
        }
    }

    private void Write(Utf8JsonWriter json, string member)
    {
        IReadOnlyList<LiveSample> samples = Server.Live.After(_sent);
        _sent = samples.Count > 0 ? samples[^1].Number : _sent;
        json.WriteStartObject();
        json.WriteStartArray(member);
        foreach (LiveSample sample in samples)
        {
            LiveText.Write(json, sample, name => Context.Caller.MayKnowOf(name));
        }

        json.WriteEndArray();
        WriteStates(json);
        json.WriteEndObject();
    }

    private void WriteStates(Utf8JsonWriter json)
    {
        json.WriteStartArray("States"u8);
        foreach (DatabaseState state in Server.Live.States)
        {
            if (Context.Caller.MayKnowOf(state.Name))
            {
                LiveText.Write(json, state);
            }
        }

        json.WriteEndArray();
    }
}
