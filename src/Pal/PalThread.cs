using Jackdaw.Pal.Interop;

namespace Jackdaw.Pal;

/// <summary>What the runtime cannot say about a thread.</summary>
public static class PalThread
{
    /// <summary>Lets every other thread of the process go first when processors are short. For the calling thread, for good: background
    /// lanes that copy for milliseconds must not keep a commit waiting for a time slice.</summary>
    public static void LowerPriority() => LibPal.pal_thread_lower_priority();
}
