namespace Jackdaw.Client.Changes.Feed;

/// <summary>Changes that one watch asks for.</summary>
internal sealed class ChangesObservable<T>(DatabaseChanges changes, Watch watch) : IChangesObservable<T> where T : ChangeItem
{
    private readonly Lock _lock = new(); // guards what follows
    private int _subscribers;
    private WatchEntry? _entry; // held from the first need to the end of the last subscription

    public async Task EnsureSubscribedNow()
    {
        Task confirmed;
        lock (_lock)
        {
            changes.Start();
            confirmed = changes.Watches.WhenConfirmed(_entry ??= changes.Watches.Add(watch));
        }

        await confirmed.ConfigureAwait(false);
    }

    public IDisposable Subscribe(IObserver<T> observer)
    {
        ArgumentNullException.ThrowIfNull(observer);
        return Add(observer.OnNext, observer.OnCompleted);
    }

    public IDisposable Subscribe(Action<T> handler)
    {
        ArgumentNullException.ThrowIfNull(handler);
        return Add(handler, null);
    }

    private One Add(Action<T> next, Action? completed)
    {
        var one = new One(this, watch, next, completed);
        lock (_lock)
        {
            changes.Start();
            _entry ??= changes.Watches.Add(watch);
            _subscribers++;
            changes.Observers.Add(one);
        }

        return one;
    }

    private void Remove(One one)
    {
        lock (_lock)
        {
            changes.Observers.Remove(one);
            if (--_subscribers == 0)
            {
                changes.Watches.Remove(_entry!);
                _entry = null;
            }
        }
    }

    private sealed class One(ChangesObservable<T> owner, Watch watch, Action<T> next, Action? completed) : Subscription(watch), IDisposable
    {
        private int _hasEnded;

        public override void Tell(ChangeItem item)
        {
            if (Volatile.Read(ref _hasEnded) == 0)
            {
                next((T)item);
            }
        }

        public override void Complete()
        {
            if (Volatile.Read(ref _hasEnded) == 0)
            {
                completed?.Invoke();
            }
        }

        public void Dispose()
        {
            if (Interlocked.Exchange(ref _hasEnded, 1) == 0)
            {
                owner.Remove(this);
            }
        }
    }
}
