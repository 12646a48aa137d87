namespace Jackdaw.Documents.Attachments;

/// <summary>The contents that are being sent or read, which the collector does not remove. Any thread. They are in memory only, because nobody sends or reads
/// after a start.</summary>
/// <remarks>
/// A sender holds its number from the transaction that takes it, before anybody can see that transaction. A reader holds a number that it found, and then
/// checks in a newer snapshot whether the content still has that number. If so, the content can become loose only afterwards, and a collector that finds it
/// loose also finds it held.
/// </remarks>
internal sealed class ContentHolds
{
    private readonly Lock _lock = new(); // guards everything below
    private readonly Dictionary<long, int> _held = [];
    private TaskCompletionSource _woken = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>Completes when there is something to remove at once.</summary>
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

    /// <summary>The number of held contents, for tests and statistics.</summary>
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

    /// <summary>Releases one hold.</summary>
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

    /// <summary>Is called when something became loose that need not wait for the next round.</summary>
    public void Wake()
    {
        lock (_lock)
        {
            _woken.TrySetResult();
        }
    }

    /// <summary>Is called when the collector begins a round, in which it sees everything that became loose before.</summary>
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
