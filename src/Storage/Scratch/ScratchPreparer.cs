using System.Collections.Concurrent;
using Jackdaw.Pal;

namespace Jackdaw.Storage.Scratch;

/// <summary>The one thread of the process that touches memory for scratch pools before they need it. Thread safe.</summary>
/// <remarks>The first touch of memory is the system's work to clear it, and on a virtual machine whose host takes free memory back
/// also the host's: 5 ms for a slab of 2 MB were measured there, in which a writer thread would stand still. The thread has a low
/// priority: when processors are short the writer touches its memory itself, which is no worse than without.</remarks>
internal static class ScratchPreparer
{
    private static readonly ConcurrentQueue<ScratchPool> s_asked = new();
    private static readonly BackgroundThread s_thread = new("scratch memory", Prepare);

    /// <summary>Has a pool's <see cref="ScratchPool.Prepare"/> run soon.</summary>
    public static void Ask(ScratchPool pool)
    {
        s_asked.Enqueue(pool);
        s_thread.Signal();
    }

    private static void Prepare()
    {
        while (s_asked.TryDequeue(out ScratchPool? pool))
        {
            try
            {
                pool.Prepare();
            }
            catch (PalException)
            {
                // Help that cannot be given: who needs the memory asks for it itself, and says so where it can be answered.
            }
        }
    }
}
