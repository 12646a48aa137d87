using System.Diagnostics;
using Xunit.Abstractions;

namespace Jackdaw.Storage.Tests.Crashes;

/// <summary>The process that recovers a root and its branches is killed in the middle of it, and so is the one after it, several
/// levels deep: recovery changes nothing that the next one needs.</summary>
public sealed class RecoveryKillTests(ITestOutputHelper output)
{
    private const int LoadMs = 400;
    private const double FirstGuessMs = 300;

    [Fact]
    public Task Kill_DuringRecoveryThreeLevelsDeep_LosesNothing() => RunAsync(rounds: 1, levels: 3, branches: 10, seed: 1);

    /// <summary>Two hundred kills.</summary>
    [Fact]
    [Trait("Tier", "Proof")]
    [Trait("Proof", "Recovery")]
    public Task Kill_DuringRecoveryTwoHundredTimes_LosesNothing() => RunAsync(rounds: 40, levels: 5, branches: 30, seed: Environment.TickCount);

    private async Task RunAsync(int rounds, int levels, int branches, int seed)
    {
        long started = Stopwatch.GetTimestamp();
        output.WriteLine($"seed {seed}");
        var random = new Random(seed);
        var folder = new FamilyFolder(Path.Combine(Path.GetTempPath(), $"jackdaw-recovery-{Guid.NewGuid():N}"), branches, seed);
        (int kills, int tooLate) = (0, 0);
        double recoveryMs = FirstGuessMs;
        for (int round = 0; round < rounds; round++)
        {
            await WriteAsync(folder);
            for (int level = 0; level < levels; level++)
            {
                while (!await KillRecoveryAsync(folder, (int)(random.NextDouble() * recoveryMs)))
                {
                    // How long recovery takes is learnt. This one left nothing to recover: it begins anew.
                    tooLate++;
                    recoveryMs *= 0.9;
                    folder.Check($"seed {seed}, round {round}, level {level}");
                    await WriteAsync(folder);
                }

                kills++;
                recoveryMs *= 1.02;
            }

            folder.Check($"seed {seed}, round {round}");
        }

        output.WriteLine($"{kills} kills during recovery of a root with {branches} branches, {levels} levels deep ({tooLate} came too late): " +
            $"{folder.Ledger.Acknowledged} acknowledged, 0 lost, {folder.Compared} storages compared, " +
            $"{Stopwatch.GetElapsedTime(started).TotalSeconds:0} s");
        folder.Delete();
    }

    /// <summary>Leaves something to recover.</summary>
    private static async Task WriteAsync(FamilyFolder folder)
    {
        using CrasherProcess child = folder.Start("write");
        await child.ExpectAsync("opening");
        await child.ExpectAsync("ready");
        using (new Timer(_ => child.Kill(), null, LoadMs, Timeout.Infinite))
        {
            await folder.Ledger.ReadToEndAsync(child);
        }

        Assert.Equal(CrasherProcess.Killed, await child.WaitForExitAsync());
    }

    /// <summary>Kills a recovering child some time after it began; false when it was ready by then.</summary>
    private static async Task<bool> KillRecoveryAsync(FamilyFolder folder, int afterMs)
    {
        using CrasherProcess child = folder.Start("recover");
        await child.ExpectAsync("opening");
        using var timer = new Timer(_ => child.Kill(), null, afterMs, Timeout.Infinite);
        string? next = await child.ReadLineAsync();
        child.Kill();
        int code = await child.WaitForExitAsync();
        Assert.True(next is null or "ready" && code == CrasherProcess.Killed, $"'{next}', exit code {code}: {child.Errors}");
        return next is null;
    }
}
