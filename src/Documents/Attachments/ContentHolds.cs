namespace Jackdaw.Documents.Attachments;

/// <summary>Which contents somebody sends or reads right now: the collector leaves them alone. Any thread; in memory, because after a start
/// nobody does.</summary>
/// <remarks>
/// A sender holds its number from the transaction that takes it, before anybody sees that. A reader holds a number that it found, and then
/// looks in a newer snapshot whether it is still the one: if so, whoever makes the content loose does it later, and a collector that finds
/// it loose finds it held.
/// </remarks>
internal sealed class ContentHolds
{
    private readonly Lock _lock = new(); // guards everything below
    private readonly Dictionary<long, int> _held = [];
    private TaskCompletionSource _woken = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>Completes when there is something to collect at once.</summary>
    public Task Woken
    {
        get
        {
            lock (_lock)
            {
                return _woken.Task;
            }
        }
    }

    /// <summary>Contents that are held, for tests and statistics.</summary>
    public int Count
    {
        get
        {
            lock (_lock)
            {
                return _held.Count;
            }
        }
    }

    public void Hold(long number)
    {
        lock (_lock)
        {
            _held[number] = _held.GetValueOrDefault(number) + 1;
        }
    }

    /// <summary>Gives back one hold.</summary>
    public void Release(long number)
    {
        lock (_lock)
        {
            int holders = _held[number] - 1;
            if (holders > 0)
            {
                _held[number] = holders;
            }
            else
            {
                _held.Remove(number);
            }
        }
    }

    public bool IsHeld(long number)
    {
        lock (_lock)
        {
            return _held.ContainsKey(number);
        }
    }

    /// <summary>Something became loose that need not wait for the next round.</summary>
    public void Wake()
    {
        lock (_lock)
        {
            _woken.TrySetResult();
        }
    }

    /// <summary>The collector begins a round: it sees all that was loose before.</summary>
    public void BeginRound()
    {
        lock (_lock)
        {
            if (_woken.Task.IsCompleted)
            {
                _woken = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            }
        }
    }
}
