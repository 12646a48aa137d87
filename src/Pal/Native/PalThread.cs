using Jackdaw.Pal.Interop;

namespace Jackdaw.Pal.Native;

/// <summary>Scheduling requests for threads that the runtime does not offer.</summary>
public static class PalThread
{
    /// <summary>Lowers the priority of the calling thread permanently, so that every other thread of the process goes first when processors are
    /// short. Background threads that copy for milliseconds must not make a commit wait for a time slice.</summary>
    public static void LowerPriority() => LibPal.pal_thread_lower_priority();

    /// <summary>Lets the calling thread run soon after it wakes, even when others are in the middle of their time slice. This is permanent. It is
    /// meant for a thread that many others wait for and that itself waits for the disk. Its share of the processors does not change.</summary>
    /// <returns>False where the system does not support it: only Linux does, from 6.12 on.</returns>
    public static bool RequestShortSlices() => LibPal.pal_thread_request_short_slices() != 0;

    /// <summary>Makes threads of this process wait for their turn when they wake, instead of preempting the running thread. This is permanent. It
    /// is meant for threads that wake for every single event and pass it to another thread: under load they then find many events at
    /// once.</summary>
    /// <param name="name">As the system shows it: at most 15 bytes.</param>
    /// <returns>How many threads have the name; 0 on systems that do not support it.</returns>
    public static int RequestBatchScheduling(string name) => LibPal.pal_threads_request_batch_scheduling(name);
}
