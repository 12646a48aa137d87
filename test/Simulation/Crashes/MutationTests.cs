using System.Diagnostics;
using Jackdaw.Pal.Simulation;

namespace Jackdaw.Simulation.Crashes;

/// <summary>Tests of the crash suite itself: with one durability call left out it must fail.</summary>
public sealed class MutationTests(ITestOutputHelper output)
{
    /// <summary>States until each planted bug must be found.</summary>
    private const int StatesMax = 600;

    /// <summary>States of a run that is to find nothing, in the quick tier.</summary>
    private const int StatesQuick = 150;

    /// <summary>States held before they are checked: few, so that a planted bug ends its run soon.</summary>
    private const int StatesHeld = 40;

    /// <summary>Creation is short: its few calls are looked at with more seeds.</summary>
    private const int CreationSeeds = 12;
    private const int CreationCallsMax = 60;

    private const int Seed = 31;
    private const int Branches = 2;

    public static TheoryData<string> Planted => [.. Mutation.Names];

    public static TheoryData<string> Shared => [.. Mutation.SharedNames];

    /// <summary>Every second of them, from the first.</summary>
    public static TheoryData<string> SomeShared => [.. Mutation.SharedNames.Where((_, i) => i % 2 == 0)];

    /// <summary>Calls that promise more than is needed: other calls cover them.</summary>
    public static TheoryData<string> Covered => [.. Mutation.CoveredNames];

    /// <summary>The quick suite leaves out one call of each role instead: <see cref="SingleMutationTests"/>.</summary>
    [Theory]
    [Trait("Tier", "Full")]
    [MemberData(nameof(Planted))]
    public void Suite_WithOneDurabilityCallLeftOut_Fails(string name)
    {
        (string? violation, int fired) = Run(name);
        Assert.True(fired > 0, "the call was never made: the test proves nothing");
        Assert.NotNull(violation);
    }

    [Theory]
    [MemberData(nameof(SomeShared))]
    public void Suite_WithOneDurabilityCallOfBranchesLeftOut_Fails(string name) => RequireViolation(name);

    [Theory]
    [Trait("Tier", "Full")]
    [MemberData(nameof(Shared))]
    public void Suite_WithAnyDurabilityCallOfBranchesLeftOut_Fails(string name) => RequireViolation(name);

    private void RequireViolation(string name)
    {
        (string? violation, int fired) = Run(name, Branches);
        Assert.True(fired > 0, "the call was never made: the test proves nothing");
        Assert.NotNull(violation);
    }

    [Theory]
    [MemberData(nameof(Covered))]
    public void Suite_WithACallLeftOutThatOthersCover_Passes(string name)
    {
        (string? violation, int fired) = Run(name, statesMax: StatesQuick);
        Assert.True(fired > 0, "the call was never made: the test proves nothing");
        Assert.True(violation is null, violation);
    }

    [Theory]
    [Trait("Tier", "Full")]
    [MemberData(nameof(Covered))]
    public void Suite_WithACallLeftOutThatOthersCover_PassesAtLength(string name)
    {
        (string? violation, int fired) = Run(name);
        Assert.True(fired > 0, "the call was never made: the test proves nothing");
        Assert.True(violation is null, violation);
    }

    [Fact]
    public void Suite_WithNothingLeftOut_Passes() => RunSound(StatesQuick);

    [Fact]
    [Trait("Tier", "Full")]
    public void Suite_WithNothingLeftOut_PassesAtLength() => RunSound(StatesMax);

    private static void RunSound(int states)
    {
        var run = new CrashRun(states, seedsPerPoint: 2) { StepsBetweenReopens = 20 };
        string? violation = run.FindViolation(Seed);
        Assert.True(violation is null, violation);
    }

    private (string? Violation, int Fired) Run(string name, int branches = 0, int statesMax = StatesMax)
    {
        long started = Stopwatch.GetTimestamp();
        Mutation mutation = Mutation.Get(name);
        List<SimulatedFault> faults = [];
        Func<PalOperation, bool>? isWanted = mutation.IsOfCreation ? call => call.IsBarrier && call.Sequence <= CreationCallsMax : null;
        var run = new CrashRun(statesMax, mutation.IsOfCreation ? CreationSeeds : branches > 0 ? 1 : 2, isWanted)
        {
            StepsBetweenReopens = 20,
            Branches = branches,
            StatesHeldMax = StatesHeld,
            Prepare = platform => faults.Add(platform.Inject(new SimulatedFault
            {
                Effect = FaultEffect.SkipDurability,
                Kind = mutation.Kind,
                Where = mutation.Where,
                Repeats = true,
            })),
        };
        string? violation = run.FindViolation(Seed);
        int fired = faults.Sum(fault => fault.Fired);
        output.WriteLine($"{name}: left out {fired} times, {run.Checked} states, " +
            $"{Stopwatch.GetElapsedTime(started).TotalSeconds:0.0} s, seed {Seed}: {violation?.Split(Environment.NewLine)[0] ?? "no violation"}");
        return (violation, fired);
    }
}
