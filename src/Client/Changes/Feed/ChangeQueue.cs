using System.Threading.Channels;

namespace Jackdaw.Client.Changes.Feed;

/// <summary>What was read from a socket and not taken yet. Bounded: what does not fit becomes one gap behind what does.</summary>
/// <remarks>Any thread adds, without waiting; one takes.</remarks>
internal sealed class ChangeQueue(int itemsMax)
{
    /// <summary>Bytes of all items, so that few large ones are bounded, too.</summary>
    public const long BytesMax = 8 * 1024 * 1024;

    /// <summary>Counted for each item besides the length of its notice.</summary>
    public const int ItemBytes = 256;

    private readonly Channel<bool> _wakeup = Channel.CreateBounded<bool>(1);
    private readonly Lock _lock = new(); // guards what follows
    private readonly Queue<(ChangeItem Item, int Bytes)> _items = new();
    private long _bytes;
    private long? _lastEtag; // of what was taken in
    private ChangesGap? _gap; // of what was not
    private bool _isComplete;

    public void Add(ChangeItem item, int noticeBytes = 0)
    {
        int bytes = (2 * noticeBytes) + ItemBytes;
        lock (_lock)
        {
            if (_isComplete)
            {
                return;
            }

            bool hasRoom = _items.Count == 0 || (_items.Count < itemsMax && _bytes + bytes <= BytesMax);
            if (_gap is null && hasRoom)
            {
                _items.Enqueue((item, bytes));
                _bytes += bytes;
                _lastEtag = item.Etag ?? _lastEtag;
            }
            else
            {
                Lose(item);
            }
        }

        _wakeup.Writer.TryWrite(true);
    }

    public bool TryTake(out ChangeItem item)
    {
        lock (_lock)
        {
            if (_items.TryDequeue(out (ChangeItem Item, int Bytes) first))
            {
                _bytes -= first.Bytes;
                item = first.Item;
                return true;
            }

            item = _gap!;
            _gap = null;
            return item is not null;
        }
    }

    /// <summary>Waits until there may be something; false when nothing will be any more.</summary>
    public async ValueTask<bool> WaitAsync(CancellationToken token)
    {
        bool isOpen = await _wakeup.Reader.WaitToReadAsync(token).ConfigureAwait(false);
        _wakeup.Reader.TryRead(out _);
        return isOpen;
    }

    /// <summary>Nothing comes any more, and what was not taken is dropped.</summary>
    public void Complete()
    {
        lock (_lock)
        {
            _isComplete = true;
            _items.Clear();
            _gap = null;
            _bytes = 0;
        }

        _wakeup.Writer.TryComplete();
        while (_wakeup.Reader.TryRead(out _))
        {
            // Whoever waits shall see the end, and no wakeup before it.
        }
    }

    // Up to which etag: as long as all that is lost has one.
    private void Lose(ChangeItem item)
    {
        long? last = item is ChangesGap gap ? gap.Last : item.Etag;
        if (_gap is null)
        {
            _gap = new ChangesGap { Reason = ChangesGapReason.Overflow, After = _lastEtag, Last = last };
        }
        else if (_gap.Last is not null)
        {
            _gap = _gap with { Last = last };
        }

        _lastEtag = item.Etag ?? _lastEtag;
    }
}
