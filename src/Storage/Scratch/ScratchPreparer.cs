using System.Collections.Concurrent;
using Jackdaw.Pal;

namespace Jackdaw.Storage.Scratch;

/// <summary>The one thread of the process that touches memory for scratch pools before they need it. Thread safe.</summary>
/// <remarks>At the first touch of memory the system clears it; on a virtual machine whose host takes free memory back, the
/// host does so too. 5 ms for a slab of 2 MB were measured there, for which a writer thread would wait. The thread has a
/// low priority: when processors are busy, the writer touches its memory itself.</remarks>
internal static class ScratchPreparer
{
    private static readonly ConcurrentQueue<ScratchPool> s_asked = new();
    private static readonly BackgroundThread s_thread = new("scratch memory", Prepare);

    /// <summary>Asks for a call of a pool's <see cref="ScratchPool.Prepare"/>; returns at once.</summary>
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
                // The writer will ask for the memory itself, and report the failure to its caller.
            }
        }
    }
}
