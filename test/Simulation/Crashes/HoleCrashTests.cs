using System.Diagnostics;
using Jackdaw.Pal.Simulation;
using Jackdaw.Simulation.Harness;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.FreeSpace;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Simulation.Crashes;

/// <summary>Free pages that are given back to the file system: what a power cut leaves around it is whole, and breaking the rule
/// of when they may be is noticed.</summary>
public sealed class HoleCrashTests(ITestOutputHelper output)
{
    private const int Seed = 47;
    private const int StatesQuick = 90;
    private const int StatesBroken = 300;
    private const int StatesFull = 6000;

    [Fact]
    public void Crash_AroundHoles_KeepsAcknowledgedTransactions() => RunAroundHoles(StatesQuick);

    [Fact]
    [Trait("Tier", "Full")]
    public void Crash_AroundHolesAtLength_KeepsAcknowledgedTransactions() => RunAroundHoles(StatesFull);

    /// <summary>Free for a transaction that is not durable yet: a cut takes the transaction and leaves its holes.</summary>
    [Fact]
    public void Suite_WithHolesOfATransactionThatIsNotDurable_Fails() => RequireFound((platform, seed) => new Workload(platform, new Oracle(), seed)
    {
        BeforeSubmit = (storage, transaction) => PunchFree(storage, transaction, transaction.NextPage),
    });

    /// <summary>Free in the newest state, while readers of older ones look at the data file.</summary>
    [Fact]
    public void Suite_WithHolesThatAReaderStillSees_Fails() => RequireFound((platform, seed) => new Workload(platform, new Oracle(), seed)
    {
        BeforeSubmit = (storage, _) =>
        {
            using ReadTransaction newest = storage.BeginRead();
            PunchFree(storage, newest, newest.State.NextPage);
        },
    });

    /// <summary>Free in the file as of the last sync, and taken again since: the flush finds holes under pages that it writes. Nothing
    /// is lost by it, but the disk may be full then: a look at the space finds it, not at the contents.</summary>
    [Fact]
    public void Punch_OfPagesThatAreInUseAgain_IsNotDone()
    {
        var platform = new SimulatedPlatform(Seed);
        var workload = new Workload(platform, new Oracle(), Seed);
        workload.Open();
        int flushes = 0;
        for (int step = 0; step < 400; step++)
        {
            workload.Step();
            workload.WaitForAll();
            if (step % 10 == 9)
            {
                // A volume without one free block: every block that the flush writes must be there already.
                platform.CapacityBytes = platform.UsedBytes;
                flushes += workload.Storage.Flush() ? 1 : 0;
                platform.CapacityBytes = 1L << 40;
            }
        }

        workload.CheckContents();
        workload.Close();
        output.WriteLine($"seed {Seed}: {flushes} flushes without a free block");
        Assert.True(flushes > 10);
    }

    private void RunAroundHoles(int states)
    {
        long started = Stopwatch.GetTimestamp();
        int punches = 0;
        var run = new CrashRun(states, 1, IsAroundHoles)
        {
            MakeWorkload = (platform, seed) =>
            {
                platform.RecordsOperations = true;
                return new Workload(platform, new Oracle(), seed)
                {
                    Punch = storage =>
                    {
                        storage.PunchHoles();
                        punches += platform.Operations.Count(call => call.Kind == PalOperationKind.PunchHole);
                        platform.ClearOperations();
                    },
                };
            },
        };
        string? violation = run.FindViolation(Seed);
        output.WriteLine($"seed {Seed}: {run.Checked} states, {punches} holes, {Stopwatch.GetElapsedTime(started).TotalSeconds:0.0} s");
        Assert.True(violation is null, violation);

        // 14 to 19 of the quick 300, by what the flushes find published.
        Assert.True(punches > states / 50, $"only {punches} holes: the test proves little");
    }

    private static bool IsAroundHoles(PalOperation call) => call.Kind is PalOperationKind.PunchHole or PalOperationKind.FillHole
        || call is { Kind: PalOperationKind.Sync, Path: SmallStorage.DataPath };

    private void RequireFound(Func<SimulatedPlatform, int, Workload> makeBroken)
    {
        var run = new CrashRun(StatesBroken, 1) { MakeWorkload = makeBroken, MayFail = true };
        string? violation = run.FindViolation(Seed);
        output.WriteLine($"seed {Seed}: {run.Checked} states: {violation?.Split(Environment.NewLine)[0] ?? "no violation"}");
        Assert.NotNull(violation);
    }

    private static void PunchFree(StorageEnvironment storage, PageReader state, PageNumber next) =>
        FreeSpaceMap.ForEachFreeRun(state, next, (page, count) => storage.DataFile.PunchHole(page, count));
}
