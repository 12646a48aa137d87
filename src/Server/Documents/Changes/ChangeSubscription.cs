using System.Runtime.CompilerServices;
using System.Threading.Tasks.Sources;
using Jackdaw.Server.Documents.Identity;
using Jackdaw.Storage;

namespace Jackdaw.Server.Documents.Changes;

/// <summary>One consumer of a feed. Read by one thread at a time; disposed by any.</summary>
/// <remarks>
/// To follow a database without holes: subscribe; read the storage by etag in a snapshot begun afterwards; then take the items of the
/// feed, and skip changes up to the last etag of the snapshot. After a gap the same again, from <see cref="FeedItem.After"/>.
/// </remarks>
public sealed class ChangeSubscription : IDisposable, IValueTaskSource
{
    /// <summary>Buffer kept between items. Bytes.</summary>
    private const int KeptBytesMax = 64 * 1024;

    private const int FirstBytes = 4096;

    private readonly ChangeFeed _feed;
    private ManualResetValueTaskSourceCore<bool> _wake = new() { RunContinuationsAsynchronously = true };
    private int _isWaiting;
    private int _isReading;

    internal ChangeSubscription(ChangeFeed feed, Etag start)
    {
        _feed = feed;
        Start = Told = start;
    }

    /// <summary>Last etag before the first item. Every snapshot that is begun from now on contains it.</summary>
    public Etag Start { get; }

    /// <summary>Position in the feed's log. Guarded by the feed's lock, as the next two.</summary>
    internal long Position { get; set; }

    /// <summary>Last etag of the previous item.</summary>
    internal Etag Told { get; set; }

    internal bool IsRemoved { get; set; }

    /// <summary>Takes the changes of one item.</summary>
    internal byte[] Buffer { get; private set; } = [];

    /// <summary>The next item, as soon as there is one. After the end, every call returns the end.</summary>
    /// <exception cref="InvalidOperationException">Another call has not ended.</exception>
    /// <exception cref="OperationCanceledException">No item was taken.</exception>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public async ValueTask<FeedItem> ReadAsync(CancellationToken cancellationToken = default)
    {
        while (true)
        {
            cancellationToken.ThrowIfCancellationRequested();
            if (TryRead(out FeedItem item))
            {
                return item;
            }

            await WaitAsync(cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>The next item if there is one.</summary>
    /// <exception cref="InvalidOperationException">Another call has not ended.</exception>
    public bool TryRead(out FeedItem item)
    {
        EnterRead();
        try
        {
            if (Buffer.Length > KeptBytesMax)
            {
                GiveBuffer();
            }

            while (!_feed.TryRead(this, out item, out int bytesWanted))
            {
                if (bytesWanted == 0)
                {
                    return false;
                }

                // Outside of the feed's lock: the writer may wait for it.
                GiveBuffer();
                Buffer = ByteArrays.Rent(Math.Max(bytesWanted, FirstBytes));
            }

            return true;
        }
        finally
        {
            Volatile.Write(ref _isReading, 0);
        }
    }

    /// <summary>Unsubscribes. A waiting call gets the end.</summary>
    public void Dispose() => _feed.Remove(this);

    /// <summary>Ends a wait. Any thread.</summary>
    internal void Wake()
    {
        if (Volatile.Read(ref _isWaiting) != 0 && Interlocked.Exchange(ref _isWaiting, 0) != 0)
        {
            _wake.SetResult(true);
        }
    }

    /// <summary>Caller holds the feed's lock.</summary>
    internal void BeginWait()
    {
        _wake.Reset();
        Volatile.Write(ref _isWaiting, 1);
    }

    void IValueTaskSource.GetResult(short token) => _wake.GetResult(token);

    ValueTaskSourceStatus IValueTaskSource.GetStatus(short token) => _wake.GetStatus(token);

    void IValueTaskSource.OnCompleted(
        Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _wake.OnCompleted(continuation, state, token, flags);

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    private async ValueTask WaitAsync(CancellationToken cancellationToken)
    {
        EnterRead();
        try
        {
            if (_feed.TryBeginWait(this))
            {
                var wait = new ValueTask(this, _wake.Version);
                using CancellationTokenRegistration cancelled =
                    cancellationToken.UnsafeRegister(static waiting => ((ChangeSubscription)waiting!).Wake(), this);
                await wait.ConfigureAwait(false);
            }
        }
        finally
        {
            Volatile.Write(ref _isReading, 0);
        }
    }

    private void EnterRead()
    {
        if (Interlocked.Exchange(ref _isReading, 1) != 0)
        {
            throw new InvalidOperationException("A subscription is read by one caller at a time.");
        }
    }

    private void GiveBuffer()
    {
        if (Buffer.Length > 0)
        {
            ByteArrays.Return(Buffer);
            Buffer = [];
        }
    }
}
