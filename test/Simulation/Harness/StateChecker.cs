namespace Jackdaw.Simulation.Harness;

/// <summary>Checks what a power cut left: it opens, has exactly the contents of an allowed transaction, is sound, takes more
/// writes, survives a second power cut in them, and a clean stop.</summary>
internal static class StateChecker
{
    private const int StepsBetweenCuts = 4;

    /// <summary>Operations among which the second cut is placed: about as many as open and the steps make.</summary>
    private const int OperationsBetweenCuts = 90;

    private static readonly Func<CrashedState, IWork> s_single = state => new Workload(state.Platform, Oracle.From(state.Views[0]), state.Seed);

    private static readonly Func<CrashedState, IWork> s_family = state =>
        new FamilyWorkload(state.Platform, [.. state.Views.Select(Oracle.From)], state.Seed);

    /// <summary>What is wrong with a state; null when it keeps all promises.</summary>
    public static string? FindViolation(CrashedState state) => FindViolation(state, s_single);

    /// <summary>What is wrong with a state of storages that share journals; null when all keep their promises.</summary>
    public static string? FindFamilyViolation(CrashedState state) => FindViolation(state, s_family);

    private static string? FindViolation(CrashedState state, Func<CrashedState, IWork> makeWork)
    {
        try
        {
            CrashedState second = GoOn(state, makeWork);
            OpenAndClose(second, makeWork);
            return null;
        }
        catch (Exception e)
        {
            return $"{state}: {e.GetType().Name}: {e.Message}{(e is SimulationViolationException ? "" : Environment.NewLine + e.StackTrace)}";
        }
    }

    /// <summary>Opens, writes on, is cut off once more meanwhile, closes cleanly; returns what the second cut left.</summary>
    private static CrashedState GoOn(CrashedState state, Func<CrashedState, IWork> makeWork)
    {
        IWork workload = makeWork(state);
        long cutAt = 1 + new Random(state.Seed).Next(OperationsBetweenCuts);
        using var probe = new CrashProbe(state.Platform, workload.Oracles, state.Seed, 1, operation => operation.Sequence == cutAt);
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

    private static void OpenAndClose(CrashedState state, Func<CrashedState, IWork> makeWork)
    {
        IWork workload = makeWork(state);
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
}
