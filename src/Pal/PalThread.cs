using Jackdaw.Pal.Interop;

namespace Jackdaw.Pal;

/// <summary>What the runtime cannot say about a thread.</summary>
public static class PalThread
{
    /// <summary>Lets every other thread of the process go first when processors are short. For the calling thread, for good: background
    /// lanes that copy for milliseconds must not keep a commit waiting for a time slice.</summary>
    public static void LowerPriority() => LibPal.pal_thread_lower_priority();

    /// <summary>Lets the calling thread run soon after it wakes, also when others are in the middle of their time slice, for good. For a thread
    /// that many wait for and that waits for the disk itself. Its share of the processors stays what it is.</summary>
    /// <returns>False where the system offers no such thing: all but Linux, which overlooks it before 6.12.</returns>
    public static bool RunSoon() => LibPal.pal_thread_run_soon() != 0;

    /// <summary>Threads of this process take their turn when they wake, instead of interrupting the thread that runs, for good. For
    /// threads that wake for every single event and hand it to another one: under load they then find many events at once.</summary>
    /// <param name="name">As the system shows it: at most 15 bytes.</param>
    /// <returns>How many threads have the name; 0 on systems that offer no such thing.</returns>
    public static int TakeTurns(string name) => LibPal.pal_threads_take_turns(name);
}
