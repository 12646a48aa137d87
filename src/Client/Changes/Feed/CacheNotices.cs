using Jackdaw.Client.Caching;

namespace Jackdaw.Client.Changes.Feed;

/// <summary>The feed for the caches of one database. It has its own connection, so that notices of documents for users do not delay it.</summary>
/// <remarks>The reader of the socket calls the caches directly. There is no queue, so nothing can overflow and no notice is late.</remarks>
internal sealed class CacheNotices : INoticeSink, IAsyncDisposable
{
    private readonly NoticeFeed _feed;
    private readonly Lock _lock = new(); // one notice after the other, also for a cache that is added in between; guards what follows
    private readonly List<IChangeNotices> _caches;
    private bool _isConnected;

    /// <param name="cache">A cache that is notified from the start.</param>
    public CacheNotices(FeedSettings settings, IChangeNotices cache)
    {
        _caches = [cache];
        var watches = new WatchTable(settings.Time);
        watches.Add(new Watch(WatchSubject.Caches));
        _feed = new NoticeFeed(settings, watches, this);
    }

    /// <summary>Begins to connect, without waiting.</summary>
    public void Start() => _feed.Start();

    /// <summary>Notifies another cache, until the result is disposed. When notices arrive already, it is notified of that before this
    /// returns.</summary>
    public IDisposable Subscribe(IChangeNotices cache)
    {
        Start();
        lock (_lock)
        {
            _caches.Add(cache);
            if (_isConnected)
            {
                cache.OnConnected();
            }
        }

        return new Ending(this, cache);
    }

    public ValueTask DisposeAsync() => _feed.DisposeAsync();

    void INoticeSink.Connected()
    {
        lock (_lock)
        {
            _isConnected = true;
            _caches.ForEach(static cache => cache.OnConnected());
        }
    }

    void INoticeSink.Lost()
    {
        lock (_lock)
        {
            _isConnected = false;
            _caches.ForEach(static cache => cache.OnLost());
        }
    }

    void INoticeSink.Failed(Exception failure)
    {
        // Until the connection is back, the caches ask the server, and readers see its error.
    }

    void INoticeSink.Told(in Notice notice)
    {
        CacheChange? change = notice.Kind == NoticeKind.Cache ? notice.Cache : notice.Change is ChangesGap ? CacheChange.Unknown : null;
        if (change is not null)
        {
            lock (_lock)
            {
                _caches.ForEach(cache => Tell(cache, change));
            }
        }
    }

    private static void Tell(IChangeNotices cache, CacheChange change)
    {
        if (change.IsUnknown || (change.Ids.Length == 0 && change.Collections.Length > 0))
        {
            cache.OnAnythingChanged();
            return;
        }

        if (change.Ids.Length > 0)
        {
            cache.OnDocumentsChanged(change.Ids, change.Collections);
        }

        Array.ForEach(change.Indexes, cache.OnIndexChanged);
        Array.ForEach(change.CompareExchange, cache.OnCompareExchangeChanged);
    }

    private void Remove(IChangeNotices cache)
    {
        lock (_lock)
        {
            _caches.Remove(cache);
        }
    }

    private sealed class Ending(CacheNotices notices, IChangeNotices cache) : IDisposable
    {
        public void Dispose() => notices.Remove(cache);
    }
}
