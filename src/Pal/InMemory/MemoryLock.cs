namespace Jackdaw.Pal.InMemory;

/// <summary>A lock of a platform in memory; released once.</summary>
internal sealed class MemoryLock : IDisposable
{
    private Action? _release;

    internal MemoryLock(Action release)
    {
        _release = release;
    }

    /// <inheritdoc/>
    public void Dispose() => Interlocked.Exchange(ref _release, null)?.Invoke();
}
