namespace Jackdaw.Client.Changes.Feed;

/// <summary>Feed for the cache of one database, over a connection of its own: notices of documents for users do not delay it.</summary>
/// <remarks>The reader of the socket calls the consumer: no queue, so nothing can overflow, and no notice is seen late.</remarks>
internal sealed class CacheNotices : INoticeSink, IAsyncDisposable
{
    private readonly ICacheNoticeConsumer _consumer;
    private readonly NoticeFeed _feed;
    private readonly Waiters _connecting = new();
    private volatile bool _isConnected;

    public CacheNotices(FeedSettings settings, ICacheNoticeConsumer consumer)
    {
        _consumer = consumer;
        var watches = new WatchTable(settings.Time);
        watches.Add(new Watch(WatchSubject.Caches));
        _feed = new NoticeFeed(settings, watches, this);
    }

    /// <summary>Begins to connect; does not wait.</summary>
    public void Start() => _feed.Start();

    /// <summary>Completes after the consumer was told that the connection is there.</summary>
    /// <exception cref="Exceptions.DocumentDatabaseException">The next attempt failed; the feed goes on trying.</exception>
    public Task EnsureConnectedAsync()
    {
        Start();
        Task next = _connecting.Next();
        return _isConnected ? Task.CompletedTask : next;
    }

    void INoticeSink.Connected()
    {
        _consumer.Connected();
        _isConnected = true;
        _connecting.Succeed();
    }

    void INoticeSink.Lost()
    {
        _isConnected = false;
        _consumer.Lost();
    }

    void INoticeSink.Failed(Exception failure) => _connecting.Fail(failure);

    void INoticeSink.Told(in Notice notice)
    {
        if (notice.Kind == NoticeKind.Cache && !notice.Cache!.IsUnknown)
        {
            _consumer.Changed(notice.Cache);
        }
        else if (notice.Kind == NoticeKind.Cache || notice.Change is ChangesGap)
        {
            _consumer.Gap();
        }
    }

    public async ValueTask DisposeAsync()
    {
        _connecting.Close(new ObjectDisposedException(nameof(CacheNotices)));
        await _feed.DisposeAsync().ConfigureAwait(false);
    }
}
