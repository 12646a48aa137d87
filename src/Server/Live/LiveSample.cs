namespace Jackdaw.Server.Live;

/// <summary>What the server did in about a second. Immutable.</summary>
/// <param name="Number">1 for the first one of a server.</param>
/// <param name="At">When it was taken.</param>
/// <param name="Elapsed">The time since the one before.</param>
/// <param name="Process">The work of the process in that time.</param>
/// <param name="Databases">The databases that did something in that time, or in which something waits.</param>
internal sealed record LiveSample(
    long Number, DateTimeOffset At, TimeSpan Elapsed, ProcessCounters Process, IReadOnlyList<KeyValuePair<string, DatabaseWork>> Databases);

/// <summary>The work of the process since its start, or between two samples.</summary>
/// <param name="ProcessorTime">Of all threads.</param>
/// <param name="AllocatedBytes">Of managed objects.</param>
/// <param name="PauseTime">For which the garbage collector stopped all threads.</param>
/// <param name="HeapBytes">Bytes of managed objects now, no difference.</param>
/// <param name="Collections">Garbage collections.</param>
internal readonly record struct ProcessCounters(
    TimeSpan ProcessorTime, long AllocatedBytes, TimeSpan PauseTime, long HeapBytes, GarbageCollections Collections)
{
    public static ProcessCounters Read() => new(
        Environment.CpuUsage.TotalTime, GC.GetTotalAllocatedBytes(), GC.GetTotalPauseDuration(), GC.GetTotalMemory(forceFullCollection: false),
        GarbageCollections.Read());

    public ProcessCounters Since(in ProcessCounters earlier) => this with
    {
        ProcessorTime = ProcessorTime - earlier.ProcessorTime,
        AllocatedBytes = AllocatedBytes - earlier.AllocatedBytes,
        PauseTime = PauseTime - earlier.PauseTime,
        Collections = Collections.Since(earlier.Collections),
    };
}

/// <summary>Garbage collections by the oldest generation that each went through, so that each counts once.</summary>
internal readonly record struct GarbageCollections(int Gen0, int Gen1, int Gen2)
{
    public static GarbageCollections Read()
    {
        // The runtime counts a collection in each generation that it went through. The oldest is read first: one that ends between two calls may be
        // missing from the older figure, and never from the younger one.
        int gen2 = GC.CollectionCount(2);
        int gen1 = GC.CollectionCount(1);
        int gen0 = GC.CollectionCount(0);
        return new GarbageCollections(gen0 - gen1, gen1 - gen2, gen2);
    }

    // One that was counted too young in the reading before moves to its place here, which must not show as less than none.
    public GarbageCollections Since(in GarbageCollections earlier) => new(
        Math.Max(0, Gen0 - earlier.Gen0), Math.Max(0, Gen1 - earlier.Gen1), Gen2 - earlier.Gen2);
}
