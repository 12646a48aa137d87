using System.Globalization;
using System.Runtime.CompilerServices;
using Jackdaw.Client.Conventions;

namespace Jackdaw.Client.Changes.Feed;

/// <summary>The changes of one database: one feed, handlers on one dispatcher, and loops that each read from their own buffer.</summary>
/// <remarks>The reader of the socket only adds to queues. Handlers and loops never delay it, so it always sees confirmations and losses.</remarks>
internal sealed class DatabaseChanges : IDatabaseChanges, INoticeSink
{
    /// <summary>Changes that wait for handlers.</summary>
    public const int DispatchedMax = 16 * 1024;

    /// <summary>How long disposal waits for a handler that is still running.</summary>
    private static readonly TimeSpan s_handlerTime = TimeSpan.FromSeconds(5);

    private readonly FeedSettings _settings;
    private readonly DocumentConventions _conventions;
    private readonly NoticeFeed _feed;
    private readonly ChangeQueue _queue = new(DispatchedMax);
    private readonly Waiters _connecting = new();
    private readonly Lock _lock = new(); // guards the loops and the start
    private ChangeLoop[] _loops = []; // never changed, only replaced
    private Task? _dispatching;
    private int _dispatchingThread; // 0: no handler runs
    private long? _lastEtag; // reader of the socket only
    private long? _laterEtag; // reported by a connection before all its watches were confirmed
    private bool _wasUp; // reader of the socket only
    private volatile bool _isUp;
    private volatile bool _isToldUp;

    public DatabaseChanges(FeedSettings settings, DocumentConventions conventions)
    {
        _settings = settings;
        _conventions = conventions;
        Watches = new WatchTable(settings.Time);
        _feed = new NoticeFeed(settings, Watches, this);
    }

    public WatchTable Watches { get; }

    public ObserverTable Observers { get; } = new();

    public bool Connected => _isUp && _isToldUp;

    public event EventHandler? ConnectionStatusChanged;

    public event Action<Exception>? OnError;

    public async Task<IDatabaseChanges> EnsureConnectedNow()
    {
        Start();
        Task next = _connecting.Next();
        if (!Connected)
        {
            await next.ConfigureAwait(false);
        }

        return this;
    }

    public IChangesObservable<DocumentChange> ForDocument(string id) => Observe<DocumentChange>(Watch.Of(WatchSubject.Document, id));

    public IChangesObservable<DocumentChange> ForAllDocuments() => Observe<DocumentChange>(new Watch(WatchSubject.Documents));

    public IChangesObservable<DocumentChange> ForDocumentsStartingWith(string prefix) => Observe<DocumentChange>(Watch.Of(WatchSubject.Prefix, prefix));

    public IChangesObservable<DocumentChange> ForDocumentsInCollection(string name) => Observe<DocumentChange>(Watch.Of(WatchSubject.Collection, name));

    public IChangesObservable<DocumentChange> ForDocumentsInCollection<TEntity>() => ForDocumentsInCollection(
        _conventions.GetCollectionName(typeof(TEntity)) ?? throw new InvalidOperationException($"The type {typeof(TEntity)} has no collection."));

    public IChangesObservable<IndexChange> ForIndex(string name) => Observe<IndexChange>(Watch.Of(WatchSubject.Index, name));

    public IChangesObservable<IndexChange> ForAllIndexes() => Observe<IndexChange>(new Watch(WatchSubject.Indexes));

    public IChangesObservable<OperationStatusChange> ForOperationId(long id) =>
        Observe<OperationStatusChange>(Watch.Of(WatchSubject.Operation, id.ToString(CultureInfo.InvariantCulture)));

    public IChangesObservable<OperationStatusChange> ForAllOperations() => Observe<OperationStatusChange>(new Watch(WatchSubject.Operations));

    public IChangesObservable<CounterChange> ForAllCounters() => Observe<CounterChange>(new Watch(WatchSubject.Counters));

    public IChangesObservable<CounterChange> ForCounter(string name) => Observe<CounterChange>(Watch.Of(WatchSubject.Counter, name));

    public IChangesObservable<CounterChange> ForCountersOfDocument(string id) => Observe<CounterChange>(Watch.Of(WatchSubject.CountersOfDocument, id));

    public IChangesObservable<CounterChange> ForCounterOfDocument(string id, string name) =>
        Observe<CounterChange>(Watch.Of(WatchSubject.CounterOfDocument, id, name));

    public IAsyncEnumerable<ChangeItem> ReadAllAsync(ChangesFilter filter, int buffer = 1024, CancellationToken token = default)
    {
        ArgumentNullException.ThrowIfNull(filter);
        ArgumentOutOfRangeException.ThrowIfLessThan(buffer, 1);
        return ReadAsync(filter, buffer, token);
    }

    /// <summary>Begins to connect and to dispatch, once.</summary>
    public void Start()
    {
        _feed.Start();
        lock (_lock)
        {
            if (_dispatching is null)
            {
                using AsyncFlowControl alone = ExecutionContext.SuppressFlow();
                _dispatching = Task.Run(DispatchAllAsync);
            }
        }
    }

    public void Dispose() => _ = DisposeAsync().AsTask();

    public async ValueTask DisposeAsync()
    {
        bool isWithinHandler = Volatile.Read(ref _dispatchingThread) == Environment.CurrentManagedThreadId;
        _connecting.Close(new ObjectDisposedException(nameof(IDatabaseChanges)));
        Task ended = _feed.DisposeAsync().AsTask();
        _queue.Complete();
        Array.ForEach(Volatile.Read(ref _loops), loop => loop.Queue.Complete());
        await ended.ConfigureAwait(false);
        if (_dispatching is { } dispatching && !isWithinHandler)
        {
            await dispatching.WaitAsync(s_handlerTime, _settings.Time, CancellationToken.None).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }

    void INoticeSink.Connected()
    {
        _isUp = true;
        _queue.Add(new ConnectionSignal(true));
        if (_wasUp)
        {
            var gap = new ChangesGap { Reason = ChangesGapReason.Reconnected, After = _lastEtag };
            Array.ForEach(Volatile.Read(ref _loops), loop => loop.Queue.Add(gap));
        }

        (_lastEtag, _laterEtag) = (_laterEtag ?? _lastEtag, null);
        _wasUp = true;
    }

    void INoticeSink.Lost()
    {
        _isUp = false;
        _queue.Add(new ConnectionSignal(false));
    }

    void INoticeSink.Failed(Exception failure)
    {
        _connecting.Fail(failure);
        _queue.Add(new ErrorSignal(failure));
    }

    void INoticeSink.Told(in Notice notice)
    {
        if (notice.Change is not { } item)
        {
            return;
        }

        // Changes that come before all watches are confirmed again are reported after the gap, not before it.
        long? etag = item.Etag ?? (item as ChangesGap)?.Last;
        if (_isUp || !_wasUp)
        {
            _lastEtag = etag ?? _lastEtag;
        }
        else
        {
            _laterEtag = etag ?? _laterEtag;
        }

        if (item is ChangesGap || Observers.Find(item).Count > 0)
        {
            _queue.Add(item, notice.Bytes);
        }

        foreach (ChangeLoop loop in Volatile.Read(ref _loops))
        {
            if (loop.Filter.Matches(item))
            {
                loop.Queue.Add(item, notice.Bytes);
            }
        }
    }

    private ChangesObservable<T> Observe<T>(Watch watch) where T : ChangeItem => new(this, watch);

    private async IAsyncEnumerable<ChangeItem> ReadAsync(ChangesFilter filter, int buffer, [EnumeratorCancellation] CancellationToken token)
    {
        Start();
        var loop = new ChangeLoop(filter, new ChangeQueue(buffer));
        ReplaceLoops(loops => [.. loops, loop]);
        var entries = new List<WatchEntry>();
        try
        {
            foreach (Watch watch in filter.Watches)
            {
                entries.Add(Watches.Add(watch));
            }

            await WaitUntilConfirmedAsync(entries, token).ConfigureAwait(false);
            yield return new ChangesGap { Reason = ChangesGapReason.Started };
            do
            {
                while (loop.Queue.TryTake(out ChangeItem item))
                {
                    token.ThrowIfCancellationRequested();
                    yield return item;
                }
            }
            while (await loop.Queue.WaitAsync(token).ConfigureAwait(false));
        }
        finally
        {
            ReplaceLoops(loops => [.. loops.Where(other => other != loop)]);
            entries.ForEach(Watches.Remove);
        }
    }

    // It does not matter how often the connection is lost before.
    private async Task WaitUntilConfirmedAsync(List<WatchEntry> entries, CancellationToken token)
    {
        Task[] all;
        do
        {
            all = [.. entries.Select(Watches.WhenConfirmed)];
            await Task.WhenAll(all).WaitAsync(token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            token.ThrowIfCancellationRequested();
            Watches.ThrowIfClosed();
        }
        while (!all.All(confirmed => confirmed.IsCompletedSuccessfully));
    }

    private void ReplaceLoops(Func<ChangeLoop[], ChangeLoop[]> replace)
    {
        lock (_lock)
        {
            Volatile.Write(ref _loops, replace(_loops));
        }
    }

    private async Task DispatchAllAsync()
    {
        while (await _queue.WaitAsync(CancellationToken.None).ConfigureAwait(false))
        {
            Volatile.Write(ref _dispatchingThread, Environment.CurrentManagedThreadId);
            while (_queue.TryTake(out ChangeItem item))
            {
                Dispatch(item);
            }

            Volatile.Write(ref _dispatchingThread, 0);
        }

        _isToldUp = false;
        foreach (Subscription subscription in Observers.All())
        {
            Call(subscription.Complete);
        }
    }

    private void Dispatch(ChangeItem item)
    {
        switch (item)
        {
            case ConnectionSignal signal:
                TellStatus(signal.IsConnected);
                break;
            case ErrorSignal signal:
                TellError(signal.Error);
                break;
            case ChangesGap:
                // The lost items may have included news of the connection, so its current state is reported.
                TellStatus(false);
                TellStatus(_isUp);
                break;
            default:
                foreach (Subscription subscription in Observers.Find(item))
                {
                    Call(() => subscription.Tell(item));
                }

                break;
        }
    }

    private void TellStatus(bool isConnected)
    {
        if (_isToldUp == isConnected)
        {
            return;
        }

        _isToldUp = isConnected;
        if (isConnected)
        {
            _connecting.Succeed();
        }

        foreach (EventHandler handler in Delegate.EnumerateInvocationList(ConnectionStatusChanged))
        {
            Call(() => handler(this, EventArgs.Empty));
        }
    }

    private void Call(Action handler)
    {
        try
        {
            handler();
        }
        catch (Exception thrown)
        {
            TellError(thrown);
        }
    }

    private void TellError(Exception error)
    {
        foreach (Action<Exception> handler in Delegate.EnumerateInvocationList(OnError))
        {
            try
            {
                handler(error);
            }
            catch (Exception)
            {
                // Nobody is left to be notified.
            }
        }
    }

    private sealed record ChangeLoop(ChangesFilter Filter, ChangeQueue Queue);
}
