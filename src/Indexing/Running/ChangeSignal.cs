namespace Jackdaw.Indexing.Running;

/// <summary>Tells any number of waiters that something has changed. Any thread.</summary>
/// <remarks>To miss nothing: take <see cref="Next"/>, look at what is waited for, then await what was taken.</remarks>
internal sealed class ChangeSignal
{
    private TaskCompletionSource _next = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>Completes with the next change.</summary>
    public Task Next => Volatile.Read(ref _next).Task;

    public void Raise() =>
        Interlocked.Exchange(ref _next, new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)).SetResult();
}
