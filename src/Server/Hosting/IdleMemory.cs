using System.Runtime;

namespace Jackdaw.Server.Hosting;

/// <summary>Returns the managed heap's memory to the system when there were no requests for some time. Otherwise the collector keeps the memory of past load
/// until memory is short.</summary>
internal sealed class IdleMemory : IDisposable
{
    /// <summary>The server counts as idle when it allocates less than this in a period: timers, health checks and a scrape.</summary>
    private const long IdleBytesMax = 4L << 20;

    /// <summary>The number of collections after load: array pools release an array only after several collections found it unused,
    /// and the last collection runs after storages have released their tables, 45 s after their last load.</summary>
    private const int CollectionsMax = 5;

    private static readonly TimeSpan s_period = TimeSpan.FromSeconds(10);

    private readonly ITimer _timer;
    private long _allocated;
    private int _collectionsLeft;

    public IdleMemory(TimeProvider time) => _timer = time.CreateTimer(_ => Look(), null, s_period, s_period);

    public void Dispose() => _timer.Dispose();

    private void Look()
    {
        long allocated = GC.GetTotalAllocatedBytes();
        bool isIdle = allocated - _allocated < IdleBytesMax;
        _allocated = allocated;
        if (!isIdle)
        {
            _collectionsLeft = CollectionsMax;
        }
        else if (_collectionsLeft > 0)
        {
            _collectionsLeft--;
            GCSettings.LargeObjectHeapCompactionMode = GCLargeObjectHeapCompactionMode.CompactOnce;
            GC.Collect(GC.MaxGeneration, GCCollectionMode.Aggressive, blocking: true, compacting: true);
        }
    }
}
