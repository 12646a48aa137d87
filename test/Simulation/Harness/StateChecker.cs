namespace Jackdaw.Simulation.Harness;

/// <summary>Checks what a power cut left: it opens, has exactly the contents of an allowed transaction, is sound, takes more
/// writes, survives a second power cut in them, and a clean stop.</summary>
internal static class StateChecker
{
    private const int StepsBetweenCuts = 4;

    /// <summary>Operations among which the second cut is placed: about as many as open and the steps make.</summary>
    private const int OperationsBetweenCuts = 90;

    /// <summary>What is wrong with a state; null when it keeps all promises.</summary>
    public static string? FindViolation(CrashedState state)
    {
        try
        {
            CrashedState second = GoOn(state);
            OpenAndClose(second);
            return null;
        }
        catch (Exception e)
        {
            return $"{state}: {e.GetType().Name}: {e.Message}{(e is SimulationViolationException ? "" : Environment.NewLine + e.StackTrace)}";
        }
    }

    /// <summary>Opens, writes on, is cut off once more meanwhile, closes cleanly; returns what the second cut left.</summary>
    private static CrashedState GoOn(CrashedState state)
    {
        Oracle oracle = Continue(state);
        var workload = new Workload(state.Platform, oracle, state.Seed);
        long cutAt = 1 + new Random(state.Seed).Next(OperationsBetweenCuts);
        using var probe = new CrashProbe(state.Platform, oracle, state.Seed, 1, operation => operation.Sequence == cutAt);
        try
        {
            workload.Open();
            for (int i = 0; i < StepsBetweenCuts; i++)
            {
                workload.Step();
            }

            workload.WaitForAll();
            probe.TakeNow("after the steps that follow a recovery");
            CrashedState second = probe.TakeStates()[0];
            workload.Close();
            workload.Open();
            workload.Close();
            return second with { Place = $"{second.Place}, which followed the cut {state.Place}" };
        }
        finally
        {
            workload.GiveUp();
        }
    }

    private static void OpenAndClose(CrashedState state)
    {
        var workload = new Workload(state.Platform, Continue(state), state.Seed);
        try
        {
            workload.Open();
            workload.Commit();
            workload.Close();
        }
        catch (Exception e) when (e is not SimulationViolationException)
        {
            throw new SimulationViolationException($"at the second cut ({state}): {e}");
        }
        finally
        {
            workload.GiveUp();
        }
    }

    private static Oracle Continue(CrashedState state) => Oracle.From(state.Allowed);
}
