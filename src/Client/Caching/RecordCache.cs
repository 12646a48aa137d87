using System.Diagnostics.CodeAnalysis;
using BitFaster.Caching.Lru;

namespace Jackdaw.Client.Caching;

/// <summary>Objects that all callers share: a document is loaded and deserialized once, until the server says that it changed.</summary>
/// <typeparam name="T">A type whose objects nobody can change, neither they nor what they hold. It is checked when the cache is made.</typeparam>
/// <remarks>
/// Safe for concurrent use. A hit allocates nothing. Documents that do not exist are remembered too. Each change of the connection, lost or back,
/// empties the cache; while there is none, every
/// call loads, and nothing is kept.
/// <para>One load of an id is under way at a time. A notice takes it out of the loads under way, together with what is kept: its callers get its
/// result, nobody joins it any more, and it is not
/// kept. So nothing is kept that was asked for before a notice.</para>
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
    /// <param name="database">Null: the store's.</param>
    /// <param name="capacity">Documents, at least 3; those that nobody has read for long leave first.</param>
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

    /// <summary>What it holds and has done.</summary>
    public RecordCacheStatistics Stats => new(_records.Count, _records.Metrics.Value!.Hits, _records.Metrics.Value.Misses);

    /// <summary>The object of a document; null when there is none. Loads it when it is not here.</summary>
    /// <param name="id">Compared without case.</param>
    /// <param name="token">Ends the waiting, not the load, which others may wait for.</param>
    public ValueTask<T?> GetAsync(string id, CancellationToken token = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(id);
        return _records.TryGet(id, out Record? record) ? new(record.Value) : new(LoadAsync(id, token));
    }

    /// <summary>Whether it is known what this document is, without a request.</summary>
    /// <param name="record">Null when the result is false, and when it is known that there is no such document.</param>
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

    /// <summary>Ends the loads under way and the subscription.</summary>
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

    [SuppressMessage("Design", "CA1031", Justification = "Whatever the load ends with is for those that wait for it.")]
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
            _ = load.Task.Exception; // seen, also when all that waited have given up
        }
    }

    /// <summary>Keeps what a load found, if no notice about it came since the load began.</summary>
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
