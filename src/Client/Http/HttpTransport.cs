using System.Buffers;
using System.Collections.Concurrent;
using System.Globalization;
using System.Net;
using System.Net.Http.Headers;
using System.Net.Security;
using Jackdaw.Client.Certificates;
using Jackdaw.Client.Diagnostics;
using Jackdaw.Client.Exceptions;

namespace Jackdaw.Client.Http;

/// <summary>Sends requests to one of the servers of a list, and gives answers in memory or errors as exceptions.</summary>
/// <remarks>
/// The first server that works is used until it fails. When a server cannot be reached, the request is sent to the next one. When no answer comes,
/// or the answer says that the server cannot work at present, only reads are sent to the next one, because a write may have been done. Safe for
/// concurrent use.
/// </remarks>
internal sealed class HttpTransport : IDisposable
{
    /// <summary>Largest answer. This protocol has no larger ones; streams are read in another way.</summary>
    private const int AnswerBytesMax = 1 << 30;

    /// <summary>More requests seldom run at the same time.</summary>
    private const int LimitsMax = 64;

    private static readonly TimeSpan s_timeoutDefault = TimeSpan.FromMinutes(5);
    private static readonly MediaTypeHeaderValue s_json = new("application/json") { CharSet = "utf-8" };

    private readonly Uri[] _servers;
    private readonly HttpMessageInvoker _client;
    private readonly ConcurrentQueue<CancellationTokenSource> _limits = []; // of requests that ended in time
    private readonly TimeSpan _timeout;
    private readonly ClientLog _log;
    private readonly ConnectionSecurity? _security;
    private int _current;

    /// <param name="servers">Addresses without a path.</param>
    /// <param name="handler">The handler, which this object owns; null for sockets.</param>
    /// <param name="timeout">Time that one request may take; null for 5 minutes.</param>
    /// <param name="log">Null: nobody reads what happens.</param>
    /// <param name="security">Certificates of the connections, which this object owns. Null without https, or if the handler knows them.</param>
    public HttpTransport(
        IEnumerable<Uri> servers, HttpMessageHandler? handler, TimeSpan? timeout, ClientLog? log = null, ConnectionSecurity? security = null)
    {
        _security = security;
        _log = log ?? ClientLog.None;
        _servers = [.. servers];
        _timeout = timeout ?? s_timeoutDefault;
        _client = new HttpMessageInvoker(handler ?? MakeHandler(security));
    }

    /// <summary>The connections, for websockets.</summary>
    public HttpMessageInvoker Client => _client;

    /// <summary>The server that is asked first.</summary>
    public Uri Server => _servers[Volatile.Read(ref _current)];

    /// <summary>Which certificate the servers get, for messages about refusals; null if that is not known here.</summary>
    public string? Sent => _security?.Sent;

    public void Dispose()
    {
        _client.Dispose();
        _security?.Dispose();
    }

    /// <summary>Sends a request and reads its whole answer.</summary>
    /// <param name="database">Null for server-wide requests.</param>
    /// <param name="isAsync">False: the call has completed when it returns.</param>
    /// <exception cref="DocumentDatabaseException">Any error, except those for wrong arguments.</exception>
    public async ValueTask<RequestAnswer> SendAsync(RequestMessage message, string? database, bool isAsync, CancellationToken token)
    {
        TimeSpan limit = message.Timeout ?? _timeout;
        long began = _log.Begin();
        CancellationTokenSource timeout = _limits.TryDequeue(out CancellationTokenSource? kept) ? kept : new CancellationTokenSource();
        timeout.CancelAfter(limit);
        CancellationTokenRegistration cancel = token.UnsafeRegister(static timeout => ((CancellationTokenSource)timeout!).Cancel(), timeout);
        try
        {
            (Uri uri, HttpResponseMessage response) = await SendToAnyAsync(message, database, isAsync, timeout.Token).ConfigureAwait(false);
            using (response)
            {
                RequestAnswer answer = await ReadAsync(message, uri, response, isAsync, timeout.Token).ConfigureAwait(false);
                _log.Answered(message.Method, message.Path, message.QueryText, answer.Status, began);
                return answer;
            }
        }
        catch (Exception failure) when (_log.Failed(message.Method, message.Path, failure, began))
        {
            throw;
        }
        catch (OperationCanceledException cancelled) when (token.IsCancellationRequested)
        {
            throw new OperationCanceledException(cancelled.Message, cancelled, token);
        }
        catch (Exception late) when (timeout.IsCancellationRequested && late is OperationCanceledException or IOException)
        {
            throw new RequestTimeoutException($"{message.Description}: no answer came within {limit}.", late);
        }
        finally
        {
            if (isAsync)
            {
                await cancel.DisposeAsync().ConfigureAwait(false); // nobody cancels it afterwards
            }
            else
            {
                cancel.Dispose();
            }

            Keep(timeout);
        }
    }

    private void Keep(CancellationTokenSource limit)
    {
        if (limit.TryReset() && _limits.Count < LimitsMax)
        {
            _limits.Enqueue(limit);
        }
        else
        {
            limit.Dispose();
        }
    }

    /// <summary>Sends a request whose answer the caller reads as it comes. The time limit applies to the beginning of the answer. A request with
    /// its own content has no time limit, because its answer comes only when the caller has written all content.</summary>
    /// <returns>A response with a status of success, which the caller disposes.</returns>
    public async ValueTask<HttpResponseMessage> OpenAsync(RequestMessage message, string? database, bool isAsync, CancellationToken token)
    {
        long began = _log.Begin();
        (Uri uri, HttpResponseMessage response) = await BeginAsync(message, database, isAsync, token).ConfigureAwait(false);
        _log.Answered(message.Method, message.Path, message.QueryText, (int)response.StatusCode, began);
        if (response.IsSuccessStatusCode || response.StatusCode is HttpStatusCode.NotFound)
        {
            return response;
        }

        using (response)
        {
            await ReadAsync(message, uri, response, isAsync, token).ConfigureAwait(false);
            throw new BadResponseException($"{uri} answered {(int)response.StatusCode}, which is not an answer to this request.");
        }
    }

    /// <summary>Asks why the server refused to open a websocket: the answer to the attempt itself cannot be read.</summary>
    /// <returns>Null if it was not refused, or the server does not refuse it now.</returns>
    public async ValueTask<DocumentDatabaseException?> TryExplainAsync(Uri address, HttpStatusCode status, CancellationToken token)
    {
        if (status is not (HttpStatusCode.Unauthorized or HttpStatusCode.Forbidden))
        {
            return null;
        }

        try
        {
            using var request = new HttpRequestMessage(HttpMethod.Get, address);
            using HttpResponseMessage response = await _client.SendAsync(request, token).ConfigureAwait(false);
            return response.StatusCode == status
                ? ServerErrors.Of(address, (int)status, await ReadBodyAsync(address, response.Content, isAsync: true, token).ConfigureAwait(false), sent: Sent)
                : null;
        }
        catch (Exception failed) when (failed is HttpRequestException or BadResponseException)
        {
            return null;
        }
    }

    private async ValueTask<(Uri Uri, HttpResponseMessage Response)> BeginAsync(
        RequestMessage message, string? database, bool isAsync, CancellationToken token)
    {
        if (message.Content is not null)
        {
            return await SendToAnyAsync(message, database, isAsync, token).ConfigureAwait(false);
        }

        TimeSpan limit = message.Timeout ?? _timeout;
        using var timeout = CancellationTokenSource.CreateLinkedTokenSource(token);
        timeout.CancelAfter(limit);
        try
        {
            return await SendToAnyAsync(message, database, isAsync, timeout.Token).ConfigureAwait(false);
        }
        catch (Exception late) when (timeout.IsCancellationRequested && !token.IsCancellationRequested && late is OperationCanceledException or IOException)
        {
            throw new RequestTimeoutException($"{message.Description}: no answer began within {limit}.", late);
        }
    }

    private async ValueTask<(Uri Uri, HttpResponseMessage Response)> SendToAnyAsync(
        RequestMessage message, string? database, bool isAsync, CancellationToken token)
    {
        Dictionary<string, Exception>? causes = null;
        int first = Volatile.Read(ref _current);
        for (int i = 0; ; i++)
        {
            Uri server = _servers[(first + i) % _servers.Length];
            Uri uri = new(server, database is null ? message.Path : $"databases/{database}/{message.Path}");
            try
            {
                using HttpRequestMessage request = Make(message, uri);
                HttpResponseMessage response = isAsync
                    ? await _client.SendAsync(request, token).ConfigureAwait(false)
                    : _client.Send(request, token);
                if (message is { IsRead: true, Content: null } && CannotWork(response.StatusCode) && i + 1 < _servers.Length)
                {
                    causes ??= [];
                    causes[server.ToString()] = new HttpRequestException($"It answered {(int)response.StatusCode}.", null, response.StatusCode);
                    _log.TriesNext(message.Method, message.Path, server, ServerAfter(first + i), causes[server.ToString()].Message);
                    response.Dispose();
                    continue;
                }

                if (i > 0 && !CannotWork(response.StatusCode))
                {
                    Volatile.Write(ref _current, (first + i) % _servers.Length);
                    ClientTelemetry.CountFailover();
                }

                return (uri, response);
            }
            catch (Exception failed) when (ConnectionFailures.Of(failed, token) is not null)
            {
                HttpRequestException failure = ConnectionFailures.Of(failed, token)!;
                causes ??= [];
                causes[server.ToString()] = failure;
                bool mayBeSentAgain = message.Content is null && (message.IsRead || failure.HttpRequestError
                    is HttpRequestError.ConnectionError or HttpRequestError.NameResolutionError or HttpRequestError.SecureConnectionError);
                if (i + 1 == _servers.Length || !mayBeSentAgain)
                {
                    throw NoneHasAnswered(message, uri, causes, failure);
                }

                _log.TriesNext(message.Method, message.Path, server, ServerAfter(first + i), failure.Message);
            }
        }
    }

    private Uri ServerAfter(int server) => _servers[(server + 1) % _servers.Length];

    private AllTopologyNodesDownException NoneHasAnswered(
        RequestMessage message, Uri uri, Dictionary<string, Exception> causes, HttpRequestException last)
    {
        string who = causes.Count == 1 ? $"The server {uri.GetLeftPart(UriPartial.Authority)} has" : "None of the servers has";
        string causeTexts = string.Join(" ", causes.Select(cause => $"{cause.Key}: {ConnectionFailures.ReasonOf(cause.Value)}"));
        string hint = ConnectionFailures.HintOf(last, _security);
        return new AllTopologyNodesDownException($"{message.Description}: {who} not answered. {causeTexts}{hint}", last)
        {
            Causes = causes,
            AreUntrusted = causes.Values.All(cause => UntrustedServerException.Within(cause) is not null),
        };
    }

    private static bool CannotWork(HttpStatusCode status) =>
        status is HttpStatusCode.BadGateway or HttpStatusCode.ServiceUnavailable or HttpStatusCode.GatewayTimeout;

    private static HttpRequestMessage Make(RequestMessage message, Uri uri)
    {
        var request = new HttpRequestMessage(message.Method, uri);
        if (message.Content is { } content)
        {
            request.Content = content();
        }
        else if (message.Body is { } body)
        {
            request.Content = new ReadOnlyMemoryContent(body);
            request.Content.Headers.ContentType = s_json;
        }

        if (message.IfNoneMatch is { } known)
        {
            request.Headers.TryAddWithoutValidation("If-None-Match", $"\"{known}\"");
        }

        if (message.IfMatch is { } expected)
        {
            request.Headers.TryAddWithoutValidation("If-Match", $"\"{expected}\"");
        }

        return request;
    }

    private async ValueTask<RequestAnswer> ReadAsync(
        RequestMessage message, Uri uri, HttpResponseMessage response, bool isAsync, CancellationToken token)
    {
        int status = (int)response.StatusCode;
        string? etag = ETagOf(response);
        if (status is 204 or 304 or 404)
        {
            return new RequestAnswer(status, default, etag);
        }

        // The length in an answer to HEAD belongs to a body that does not come.
        byte[] body = message.Method == HttpMethod.Head ? [] : await ReadBodyAsync(uri, response.Content, isAsync, token).ConfigureAwait(false);
        return status is >= 200 and < 300
            ? new RequestAnswer(status, body, etag) { IndexWait = IndexWaitOf(response) }
            : throw ServerErrors.Of(uri, status, body, sent: Sent);
    }

    // Server-Timing: total;dur=0.1, index;dur=12.3
    private static TimeSpan IndexWaitOf(HttpResponseMessage response)
    {
        if (!response.Headers.NonValidated.TryGetValues("Server-Timing", out HeaderStringValues values))
        {
            return default;
        }

        const string begin = "index;dur=";
        string text = values.ToString();
        int start = text.IndexOf(begin, StringComparison.Ordinal);
        ReadOnlySpan<char> rest = start < 0 ? default : text.AsSpan(start + begin.Length);
        int end = rest.IndexOfAny(',', ';');
        return double.TryParse(end < 0 ? rest : rest[..end], CultureInfo.InvariantCulture, out double ms) && ms is >= 0 and < int.MaxValue
            ? TimeSpan.FromMilliseconds(ms)
            : default;
    }

    private static string? ETagOf(HttpResponseMessage response) =>
        response.Headers.NonValidated.TryGetValues("ETag", out HeaderStringValues values) && values.ToString() is { Length: > 2 } text && text[0] == '"'
            ? text.Trim('"')
            : null;

    private static async ValueTask<byte[]> ReadBodyAsync(Uri uri, HttpContent content, bool isAsync, CancellationToken token)
    {
        long length = content.Headers.ContentLength ?? -1;
        if (length > AnswerBytesMax)
        {
            throw new BadResponseException($"{uri}: the answer has {length} bytes, and may have {AnswerBytesMax}.");
        }

        try
        {
            using Stream stream = isAsync ? await content.ReadAsStreamAsync(token).ConfigureAwait(false) : content.ReadAsStream(token);
            // A blocking read takes no token. It ends when its stream is closed.
            using CancellationTokenRegistration end = isAsync ? default : token.UnsafeRegister(static body => ((Stream)body!).Dispose(), stream);
            return length >= 0
                ? await ReadExactlyAsync(stream, (int)length, isAsync, token).ConfigureAwait(false)
                : await ReadToEndAsync(uri, stream, isAsync, token).ConfigureAwait(false);
        }
        catch (Exception cut) when (token.IsCancellationRequested
            && cut is ObjectDisposedException or IOException or HttpRequestException or InvalidDataException)
        {
            throw new OperationCanceledException(cut.Message, cut, token);
        }
        catch (Exception cut) when (cut is HttpRequestException or IOException or InvalidDataException)
        {
            throw new BadResponseException($"{uri}: the answer could not be read to its end. {cut.Message}", cut);
        }
    }

    private static async ValueTask<byte[]> ReadExactlyAsync(Stream stream, int length, bool isAsync, CancellationToken token)
    {
        byte[] body = GC.AllocateUninitializedArray<byte>(length);
        if (isAsync)
        {
            await stream.ReadExactlyAsync(body, token).ConfigureAwait(false);
        }
        else
        {
            stream.ReadExactly(body);
        }

        return body;
    }

    private static async ValueTask<byte[]> ReadToEndAsync(Uri uri, Stream stream, bool isAsync, CancellationToken token)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(16 * 1024);
        int filled = 0;
        try
        {
            while (true)
            {
                if (filled == buffer.Length)
                {
                    buffer = Grow(uri, buffer);
                }

                token.ThrowIfCancellationRequested();
                int read = isAsync
                    ? await stream.ReadAsync(buffer.AsMemory(filled), token).ConfigureAwait(false)
                    : stream.Read(buffer, filled, buffer.Length - filled);
                if (read == 0)
                {
                    return buffer.AsSpan(0, filled).ToArray();
                }

                filled += read;
            }
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }

    private static byte[] Grow(Uri uri, byte[] buffer)
    {
        if (buffer.Length >= AnswerBytesMax)
        {
            throw new BadResponseException($"{uri}: the answer has more than {AnswerBytesMax} bytes.");
        }

        byte[] larger = ArrayPool<byte>.Shared.Rent(buffer.Length * 2);
        buffer.CopyTo(larger, 0);
        ArrayPool<byte>.Shared.Return(buffer);
        return larger;
    }

    private static SocketsHttpHandler MakeHandler(ConnectionSecurity? security) => new()
    {
        SslOptions = security?.MakeOptions() ?? new SslClientAuthenticationOptions(),
        AutomaticDecompression = DecompressionMethods.All,
        PooledConnectionLifetime = TimeSpan.FromMinutes(10),
        ConnectTimeout = TimeSpan.FromSeconds(15),
        EnableMultipleHttp2Connections = true,
        UseCookies = false,
    };
}
