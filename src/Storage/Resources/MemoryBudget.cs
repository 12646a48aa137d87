using System.Diagnostics;

namespace Jackdaw.Storage.Resources;

/// <summary>The memory that all storages of a process have together for changed pages, journal entries and caches.
/// Thread safe.</summary>
/// <remarks>
/// The memory that the storages use decides what they do:
/// 1. From <see cref="FlushFromBytes"/> on, a storage flushes when it holds its part of that
/// (<see cref="FlushShareBytes"/>), and keeps no
///    spare memory.
/// 2. From <see cref="WaitFromBytes"/> on, writers of storages that hold more than <see cref="WaitShareBytes"/> wait
/// for flushes.
/// 3. From <see cref="BytesMax"/> on, a transaction that has grown beyond that share waits too, and is refused after a
/// while. The memory between 2 and 3 is kept for storages below their share, so that one large storage cannot stop the
/// others. So the storages never use more than <see cref="BytesMax"/>, one share each for the open transaction, and the
/// unused rest of the newest slab of each size.
/// </remarks>
public sealed class MemoryBudget
{
    /// <summary>Smallest share: a storage that waits for memory still flushes runs of pages, not single ones.</summary>
    private const long ShareBytesMin = 1L << 20;

    /// <summary>Smallest budget: what one storage needs on the smallest machine.</summary>
    private const long DefaultBytesMin = 340L << 20;

    private readonly Lock _lock = new(); // guards _storages
    private int _storages;
    private long _usedBytes;
    private long _mappedBytes;
    private long _flushShareBytes;
    private long _waitShareBytes;

    /// <summary>A third of the memory that this process may use.</summary>
    public MemoryBudget()
        : this(Math.Max(GC.GetGCMemoryInfo().TotalAvailableMemoryBytes / 3, DefaultBytesMin))
    {
    }

    /// <param name="bytesMax">All that the storages may use.</param>
    public MemoryBudget(long bytesMax)
        : this(bytesMax / 8 * 3, bytesMax / 4 * 3, bytesMax)
    {
    }

    internal MemoryBudget(long flushFromBytes, long waitFromBytes, long bytesMax)
    {
        Debug.Assert(flushFromBytes <= waitFromBytes && waitFromBytes <= bytesMax);
        (FlushFromBytes, WaitFromBytes, BytesMax) = (flushFromBytes, waitFromBytes, bytesMax);
        Share();
    }

    /// <summary>All that the storages may use, in bytes.</summary>
    public long BytesMax { get; }

    /// <summary>Bytes in use from which on storages flush early.</summary>
    public long FlushFromBytes { get; }

    /// <summary>Bytes in use from which on writers wait.</summary>
    public long WaitFromBytes { get; }

    /// <summary>Bytes in use: slabs of scratch with at least one page in use, journal entries that are being built, and
    /// what caches took.</summary>
    public long UsedBytes => Interlocked.Read(ref _usedBytes);

    /// <summary>Bytes taken from the system for scratch, spare memory included.</summary>
    public long MappedBytes => Interlocked.Read(ref _mappedBytes);

    /// <summary>True when storages flush early; caches are better made smaller.</summary>
    public bool IsShort => UsedBytes >= FlushFromBytes;

    /// <summary>Bytes of changed pages with which a storage flushes while memory is short.</summary>
    internal long FlushShareBytes => Volatile.Read(ref _flushShareBytes);

    /// <summary>Bytes of changed pages that a storage may always hold.</summary>
    internal long WaitShareBytes => Volatile.Read(ref _waitShareBytes);

    /// <summary>Takes memory for a cache; never waits. The caller returns as much.</summary>
    /// <param name="bytes">0 or more.</param>
    public void Take(long bytes)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(bytes);
        CountUsed(bytes);
    }

    /// <summary>Returns memory that was taken.</summary>
    /// <param name="bytes">0 or more, and no more than was taken.</param>
    public void Return(long bytes)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(bytes);
        CountUsed(-bytes);
    }

    /// <summary>True when a storage that holds this number of bytes of changed pages may begin a transaction.</summary>
    internal bool HasRoomFor(long ownBytes) => UsedBytes < WaitFromBytes || ownBytes <= WaitShareBytes;

    /// <summary>True when a transaction that holds this number of bytes may take more.</summary>
    internal bool HasRoomInside(long transactionBytes) => transactionBytes <= WaitShareBytes || UsedBytes < BytesMax;

    /// <summary>Is called when a storage begins to use the budget.</summary>
    internal void AddStorage() => Share(+1);

    /// <summary>Is called when a storage ends, which has returned its memory.</summary>
    internal void RemoveStorage() => Share(-1);

    internal void CountUsed(long bytes)
    {
        long used = Interlocked.Add(ref _usedBytes, bytes);
        Debug.Assert(used >= 0, "more memory was given back than taken");
    }

    internal void CountMapped(long bytes) => Interlocked.Add(ref _mappedBytes, bytes);

    private void Share(int more = 0)
    {
        lock (_lock)
        {
            _storages += more;
            Debug.Assert(_storages >= 0, "a storage ended twice");
            int parts = Math.Max(1, _storages);
            Volatile.Write(ref _flushShareBytes, Math.Max(ShareBytesMin, FlushFromBytes / parts));
            Volatile.Write(ref _waitShareBytes, Math.Max(ShareBytesMin, (BytesMax - WaitFromBytes) / parts));
        }
    }
}
