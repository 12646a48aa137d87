using System.Diagnostics.CodeAnalysis;
using BitFaster.Caching.Lru;

namespace Jackdaw.Client.Caching;

/// <summary>Objects that all callers share: a document is loaded and deserialized once, until the server says that it changed.</summary>
/// <typeparam name="T">A type whose objects cannot be changed, and neither can what they contain. This is checked when the cache is
/// made.</typeparam>
/// <remarks>
/// Safe for concurrent use. A hit allocates nothing. Documents that do not exist are remembered too. The cache is emptied whenever the connection
/// is lost or comes back. While there is no connection, every call loads, and nothing is cached.
/// <para>At any time there is at most one load of an id. A notice about the id removes the running load and the cached object. The callers of this
/// load still get its result, but no further caller joins it, and the result is not cached. So nothing is cached that was requested before a
/// notice.</para>
/// </remarks>
public sealed class RecordCache<T> : IChangeNotices, IAsyncDisposable
    where T : class
{
    private readonly Lock _lock = new(); // guards all changes of what follows
    private readonly Dictionary<string, Task<T?>> _loads = new(StringComparer.OrdinalIgnoreCase);
    private readonly ConcurrentLru<string, Record> _records;
    private readonly CancellationTokenSource _stop = new();
    private readonly IRecordStore _store;
    private readonly string? _database;
    private readonly IDisposable _subscription;
    private bool _isConnected;

    /// <summary>A cache of one collection of a database.</summary>
    /// <param name="store">The document store, initialized.</param>
    /// <param name="database">Null for the store's own database.</param>
    /// <param name="capacity">Number of documents, at least 3. Those that were not read for the longest time leave first.</param>
    /// <exception cref="ArgumentException">Objects of <typeparamref name="T"/> can be changed; the message names the member.</exception>
    public RecordCache(IRecordStore store, string? database = null, int capacity = 256)
    {
        ArgumentNullException.ThrowIfNull(store);
        Immutability.Check(typeof(T));
        _store = store;
        _database = database;
        _records = new(Environment.ProcessorCount, capacity, StringComparer.OrdinalIgnoreCase);
        _subscription = store.SubscribeToRecords(database, this);
    }

    /// <summary>What the cache contains and has done.</summary>
    public RecordCacheStatistics Stats => new(_records.Count, _records.Metrics.Value!.Hits, _records.Metrics.Value.Misses);

    /// <summary>The object of a document; null when the document does not exist. It is loaded when it is not in the cache.</summary>
    /// <param name="id">Compared without case.</param>
    /// <param name="token">Ends the wait, but not the load, which others may wait for.</param>
    public ValueTask<T?> GetAsync(string id, CancellationToken token = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(id);
        return _records.TryGet(id, out Record? record) ? new(record.Value) : new(LoadAsync(id, token));
    }

    /// <summary>Gets the object of a document if it is known without a request.</summary>
    /// <param name="record">Null when the result is false, and when it is known that the document does not exist.</param>
    public bool TryGet(string id, out T? record)
    {
        bool isKnown = _records.TryGet(id, out Record? kept);
        record = isKnown ? kept!.Value : null;
        return isKnown;
    }

    /// <summary>Forgets a document.</summary>
    public void Invalidate(string id)
    {
        ArgumentException.ThrowIfNullOrEmpty(id);
        lock (_lock)
        {
            Forget(id);
        }
    }

    /// <summary>Forgets all documents.</summary>
    public void Clear()
    {
        lock (_lock)
        {
            ForgetAll();
        }
    }

    /// <summary>Ends the running loads and the subscription.</summary>
    public ValueTask DisposeAsync()
    {
        _subscription.Dispose();
        SetConnected(false);
        _stop.Cancel();
        return ValueTask.CompletedTask;
    }

    void IChangeNotices.OnDocumentsChanged(ReadOnlySpan<string> ids, ReadOnlySpan<string> collections)
    {
        lock (_lock)
        {
            foreach (string id in ids)
            {
                Forget(id);
            }

            if (ids.IsEmpty)
            {
                ForgetAll();
            }
        }
    }

    void IChangeNotices.OnIndexChanged(string name)
    {
    }

    void IChangeNotices.OnCompareExchangeChanged(string key)
    {
    }

    void IChangeNotices.OnAnythingChanged() => Clear();

    void IChangeNotices.OnConnected() => SetConnected(true);

    void IChangeNotices.OnLost() => SetConnected(false);

    private Task<T?> LoadAsync(string id, CancellationToken token)
    {
        ObjectDisposedException.ThrowIf(_stop.IsCancellationRequested, this);
        TaskCompletionSource<T?> load;
        lock (_lock)
        {
            if (_isConnected && _loads.TryGetValue(id, out Task<T?>? other))
            {
                return other.WaitAsync(token);
            }

            load = new(TaskCreationOptions.RunContinuationsAsynchronously);
            if (_isConnected)
            {
                _loads.Add(id, load.Task);
            }
        }

        _ = CompleteAsync(id, load);
        return load.Task.WaitAsync(token);
    }

    [SuppressMessage("Design", "CA1031", Justification = "The callers that wait for the load get its exception, of any type.")]
    private async Task CompleteAsync(string id, TaskCompletionSource<T?> load)
    {
        try
        {
            T? value = await _store.LoadRecordAsync<T>(_database, id, _stop.Token).ConfigureAwait(false);
            End(id, load.Task, new Record(value));
            load.SetResult(value);
        }
        catch (Exception e)
        {
            End(id, load.Task, null);
            load.SetException(e);
            _ = load.Task.Exception; // observed, even when all callers have given up
        }
    }

    /// <summary>Caches what a load found, if no notice about it has come since the load began.</summary>
    private void End(string id, Task<T?> load, Record? found)
    {
        lock (_lock)
        {
            if (_loads.TryGetValue(id, out Task<T?>? current) && current == load)
            {
                _loads.Remove(id);
                if (found is not null)
                {
                    _records.AddOrUpdate(id, found);
                }
            }
        }
    }

    private void SetConnected(bool isConnected)
    {
        lock (_lock)
        {
            _isConnected = isConnected;
            ForgetAll();
        }
    }

    private void Forget(string id)
    {
        _loads.Remove(id);
        _records.TryRemove(id);
    }

    private void ForgetAll()
    {
        _loads.Clear();
        _records.Clear();
    }

    private sealed record Record(T? Value);
}
