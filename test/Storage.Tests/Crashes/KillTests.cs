using System.Diagnostics;
using Jackdaw.Pal.Native;
using Jackdaw.Storage.Environments;
using Jackdaw.StorageCrasher;
using Xunit.Abstractions;

namespace Jackdaw.Storage.Tests.Crashes;

/// <summary>A process that writes all the time is killed again and again, on a real folder: what it acknowledged is there,
/// nothing is half there, and the next process goes on.</summary>
/// <remarks>A kill keeps what the kernel has, so this proves order and recovery, not the disk; power cuts are simulated
/// elsewhere.</remarks>
public sealed class KillTests(ITestOutputHelper output)
{
    private const int KillAfterMsMin = 50;
    private const int KillAfterMsMax = 2000;

    [Fact]
    public async Task Kill_FiveTimes_LosesNothing() => await RunAsync(cycles: 5, seed: 1);

    [Fact]
    [Trait("Tier", "Full")]
    public async Task Kill_ThousandTimes_LosesNothing() => await RunAsync(cycles: 1000, seed: 2);

    private async Task RunAsync(int cycles, int seed)
    {
        string path = Path.Combine(Path.GetTempPath(), $"jackdaw-kill-{Guid.NewGuid():N}");
        var random = new Random(seed);
        long started = Stopwatch.GetTimestamp();
        var ledger = new Ledger(CrasherFormat.WriterCount, CrasherFormat.KeptRecords);
        for (int cycle = 0; cycle < cycles; cycle++)
        {
            // Short lives are the rule, so that recovery is met in its own beginnings; long ones fill and recycle journals.
            int range = random.Next(4) == 0 ? KillAfterMsMax : 300;
            await RunChildAsync(path, random.Next(KillAfterMsMin, range), ledger);
            using StorageEnvironment storage = StorageEnvironment.Open(new NativePlatform(), path, CrasherFormat.Options());
            ledger.Check(storage, 0, CrasherFormat.WriterCount, $"cycle {cycle}");
        }

        output.WriteLine($"{cycles} kills: {ledger.Acknowledged} acknowledged, 0 lost, {ledger.Recovered} recovered that were not " +
            $"acknowledged yet, {Stopwatch.GetElapsedTime(started).TotalSeconds:0} s");
        new NativePlatform().DeleteDirectory(path);
    }

    /// <summary>Lets a child write and kills it.</summary>
    private static async Task RunChildAsync(string path, int killAfterMs, Ledger ledger)
    {
        using CrasherProcess child = CrasherProcess.Start(path);
        await child.ExpectAsync("opening");
        await child.ExpectAsync("ready");
        using (new Timer(_ => child.Kill(), null, killAfterMs, Timeout.Infinite))
        {
            await ledger.ReadToEndAsync(child);
        }

        int code = await child.WaitForExitAsync();
        Assert.True(code == CrasherProcess.Killed, $"exit code {code}: {child.Errors}");
    }
}
