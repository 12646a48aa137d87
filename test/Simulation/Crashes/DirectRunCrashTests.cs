using System.Diagnostics;
using Jackdaw.Pal;
using Jackdaw.Pal.Simulation;
using Jackdaw.Simulation.Harness;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.FreeSpace;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Simulation.Crashes;

/// <summary>Runs that bypass the journal: what a power cut leaves around their writes, their sync and their entry is whole, and breaking one of
/// the rules that make it so is noticed.</summary>
public sealed class DirectRunCrashTests(ITestOutputHelper output)
{
    private const int Seed = 79;
    private const int StatesQuick = 120;
    private const int StatesBroken = 600;
    private const int StatesFull = 20_000;
    private const int Branches = 2;

    [ThreadStatic]
    private static bool s_isSubmitting;

    [Fact]
    public void Crash_AroundDirectRuns_KeepsAcknowledgedTransactions() => RunAround(StatesQuick, branches: 0);

    [Fact]
    public void Crash_AroundDirectRunsOfBranches_KeepsAcknowledgedTransactionsOfAll() => RunAround(StatesQuick / 2, Branches);

    [Theory]
    [Trait("Tier", "Full")]
    [InlineData(0, StatesFull)]
    [InlineData(Branches, StatesFull / 4)]
    public void Crash_AroundDirectRunsAtLength_KeepsAcknowledgedTransactions(int branches, int states) => RunAround(states, branches);

    /// <summary>The entry is durable before the run that it names.</summary>
    [Fact]
    public void Suite_WithoutTheSyncOfDirectRuns_Fails()
    {
        List<SimulatedFault> faults = [];
        RequireFound(new CrashRun(StatesBroken, 1)
        {
            Prepare = platform => faults.Add(platform.Inject(new SimulatedFault
            {
                Effect = FaultEffect.SkipDurability,
                Kind = PalOperationKind.Sync,
                Where = call => call.Path == SmallStorage.DataPath && s_isSubmitting,
                Repeats = true,
            })),
            MakeWorkload = (platform, seed) => new Workload(platform, new Oracle(), seed)
            {
                Script = RunScript.Run,
                BeforeSubmit = (_, _) => s_isSubmitting = true,
                AfterSubmit = () => s_isSubmitting = false,
            },
        });
        Assert.True(faults.Sum(fault => fault.Fired) > 0, "the call was never made: the test proves nothing");
    }

    /// <summary>Written over pages that the transaction itself freed: a cut takes the transaction and leaves its runs.</summary>
    [Fact]
    public void Suite_WithRunsInPagesThatTheTransactionFreed_Fails() => RequireFound(Broken((storage, transaction) =>
        Overwrite(storage, transaction, transaction.NextPage, transaction.TransactionId)));

    /// <summary>Written over pages that are free in the newest state, while readers of older ones look at the data file.</summary>
    [Fact]
    public void Suite_WithRunsInPagesThatAReaderStillSees_Fails() => RequireFound(Broken((storage, transaction) =>
    {
        using ReadTransaction newest = storage.BeginRead();
        Overwrite(storage, newest, newest.State.NextPage, transaction.TransactionId);
    }));

    /// <summary>Punched where a direct run was freed after the sync, while a reader may still see it.</summary>
    [Fact]
    public void Suite_WithHolesInRunsThatAReaderStillSees_Fails() => RequireFound(Broken((storage, _) =>
    {
        using ReadTransaction newest = storage.BeginRead();
        FreeSpaceMap.ForEachFreeRun(newest, newest.State.NextPage, (page, count) => storage.DataFile.PunchHole(page, count));
    }));

    private static bool IsAround(PalOperation call) => call.Path.EndsWith("/data", StringComparison.Ordinal)
        ? call.Kind is PalOperationKind.Sync or PalOperationKind.WritePages or PalOperationKind.PunchHole or PalOperationKind.Allocate
        : call.IsBarrier;

    private static CrashRun Broken(Action<StorageEnvironment, WriteTransaction> breakRule) => new(StatesBroken, 1)
    {
        MakeWorkload = (platform, seed) => new Workload(platform, new Oracle(), seed) { Script = RunScript.Run, BeforeSubmit = breakRule },
        MayFail = true,
    };

    /// <summary>Writes whole, sound runs to free pages, as the writer would if it took these.</summary>
    private static unsafe void Overwrite(StorageEnvironment storage, PageReader state, PageNumber next, long transaction)
    {
        using var buffer = new AlignedBuffer(Page.Size);
        byte* memory = buffer.Ensure(Page.Size);
        FreeSpaceMap.ForEachFreeRun(state, next, (first, count) =>
        {
            for (int i = 0; i < count; i++)
            {
                new Span<byte>(memory, Page.Size).Fill(0xEE);
                var page = new Page(memory);
                page.Header = new PageHeader
                {
                    PageNumber = first + i,
                    Type = PageType.Overflow,
                    LastTransactionId = transaction,
                    OverflowBytes = Page.BodySize,
                };
                storage.DataFile.Seal(page);
                var write = new PalPageWrite { Base = memory, Offset = (first + i).Offset, Length = Page.Size };
                storage.DataFile.WriteDirect(new ReadOnlySpan<PalPageWrite>(in write));
            }
        });
    }

    private void RunAround(int states, int branches)
    {
        long started = Stopwatch.GetTimestamp();
        long runs = 0;
        var run = new CrashRun(states, 1, IsAround)
        {
            Branches = branches,
            FamilyScript = RunScript.Run,
            StepsBetweenReopens = 25,
            MakeWorkload = (platform, seed) => new Workload(platform, new Oracle(), seed)
            {
                Script = RunScript.Run,
                BeforeSubmit = (storage, _) => runs = Math.Max(runs, storage.Statistics.Sum.DirectRuns),
            },
        };
        string? violation = run.FindViolation(Seed);
        output.WriteLine($"seed {Seed}, {branches} branches: {run.Checked} states (each cut twice) of {run.Workloads} workloads, " +
            $"{Stopwatch.GetElapsedTime(started).TotalSeconds:0.0} s");
        Assert.True(violation is null, violation);
        Assert.True(branches > 0 || runs > 10, $"only {runs} direct runs: the test proves little");
    }

    private void RequireFound(CrashRun run)
    {
        string? violation = run.FindViolation(Seed);
        output.WriteLine($"seed {Seed}: {run.Checked} states: {violation?.Split(Environment.NewLine)[0] ?? "no violation"}");
        Assert.NotNull(violation);
    }
}
