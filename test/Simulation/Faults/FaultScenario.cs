using Jackdaw.Pal.Simulation;
using Jackdaw.Simulation.Harness;
using Jackdaw.Storage;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Simulation.Faults;

/// <summary>A fixed life of a storage in which one call fails, and what must hold afterwards.</summary>
/// <param name="fault">The fault.</param>
/// <param name="seed">Seed of the work and the power cuts.</param>
/// <param name="stateStride">Crash states from one that is checked to the next; where it begins differs from fault to fault.</param>
/// <param name="script">What transactions do; null = the usual things.</param>
internal sealed class FaultScenario(
    SimulatedFault fault, int seed, int stateStride, Func<Random, WriteTransaction, ModelState, ModelState>? script = null)
{
    private readonly SimulatedPlatform _platform = new(seed);
    private readonly Oracle _oracle = new();

    /// <summary>The first exception that came out of the storage; null when it coped.</summary>
    public Exception? Failure { get; private set; }

    /// <summary>Crash states checked.</summary>
    public int Checked { get; private set; }

    /// <summary>Runs all of it; throws when a promise is broken.</summary>
    public void Run()
    {
        var resources = new ResourceCheck(_platform);
        _platform.Inject(fault);
        using var probe = new CrashProbe(_platform, _oracle, seed * 2000, 1, call => call.IsBarrier && fault.Fired > 0 && !IsTransparent(fault.Effect));
        RunSteps();
        List<CrashedState> cutAfterFault = probe.TakeStates();
        _platform.ClearFaults();
        resources.RequireNothingLeft();
        RequireNoRetriedBarrier();
        CheckStates(cutAfterFault);
        CheckStates([new CrashedState(_platform.Crash(seed), _oracle.View, "after the failure", seed)]);
        GoOnWithSurvivor();
        resources.RequireNothingLeft();
    }

    private static IEnumerable<Action<Workload>> Steps()
    {
        yield return workload => workload.Open();
        for (int i = 0; i < 4; i++)
        {
            yield return workload => workload.Commit();
        }

        yield return workload => workload.Storage.Flush();
        yield return workload => workload.Storage.Sync();
        yield return workload => workload.Storage.PunchHoles();
        for (int i = 0; i < 6; i++)
        {
            yield return workload => workload.SubmitOnly();
        }

        yield return workload => workload.WaitForAll();
        yield return workload => workload.Storage.Flush();
        yield return workload => workload.Storage.Sync();
        yield return workload => workload.Storage.PunchHoles();
        yield return workload => workload.Commit();
        yield return workload => workload.Close();
        yield return workload => workload.Open();
        yield return workload => workload.Commit();
        yield return workload => workload.Close();
    }

    private Workload MakeWorkload(int workloadSeed) =>
        script is null ? new Workload(_platform, _oracle, workloadSeed) : new Workload(_platform, _oracle, workloadSeed) { Script = script };

    private void RunSteps()
    {
        Workload workload = MakeWorkload(seed);
        try
        {
            foreach (Action<Workload> step in Steps())
            {
                if (!TryStep(workload, step))
                {
                    return;
                }
            }
        }
        finally
        {
            workload.GiveUp();
        }
    }

    /// <summary>False when the storage stopped.</summary>
    private bool TryStep(Workload workload, Action<Workload> step)
    {
        try
        {
            step(workload);
            return true;
        }
        catch (Exception e) when (e is not SimulationViolationException)
        {
            FaultRun.RequireTyped(e, fault);
            Failure ??= e;
        }

        if (!workload.IsOpen)
        {
            return false;
        }

        AwaitSubmitted(workload);
        if (workload.Storage.Failure is null && TryCheckContents(workload))
        {
            return true;
        }

        if (fault.Effect == FaultEffect.TooManyFiles)
        {
            throw new SimulationViolationException("a shortage that passes stopped the storage", workload.Storage.Failure);
        }

        RequireStopped(() => workload.Storage.BeginRead().Dispose());
        RequireStopped(() => workload.Storage.BeginWrite().Dispose());
        RequireStopped(() => workload.Storage.Flush());
        RequireStopped(() => workload.Storage.Sync());
        return false;
    }

    // A thread of the storage may meet the same fault meanwhile.
    private static bool TryCheckContents(Workload workload)
    {
        try
        {
            workload.CheckContents();
            return true;
        }
        catch (StoragePoisonedException) when (workload.Storage.Failure is not null)
        {
            return false;
        }
    }

    // The committer may be about to meet the same fault in a transaction that was submitted before the one that failed.
    private static void AwaitSubmitted(Workload workload)
    {
        try
        {
            workload.WaitForAll();
        }
        catch (StoragePoisonedException) when (workload.Storage.Failure is not null)
        {
        }
    }

    private static void RequireStopped(Action call)
    {
        try
        {
            call();
        }
        catch (StoragePoisonedException)
        {
            return;
        }

        throw new SimulationViolationException("a stopped storage still answers");
    }

    /// <summary>A failed sync says nothing about the data any more: nobody may try it again before a reopen.</summary>
    private void RequireNoRetriedBarrier()
    {
        if (fault.Hit is not { Kind: PalOperationKind.Sync or PalOperationKind.WriteJournal } failed || IsTransparent(fault.Effect))
        {
            return;
        }

        IEnumerable<PalOperation> untilReopen = _platform.Operations.Where(call => call.Sequence > failed.Sequence)
            .TakeWhile(call => call.Kind != PalOperationKind.Lock);
        foreach (PalOperation later in untilReopen)
        {
            if (later.Kind == failed.Kind && later.Path == failed.Path)
            {
                throw new SimulationViolationException($"'{failed}' failed and was tried again as call {later.Sequence}");
            }
        }
    }

    private static bool IsTransparent(FaultEffect effect) => effect is FaultEffect.Interrupted or FaultEffect.ShortTransfer;

    /// <summary>The process died, the machine did not: what was in the cache is still there, until a power cut later.</summary>
    private void GoOnWithSurvivor()
    {
        Workload workload = MakeWorkload(seed + 1);
        using var probe = new CrashProbe(_platform, _oracle, seed * 1000);
        try
        {
            workload.Open();
            workload.Commit();
            workload.Commit();
            workload.Storage.Flush();
            workload.Storage.Sync();
            workload.Commit();
            workload.Close();
        }
        finally
        {
            workload.GiveUp();
        }

        CheckStates(probe.TakeStates());
    }

    private void CheckStates(List<CrashedState> states)
    {
        foreach (CrashedState state in states.Where((_, index) => states.Count == 1 || (index + fault.Occurrence) % stateStride == 0))
        {
            Checked++;
            if (StateChecker.FindViolation(state) is { } violation)
            {
                throw new SimulationViolationException(violation);
            }
        }
    }
}
