using System.Diagnostics;
using Xunit.Abstractions;

namespace Jackdaw.Storage.Tests.Crashes;

/// <summary>A process in which a root and its branches write all the time is ended again and again, on a real folder: each storage
/// has what was acknowledged, nothing is half there, and the next process goes on.</summary>
public sealed class FamilyKillTests(ITestOutputHelper output)
{
    private const int KillAfterMsMax = 1500;
    private const int ShortLifeMsMax = 400;
    private static readonly TimeSpan s_stopMax = TimeSpan.FromSeconds(10);

    [Fact]
    [Trait("Tier", "Full")]
    public Task Kill_TwiceWithTenBranches_LosesNothing() => KillAsync(cycles: 2, branches: 10, seed: 1);

    /// <summary>Three hundred kills, in parts that can be run one by one.</summary>
    [Theory]
    [Trait("Tier", "Proof")]
    [Trait("Proof", "Kill")]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    [InlineData(5)]
    [InlineData(6)]
    public Task Kill_FiftyTimesWithHundredBranches_LosesNothing(int part) =>
        KillAsync(cycles: 50, branches: 100, seed: Environment.TickCount + part);

    [Fact]
    public Task Terminate_UnderLoadWithTenBranches_ClosesAll() => TerminateAsync(cycles: 1, branches: 10);

    [Fact]
    [Trait("Tier", "Proof")]
    [Trait("Proof", "Kill")]
    public Task Terminate_UnderLoadWithHundredBranches_ClosesAll() => TerminateAsync(cycles: 5, branches: 100);

    private async Task KillAsync(int cycles, int branches, int seed)
    {
        long started = Stopwatch.GetTimestamp();
        var random = new Random(seed);
        FamilyFolder folder = MakeFolder(branches, seed);
        output.WriteLine($"seed {seed}");
        for (int cycle = 0; cycle < cycles; cycle++)
        {
            using CrasherProcess child = folder.Start("write");
            await child.ExpectAsync("opening");
            await child.ExpectAsync("ready");
            int life = random.Next(random.Next(4) == 0 ? KillAfterMsMax : ShortLifeMsMax);
            using (new Timer(_ => child.Kill(), null, life, Timeout.Infinite))
            {
                await folder.Ledger.ReadToEndAsync(child);
            }

            int code = await child.WaitForExitAsync();
            Assert.True(code == CrasherProcess.Killed, $"cycle {cycle}: exit code {code}: {child.Errors}");
            folder.Check($"seed {seed}, cycle {cycle}");
        }

        output.WriteLine($"{cycles} kills of a root with {branches} branches: {Describe(folder)}, " +
            $"{Stopwatch.GetElapsedTime(started).TotalSeconds:0} s");
        folder.Delete();
    }

    private async Task TerminateAsync(int cycles, int branches)
    {
        const int loadMs = 1000;
        FamilyFolder folder = MakeFolder(branches, seed: 1);
        for (int cycle = 0; cycle < cycles; cycle++)
        {
            using CrasherProcess child = folder.Start("write");
            await child.ExpectAsync("opening");
            await child.ExpectAsync("ready");
            bool isClosed = false;
            long asked = 0;
            using (new Timer(_ => { asked = Stopwatch.GetTimestamp(); child.Terminate(); }, null, loadMs, Timeout.Infinite))
            {
                await folder.Ledger.ReadToEndAsync(child, line => isClosed |= line == "closed");
            }

            int code = await child.WaitForExitAsync();
            TimeSpan time = Stopwatch.GetElapsedTime(asked);
            Assert.True(code == 0 && isClosed, $"cycle {cycle}: exit code {code}: {child.Errors}");
            Assert.True(time < s_stopMax, $"{time}");
            folder.RequireClosedInOrder();
            folder.Check($"cycle {cycle}");
            Assert.Equal(0, folder.Ledger.Recovered);
            output.WriteLine($"cycle {cycle}: closed in {time.TotalSeconds:0.00} s, {Describe(folder)}");
        }

        folder.Delete();
    }

    private static FamilyFolder MakeFolder(int branches, int seed) =>
        new(Path.Combine(Path.GetTempPath(), $"jackdaw-family-{Guid.NewGuid():N}"), branches, seed);

    private static string Describe(FamilyFolder folder) =>
        $"{folder.Ledger.Acknowledged} acknowledged, 0 lost, {folder.Ledger.Recovered} recovered that were not acknowledged yet, " +
        $"{folder.Compared} storages compared, {folder.OpenedAlone} opened alone first";
}
