using System.Globalization;
using Jackdaw.Pal.Measurement;

namespace Jackdaw.Server.SelfTest;

/// <summary>Measures how long durable writes of several sizes take, and how long the slowest one took.</summary>
internal sealed class LatencyTest(string folder, int seed) : SelfTestStage(folder, seed)
{
    /// <summary>Users notice a write that stops every commit for this long, and it is not normal for a healthy disk.</summary>
    private const double StallUs = 1e6;

    private static readonly int[] s_writeBytes = [4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20];

    public override string Name => "latency";

    public override string Activity => "Timing durable writes";

    public override double Share => 0.25;

    public override Finding Run(TimeSpan time, CancellationToken cancellationToken)
    {
        using var measurement = new WriteMeasurement(Folder, 1, DurabilityTest.FileBytes);
        List<(int Bytes, WriteResult Result)> results = [];
        foreach (int bytes in s_writeBytes)
        {
            results.Add((bytes, measurement.Run(WriteMode.Durable, bytes, 1, time / s_writeBytes.Length, cancellationToken)));
            cancellationToken.ThrowIfCancellationRequested();
        }

        return Judge(results);
    }

    /// <summary>Judges the disk by the figures.</summary>
    public Finding Judge(IReadOnlyList<(int Bytes, WriteResult Result)> results)
    {
        List<string> lines = ["durable write      p50 us      p99 us    p99.9 us      max us    writes"];
        foreach ((int bytes, WriteResult result) in results)
        {
            lines.Add(string.Create(CultureInfo.InvariantCulture, $"{$"{bytes >> 10} KB",-13}{result.LatencyUsP50,12:#,0}{result.LatencyUsP99,12:#,0}")
                + string.Create(CultureInfo.InvariantCulture, $"{result.LatencyUsP999,12:#,0}{result.LatencyUsMax,12:#,0}{result.Writes,10:#,0}"));
        }

        double slowest = results.Max(one => one.Result.LatencyUsMax);
        long writes = results.Sum(one => one.Result.Writes);
        string summary = string.Create(
            CultureInfo.InvariantCulture, $"{writes:N0} durable writes; the slowest took {slowest / 1000:#,0.0} ms");
        if (slowest < StallUs)
        {
            return Passed(summary, lines);
        }

        lines.Add("A write that takes more than a second stops every client of a database for that long. What to do: look for other load on the");
        lines.Add("disk (iostat -x 1), a nearly full or worn drive (smartctl -a), a burst limit of a cloud disk; then run this again.");
        return Suspicious(summary, lines);
    }
}
