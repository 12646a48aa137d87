namespace Jackdaw.Documents.Databases;

/// <summary>One gate for each database name, without regard to case. Changes of one database run one after the other, those of different databases at the same
/// time. Any thread.</summary>
/// <remarks>A gate exists only while somebody holds it or waits for it, so that old names take no memory.</remarks>
internal sealed class ChangeGates
{
    private readonly Lock _lock = new(); // guards the next two, and the users of the gates
    private readonly Dictionary<string, Gate> _gates = new(StringComparer.OrdinalIgnoreCase);
    private bool _isClosed;
    private readonly TaskCompletionSource _isEmpty = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>The number of gates that are held or waited for.</summary>
    public int Count
    {
        get
        {
            lock (_lock)
            {
                return _gates.Count;
            }
        }
    }

    /// <summary>Waits for the gate of a name; disposing the result opens the gate for the next caller.</summary>
    /// <exception cref="ObjectDisposedException">The gates are closed.</exception>
    public async Task<Holder> EnterAsync(string name, CancellationToken cancellationToken)
    {
        Gate? gate;
        lock (_lock)
        {
            ObjectDisposedException.ThrowIf(_isClosed, this);
            if (!_gates.TryGetValue(name, out gate))
            {
                _gates.Add(name, gate = new Gate());
            }

            gate.Users++;
        }

        try
        {
            await gate.Semaphore.WaitAsync(cancellationToken).ConfigureAwait(false);
        }
        catch
        {
            Leave(name, gate);
            throw;
        }

        return new Holder(this, name, gate);
    }

    /// <summary>Refuses new callers, and waits until all who hold a gate or wait for one have left.</summary>
    public Task CloseAsync()
    {
        lock (_lock)
        {
            _isClosed = true;
            if (_gates.Count == 0)
            {
                _isEmpty.TrySetResult();
            }
        }

        return _isEmpty.Task;
    }

    private void Leave(string name, Gate gate)
    {
        lock (_lock)
        {
            gate.Users--;
            if (gate.Users == 0)
            {
                _gates.Remove(name);
                gate.Semaphore.Dispose();
            }

            if (_isClosed && _gates.Count == 0)
            {
                _isEmpty.TrySetResult();
            }
        }
    }

    /// <summary>Holds a gate until it is disposed.</summary>
    internal readonly struct Holder(ChangeGates gates, string name, Gate gate) : IDisposable
    {
        public void Dispose()
        {
            gate.Semaphore.Release();
            gates.Leave(name, gate);
        }
    }

    internal sealed class Gate
    {
        public SemaphoreSlim Semaphore { get; } = new(1);

        public int Users { get; set; } // guarded by the lock of all gates
    }
}
