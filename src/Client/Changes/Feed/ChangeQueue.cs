using System.Threading.Channels;

namespace Jackdaw.Client.Changes.Feed;

/// <summary>Items that were read from a socket and not taken yet. The queue is bounded: items that do not fit become one gap after those that
/// do.</summary>
/// <remarks>Any thread adds items, without waiting; one thread takes them.</remarks>
internal sealed class ChangeQueue(int itemsMax)
{
    /// <summary>Largest number of bytes of all items, so that a few large items are bounded, too.</summary>
    public const long BytesMax = 8 * 1024 * 1024;

    /// <summary>Bytes that are counted for each item in addition to the length of its notice.</summary>
    public const int ItemBytes = 256;

    private readonly Channel<bool> _wakeup = Channel.CreateBounded<bool>(1);
    private readonly Lock _lock = new(); // guards what follows
    private readonly Queue<(ChangeItem Item, int Bytes)> _items = new();
    private long _bytes;
    private long? _lastEtag; // of the last item that was added
    private ChangesGap? _gap; // for the items that did not fit
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

    /// <summary>Waits until there may be an item; false when there will be no more items.</summary>
    public async ValueTask<bool> WaitAsync(CancellationToken token)
    {
        bool isOpen = await _wakeup.Reader.WaitToReadAsync(token).ConfigureAwait(false);
        _wakeup.Reader.TryRead(out _);
        return isOpen;
    }

    /// <summary>Ends the queue. Items that were not taken are dropped.</summary>
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
            // A waiting reader must see the end, and no earlier wakeup.
        }
    }

    // The gap says up to which etag it reaches, as long as all lost items have one.
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
