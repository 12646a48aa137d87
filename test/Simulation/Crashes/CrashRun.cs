using Jackdaw.Pal.Simulation;
using Jackdaw.Simulation.Harness;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Simulation.Crashes;

/// <summary>Runs workloads with a probe and checks the states that it took, until enough were checked or one is wrong.</summary>
internal sealed class CrashRun(int statesWanted, int seedsPerPoint, Func<PalOperation, bool>? isWanted = null)
{
    /// <summary>Steps of one workload before the next one begins with an empty volume.</summary>
    private const int StepsPerWorkload = 60;

    /// <summary>More for each branch, so that all of them fill journals.</summary>
    private const int StepsPerBranch = 20;

    private const int SeedsPerWorkload = 100_000;

    /// <summary>States checked.</summary>
    public int Checked { get; private set; }

    /// <summary>Workloads begun.</summary>
    public int Workloads { get; private set; }

    /// <summary>Called with each new volume, to plant faults.</summary>
    public Action<SimulatedPlatform>? Prepare { get; init; }

    /// <summary>True when the workload itself may notice a planted bug.</summary>
    public bool MayFail { get; init; }

    /// <summary>Makes the workload of a storage; one that keeps all rules unless a test breaks one.</summary>
    public Func<SimulatedPlatform, int, Workload> MakeWorkload { get; init; } =
        (platform, seed) => new Workload(platform, new Oracle(), seed);

    /// <summary>States held at once, and then checked: bounds the memory of a run. A run that looks for a planted bug ends sooner with few.</summary>
    public int StatesHeldMax { get; init; } = 150;

    /// <summary>What transactions of a storage with branches do; null = the usual things.</summary>
    public Func<Random, WriteTransaction, ModelState, ModelState>? FamilyScript { get; init; }

    /// <summary>Branches that share the journals of the storage under test.</summary>
    public int Branches { get; init; }

    /// <summary>Steps of a workload between two opens, after the first one; 0 = the workload's own choice only.</summary>
    public int StepsBetweenReopens { get; init; }

    /// <summary>The first violation; null when all states keep all promises.</summary>
    public string? FindViolation(int seed)
    {
        while (Checked < statesWanted)
        {
            int workloadSeed = (seed * 1000) + Workloads++;
            if (RunWorkload(workloadSeed) is { } violation)
            {
                return $"workload seed {workloadSeed}: {violation}";
            }
        }

        return null;
    }

    private string? RunWorkload(int workloadSeed)
    {
        var platform = new SimulatedPlatform(workloadSeed);
        Prepare?.Invoke(platform);
        IWork workload = Branches == 0
            ? MakeWorkload(platform, workloadSeed)
            : new FamilyWorkload(platform, [.. Enumerable.Range(0, Branches + 1).Select(_ => new Oracle())], workloadSeed, FamilyScript);
        using var probe = new CrashProbe(platform, workload.Oracles, workloadSeed % 10_000 * SeedsPerWorkload, seedsPerPoint, isWanted);
        try
        {
            workload.Open();
            for (int step = 0; step < StepsPerWorkload + (Branches * StepsPerBranch); step++)
            {
                workload.Step();
                if (StepsBetweenReopens != 0 && step % StepsBetweenReopens == StepsBetweenReopens - 1)
                {
                    workload.Close();
                    workload.Open();
                }

                if (probe.Count >= StatesHeldMax && CheckStates(probe) is { } violation)
                {
                    return violation;
                }
            }

            workload.CheckContents();
            workload.Close();
            return CheckStates(probe);
        }
        catch (Exception e) when (Prepare is not null || MayFail)
        {
            return $"the workload itself failed: {e.GetType().Name}: {e.Message}";
        }
        finally
        {
            workload.GiveUp();
        }
    }

    private string? CheckStates(CrashProbe probe)
    {
        List<CrashedState> states = [.. probe.TakeStates().Take(statesWanted - Checked)];
        Checked += states.Count;
        string? violation = states.AsParallel().AsOrdered().Select(FindViolation).FirstOrDefault(found => found is not null);
        if (violation is not null)
        {
            return violation;
        }

        probe.Resume();
        return null;
    }

    private string? FindViolation(CrashedState state) =>
        Branches == 0 ? StateChecker.FindViolation(state) : StateChecker.FindFamilyViolation(state);
}
