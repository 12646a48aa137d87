using System.Diagnostics;
using Jackdaw.Client.Caching;
using Jackdaw.Client.Conventions;
using Jackdaw.Client.Diagnostics;
using Jackdaw.Client.Exceptions;
using Jackdaw.Client.Http;

namespace Jackdaw.Client.Requests;

/// <summary>All requests of one store to one database, and the cache of their answers. Safe for concurrent use.</summary>
internal sealed class RequestExecutor : IDisposable
{
    private readonly HttpTransport _transport;
    private readonly AnswerCache _cache;
    private readonly BackgroundRefresher _refresher;

    public RequestExecutor(HttpTransport transport, string database, DocumentConventions conventions, TimeProvider time)
    {
        _transport = transport;
        (Database, Time) = (database, time);
        Tracker = new ChangeTracker(time);
        Scopes = new AggressiveCacheScopes(Tracker, time);
        _cache = new AnswerCache(conventions.MaxHttpCacheSize, Tracker);
        MemoryPressure.Watch(_cache, conventions.MaxHttpCacheSize);
        _refresher = new BackgroundRefresher(_cache, Tracker, new AnswerRenewal(transport, database));
    }

    public string Database { get; }

    /// <summary>The clock.</summary>
    public TimeProvider Time { get; }

    /// <summary>Knows what has changed since an answer was given.</summary>
    public ChangeTracker Tracker { get; }

    public AggressiveCacheScopes Scopes { get; }

    public AnswerCacheStatistics CacheStatistics => _cache.Statistics;

    /// <summary>Ends running renewals.</summary>
    public void Dispose() => _refresher.Dispose();

    /// <summary>Sends a request that is not cached.</summary>
    public ValueTask<RequestAnswer> SendAsync(RequestMessage message, bool isAsync, CancellationToken token) => ClientTelemetry.IsListened
        ? TraceAsync(message, _transport.SendAsync, static answer => answer.Status, isAsync, token)
        : _transport.SendAsync(message, message.IsServerWide ? null : Database, isAsync, token);

    /// <inheritdoc cref="HttpTransport.OpenAsync"/>
    public ValueTask<HttpResponseMessage> OpenAsync(RequestMessage message, bool isAsync, CancellationToken token) => ClientTelemetry.IsListened
        ? TraceAsync(message, _transport.OpenAsync, static response => (int)response.StatusCode, isAsync, token)
        : _transport.OpenAsync(message, Database, isAsync, token);

    /// <summary>Reads from the cache if it may answer, and otherwise from the server, with the ETag of the cached answer.</summary>
    /// <param name="describe">Finds out what an answer depends on. It is called only within a scope of aggressive caching, because nobody else
    /// needs this. Null: the cache is not used.</param>
    /// <param name="counter">Counts the request, if there is one.</param>
    /// <returns>Whether a request was sent, and the answer with status 200 or 404.</returns>
    public async ValueTask<ReadAnswer> ReadAsync(
        RequestMessage message, Action<RequestAnswer, AnswerTags>? describe, IRequestCounter counter, bool isAsync, CancellationToken token)
    {
        if (describe is null)
        {
            counter.CountRequest(message);
            return new ReadAnswer(await SendAsync(message, isAsync, token).ConfigureAwait(false), IsSent: true, IsFromCache: false);
        }

        AggressiveCacheScope? scope = Scopes.Current;
        if (TryServe(message, describe, scope, out CachedAnswer? kept))
        {
            return Served(kept!);
        }

        counter.CountRequest(message);
        long stamp = Tracker.TakeStamp();
        RequestAnswer answer = await SendAsync(Conditional(message, kept), isAsync, token).ConfigureAwait(false);
        return Finish(message, kept, answer, scope is null ? null : describe, stamp);
    }

    /// <summary>The answer to the plain load of one document, if the cache can give it without a request. Otherwise <see cref="ReadAsync"/> finds out
    /// what is to be done.</summary>
    public RequestAnswer? FindLoaded(string id)
    {
        if (Scopes.Current is not { } scope || _cache.FindFresh(AnswerKey.OfLoad(Database, id), scope) is not { } kept)
        {
            return null;
        }

        ClientTelemetry.CountRead("hit");
        return kept.Answer;
    }

    /// <summary>Reads several things by one request. No request is sent when the cache has all of them.</summary>
    /// <param name="beforeSend">Called before the request, if there is one.</param>
    /// <returns>The answer or the error of each.</returns>
    public async ValueTask<(ReadAnswer Answer, DocumentDatabaseException? Error)[]> ReadManyAsync(
        IReadOnlyList<BatchedRead> parts, Action beforeSend, bool isAsync, CancellationToken token)
    {
        AggressiveCacheScope? scope = Scopes.Current;
        var answers = new (ReadAnswer, DocumentDatabaseException?)[parts.Count];
        var open = new List<(int Index, CachedAnswer? Kept, RequestMessage Message)>(parts.Count);
        for (int i = 0; i < parts.Count; i++)
        {
            CachedAnswer? kept = null;
            if (parts[i].MayCache && TryServe(parts[i].Message, parts[i].Describe, scope, out kept))
            {
                answers[i] = (Served(kept!), null);
            }
            else
            {
                open.Add((i, kept, Conditional(parts[i].Message, kept)));
            }
        }

        if (open.Count == 0)
        {
            return answers;
        }

        beforeSend();
        long stamp = Tracker.TakeStamp();
        RequestMessage request = MultiGet.MakeRequest(Database, [.. open.Select(one => one.Message)]);
        PartialAnswer[] found = MultiGet.Read(await SendAsync(request, isAsync, token).ConfigureAwait(false), open.Count);
        for (int i = 0; i < found.Length; i++)
        {
            (int index, CachedAnswer? kept, _) = open[i];
            answers[index] = Finish(parts[index], kept, found[i], scope, stamp);
        }

        return answers;
    }

    private static ReadAnswer Served(CachedAnswer kept) => new(kept.Answer, IsSent: false, IsFromCache: true);

    private static RequestMessage Conditional(RequestMessage message, CachedAnswer? kept) =>
        kept?.ETag is { } known ? message with { IfNoneMatch = known } : message;

    private AnswerKey KeyOf(RequestMessage message)
    {
        Debug.Assert(message.Body is not { } body || message.Path.EndsWith($"={AnswerKey.HashOf(body.Span):x}", StringComparison.Ordinal));
        return message.LoadedId is { } id ? AnswerKey.OfLoad(Database, id) : new AnswerKey(Database, message.Method.Method, message.Path);
    }

    /// <param name="kept">When the result is false: the cached answer, which the server may confirm.</param>
    private bool TryServe(RequestMessage message, Action<RequestAnswer, AnswerTags> describe, AggressiveCacheScope? scope, out CachedAnswer? kept)
    {
        AnswerKey key = KeyOf(message);
        CacheDecision decision = _cache.Decide(key, scope, out kept);
        if (decision is not (CacheDecision.Serve or CacheDecision.ServeAndRefresh))
        {
            return false;
        }

        ClientTelemetry.CountRead(decision == CacheDecision.Serve ? "hit" : "stale");
        if (decision == CacheDecision.ServeAndRefresh)
        {
            _refresher.Request(new KeptAnswer(key, kept!, message, describe));
        }

        return true;
    }

    private (ReadAnswer, DocumentDatabaseException?) Finish(
        BatchedRead part, CachedAnswer? kept, PartialAnswer found, AggressiveCacheScope? scope, long stamp)
    {
        if (!found.IsAnswer)
        {
            string path = $"databases/{Database}/{part.Message.Path}";
            return (default, ServerErrors.Of(new Uri(path, UriKind.Relative), found.Status, found.Body, part.Name, _transport.Sent));
        }

        var answer = new RequestAnswer(found.Status, found.Body, found.ETag);
        return part.MayCache
            ? (Finish(part.Message, kept, answer, scope is null ? null : part.Describe, stamp), null)
            : (new ReadAnswer(answer, IsSent: true, IsFromCache: false), null);
    }

    private ReadAnswer Finish(
        RequestMessage message, CachedAnswer? kept, RequestAnswer answer, Action<RequestAnswer, AnswerTags>? describe, long stamp)
    {
        if (answer.IsNotModified && kept is not null)
        {
            ClientTelemetry.CountRead("not_modified");
            Renew(KeyOf(message), kept, describe, stamp);
            return Served(kept) with { IsSent = true };
        }

        ClientTelemetry.CountRead("miss");
        if (answer.ETag is not null || answer.IsMissing)
        {
            Keep(KeyOf(message), answer, describe, stamp);
        }

        return new ReadAnswer(answer, IsSent: true, IsFromCache: false);
    }

    private async ValueTask<T> TraceAsync<T>(
        RequestMessage message, Func<RequestMessage, string?, bool, CancellationToken, ValueTask<T>> send, Func<T, int> statusOf, bool isAsync,
        CancellationToken token)
    {
        string? database = message.IsServerWide ? null : Database;
        RequestTrace trace = ClientTelemetry.Begin(message.Method.Method, message.Path, database, message.Collection, message.QueryText);
        try
        {
            T answer = await send(message, database, isAsync, token).ConfigureAwait(false);
            trace.End(_transport.Server, statusOf(answer), null);
            return answer;
        }
        catch (Exception error)
        {
            trace.End(_transport.Server, (error as DocumentDatabaseException)?.StatusCode ?? 0, error);
            throw;
        }
    }

    // Outside of a scope it was not determined what the answer depends on. The first reader within a scope does that.
    private void Renew(in AnswerKey key, CachedAnswer kept, Action<RequestAnswer, AnswerTags>? describe, long stamp)
    {
        if (describe is not null && kept.DependsOnAnything)
        {
            Keep(key, kept.Answer, describe, stamp);
        }
        else
        {
            kept.Renew(stamp);
        }
    }

    private void Keep(in AnswerKey key, RequestAnswer answer, Action<RequestAnswer, AnswerTags>? describe, long stamp)
    {
        AnswerTag[] tags = [AnswerTag.Anything];
        if (describe is not null)
        {
            var collected = new AnswerTags();
            describe(answer, collected);
            tags = collected.ToArray();
        }

        _cache.Put(key, new CachedAnswer(answer, tags, stamp));
    }
}

/// <summary>The answer to a read.</summary>
/// <param name="Answer">An answer with status 200 or 404.</param>
/// <param name="IsSent">Whether there was a request.</param>
/// <param name="IsFromCache">Whether the body comes from the cache.</param>
internal readonly record struct ReadAnswer(RequestAnswer Answer, bool IsSent, bool IsFromCache);

/// <summary>One of several reads.</summary>
/// <param name="Name">Its name in errors.</param>
/// <param name="Describe">Finds out what an answer depends on.</param>
/// <param name="MayCache">Whether the cache may answer, and may store the answer.</param>
internal sealed record BatchedRead(string Name, RequestMessage Message, Action<RequestAnswer, AnswerTags> Describe, bool MayCache);
