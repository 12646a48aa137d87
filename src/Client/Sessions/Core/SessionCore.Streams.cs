using System.Net;
using System.Runtime.CompilerServices;
using System.Text.Json;
using Jackdaw.Client.Conventions;
using Jackdaw.Client.Http;
using Jackdaw.Client.Linq;
using Jackdaw.Client.Requests;
using Jackdaw.Client.Serialization;

namespace Jackdaw.Client.Sessions.Core;

/// <summary>Streams. Results come one by one as they arrive, and are never tracked. The session can be used while a stream is read.</summary>
internal sealed partial class SessionCore
{
    public async IAsyncEnumerable<T> StreamAsync<T>(IndexQuery query, [EnumeratorCancellation] CancellationToken token)
    {
        await foreach (JsonElement item in StreamItemsAsync(query, token).ConfigureAwait(false))
        {
            yield return Streamed<T>(query, item);
        }
    }

    /// <summary>Results of a query as they come.</summary>
    public async IAsyncEnumerable<JsonElement> StreamItemsAsync(IndexQuery query, [EnumeratorCancellation] CancellationToken token)
    {
        await foreach (JsonElement line in StreamLinesAsync(query.Query, () => StreamMessage(query), token).ConfigureAwait(false))
        {
            if (ItemOf(query, line) is { } item)
            {
                yield return item;
            }
        }
    }

    /// <summary>Like <see cref="StreamItemsAsync"/>, but on the caller's thread.</summary>
    public IEnumerable<JsonElement> StreamItems(IndexQuery query)
    {
        foreach (JsonElement line in StreamLines(query.Query, () => StreamMessage(query)))
        {
            if (ItemOf(query, line) is { } item)
            {
                yield return item;
            }
        }
    }

    // The first line of a stream is what the server says about the query.
    private JsonElement? ItemOf(IndexQuery query, JsonElement line)
    {
        if (line.TryFind("Item"u8, out JsonElement item))
        {
            return item;
        }

        bool isAsked = query.BeforeStream is not null || Conventions.StaleQueries == StaleQueryMode.WaitOrThrow;
        if (isAsked && line.TryFind("Stats"u8, out JsonElement statistics))
        {
            QueryStatistics read = StatisticsOf(query, statistics, default);
            query.BeforeStream?.Invoke(read);
        }

        return null;
    }

    /// <summary>Makes a result from a row of a stream.</summary>
    public T Streamed<T>(IndexQuery query, JsonElement item) => Result<T>(query, item, isTracked: false);

    /// <summary>Like above, for documents that were requested by their ids.</summary>
    public T Streamed<T>(JsonElement document) => (T)Untracked(typeof(T), document)!;

    /// <summary>Lines of an answer.</summary>
    /// <param name="call">The method that the user calls.</param>
    public async IAsyncEnumerable<JsonElement> StreamLinesAsync(
        string call, Func<RequestMessage> make, [EnumeratorCancellation] CancellationToken token)
    {
        using HttpResponseMessage response = await OpenAsync(call, make, isAsync: true, token).ConfigureAwait(false);
        using Stream body = await response.Content.ReadAsStreamAsync(token).ConfigureAwait(false);
        await foreach (JsonElement line in JsonLines.ReadAsync(body, token).ConfigureAwait(false))
        {
            yield return line;
        }
    }

    /// <summary>Like <see cref="StreamLinesAsync"/>, but on the caller's thread.</summary>
    public IEnumerable<JsonElement> StreamLines(string call, Func<RequestMessage> make)
    {
        using HttpResponseMessage response = Completed.Result(OpenAsync(call, make, isAsync: false, default));
        using Stream body = response.Content.ReadAsStream();
        foreach (JsonElement line in JsonLines.Read(body))
        {
            yield return line;
        }
    }

    /// <summary>Copies documents as the server sends them: an object whose member <c>Results</c> has them.</summary>
    public ValueTask CopyAsync(IEnumerable<string> ids, Stream output, bool isAsync, CancellationToken token)
    {
        string[] all = Distinct(ids);
        return CopyAsync($"LoadIntoStream({all.Length} ids)", () => LoadMessage(all, []), output, isAsync, token);
    }

    /// <summary>Like above, for documents whose ids begin with a text.</summary>
    public ValueTask CopyAsync(string prefix, string? matches, int start, int pageSize, Stream output, bool isAsync, CancellationToken token)
    {
        ArgumentNullException.ThrowIfNull(prefix);
        return CopyAsync(
            $"LoadStartingWithIntoStream(\"{prefix}\")", () => StartingWithMessage(prefix, matches, start, pageSize), output, isAsync, token);
    }

    private async ValueTask CopyAsync(string call, Func<RequestMessage> make, Stream output, bool isAsync, CancellationToken token)
    {
        ArgumentNullException.ThrowIfNull(output);
        using HttpResponseMessage response = await OpenAsync(call, make, isAsync, token, isMissingAnswer: true).ConfigureAwait(false);
        if (response.StatusCode == HttpStatusCode.NotFound)
        {
            // The answer for a single id that does not exist has no body.
            ReadOnlyMemory<byte> nothing = "{\"Results\":[null],\"Includes\":{}}"u8.ToArray();
            if (isAsync)
            {
                await output.WriteAsync(nothing, token).ConfigureAwait(false);
            }
            else
            {
                output.Write(nothing.Span);
            }
        }
        else if (isAsync)
        {
            await response.Content.CopyToAsync(output, token).ConfigureAwait(false);
        }
        else
        {
            response.Content.CopyTo(output, null, token);
        }
    }

    private RequestMessage StreamMessage(IndexQuery query) => QueryMessage(query, "streams/queries?format=jsonl");

    /// <param name="isMissingAnswer">Whether "not found" is an answer; otherwise it is an error.</param>
    private async ValueTask<HttpResponseMessage> OpenAsync(
        string call, Func<RequestMessage> make, bool isAsync, CancellationToken token, bool isMissingAnswer = false)
    {
        using SessionUse.Scope use = _use.Begin(call);
        CountRequest(call);
        RequestMessage message = make();
        HttpResponseMessage response = await executor.OpenAsync(message, isAsync, token).ConfigureAwait(false);
        if (response.StatusCode != HttpStatusCode.NotFound || isMissingAnswer)
        {
            return response;
        }

        using (response)
        using (var body = new MemoryStream())
        {
            if (isAsync)
            {
                await response.Content.CopyToAsync(body, token).ConfigureAwait(false);
            }
            else
            {
                response.Content.CopyTo(body, null, token);
            }

            throw ServerErrors.Of(new Uri(message.Path, UriKind.Relative), (int)response.StatusCode, body.ToArray());
        }
    }
}
