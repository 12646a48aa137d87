using System.Diagnostics;
using Jackdaw.Pal.Simulation;
using Jackdaw.Simulation.Harness;

namespace Jackdaw.Simulation.Crashes;

/// <summary>Each durability call of a fixed scenario is left out alone, once: the suite must notice at least one of each role.</summary>
public sealed class SingleMutationTests(ITestOutputHelper output)
{
    private const int SeedsPerPoint = 6;
    private const int SeedsPerPointQuick = 2;
    private const int WorkloadSeed = 31;
    private const int CallsMax = 500;

    /// <summary>Barriers looked at after the one left out: the next calls of its kind cover it.</summary>
    private const int BarriersAfter = 12;

    /// <summary>Roles of which one call alone may go unnoticed: the next of its kind covers it before anything depends on it.
    /// The header is synced twice before a journal goes, three times when it is created, and a new journal is found by its name
    /// even when the header does not have its number. The folders' names are synced at each open.</summary>
    private static readonly string[] s_covered =
        ["Sync headers", "Sync headers.new", "CreateDirectorySync Journals", "RenameSync pool", "SyncDirectory db", "CreateDirectorySync db again"];

    [Fact]
    public void Suite_WithOneCallOfEachRoleLeftOutOnce_Fails() => Run(SeedsPerPointQuick, 120, isOnePerRole: true);

    [Fact]
    [Trait("Tier", "Full")]
    public void Suite_WithEachSingleCallLeftOutOnce_Fails() => Run(SeedsPerPoint, CallsMax, isOnePerRole: false);

    [Fact]
    public void Suite_WithoutTheFolderSyncOfAnOpenAfterAKill_Fails()
    {
        // The process died between the rename of the header file and the sync of its folder: the open that follows must make
        // the name durable before anything is acknowledged. The creation of the folder of the journals does.
        var platform = new SimulatedPlatform();
        platform.Inject(new SimulatedFault
        {
            Effect = FaultEffect.IoError,
            Kind = PalOperationKind.RenameSync,
            PathContains = SmallStorage.HeaderPath,
        });
        var workload = new Workload(platform, new Oracle(), WorkloadSeed);
        Assert.ThrowsAny<IOException>(workload.Open);
        SimulatedFault skipped = platform.Inject(new SimulatedFault
        {
            Effect = FaultEffect.SkipDurability,
            Kind = PalOperationKind.CreateDirectorySync,
            PathContains = SmallStorage.JournalFolder,
        });
        workload.Open();
        workload.Commit();
        Assert.Equal(1, skipped.Fired);
        Assert.Contains(Enumerable.Range(0, 50), seed =>
            StateChecker.FindViolation(new CrashedState(platform.Crash(seed), workload.Oracle.View, "after a kill", seed)) is not null);
        workload.Close();
    }

    /// <param name="seedsPerPoint">Crash states of each moment.</param>
    /// <param name="callsMax">Calls to leave out.</param>
    /// <param name="isOnePerRole">True: once one call of a role was noticed, or one of a role that others cover was left out, the
    /// states of its other calls are not looked at.</param>
    private void Run(int seedsPerPoint, int callsMax, bool isOnePerRole)
    {
        long started = Stopwatch.GetTimestamp();
        SortedDictionary<string, (int LeftOut, int Found)> roles = new(StringComparer.Ordinal);
        int states = 0;
        bool IsSettled(PalOperation hit) => roles.TryGetValue(RoleOf(hit), out (int LeftOut, int Found) role)
            && (role.Found > 0 || s_covered.Contains(RoleOf(hit)));

        for (int n = 1; n < callsMax; n++)
        {
            var fault = new SimulatedFault { Effect = FaultEffect.SkipDurability, Occurrence = n };
            bool found = RunScenario(fault, seedsPerPoint, hit => !isOnePerRole || !IsSettled(hit), ref states);
            if (fault.Hit is not { } hit)
            {
                break;
            }

            string role = RoleOf(hit);
            (int leftOut, int foundBefore) = roles.GetValueOrDefault(role);
            roles[role] = (leftOut + 1, foundBefore + (found ? 1 : 0));
        }

        foreach ((string role, (int leftOut, int found)) in roles)
        {
            output.WriteLine($"{role}: left out {leftOut} times, noticed {found} times");
        }

        output.WriteLine($"{states} states, seed {WorkloadSeed}, {Stopwatch.GetElapsedTime(started).TotalSeconds:0.0} s");
        Assert.All(roles.Where(role => !s_covered.Contains(role.Key)), role => Assert.True(role.Value.Found > 0, $"{role.Key}: never noticed"));
    }

    private static bool RunScenario(SimulatedFault fault, int seedsPerPoint, Func<PalOperation, bool> isWanted, ref int states)
    {
        var platform = new SimulatedPlatform();
        platform.Inject(fault);
        var workload = new Workload(platform, new Oracle(), WorkloadSeed);
        int barriers = 0;
        using var probe = new CrashProbe(platform, workload.Oracle, WorkloadSeed, seedsPerPoint,
            call => call.IsBarrier && fault.Fired > 0 && ++barriers <= BarriersAfter * 2);
        try
        {
            workload.Open();
            for (int round = 0; round < 3; round++)
            {
                workload.Commit();
                workload.Commit();
                workload.Storage.Flush();
                workload.Storage.Sync();
            }

            workload.Close();
            workload.Open();
            workload.Commit();
            workload.Close();
        }
        finally
        {
            workload.GiveUp();
        }

        if (fault.Hit is not { } left || !isWanted(left))
        {
            return false;
        }

        foreach (CrashedState state in probe.TakeStates())
        {
            states++;
            if (StateChecker.FindViolation(state) is not null)
            {
                return true;
            }
        }

        return false;
    }

    private static string RoleOf(PalOperation call)
    {
        string name = Mutation.IsJournal(call) ? "journal" : Mutation.IsPool(call) ? "pool" : Path.GetFileName(call.Path);
        string part = call.Kind == PalOperationKind.WriteJournal ? (call.Offset == 0 ? " header record" : " entry") : "";
        bool isAgain = call.Kind == PalOperationKind.CreateDirectorySync && call.Sequence > Mutation.CreationCallsMax;
        return $"{call.Kind} {name}{part}{(isAgain && name == "db" ? " again" : "")}";
    }
}
