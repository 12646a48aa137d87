namespace Jackdaw.Server.Live;

/// <summary>What the server did in about a second. Immutable.</summary>
/// <param name="Number">1 for the first one of a server.</param>
/// <param name="At">When it was taken.</param>
/// <param name="Elapsed">The time since the one before.</param>
/// <param name="Process">The work of the process in that time.</param>
/// <param name="Databases">The databases that did something in that time.</param>
internal sealed record LiveSample(
    long Number, DateTimeOffset At, TimeSpan Elapsed, ProcessCounters Process, IReadOnlyList<KeyValuePair<string, DatabaseCounters>> Databases);

/// <summary>The work of the process since its start, or between two samples.</summary>
/// <param name="ProcessorTime">Of all threads.</param>
/// <param name="AllocatedBytes">Of managed objects.</param>
/// <param name="PauseTime">For which the garbage collector stopped all threads.</param>
/// <param name="HeapBytes">Bytes of managed objects now, no difference.</param>
internal readonly record struct ProcessCounters(TimeSpan ProcessorTime, long AllocatedBytes, TimeSpan PauseTime, long HeapBytes)
{
    public static ProcessCounters Read() => new(
        Environment.CpuUsage.TotalTime, GC.GetTotalAllocatedBytes(), GC.GetTotalPauseDuration(), GC.GetTotalMemory(forceFullCollection: false));

    public ProcessCounters Since(in ProcessCounters earlier) => this with
    {
        ProcessorTime = ProcessorTime - earlier.ProcessorTime,
        AllocatedBytes = AllocatedBytes - earlier.AllocatedBytes,
        PauseTime = PauseTime - earlier.PauseTime,
    };
}
