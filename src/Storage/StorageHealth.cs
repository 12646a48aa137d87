namespace Jackdaw.Storage;

/// <summary>Knows whether a storage works or was stopped by a failure. The first failure is kept. Thread safe.</summary>
/// <param name="findPath">Returns the current folder of the storage, for messages.</param>
internal sealed class StorageHealth(Func<string> findPath)
{
    private Exception? _failure;

    /// <summary>Folder of the storage.</summary>
    public string Path => findPath();

    /// <summary>Why the storage stopped; null while it works.</summary>
    public Exception? Failure => Volatile.Read(ref _failure);

    /// <summary>Stops the storage; returns the exception for callers.</summary>
    public StoragePoisonedException Fail(Exception cause)
    {
        Exception first = Interlocked.CompareExchange(ref _failure, cause, null) ?? cause;
        return first as StoragePoisonedException ?? new StoragePoisonedException(Path, first);
    }

    /// <exception cref="StoragePoisonedException">The storage was stopped.</exception>
    public void ThrowIfFailed()
    {
        if (Failure is { } failure)
        {
            throw new StoragePoisonedException(Path, failure);
        }
    }
}
