using System.Diagnostics;
using Jackdaw.Pal.Simulation;

namespace Jackdaw.Simulation.Faults;

/// <summary>Each call of a scenario fails once: the failure is told, nothing is lost, nothing wrong is answered, nothing leaks.</summary>
public sealed class FaultTests(ITestOutputHelper output)
{
    private const int Seed = 11;

    /// <summary>Calls from one tested fault to the next in the quick tier; a prime, so that all kinds of calls come up.</summary>
    private const int QuickStride = 17;

    private const int CallsMax = 5000;

    public static TheoryData<FaultEffect, bool> Effects => new()
    {
        { FaultEffect.IoError, false },
        { FaultEffect.IoError, true },
        { FaultEffect.NoSpace, false },
        { FaultEffect.Interrupted, false },
        { FaultEffect.ShortTransfer, false },
        { FaultEffect.SyncFailsKeepingCache, false },
        { FaultEffect.SyncFailsReverting, false },
    };

    [Theory]
    [MemberData(nameof(Effects))]
    public void Call_ThatFails_IsToldAndLosesNothing(FaultEffect effect, bool repeats)
    {
        bool isSync = effect is FaultEffect.SyncFailsKeepingCache or FaultEffect.SyncFailsReverting;
        RunAll(effect, repeats, isSync ? 3 : QuickStride);
    }

    [Theory]
    [Trait("Tier", "Full")]
    [MemberData(nameof(Effects))]
    public void EachCall_ThatFails_IsToldAndLosesNothing(FaultEffect effect, bool repeats) => RunAll(effect, repeats, 1);

    private void RunAll(FaultEffect effect, bool repeats, int stride)
    {
        long started = Stopwatch.GetTimestamp();
        List<string> violations = [];
        int runs = 0, surfaced = 0, states = 0;
        for (int n = 1; n < CallsMax; n += stride)
        {
            var fault = new SimulatedFault { Effect = effect, Occurrence = n, Repeats = repeats };
            var scenario = new FaultScenario(fault, Seed);
            try
            {
                scenario.Run();
            }
            catch (Exception e)
            {
                violations.Add($"call {n}: {fault.Hit}: {e}");
            }

            runs++;
            states += scenario.Checked;
            surfaced += scenario.Failure is null ? 0 : 1;
            if (fault.Fired == 0)
            {
                break;
            }
        }

        output.WriteLine($"{effect}{(repeats ? " for good" : "")}: {runs} runs, {surfaced} surfaced, {states} crash states, seed {Seed}, " +
            $"{Stopwatch.GetElapsedTime(started).TotalSeconds:0.0} s, {violations.Count} violations");
        violations.ForEach(output.WriteLine);
        Assert.Empty(violations.Select(violation => violation.Split(Environment.NewLine)[0]));
        bool isTransparent = effect is FaultEffect.Interrupted or FaultEffect.ShortTransfer;
        Assert.Equal(isTransparent, surfaced == 0);
    }
}
