using System.Globalization;
using Jackdaw.Pal.Measurement;

namespace Jackdaw.Server.SelfTest;

/// <summary>Compares the time of a durable write with the time that a disk needs to really store it.</summary>
internal sealed class DurabilityTest(string folder, int seed) : SelfTestStage(folder, seed)
{
    /// <summary>The bytes of the file that is written to.</summary>
    public const long FileBytes = 64L << 20;

    private const int WriteBytes = 4096;

    /// <summary>The average time of a disk with 15,000 turns a minute, the fastest ever sold: half a turn.</summary>
    private const double TurningDiskUsMin = 2000;

    public override string Name => "durability";

    public override string Activity => "Comparing durable with cached writes";

    public override double Share => 0.1;

    public override Finding Run(TimeSpan time, CancellationToken cancellationToken)
    {
        using var measurement = new WriteMeasurement(Folder, 1, FileBytes);
        WriteResult Measure(WriteMode mode) => measurement.Run(mode, WriteBytes, 1, time / 3, cancellationToken);
        WriteResult cached = Measure(WriteMode.BufferedOnly);
        WriteResult synced = Measure(WriteMode.BufferedAndSync);
        WriteResult durable = Measure(WriteMode.Durable);
        cancellationToken.ThrowIfCancellationRequested();
        DiskFacts facts = DiskFacts.Of(Platform.GetIdentity(Folder).Device);
        return Judge(durable, synced, cached, measurement.IsDirect, facts);
    }

    /// <summary>Judges the disk by the figures.</summary>
    public Finding Judge(WriteResult durable, WriteResult synced, WriteResult cached, bool isDirect, DiskFacts facts)
    {
        List<string> warnings = [.. BenchIo.FindWarnings(durable, synced, cached, isDirect)];
        if (facts.IsTurning == true && Math.Min(durable.LatencyUsP50, synced.LatencyUsP50) < TurningDiskUsMin)
        {
            warnings.Add($"The system says that this is a turning disk, and a durable write takes less than half a turn ({TurningDiskUsMin} us): "
                + "it is answered from a cache. Unless a battery protects the cache, a power cut loses acknowledged writes.");
        }

        string summary = $"durable 4 KB write (O_DSYNC) {Format(durable)} us, written and synced {Format(synced)} us, into the cache only "
            + $"{Format(cached)} us (medians); {facts.Describe()}";
        string[] limit =
        [
            "No software can prove that a drive's own cache survives a power cut: it only sees the drive's answers. The figures above are all that",
            "can be seen. To be sure, use drives with power-loss protection, or cut the power of a test machine.",
        ];
        string[] todo =
        [
            "What to do: turn the write cache of the drive, controller or virtual machine off or set it to write-through, mount without",
            "nobarrier, use no tmpfs and no overlay, and run this again.",
        ];
        return warnings.Count == 0 ? Passed(summary, limit) : Suspicious(summary, [.. warnings, .. todo, .. limit]);
    }

    private static string Format(WriteResult result) => result.LatencyUsP50.ToString("#,0.0", CultureInfo.InvariantCulture);
}
