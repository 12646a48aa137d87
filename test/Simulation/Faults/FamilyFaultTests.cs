using Jackdaw.Pal.Simulation;
using Jackdaw.Simulation.Harness;

namespace Jackdaw.Simulation.Faults;

/// <summary>Each call in the life of a root with branches fails once: the failure is told, whatever was acknowledged in any of them is
/// there afterwards, nothing leaks.</summary>
public sealed class FamilyFaultTests(ITestOutputHelper output)
{
    private const int Seed = 23;
    private const int Branches = 2;

    /// <summary>Calls from one tested fault to the next in the quick tier; a prime, so that all kinds of calls come up.</summary>
    private const int QuickStride = 113;

    /// <summary>The same where few calls can fail in that way.</summary>
    private const int RareStride = 7;

    public static TheoryData<FaultEffect, bool> Effects => new()
    {
        { FaultEffect.IoError, false },
        { FaultEffect.IoError, true },
        { FaultEffect.NoSpace, false },
        { FaultEffect.NoSpace, true },
        { FaultEffect.TooManyFiles, false },
        { FaultEffect.TooManyFiles, true },
        { FaultEffect.Interrupted, false },
        { FaultEffect.ShortTransfer, false },
        { FaultEffect.SyncFailsKeepingCache, false },
        { FaultEffect.SyncFailsReverting, false },
        { FaultEffect.WriteFailsKeepingCache, false },
        { FaultEffect.LinkAcrossVolumes, false },
        { FaultEffect.TooManyLinks, true },
    };

    [Theory]
    [MemberData(nameof(Effects))]
    public void Call_ThatFails_IsToldAndLosesNothing(FaultEffect effect, bool repeats) => RunAll(effect, repeats, IsRare(effect) ? RareStride : QuickStride);

    [Theory]
    [Trait("Tier", "Full")]
    [MemberData(nameof(Effects))]
    public void EachCall_ThatFails_IsToldAndLosesNothing(FaultEffect effect, bool repeats) => RunAll(effect, repeats, 1);

    private static bool IsRare(FaultEffect effect) =>
        FaultRun.IsRefusal(effect) || effect is FaultEffect.SyncFailsKeepingCache or FaultEffect.SyncFailsReverting or FaultEffect.TooManyFiles
            or FaultEffect.WriteFailsKeepingCache;

    private void RunAll(FaultEffect effect, bool repeats, int stride) =>
        FaultRun.RunAll(output, effect, repeats, stride, Seed, fault => (Run(fault), 1));

    /// <summary>One life with a fault in it; true when the fault came out.</summary>
    private static bool Run(SimulatedFault fault)
    {
        var platform = new SimulatedPlatform(Seed);
        var resources = new ResourceCheck(platform);
        platform.Inject(fault);
        Oracle[] oracles = [.. Enumerable.Range(0, Branches + 1).Select(_ => new Oracle())];
        bool surfaced = RunSteps(platform, oracles, fault);
        platform.ClearFaults();
        resources.RequireNothingLeft();
        var state = new CrashedState(platform.Crash(Seed), [.. oracles.Select(oracle => oracle.View)], "after the failure", Seed);
        if (StateChecker.FindFamilyViolation(state) is { } violation)
        {
            throw new SimulationViolationException(violation);
        }

        resources.RequireNothingLeft();
        GoOnWithSurvivors(platform, oracles);
        return surfaced;
    }

    /// <summary>The process died, the machine did not, until a power cut later.</summary>
    private static void GoOnWithSurvivors(SimulatedPlatform platform, Oracle[] oracles)
    {
        var family = new FamilyWorkload(platform, oracles, Seed + 1);
        try
        {
            family.Open();
            family.Commit();
            var state = new CrashedState(platform.Crash(Seed + 2), [.. oracles.Select(oracle => oracle.View)], "after the survivors", Seed + 2);
            if (StateChecker.FindFamilyViolation(state) is { } violation)
            {
                throw new SimulationViolationException(violation);
            }
        }
        finally
        {
            family.GiveUp();
        }
    }

    private static bool RunSteps(SimulatedPlatform platform, Oracle[] oracles, SimulatedFault fault)
    {
        var family = new FamilyWorkload(platform, oracles, Seed);
        bool surfaced = false;
        try
        {
            foreach (Action step in family.Life())
            {
                try
                {
                    step();
                }
                catch (Exception e) when (e is not SimulationViolationException)
                {
                    FaultRun.RequireTyped(e, fault);
                    surfaced = true;
                    if (!family.IsWhole)
                    {
                        break;
                    }
                }
            }
        }
        finally
        {
            family.GiveUp();
        }

        return surfaced;
    }
}
