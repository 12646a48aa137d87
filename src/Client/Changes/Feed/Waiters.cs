namespace Jackdaw.Client.Changes.Feed;

/// <summary>Callers that wait for something that happens or fails, and may do so again.</summary>
internal sealed class Waiters
{
    private readonly Lock _lock = new(); // guards what follows
    private TaskCompletionSource? _next;
    private Exception? _closed;

    /// <summary>Completes with the next success, and fails with the next failure.</summary>
    public Task Next()
    {
        lock (_lock)
        {
            return _closed is not null
                ? Task.FromException(_closed)
                : (_next ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)).Task;
        }
    }

    public void Succeed() => Take()?.SetResult();

    public void Fail(Exception failure)
    {
        if (Take() is { } waiting)
        {
            waiting.SetException(failure);
            _ = waiting.Task.Exception; // observed, because the callers may have given up
        }
    }

    /// <summary>Fails the callers that wait, and all later ones.</summary>
    public void Close(Exception failure)
    {
        lock (_lock)
        {
            _closed ??= failure;
        }

        Fail(failure);
    }

    private TaskCompletionSource? Take()
    {
        lock (_lock)
        {
            (TaskCompletionSource? next, _next) = (_next, null);
            return next;
        }
    }
}
