using System.Buffers;
using System.Threading.Channels;

namespace Jackdaw.Client.Changes.Feed;

/// <summary>What is watched, how many users each watch has, and which commands the server still has to get.</summary>
/// <remarks>
/// 1. Any thread adds and removes; the sender of the open connection takes commands, its reader confirms.
/// 2. The server gets one command for each watch, no matter how many users the watch has, and gets it again over each new connection.
/// 3. Commands are found by comparing what is watched with what was sent, so frequent changes do not accumulate anything.
/// </remarks>
internal sealed class WatchTable(TimeProvider time)
{
    /// <summary>Bytes of all names, with <see cref="NameBytes"/> for each. A server that is asked for more ends the connection.</summary>
    public const int BytesMax = 1024 * 1024;

    /// <summary>Bytes that the server counts for each name in addition to the name itself.</summary>
    public const int NameBytes = 64;

    private readonly Channel<bool> _wakeup = Channel.CreateBounded<bool>(1);
    private readonly Lock _lock = new(); // guards what follows
    private readonly Dictionary<Watch, WatchEntry> _entries = [];
    private readonly Queue<WatchEntry> _queue = new();
    private readonly Dictionary<long, WatchEntry> _unconfirmed = [];
    private int _bytes;
    private int _awaited;
    private long _lastCommandId;
    private bool _isOpen;
    private bool _isClosed;

    /// <summary>Adds a user of a watch.</summary>
    /// <exception cref="InvalidOperationException">The names of all watches have too many bytes.</exception>
    public WatchEntry Add(Watch watch)
    {
        lock (_lock)
        {
            ObjectDisposedException.ThrowIf(_isClosed, typeof(IDatabaseChanges));
            if (!_entries.TryGetValue(watch, out WatchEntry? entry))
            {
                int bytes = watch.Bytes + NameBytes;
                if (_bytes + bytes > BytesMax)
                {
                    throw new InvalidOperationException(
                        $"The names that are watched in this database have {_bytes} bytes, including {NameBytes} for each name, and {BytesMax} are allowed. "
                        + "Watch a prefix or a collection instead, or end subscriptions that are not needed.");
                }

                _bytes += bytes;
                _entries.Add(watch, entry = new WatchEntry(watch));
            }

            entry.Count++;
            Enqueue(entry);
            return entry;
        }
    }

    /// <summary>Removes a user of a watch. When the last one is removed, the server is asked to end the watch.</summary>
    public void Remove(WatchEntry entry)
    {
        lock (_lock)
        {
            if (--entry.Count > 0 || _isClosed)
            {
                return;
            }

            if (entry.IsAwaited)
            {
                entry.IsAwaited = false;
                _awaited--;
            }

            if (entry.IsSent)
            {
                Enqueue(entry);
            }
            else
            {
                Forget(entry);
            }
        }
    }

    /// <summary>Completes when the server has confirmed it; fails when the connection, or an attempt to make one, fails before.</summary>
    public Task WhenConfirmed(WatchEntry entry)
    {
        lock (_lock)
        {
            return entry.IsConfirmed ? Task.CompletedTask : entry.Confirmed.Next();
        }
    }

    /// <summary>A connection was opened, over which no watch was sent yet.</summary>
    public void Begin()
    {
        lock (_lock)
        {
            Reset();
            _isOpen = true;
            foreach (WatchEntry entry in _entries.Values)
            {
                entry.IsAwaited = true;
                _awaited++;
                Enqueue(entry);
            }
        }
    }

    /// <summary>The connection was lost, or could not be made.</summary>
    public void End(Exception why)
    {
        lock (_lock)
        {
            Reset();
            foreach (WatchEntry entry in _entries.Values)
            {
                entry.Confirmed.Fail(why);
            }
        }
    }

    /// <summary>There will be no more connections.</summary>
    public void Close(Exception why)
    {
        lock (_lock)
        {
            Reset();
            _isClosed = true;
            foreach (WatchEntry entry in _entries.Values)
            {
                entry.Confirmed.Close(why);
            }
        }
    }

    /// <exception cref="ObjectDisposedException">There will be no more connections.</exception>
    public void ThrowIfClosed()
    {
        lock (_lock)
        {
            ObjectDisposedException.ThrowIf(_isClosed, typeof(IDatabaseChanges));
        }
    }

    /// <summary>Writes the next command; false when the server has got all commands.</summary>
    public bool TryNextCommand(IBufferWriter<byte> text)
    {
        lock (_lock)
        {
            while (_isOpen && _queue.TryDequeue(out WatchEntry? entry))
            {
                entry.IsQueued = false;
                bool isWanted = entry.Count > 0;
                if (isWanted == entry.IsSent)
                {
                    continue;
                }

                long id = ++_lastCommandId;
                if (isWanted)
                {
                    (entry.IsSent, entry.CommandId, entry.SentAt) = (true, id, time.GetTimestamp());
                    _unconfirmed.Add(id, entry);
                }
                else
                {
                    Forget(entry);
                }

                WatchText.Write(text, id, isWanted, entry.Watch);
                return true;
            }

            return false;
        }
    }

    /// <summary>Waits until there may be a command.</summary>
    public ValueTask<bool> WaitAsync(CancellationToken token) => _wakeup.Reader.ReadAsync(token);

    /// <summary>The server has confirmed a command.</summary>
    /// <returns>The watch whose waiters must be notified; null if nobody waits for it.</returns>
    public WatchEntry? Confirm(long commandId)
    {
        lock (_lock)
        {
            if (!_unconfirmed.Remove(commandId, out WatchEntry? entry))
            {
                return null;
            }

            entry.IsConfirmed = true;
            if (entry.IsAwaited)
            {
                entry.IsAwaited = false;
                _awaited--;
            }

            return entry;
        }
    }

    /// <summary>Whether the server has confirmed all watches that existed at the beginning.</summary>
    public bool HasConfirmedAll
    {
        get
        {
            lock (_lock)
            {
                return _isOpen && _awaited == 0;
            }
        }
    }

    /// <summary>Whether a confirmation has been missing for longer than this time.</summary>
    public bool IsOverdue(TimeSpan limit)
    {
        lock (_lock)
        {
            return _unconfirmed.Values.Any(entry => time.GetElapsedTime(entry.SentAt) > limit);
        }
    }

    private void Enqueue(WatchEntry entry)
    {
        if (_isOpen && !entry.IsQueued)
        {
            entry.IsQueued = true;
            _queue.Enqueue(entry);
        }

        _wakeup.Writer.TryWrite(true);
    }

    private void Forget(WatchEntry entry)
    {
        _unconfirmed.Remove(entry.CommandId);
        (entry.IsSent, entry.IsConfirmed) = (false, false);
        if (_entries.Remove(entry.Watch))
        {
            _bytes -= entry.Watch.Bytes + NameBytes;
        }
    }

    private void Reset()
    {
        _isOpen = false;
        _awaited = 0;
        _queue.Clear();
        _unconfirmed.Clear();
        foreach (WatchEntry entry in _entries.Values.ToArray())
        {
            (entry.IsQueued, entry.IsSent, entry.IsConfirmed, entry.IsAwaited) = (false, false, false, false);
            if (entry.Count == 0)
            {
                Forget(entry);
            }
        }
    }
}
