using System.Runtime.CompilerServices;
using Jackdaw.Documents.Identity;
using Jackdaw.Storage;

namespace Jackdaw.Documents.Changes;

/// <summary>One consumer of a feed. Read by one thread at a time; disposed by any.</summary>
/// <remarks>
/// The finalizer unsubscribes a subscription that was not disposed. While a read waits, the feed
/// holds a reference to it.
/// <para>To follow a database without missing a change: subscribe; read the storage by etag in a snapshot that begins afterwards; then take the items of the
/// feed, and skip changes up to the last etag of the snapshot. After a gap, do the same again from <see cref="FeedItem.After"/>.</para>
/// </remarks>
public sealed class ChangeSubscription : IDisposable
{
    /// <summary>The largest buffer, in bytes, that is kept between items.</summary>
    private const int CachedBytesMax = 64 * 1024;

    private const int FirstBytes = 4096;

    private readonly ChangeFeed _feed;
    private readonly FeedConsumer _consumer;
    private byte[] _buffer = []; // receives the changes of one item
    private int _isReading;

    internal ChangeSubscription(ChangeFeed feed, FeedConsumer consumer, Etag start)
    {
        _feed = feed;
        _consumer = consumer;
        Start = start;
    }

    /// <summary>Unsubscribes. Otherwise changes would be recorded forever for a subscription that nobody disposed.</summary>
    ~ChangeSubscription() => _feed.Remove(_consumer);

    /// <summary>The last etag before the first item. Every snapshot that begins from now on contains it.</summary>
    public Etag Start { get; }

    /// <summary>Waits for the next item. After the end, every call returns the end.</summary>
    /// <exception cref="InvalidOperationException">Another call is still running.</exception>
    /// <exception cref="OperationCanceledException">The call was cancelled; no item was taken.</exception>
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

    /// <summary>Reads the next item if there is one.</summary>
    /// <exception cref="InvalidOperationException">Another call is still running.</exception>
    public bool TryRead(out FeedItem item)
    {
        EnterRead();
        try
        {
            if (_buffer.Length > CachedBytesMax)
            {
                GiveBuffer();
            }

            while (!_feed.TryRead(_consumer, _buffer, out item, out int bytesWanted))
            {
                if (bytesWanted == 0)
                {
                    return false;
                }

                // This happens outside of the feed's lock, because the writer may wait for that lock.
                GiveBuffer();
                _buffer = ByteArrays.Rent(Math.Max(bytesWanted, FirstBytes));
            }

            return true;
        }
        finally
        {
            Volatile.Write(ref _isReading, 0);
        }
    }

    /// <summary>Unsubscribes. A waiting call gets the end.</summary>
    public void Dispose()
    {
        _feed.Remove(_consumer);
        GC.SuppressFinalize(this);
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    private async ValueTask WaitAsync(CancellationToken cancellationToken)
    {
        EnterRead();
        try
        {
            if (_feed.TryBeginWait(_consumer))
            {
                using CancellationTokenRegistration cancelled =
                    cancellationToken.UnsafeRegister(static waiting => ((FeedConsumer)waiting!).Wake(), _consumer);
                await _consumer.Wait().ConfigureAwait(false);
                _consumer.EndWait();
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
        if (_buffer.Length > 0)
        {
            ByteArrays.Return(_buffer);
            _buffer = [];
        }
    }
}
