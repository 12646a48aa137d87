using System.Runtime.InteropServices;

namespace Jackdaw.Client.Caching;

/// <summary>After each full garbage collection that finds the machine short of memory, a cache shrinks to a quarter of its limit.</summary>
/// <remarks>An object that nobody refers to, whose finalizer runs after a collection and registers it again. It ends with the cache, to which it
/// refers weakly.</remarks>
internal sealed class MemoryPressure
{
    // Not a WeakReference: that is an object with a finalizer of its own, which may run before this one.
    private WeakGCHandle<AnswerCache> _cache;
    private readonly long _bytesWhenShort;
    private readonly Func<bool> _isShort;

    private MemoryPressure(AnswerCache cache, long bytesWhenShort, Func<bool> isShort)
    {
        _cache = new(cache);
        _bytesWhenShort = bytesWhenShort;
        _isShort = isShort;
    }

    ~MemoryPressure()
    {
        if (_cache.TryGetTarget(out AnswerCache? cache) && !Environment.HasShutdownStarted)
        {
            if (_isShort())
            {
                cache.Trim(_bytesWhenShort);
            }

            GC.ReRegisterForFinalize(this);
        }
        else
        {
            _cache.Dispose();
        }
    }

    /// <summary>Watches for a cache as long as it is used.</summary>
    /// <param name="isShort">Null: what the runtime says of the machine.</param>
    public static void Watch(AnswerCache cache, long bytesMax, Func<bool>? isShort = null) => _ = new MemoryPressure(cache, bytesMax / 4, isShort ?? IsShort);

    private static bool IsShort()
    {
        GCMemoryInfo memory = GC.GetGCMemoryInfo(GCKind.Any);
        return memory.MemoryLoadBytes >= memory.HighMemoryLoadThresholdBytes;
    }
}
