using System.Diagnostics;

namespace Jackdaw.Simulation.Crashes;

/// <summary>Power cuts under a root whose journals several branches share: each storage opens with a transaction between its last
/// acknowledged and its last submitted one, alone or with the others, and goes on.</summary>
public sealed class FamilyCrashTests(ITestOutputHelper output)
{
    private const int StatesQuick = 60;
    private const int StatesFull = 20_000;
    private const int BranchesQuick = 3;
    private const int BranchesFull = 20;

    [Fact]
    public void Crash_AroundEachBarrier_KeepsAcknowledgedTransactionsOfAll() => Run(StatesQuick, BranchesQuick, 5);

    [Fact]
    [Trait("Tier", "Full")]
    public void Crash_AroundEachBarrierAtLength_KeepsAcknowledgedTransactionsOfAll() => Run(StatesFull, BranchesFull, 91);

    private void Run(int states, int branches, int seed)
    {
        long started = Stopwatch.GetTimestamp();
        var run = new CrashRun(states, seedsPerPoint: 1) { Branches = branches, StepsBetweenReopens = 25 };
        string? violation = run.FindViolation(seed);
        output.WriteLine($"seed {seed}, {branches} branches: {run.Checked} states (each cut twice) of {run.Workloads} workloads in " +
            $"{Stopwatch.GetElapsedTime(started).TotalSeconds:0.0} s");
        Assert.True(violation is null, violation);
    }
}
