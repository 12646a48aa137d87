using Jackdaw.Documents.Rows;

namespace Jackdaw.Documents.Patching;

/// <summary>Lets patches of one document run one after another, in the order in which they came, so that each finds the result of the one before. If they ran
/// at the same time, all except one would run in vain. Any thread.</summary>
/// <remarks>This is only a queue: correctness comes from the versions that the writer checks. A key has an entry while somebody has its turn. Several keys are
/// taken in their order as bytes, so that two requests never wait for each other.</remarks>
internal sealed class PatchTurns
{
    private readonly Lock _lock = new(); // Guards all entries and their queues.
    private readonly Dictionary<byte[], Queue<TaskCompletionSource>> _waiting = new(ByteTextComparer.Instance);

    public PatchNumbers Numbers { get; } = new();

    /// <summary>The number of keys whose turn somebody has.</summary>
    internal int Count
    {
        get
        {
            lock (_lock)
            {
                return _waiting.Count;
            }
        }
    }

    /// <summary>Waits for the turn of all keys; the caller disposes the result.</summary>
    /// <param name="keys">The keys in any order; a key that occurs twice counts once.</param>
    public async ValueTask<Turn> EnterAsync(IEnumerable<byte[]> keys, CancellationToken cancellation)
    {
        byte[][] sorted = [.. keys.Distinct(ByteTextComparer.Instance)];
        Array.Sort(sorted, static (left, right) => left.AsSpan().SequenceCompareTo(right));
        var turn = new Turn(this, sorted);
        try
        {
            foreach (byte[] key in sorted)
            {
                await EnterAsync(key, cancellation).ConfigureAwait(false);
                turn.Taken++;
            }

            return turn;
        }
        catch
        {
            turn.Dispose();
            throw;
        }
    }

    private Task EnterAsync(byte[] key, CancellationToken cancellation)
    {
        TaskCompletionSource waiter;
        lock (_lock)
        {
            if (!_waiting.TryGetValue(key, out Queue<TaskCompletionSource>? queue))
            {
                _waiting.Add(key, new Queue<TaskCompletionSource>());
                return Task.CompletedTask;
            }

            waiter = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            queue.Enqueue(waiter);
        }

        return WaitAsync(waiter, cancellation);
    }

    private static async Task WaitAsync(TaskCompletionSource waiter, CancellationToken cancellation)
    {
        // Either the previous holder gives its turn to the waiter, or the waiter gives up: the first of the two wins.
        using CancellationTokenRegistration given = cancellation.Register(() => waiter.TrySetCanceled(cancellation));
        await waiter.Task.ConfigureAwait(false);
    }

    private void Leave(byte[] key)
    {
        lock (_lock)
        {
            Queue<TaskCompletionSource> queue = _waiting[key];
            while (queue.TryDequeue(out TaskCompletionSource? next))
            {
                if (next.TrySetResult())
                {
                    return;
                }
            }

            _waiting.Remove(key);
        }
    }

    /// <summary>The turn of some keys. Disposing it gives the keys to the next waiters.</summary>
    internal sealed class Turn(PatchTurns owner, byte[][] keys) : IDisposable
    {
        /// <summary>The number of its keys that it has got.</summary>
        internal int Taken { get; set; }

        public void Dispose()
        {
            for (; Taken > 0; Taken--)
            {
                owner.Leave(keys[Taken - 1]);
            }
        }
    }
}
