using System.Globalization;
using System.Runtime.CompilerServices;
using System.Text.Json;
using Jackdaw.Client.Http;
using Jackdaw.Client.Linq;
using Jackdaw.Client.Sessions.Core;

namespace Jackdaw.Client.Sessions;

/// <summary>Streams of a session.</summary>
internal static class SessionStreams
{
    public static async IAsyncEnumerable<StreamResult<T>> ReadAsync<T>(
        SessionCore core, IndexQuery query, [EnumeratorCancellation] CancellationToken token)
    {
        await foreach (JsonElement item in core.StreamItemsAsync(query, token).ConfigureAwait(false))
        {
            yield return new StreamResult<T>(item, core.Streamed<T>(query, item));
        }
    }

    public static IEnumerable<StreamResult<T>> Read<T>(SessionCore core, IndexQuery query)
    {
        foreach (JsonElement item in core.StreamItems(query))
        {
            yield return new StreamResult<T>(item, core.Streamed<T>(query, item));
        }
    }

    public static async IAsyncEnumerable<StreamResult<T>> ReadAsync<T>(
        SessionCore core, DocumentStream stream, [EnumeratorCancellation] CancellationToken token)
    {
        await foreach (JsonElement item in core.StreamLinesAsync(stream.Call, stream.MakeRequest, token).ConfigureAwait(false))
        {
            yield return new StreamResult<T>(item, core.Streamed<T>(item));
        }
    }

    public static IEnumerable<StreamResult<T>> Read<T>(SessionCore core, DocumentStream stream)
    {
        foreach (JsonElement item in core.StreamLines(stream.Call, stream.MakeRequest))
        {
            yield return new StreamResult<T>(item, core.Streamed<T>(item));
        }
    }
}

/// <summary>Which documents a stream has.</summary>
internal sealed record DocumentStream(string StartsWith, string? Matches, int Start, int PageSize, string? StartAfter)
{
    public string Call => $"Stream(\"{StartsWith}\")";

    public RequestMessage MakeRequest()
    {
        string path = string.Create(CultureInfo.InvariantCulture, $"streams/docs?format=jsonl&start={Start}&pageSize={PageSize}") +
            (string.IsNullOrEmpty(StartsWith) ? "" : $"&startsWith={Uri.EscapeDataString(StartsWith)}") +
            (Matches is null ? "" : $"&matches={Uri.EscapeDataString(Matches)}") +
            (StartAfter is null ? "" : $"&startAfter={Uri.EscapeDataString(StartAfter)}");
        return new RequestMessage { Method = HttpMethod.Get, Path = path, IsRead = true };
    }
}
