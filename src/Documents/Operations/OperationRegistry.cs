namespace Jackdaw.Documents.Operations;

/// <summary>The operations of one database: numbers, running ones, and the last finished ones for clients that
/// poll.</summary>
public sealed class OperationRegistry
{
    /// <summary>The number of operations that are remembered. A client polls within seconds; 512 operations cost some 100 KB.</summary>
    public const int RememberedMax = 512;

    private readonly Lock _lock = new(); // Guards both collections and the last number.
    private readonly Dictionary<long, Operation> _byId = [];
    private readonly Queue<Operation> _oldestFirst = new();
    private long _lastId;

    /// <summary>Raised when an operation has made progress (false) or has ended (true, once). The events of one operation come in their order, while its state
    /// is locked: the handler must be short, and must not call the operation.</summary>
    public event Action<Operation, bool>? Changed;

    /// <summary>Reserves a number that no other operation of this database gets. Numbers that clients have sent are skipped, because a client may have got one
    /// before a restart.</summary>
    public long NextId()
    {
        lock (_lock)
        {
            do
            {
                _lastId++;
            }
            while (_byId.ContainsKey(_lastId));
            return _lastId;
        }
    }

    /// <summary>Begins an operation under a number that the client sent; false when that number is taken.</summary>
    /// <param name="query">The query whose results it changes; null for other operations.</param>
    /// <param name="figures">The figures that it shows; null for a bulk insert, and for changes of the results of a query.</param>
    public bool TryBegin(long id, out Operation operation, string? query = null, OperationFigures? figures = null)
    {
        operation = new Operation(id, query, figures, (changed, isEnd) => Changed?.Invoke(changed, isEnd));
        lock (_lock)
        {
            if (!_byId.TryAdd(id, operation))
            {
                return false;
            }

            _oldestFirst.Enqueue(operation);
            ForgetOldest();
            return true;
        }
    }

    /// <summary>Those that run and the last that have ended, the newest first.</summary>
    public IReadOnlyList<Operation> List()
    {
        lock (_lock)
        {
            return [.. _byId.Values.OrderByDescending(operation => operation.Began)];
        }
    }

    public bool TryFind(long id, out Operation operation)
    {
        lock (_lock)
        {
            return _byId.TryGetValue(id, out operation!);
        }
    }

    // A running operation is never removed: it goes back to the end of the queue, and the search stops after one round.
    private void ForgetOldest()
    {
        for (int round = _oldestFirst.Count; round > 0 && _oldestFirst.Count > RememberedMax; round--)
        {
            Operation oldest = _oldestFirst.Dequeue();
            if (oldest.State.Status == OperationStatus.InProgress)
            {
                _oldestFirst.Enqueue(oldest);
                continue;
            }

            _byId.Remove(oldest.Id);
        }
    }
}
