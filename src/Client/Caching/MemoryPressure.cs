using System.Runtime.InteropServices;

namespace Jackdaw.Client.Caching;

/// <summary>Shrinks a cache to a quarter of its limit after each full garbage collection that finds the machine short of memory.</summary>
/// <remarks>It is an object without references to it, whose finalizer runs after a collection and registers the object again. It has a weak
/// reference to the cache, and ends with the cache.</remarks>
internal sealed class MemoryPressure
{
    // This is not a WeakReference, because that has its own finalizer, which may run before this one.
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

    /// <summary>Watches the memory for a cache as long as the cache is used.</summary>
    /// <param name="isShort">Says whether memory is short; null for what the runtime says about the machine.</param>
    public static void Watch(AnswerCache cache, long bytesMax, Func<bool>? isShort = null) => _ = new MemoryPressure(cache, bytesMax / 4, isShort ?? IsShort);

    private static bool IsShort()
    {
        GCMemoryInfo memory = GC.GetGCMemoryInfo(GCKind.Any);
        return memory.MemoryLoadBytes >= memory.HighMemoryLoadThresholdBytes;
    }
}
