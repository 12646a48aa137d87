using System.Diagnostics;

namespace Jackdaw.Storage.Merging;

/// <summary>Bounds the queue of the merger, in commands and bytes. Callers that exceed the bound wait asynchronously,
/// in order. Thread safe.</summary>
internal sealed class QueueGate(int commandsMax, long bytesMax, TimeProvider time)
{
    private readonly Lock _lock = new(); // guards everything below
    private readonly LinkedList<Waiter> _line = new();
    private int _commands;
    private long _bytes;

    /// <summary>Commands inside.</summary>
    public int Commands => Volatile.Read(ref _commands);

    /// <summary>Bytes inside.</summary>
    public long Bytes => Interlocked.Read(ref _bytes);

    /// <summary>Enters at once if no caller waits and there is room. A single command is never too large for an empty
    /// queue.</summary>
    public bool TryEnter(long bytes)
    {
        lock (_lock)
        {
            return _line.Count == 0 && TryAdd(bytes);
        }
    }

    /// <summary>Enters when there is room; false when there was none within the given time.</summary>
    public async ValueTask<bool> EnterAsync(long bytes, TimeSpan patience, CancellationToken cancellation)
    {
        Waiter waiter;
        lock (_lock)
        {
            if (_line.Count == 0 && TryAdd(bytes))
            {
                return true;
            }

            waiter = new Waiter(bytes);
            _line.AddLast(waiter);
        }

        try
        {
            await waiter.Entered.Task.WaitAsync(patience, time, cancellation).ConfigureAwait(false);
            return true;
        }
        catch (Exception e) when (e is TimeoutException or OperationCanceledException)
        {
            bool leftLine;
            lock (_lock)
            {
                leftLine = _line.Remove(waiter);
            }

            if (!leftLine && e is OperationCanceledException)
            {
                Leave(1, bytes);
            }

            return !leftLine && e is TimeoutException || Rethrow(e);
        }
    }

    /// <summary>Releases room and admits waiting callers, in order.</summary>
    public void Leave(int commands, long bytes)
    {
        List<Waiter>? entered = null;
        lock (_lock)
        {
            _commands -= commands;
            _bytes -= bytes;
            Debug.Assert(_commands >= 0 && _bytes >= 0);
            Debug.Assert(_commands > 0 || _bytes == 0, "an empty queue has no bytes");
            while (_line.First is { } first && TryAdd(first.Value.Bytes))
            {
                _line.RemoveFirst();
                (entered ??= []).Add(first.Value);
            }
        }

        entered?.ForEach(waiter => waiter.Entered.SetResult());
    }

    private static bool Rethrow(Exception e)
    {
        if (e is OperationCanceledException)
        {
            System.Runtime.ExceptionServices.ExceptionDispatchInfo.Throw(e);
        }

        return false;
    }

    private bool TryAdd(long bytes)
    {
        Debug.Assert(_lock.IsHeldByCurrentThread);
        Debug.Assert(bytes > 0);
        if (_commands > 0 && (_commands >= commandsMax || _bytes + bytes > bytesMax))
        {
            return false;
        }

        _commands++;
        _bytes += bytes;
        Debug.Assert(_commands <= commandsMax, "the queue is bounded");
        return true;
    }

    private sealed class Waiter(long bytes)
    {
        public long Bytes { get; } = bytes;

        public TaskCompletionSource Entered { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);
    }
}
