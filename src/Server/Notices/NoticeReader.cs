using System.Buffers.Text;
using System.Diagnostics;
using Jackdaw.Documents.Identity;
using Jackdaw.Json;

namespace Jackdaw.Server.Notices;

/// <summary>One client that follows a database: its watches, and its place among the notices.</summary>
/// <remarks>
/// 1. Any thread changes watches, wakes, cuts and ends it; one thread fills frames.
/// 2. A watch is in force when its confirmation is in a frame: later writes are in this frame or a later one.
/// 3. It holds no notices of its own, only its place among the batches of all readers. A reader that falls too far behind is cut: it continues at the end, and
/// the notices that it missed are a gap.
/// </remarks>
/// <param name="isExtended">The client asked for notices with more members, and for gaps.</param>
internal sealed class NoticeReader(bool isExtended)
{
    /// <summary>The bytes after which a frame is sent, as clients expect it. A larger notice is a frame of its own.</summary>
    public const int FrameBytes = 16 * 1024;

    /// <summary>The most confirmations that wait to be sent. No more commands are read while there are that many.</summary>
    public const int ConfirmationsMax = 1000;

    /// <summary>The most notices that are examined under the lock, because threads that hand out batches wait for it.</summary>
    private const int LookedAtMax = 256;

    private readonly Lock _lock = new(); // guards everything below
    private readonly Watches _watches = new();
    private readonly Queue<long> _confirmations = new();
    private readonly CacheNotice _caches = new(isExtended);
    private readonly ReaderSignal _wakeup = new();
    private readonly ReaderSignal _room = new();
    private NoticeBatch _at = null!; // the last batch that was begun
    private int _index; // of its next entry
    private Etag _before; // changes up to here were reported, even if only a part of the batch was read
    private (Etag After, Etag Last)? _gap;
    private bool _hasMissed;
    private NoticeEnd? _end;

    /// <summary>Raised when the reader was cut and the client has not asked for gaps, so that the connection has become useless. Handlers are short and run on
    /// any thread.</summary>
    public event Action? Missed;

    /// <summary>Whether the client asked for notices with more members, and for gaps.</summary>
    public bool IsExtended { get; } = isExtended;

    /// <summary>Why the reader ends; null while it does not end.</summary>
    public NoticeEnd? End
    {
        get
        {
            lock (_lock)
            {
                return _end;
            }
        }
    }

    /// <summary>The kinds of changes that the reader wants.</summary>
    public (bool Documents, bool Extensions, bool Caches) Wants
    {
        get
        {
            lock (_lock)
            {
                return (_watches.WantsDocuments, _watches.WantsExtensions, _watches.WantsCaches);
            }
        }
    }

    /// <summary>Starts after a batch.</summary>
    public void Begin(NoticeBatch at)
    {
        lock (_lock)
        {
            MoveToEndOf(at);
        }
    }

    /// <summary>Carries out a command and confirms it with the next frame.</summary>
    /// <exception cref="WatchCommandException">There would be too many watches.</exception>
    public void Apply(WatchCommand command)
    {
        lock (_lock)
        {
            _watches.Apply(command);
            _confirmations.Enqueue(command.Id);
        }

        _wakeup.Set();
    }

    /// <summary>Waits while <see cref="ConfirmationsMax"/> confirmations are not sent yet. Called before each command.</summary>
    public async ValueTask WaitForRoomAsync(CancellationToken cancellationToken)
    {
        while (!HasRoom)
        {
            await _room.WaitAsync(cancellationToken).ConfigureAwait(false);
        }
    }

    private bool HasRoom
    {
        get
        {
            lock (_lock)
            {
                return _confirmations.Count < ConfirmationsMax;
            }
        }
    }

    /// <summary>Ends the reader. The first reason counts, and notices that were handed out before are sent first.</summary>
    public void EndWith(NoticeEnd end)
    {
        lock (_lock)
        {
            _end ??= end;
        }

        _wakeup.Set();
    }

    public void Wake() => _wakeup.Set();

    public Task WaitAsync(CancellationToken cancellationToken) => _wakeup.WaitAsync(cancellationToken);

    /// <summary>When the reader is too far behind, it continues after the last batch. The skipped notices are a gap.</summary>
    /// <param name="bytesMax">The most bytes of batches that may wait for it.</param>
    public void CutIfBehind(NoticeBatch tail, long bytesMax)
    {
        lock (_lock)
        {
            if (tail.End - _at.End <= bytesMax)
            {
                return;
            }

            // If only a part of a batch was read, the gap begins before the batch.
            Etag told = _index == _at.Entries.Length ? _at.Last : _before;
            _gap = (_gap?.After ?? told, tail.Last);
            _caches.AddUnknown();
            MoveToEndOf(tail);
            if (IsExtended || !_watches.LosesByGaps)
            {
                return;
            }

            _hasMissed = true;
        }

        Missed?.Invoke();
    }

    /// <summary>Writes the next frame, a JSON array.</summary>
    /// <returns>False when there is nothing to send.</returns>
    public bool TryFill(PooledBuffer frame)
    {
        frame.Clear();
        frame.Append((byte)'[');
        while (TryAppend(frame))
        {
            // Other threads may want the lock.
        }

        if (frame.Length == 1)
        {
            return false;
        }

        _room.Set();
        frame.Truncate(frame.Length - 1); // the last comma
        frame.Append((byte)']');
        return true;
    }

    // True when the frame has room and there are notices that were not examined yet.
    private bool TryAppend(PooledBuffer frame)
    {
        lock (_lock)
        {
            AppendConfirmations(frame);
            AppendGap(frame);
            if (AppendNotices(frame))
            {
                return true;
            }

            _caches.Flush(frame, _watches.WantsCaches);
            if (_hasMissed)
            {
                _end ??= new NoticeEnd(NoticeEndKind.Missed, "Notices were missed; connect again, and load everything again that you show.");
                _wakeup.Set(); // the sending loop may have checked for the end just before
            }

            return false;
        }
    }

    private void AppendConfirmations(PooledBuffer frame)
    {
        while (frame.Length < FrameBytes && _confirmations.TryDequeue(out long id))
        {
            frame.Append("{\"CommandId\":"u8);
            Append(frame, id);
            frame.Append(",\"Type\":\"Confirm\"},"u8);
        }
    }

    private void AppendGap(PooledBuffer frame)
    {
        if (_gap is not { } gap)
        {
            return;
        }

        _gap = null;
        if (IsExtended && _watches.LosesByGaps)
        {
            AppendGap(frame, gap.After.Value, gap.Last.Value);
        }
    }

    // True when it stopped because it has examined as many as it may.
    private bool AppendNotices(PooledBuffer frame)
    {
        Debug.Assert(_lock.IsHeldByCurrentThread);
        int left = LookedAtMax;
        while (frame.Length + _caches.Bytes < FrameBytes && !_hasMissed)
        {
            if (left-- == 0)
            {
                return true;
            }

            if (_index < _at.Entries.Length)
            {
                Append(frame, _at.Entries[_index++]);
            }
            else if (_at.Next is { } next)
            {
                _before = _at.Last;
                _at = next;
                _index = 0;
            }
            else
            {
                return false;
            }
        }

        return false;
    }

    private void MoveToEndOf(NoticeBatch batch)
    {
        _before = batch.Last;
        _at = batch;
        _index = batch.Entries.Length;
    }

    private void Append(PooledBuffer frame, in NoticeEntry entry)
    {
        if (entry.ChangesCaches && _watches.WantsCaches)
        {
            _caches.Add(_at, entry);
        }

        if (!_watches.Matches(_at, entry))
        {
            return;
        }

        if (entry.Kind is NoticeKind.ExtensionGap or NoticeKind.ChangeGap)
        {
            AppendGapOrMiss(frame, entry);
            return;
        }

        frame.Append(_at.Text(entry.Json));
        if (IsExtended && entry.Etag > 0)
        {
            frame.Append(",\"Etag\":"u8);
            Append(frame, entry.Etag);
        }

        frame.Append("}},"u8);
    }

    private void AppendGapOrMiss(PooledBuffer frame, in NoticeEntry gap)
    {
        if (IsExtended)
        {
            AppendGap(frame, gap.After, gap.Etag);
        }
        else
        {
            _hasMissed = true;
        }
    }

    private static void AppendGap(PooledBuffer frame, long after, long last)
    {
        frame.Append("{\"Type\":\"Gap\",\"Value\":{\"After\":"u8);
        Append(frame, after);
        frame.Append(",\"Last\":"u8);
        Append(frame, last);
        frame.Append("}},"u8);
    }

    private static void Append(PooledBuffer frame, long number)
    {
        Utf8Formatter.TryFormat(number, frame.Reserve(20), out int digits);
        frame.Advance(digits);
    }
}
