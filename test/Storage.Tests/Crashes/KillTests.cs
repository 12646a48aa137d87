using System.Diagnostics;
using System.Globalization;
using Jackdaw.Pal;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Verification;
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
        long acknowledged = 0;
        long recovered = 0;
        long[] last = new long[CrasherFormat.WriterCount];
        for (int cycle = 0; cycle < cycles; cycle++)
        {
            // Short lives are the rule, so that recovery is met in its own beginnings; long ones fill and recycle journals.
            int range = random.Next(4) == 0 ? KillAfterMsMax : 300;
            acknowledged += await RunChildAsync(path, random.Next(KillAfterMsMin, range), last);
            recovered += Check(path, last, cycle);
        }

        output.WriteLine($"{cycles} kills: {acknowledged} acknowledged, 0 lost, {recovered} recovered that were not " +
            $"acknowledged yet, {Stopwatch.GetElapsedTime(started).TotalSeconds:0} s");
        new NativePlatform().DeleteDirectory(path);
    }

    /// <summary>Lets a child write and kills it; returns how many records it reported.</summary>
    private static async Task<long> RunChildAsync(string path, int killAfterMs, long[] last)
    {
        string program = Path.Combine(AppContext.BaseDirectory, "Jackdaw.StorageCrasher.dll");
        using Process child = Process.Start(new ProcessStartInfo("dotnet", [program, path])
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        })!;
        Task<string> errors = child.StandardError.ReadToEndAsync();
        string? first = await child.StandardOutput.ReadLineAsync();
        if (first != "ready")
        {
            Assert.Fail($"the child did not start: {first} {await errors}");
        }

        using var timer = new Timer(_ => child.Kill(), null, killAfterMs, Timeout.Infinite);
        long reported = 0;
        while (await child.StandardOutput.ReadLineAsync() is { } line)
        {
            // A last line without its end may be cut anywhere: it counts only when it is whole.
            string[] parts = line.Split(' ');
            if (parts.Length == 3 && long.TryParse(parts[1], CultureInfo.InvariantCulture, out long number))
            {
                int writer = int.Parse(parts[0], CultureInfo.InvariantCulture);
                Assert.Equal(last[writer] + 1, number);
                last[writer] = number;
                reported++;
            }
        }

        await child.WaitForExitAsync();
        Assert.True(child.ExitCode == 137, $"exit code {child.ExitCode}: {await errors}");
        return reported;
    }

    /// <summary>Opens what the child left; returns how many records are there beyond the reported ones.</summary>
    private static long Check(string path, long[] last, int cycle)
    {
        using StorageEnvironment storage = StorageEnvironment.Open(new NativePlatform(), path, CrasherFormat.Options());
        using ReadTransaction transaction = storage.BeginRead();
        Assert.True(CrasherFormat.FindDamage(transaction) is null, $"cycle {cycle}: {CrasherFormat.FindDamage(transaction)}");
        Assert.Empty(EnvironmentVerifier.Verify(storage));
        long more = 0;
        for (int writer = 0; writer < last.Length; writer++)
        {
            long found = CrasherFormat.ReadLast(transaction, writer);
            Assert.True(found >= last[writer], $"cycle {cycle}: writer {writer} lost {last[writer] - found} records");
            Assert.True(found <= last[writer] + 1, $"cycle {cycle}: writer {writer} has {found} after {last[writer]}");
            more += found - last[writer];
            last[writer] = found;
        }

        return more;
    }
}
