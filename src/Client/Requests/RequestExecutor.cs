using System.Diagnostics;
using Jackdaw.Client.Caching;
using Jackdaw.Client.Conventions;
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

    /// <summary>Ends renewals under way.</summary>
    public void Dispose() => _refresher.Dispose();

    /// <summary>Sends a request that nobody caches.</summary>
    public ValueTask<RequestAnswer> SendAsync(RequestMessage message, bool isAsync, CancellationToken token) =>
        _transport.SendAsync(message, message.IsServerWide ? null : Database, isAsync, token);

    /// <inheritdoc cref="HttpTransport.OpenAsync"/>
    public ValueTask<HttpResponseMessage> OpenAsync(RequestMessage message, bool isAsync, CancellationToken token) =>
        _transport.OpenAsync(message, Database, isAsync, token);

    /// <summary>Reads from the cache what it may give, and from the server otherwise: with the ETag of the answer that is kept.</summary>
    /// <param name="describe">Says what an answer depends on. Called within a scope of aggressive caching: no other reader looks at that.</param>
    /// <returns>Whether a request was sent, and the answer with status 200 or 404.</returns>
    public async ValueTask<ReadAnswer> ReadAsync(RequestMessage message, Action<RequestAnswer, AnswerTags> describe, bool isAsync, CancellationToken token)
    {
        Debug.Assert(message.Body is not { } body || message.Path.EndsWith($"={AnswerKey.HashOf(body.Span):x}", StringComparison.Ordinal));
        var key = new AnswerKey(Database, message.Method.Method, message.Path);
        AggressiveCacheScope? scope = Scopes.Current;
        CacheDecision decision = _cache.Decide(key, scope, out CachedAnswer? kept);
        if (decision is CacheDecision.Serve or CacheDecision.ServeAndRefresh)
        {
            if (decision == CacheDecision.ServeAndRefresh)
            {
                _refresher.Request(new KeptAnswer(key, kept!, message, describe));
            }

            return new ReadAnswer(new RequestAnswer(kept!.Status, kept.Body, kept.ETag), IsSent: false, IsFromCache: true);
        }

        long stamp = Tracker.TakeStamp();
        RequestMessage conditional = kept?.ETag is { } known ? message with { IfNoneMatch = known } : message;
        RequestAnswer answer = await SendAsync(conditional, isAsync, token).ConfigureAwait(false);
        if (answer.IsNotModified && kept is not null)
        {
            Renew(key, kept, scope is null ? null : describe, stamp);
            return new ReadAnswer(new RequestAnswer(kept.Status, kept.Body, kept.ETag), IsSent: true, IsFromCache: true);
        }

        if (answer.ETag is not null || answer.IsMissing)
        {
            Keep(key, answer, scope is null ? null : describe, stamp);
        }

        return new ReadAnswer(answer, IsSent: true, IsFromCache: false);
    }

    // What it depends on was not asked for outside of a scope, and is from the first reader within one.
    private void Renew(in AnswerKey key, CachedAnswer kept, Action<RequestAnswer, AnswerTags>? describe, long stamp)
    {
        if (describe is not null && kept.DependsOnAnything)
        {
            Keep(key, new RequestAnswer(kept.Status, kept.Body, kept.ETag), describe, stamp);
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

        _cache.Put(key, new CachedAnswer(answer.Status, answer.Body, answer.ETag, tags, stamp));
    }
}

/// <summary>The answer to a read.</summary>
/// <param name="Answer">Of status 200 or 404.</param>
/// <param name="IsSent">Whether there was a request.</param>
/// <param name="IsFromCache">Whether the body was kept by the cache.</param>
internal readonly record struct ReadAnswer(RequestAnswer Answer, bool IsSent, bool IsFromCache);
