using Jackdaw.Client.Caching;
using Jackdaw.Client.Changes;
using Jackdaw.Client.Changes.Feed;
using Jackdaw.Client.Conventions;
using Jackdaw.Client.Requests;
using Jackdaw.Client.Sessions.Core;

namespace Jackdaw.Client;

/// <summary>What a store keeps for one database: requests and their cache, ranges of ids, notices.</summary>
internal sealed class DatabaseAccess : IAsyncDisposable
{
    /// <summary>A server that is running answers within this time. Until it does, reads ask the server.</summary>
    private static readonly TimeSpan s_connectWait = TimeSpan.FromSeconds(15);

    private readonly DocumentConventions _conventions;
    private readonly CacheNotices _notices;
    private readonly Lazy<DatabaseChanges> _changes;

    public DatabaseAccess(RequestExecutor executor, FeedSettings feed, DocumentConventions conventions)
    {
        _conventions = conventions;
        Executor = executor;
        Ids = new HiLoIdGenerator(executor, conventions.IdentityPartsSeparator);
        _notices = new CacheNotices(feed, executor.Tracker);
        _changes = new(() => new DatabaseChanges(feed, conventions));
    }

    public RequestExecutor Executor { get; }

    public HiLoIdGenerator Ids { get; }

    public IDatabaseChanges Changes => _changes.Value;

    /// <summary>Begins a scope of aggressive caching.</summary>
    /// <param name="duration">Null: that of the conventions.</param>
    /// <param name="mode">Null: that of the conventions.</param>
    public IDisposable EnterCache(TimeSpan? duration, AggressiveCacheMode? mode)
    {
        (TimeSpan length, AggressiveCacheMode used) = Begin(duration, mode);
        return Executor.Scopes.Enter(length, used, _conventions.AggressiveCache.MaxStaleness);
    }

    /// <summary>Like <see cref="EnterCache"/>, but waits for a bounded time until notices arrive.</summary>
    public ValueTask<IDisposable> EnterCacheAsync(TimeSpan? duration, AggressiveCacheMode? mode, CancellationToken token)
    {
        (TimeSpan length, AggressiveCacheMode used) = Begin(duration, mode);
        return Executor.Scopes.EnterAsync(length, used, _conventions.AggressiveCache.MaxStaleness, s_connectWait, token);
    }

    /// <summary>Notifies a cache of changes and of own writes, until the result is disposed.</summary>
    public IDisposable Subscribe(IChangeNotices cache)
    {
        Executor.Tracker.AddToWrites(cache);
        return new CacheSubscription(Executor.Tracker, cache, _notices.Subscribe(cache));
    }

    /// <summary>Ends what waits for notices, and returns the unused parts of ranges of ids.</summary>
    public ValueTask DisposeAsync() => DisposeAsync(isAsync: true);

    /// <inheritdoc cref="DisposeAsync()"/>
    /// <param name="isAsync">False: the call has completed when it returns; connections of notices end in the background.</param>
    public async ValueTask DisposeAsync(bool isAsync)
    {
        Executor.Dispose();
        Task ended = Task.WhenAll(
            _notices.DisposeAsync().AsTask(), _changes.IsValueCreated ? _changes.Value.DisposeAsync().AsTask() : Task.CompletedTask);
        if (isAsync)
        {
            await ended.ConfigureAwait(false);
        }

        await Ids.ReturnAsync(isAsync).ConfigureAwait(false);
    }

    private (TimeSpan Duration, AggressiveCacheMode Mode) Begin(TimeSpan? duration, AggressiveCacheMode? mode)
    {
        TimeSpan length = duration ?? _conventions.AggressiveCache.Duration;
        AggressiveCacheMode used = mode ?? _conventions.AggressiveCache.Mode;
        if (used != AggressiveCacheMode.DoNotTrackChanges && length != TimeSpan.Zero)
        {
            _notices.Start();
        }

        return (length, used);
    }

    private sealed class CacheSubscription(ChangeTracker tracker, IChangeNotices cache, IDisposable notices) : IDisposable
    {
        public void Dispose()
        {
            tracker.RemoveFromWrites(cache);
            notices.Dispose();
        }
    }
}
