using System.Threading.Tasks.Sources;
using Jackdaw.Documents.Identity;

namespace Jackdaw.Documents.Changes;

/// <summary>What a feed knows of one consumer. It does not refer to the consumer's <see cref="ChangeSubscription"/>,
/// except while that waits: so a subscription that nobody holds any more can be found and removed.</summary>
internal sealed class FeedConsumer(long position, Etag start) : IValueTaskSource
{
    private ManualResetValueTaskSourceCore<bool> _wake = new() { RunContinuationsAsynchronously = true };
    private int _isWaiting;

    /// <summary>Position in the feed's log. Guarded by the feed's lock, as the next two.</summary>
    public long Position { get; set; } = position;

    /// <summary>Last etag of the previous item.</summary>
    public Etag Told { get; set; } = start;

    public bool IsRemoved { get; set; }

    /// <summary>Begins a wait, which <see cref="Wake"/> ends. Caller holds the feed's lock.</summary>
    public void BeginWait() => Volatile.Write(ref _isWaiting, 1);

    /// <summary>The wait that was begun.</summary>
    public ValueTask Wait() => new(this, _wake.Version);

    /// <summary>After a wait: drops the reference to the subscription that waited.</summary>
    public void EndWait() => _wake.Reset();

    /// <summary>Ends a wait. Any thread.</summary>
    public void Wake()
    {
        if (Volatile.Read(ref _isWaiting) != 0 && Interlocked.Exchange(ref _isWaiting, 0) != 0)
        {
            _wake.SetResult(true);
        }
    }

    void IValueTaskSource.GetResult(short token) => _wake.GetResult(token);

    ValueTaskSourceStatus IValueTaskSource.GetStatus(short token) => _wake.GetStatus(token);

    void IValueTaskSource.OnCompleted(
        Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _wake.OnCompleted(continuation, state, token, flags);
}
