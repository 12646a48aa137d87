using System.Diagnostics;
using Jackdaw.Pal.Simulation;
using Jackdaw.Simulation.Harness;

namespace Jackdaw.Simulation.Crashes;

/// <summary>Power cuts: whatever a cut at any moment leaves, the storage opens with exactly the contents of a transaction between
/// the last acknowledged and the last submitted one, and goes on.</summary>
public sealed class CrashTests(ITestOutputHelper output)
{
    private const int StatesQuick = 90;
    private const int StatesFull = 20_000;
    private const int LifecycleSeedsQuick = 1;
    private const int LifecycleSeedsFull = 12;

    [Fact]
    public void Crash_AroundEachBarrierOfRandomWork_KeepsAcknowledgedTransactions() => RunBarriers(StatesQuick, 1, 1);

    [Fact]
    [Trait("Tier", "Full")]
    public void Crash_AroundEachBarrierOfRandomWorkAtLength_KeepsAcknowledgedTransactions() => RunBarriers(StatesFull, 77, 3);

    [Fact]
    public void Crash_AtEachCallOfCreation_LeavesAnEmptyStorageOrNone() => RunLifecycle("create", LifecycleSeedsQuick);

    [Fact]
    public void Crash_AtEachCallOfRecovery_CanBeRecoveredAgain() => RunLifecycle("recover", LifecycleSeedsQuick);

    [Fact]
    public void Crash_AtEachCallOfCleanClose_KeepsEverything() => RunLifecycle("close", LifecycleSeedsQuick);

    [Theory]
    [Trait("Tier", "Full")]
    [InlineData("create")]
    [InlineData("recover")]
    [InlineData("close")]
    public void Crash_AtEachCallOfALifecycle_KeepsEverything(string phase) => RunLifecycle(phase, LifecycleSeedsFull);

    private void RunBarriers(int states, int seed, int seedsPerPoint)
    {
        long started = Stopwatch.GetTimestamp();
        var run = new CrashRun(states, seedsPerPoint);
        string? violation = run.FindViolation(seed);
        output.WriteLine($"seed {seed}: {run.Checked} states (each cut twice) of {run.Workloads} workloads in " +
            $"{Stopwatch.GetElapsedTime(started).TotalSeconds:0.0} s");
        Assert.True(violation is null, violation);
    }

    private void RunLifecycle(string phase, int seedsPerPoint)
    {
        long started = Stopwatch.GetTimestamp();
        List<CrashedState> states = TakeStates(phase, seedsPerPoint);
        string? violation = states.AsParallel().AsOrdered().Select(StateChecker.FindViolation).FirstOrDefault(found => found is not null);
        output.WriteLine($"{phase}: {states.Count} states in {Stopwatch.GetElapsedTime(started).TotalSeconds:0.0} s");
        Assert.True(states.Count > 15, $"only {states.Count} states");
        Assert.True(violation is null, violation);
    }

    private static List<CrashedState> TakeStates(string phase, int seedsPerPoint)
    {
        var platform = new SimulatedPlatform();
        var workload = new Workload(platform, new Oracle(), 5);
        if (phase != "create")
        {
            workload.Open();
            Commit(workload, 12);
            workload.Storage.Flush();
            workload.Storage.Sync();
            Commit(workload, 6);
            workload.Storage.Flush();
            Commit(workload, 3);
        }

        if (phase == "recover")
        {
            platform = platform.Crash(9);
            workload.GiveUp();
            workload = new Workload(platform, Oracle.From(workload.Oracle.View), 6);
        }

        using var probe = new CrashProbe(platform, workload.Oracle, 0, seedsPerPoint, _ => true);
        if (phase == "close")
        {
            workload.Close();
        }
        else
        {
            workload.Open();
        }

        List<CrashedState> states = probe.TakeStates();
        workload.GiveUp();
        return states;
    }

    private static void Commit(Workload workload, int count)
    {
        for (int i = 0; i < count; i++)
        {
            workload.Commit();
        }
    }
}
