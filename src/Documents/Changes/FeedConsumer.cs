using System.Threading.Tasks.Sources;
using Jackdaw.Documents.Identity;

namespace Jackdaw.Documents.Changes;

/// <summary>The state of one consumer in a feed. It refers to the consumer's <see cref="ChangeSubscription"/> only while that waits, so that the garbage
/// collector can find a subscription that nobody holds any more.</summary>
internal sealed class FeedConsumer(long position, Etag start) : IValueTaskSource
{
    private ManualResetValueTaskSourceCore<bool> _wake = new() { RunContinuationsAsynchronously = true };
    private int _isWaiting;

    /// <summary>The position in the feed's log. The feed's lock guards it and the next two.</summary>
    public long Position { get; set; } = position;

    /// <summary>The last etag of the previous item.</summary>
    public Etag Delivered { get; set; } = start;

    public bool IsRemoved { get; set; }

    /// <summary>Begins a wait, which <see cref="Wake"/> ends. Caller holds the feed's lock.</summary>
    public void BeginWait() => Volatile.Write(ref _isWaiting, 1);

    /// <summary>Waits, after <see cref="BeginWait"/>.</summary>
    public ValueTask Wait() => new(this, _wake.Version);

    /// <summary>Is called after a wait, and drops the reference to the subscription that waited.</summary>
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
