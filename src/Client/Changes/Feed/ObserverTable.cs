namespace Jackdaw.Client.Changes.Feed;

/// <summary>Subscriptions by what they watch, so that the subscriptions of a change are found without checking all of them.</summary>
internal sealed class ObserverTable
{
    private readonly Lock _lock = new(); // guards what follows; the arrays are never changed
    private readonly Dictionary<Watch, Subscription[]> _subscriptions = [];
    private readonly HashSet<Watch> _prefixes = [];

    public void Add(Subscription subscription)
    {
        lock (_lock)
        {
            _subscriptions[subscription.Watch] = [.. _subscriptions.GetValueOrDefault(subscription.Watch, []), subscription];
            if (subscription.Watch.Subject == WatchSubject.Prefix)
            {
                _prefixes.Add(subscription.Watch);
            }
        }
    }

    public void Remove(Subscription subscription)
    {
        lock (_lock)
        {
            Subscription[] left = [.. _subscriptions.GetValueOrDefault(subscription.Watch, []).Where(other => other != subscription)];
            if (left.Length > 0)
            {
                _subscriptions[subscription.Watch] = left;
                return;
            }

            _subscriptions.Remove(subscription.Watch);
            _prefixes.Remove(subscription.Watch);
        }
    }

    public List<Subscription> Find(ChangeItem item)
    {
        var found = new List<Subscription>();
        lock (_lock)
        {
            if (_subscriptions.Count == 0)
            {
                return found;
            }

            foreach (Watch watch in Watch.AllFor(item).Concat(_prefixes.Where(prefix => prefix.Matches(item))))
            {
                found.AddRange(_subscriptions.GetValueOrDefault(watch, []));
            }
        }

        return found;
    }

    public Subscription[] All()
    {
        lock (_lock)
        {
            return [.. _subscriptions.Values.SelectMany(subscriptions => subscriptions)];
        }
    }
}
