namespace Jackdaw.Indexing.Running;

/// <summary>Notifies any number of waiters that something has changed. Any thread.</summary>
/// <remarks>To miss no change, a waiter takes <see cref="Next"/>, checks its condition, and then awaits what it took.</remarks>
internal sealed class ChangeSignal
{
    private TaskCompletionSource _next = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>Completes with the next change.</summary>
    public Task Next => Volatile.Read(ref _next).Task;

    public void Raise() =>
        Interlocked.Exchange(ref _next, new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)).SetResult();
}
