using System.Diagnostics;
using Jackdaw.Pal;
using Jackdaw.Pal.Simulation;
using Jackdaw.Simulation.Harness;
using Jackdaw.Storage.Environments;

namespace Jackdaw.Simulation.Faults;

/// <summary>Each call in the life of a root with branches fails once: the failure is told, whatever was acknowledged in any of them is
/// there afterwards, nothing leaks.</summary>
public sealed class FamilyFaultTests(ITestOutputHelper output)
{
    private const int Seed = 23;
    private const int Branches = 2;

    /// <summary>Calls from one tested fault to the next in the quick tier; a prime, so that all kinds of calls come up.</summary>
    private const int QuickStride = 11;

    private const int CallsMax = 5000;

    public static TheoryData<FaultEffect, bool> Effects => new()
    {
        { FaultEffect.IoError, false },
        { FaultEffect.IoError, true },
        { FaultEffect.NoSpace, false },
        { FaultEffect.NoSpace, true },
        { FaultEffect.Interrupted, false },
        { FaultEffect.ShortTransfer, false },
        { FaultEffect.SyncFailsKeepingCache, false },
        { FaultEffect.SyncFailsReverting, false },
        { FaultEffect.LinkAcrossVolumes, false },
        { FaultEffect.TooManyLinks, true },
    };

    [Theory]
    [MemberData(nameof(Effects))]
    public void Call_ThatFails_IsToldAndLosesNothing(FaultEffect effect, bool repeats) => RunAll(effect, repeats, IsRare(effect) ? 3 : QuickStride);

    [Theory]
    [Trait("Tier", "Full")]
    [MemberData(nameof(Effects))]
    public void EachCall_ThatFails_IsToldAndLosesNothing(FaultEffect effect, bool repeats) => RunAll(effect, repeats, 1);

    private static bool IsRare(FaultEffect effect) => IsRefusal(effect) || effect is FaultEffect.SyncFailsKeepingCache or FaultEffect.SyncFailsReverting;

    private static bool IsRefusal(FaultEffect effect) => effect is FaultEffect.LinkAcrossVolumes or FaultEffect.TooManyLinks;

    private void RunAll(FaultEffect effect, bool repeats, int stride)
    {
        long started = Stopwatch.GetTimestamp();
        List<string> violations = [];
        int runs = 0, surfaced = 0;
        for (int n = 1; n < CallsMax; n += stride)
        {
            var fault = new SimulatedFault { Effect = effect, Occurrence = n, Repeats = repeats };
            try
            {
                surfaced += Run(fault) ? 1 : 0;
            }
            catch (Exception e)
            {
                violations.Add($"call {n}: {fault.Hit}: {e}");
            }

            runs++;
            if (fault.Fired == 0)
            {
                break;
            }
        }

        output.WriteLine($"{effect}{(repeats ? " for good" : "")}: {runs} runs, {surfaced} surfaced, seed {Seed}, " +
            $"{Stopwatch.GetElapsedTime(started).TotalSeconds:0.0} s, {violations.Count} violations");
        violations.ForEach(output.WriteLine);
        Assert.Empty(violations.Select(violation => violation.Split(Environment.NewLine)[0]));
        bool isHidden = effect is FaultEffect.Interrupted or FaultEffect.ShortTransfer || IsRefusal(effect);
        Assert.Equal(isHidden, surfaced == 0);
    }

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
        return surfaced;
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
                    RequireTyped(e, fault);
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

    private static void RequireTyped(Exception e, SimulatedFault fault)
    {
        bool isTyped = e is StoragePoisonedException or DiskFullException or PalException { Status: PalStatus.IoError or PalStatus.NoSpace };
        bool isRight = e is not DiskFullException || fault.Effect == FaultEffect.NoSpace;
        if (!isTyped || !isRight || fault.Fired == 0)
        {
            throw new SimulationViolationException($"{fault.Effect} came out as {e.GetType().Name}: {e.Message}", e);
        }
    }
}
