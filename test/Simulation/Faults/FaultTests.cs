using Jackdaw.Pal.Simulation;
using Jackdaw.Simulation.Harness;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Simulation.Faults;

/// <summary>Each call of a scenario fails once: the failure is told, nothing is lost, nothing wrong is answered, nothing leaks.</summary>
public sealed class FaultTests(ITestOutputHelper output)
{
    private const int Seed = 11;

    /// <summary>Calls from one tested fault to the next in the quick tier; a prime, so that all kinds of calls come up.</summary>
    private const int QuickStride = 41;

    /// <summary>Crash states from one that is checked to the next in the quick tier.</summary>
    private const int QuickStateStride = 5;

    /// <summary>The same at length, where another theory looks at each state of the usual work.</summary>
    private const int FullStateStride = 11;

    public static TheoryData<FaultEffect, bool> Effects => new()
    {
        { FaultEffect.IoError, false },
        { FaultEffect.IoError, true },
        { FaultEffect.NoSpace, false },
        { FaultEffect.TooManyFiles, false },
        { FaultEffect.TooManyFiles, true },
        { FaultEffect.Interrupted, false },
        { FaultEffect.ShortTransfer, false },
        { FaultEffect.SyncFailsKeepingCache, false },
        { FaultEffect.SyncFailsReverting, false },
        { FaultEffect.WriteFailsKeepingCache, false },
    };

    [Theory]
    [MemberData(nameof(Effects))]
    public void Call_ThatFails_IsToldAndLosesNothing(FaultEffect effect, bool repeats)
    {
        RunAll(effect, repeats, IsRare(effect) ? 7 : QuickStride, QuickStateStride);
    }

    [Theory]
    [Trait("Tier", "Full")]
    [MemberData(nameof(Effects))]
    public void EachCall_ThatFails_IsToldAndLosesNothing(FaultEffect effect, bool repeats) => RunAll(effect, repeats, 1, 1);

    /// <summary>The same where most of what is written goes to the data file at once.</summary>
    [Theory]
    [MemberData(nameof(Effects))]
    public void CallOfDirectRuns_ThatFails_IsToldAndLosesNothing(FaultEffect effect, bool repeats) =>
        RunAll(effect, repeats, IsRare(effect) ? 7 : QuickStride, QuickStateStride, RunScript.Run);

    [Theory]
    [Trait("Tier", "Full")]
    [MemberData(nameof(Effects))]
    public void EachCallOfDirectRuns_ThatFails_IsToldAndLosesNothing(FaultEffect effect, bool repeats) =>
        RunAll(effect, repeats, 1, FullStateStride, RunScript.Run);

    private static bool IsRare(FaultEffect effect) => effect is FaultEffect.SyncFailsKeepingCache or FaultEffect.SyncFailsReverting
        or FaultEffect.TooManyFiles or FaultEffect.WriteFailsKeepingCache;

    private void RunAll(
        FaultEffect effect, bool repeats, int stride, int stateStride, Func<Random, WriteTransaction, ModelState, ModelState>? script = null)
    {
        FaultRun.RunAll(output, effect, repeats, stride, Seed, fault =>
        {
            var scenario = new FaultScenario(fault, Seed, stateStride, script);
            scenario.Run();
            return (scenario.Failure is not null, scenario.Checked);
        });
    }
}
