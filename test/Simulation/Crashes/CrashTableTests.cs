using Jackdaw.Pal.Simulation;
using Jackdaw.Simulation.Harness;
using Jackdaw.Storage;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Simulation.Crashes;

/// <summary>The rows of the table in docs/shared-journals.md, one by one: a power cut at just those calls of a family's life, or damage of
/// just that kind.</summary>
public sealed class CrashTableTests(ITestOutputHelper output)
{
    private const int SeedsPerPointQuick = 1;
    private const int SeedsPerPointFull = 3;
    private const int Branches = 2;
    private const string BranchPath = SmallStorage.Path + "/Indexes/1";

    private static readonly Dictionary<string, Func<PalOperation, bool>> s_rows = new(StringComparer.Ordinal)
    {
        ["link made, nothing written yet"] = call => call.Kind == PalOperationKind.Link,
        ["one branch of several linked"] = call => call.Kind == PalOperationKind.SyncDirectory && Mutation.IsBranchJournals(call),
        ["torn write of several storages"] = call => call.Kind == PalOperationKind.WriteJournal && call.Offset > 0,
        ["next file named, folder not synced"] = call => call.Kind is PalOperationKind.Rename or PalOperationKind.RenameSync && Mutation.IsJournal(call),
        ["header advanced, name not yet gone"] = call => call.Kind == PalOperationKind.Delete && Mutation.IsJournal(call),
        ["file goes back to the pool"] = call => call.Kind is PalOperationKind.Rename or PalOperationKind.RenameSync
            && (call.OtherPath.Contains("/pool-", StringComparison.Ordinal) || Mutation.IsPool(call)),
        ["folder of a branch renamed"] = call => call.Kind is PalOperationKind.Rename or PalOperationKind.RenameSync
            && Mutation.IsBranch(call) && !Mutation.IsJournal(call) && !Mutation.IsPool(call),
    };

    public static TheoryData<string> Rows => [.. s_rows.Keys];

    [Theory]
    [MemberData(nameof(Rows))]
    public void PowerCut_InARowOfTheTable_LosesNothing(string row) => Cut(row, SeedsPerPointQuick);

    [Theory]
    [Trait("Tier", "Full")]
    [MemberData(nameof(Rows))]
    public void PowerCut_InARowOfTheTableInManyWays_LosesNothing(string row) => Cut(row, SeedsPerPointFull);

    /// <summary>The volume says that it synced the branch's folder, and did not.</summary>
    [Fact]
    public void LinkLost_AlthoughItsFolderWasSynced_IsMissedByTheBranch_AndRepairedByTheRoot()
    {
        var platform = new SimulatedPlatform(1);
        platform.Inject(new SimulatedFault
        {
            Effect = FaultEffect.SkipDurability,
            Kind = PalOperationKind.SyncDirectory,
            Where = Mutation.IsBranchJournals,
            Repeats = true,
        });
        SimulatedPlatform left;
        using (StorageEnvironment root = StorageEnvironment.Open(platform, SmallStorage.Path, SmallStorage.Options))
        using (StorageEnvironment branch = StorageEnvironment.OpenBranch(root, BranchPath, SmallStorage.Options))
        {
            Put(root);
            Put(branch);
            left = platform.Crash(new CrashOptions { Retention = CrashRetention.None });
        }

        Assert.Empty(left.ListDirectory(BranchPath + "/Journals"));
        Assert.Throws<CorruptedJournalException>(() => StorageEnvironment.Open(left, BranchPath, SmallStorage.Options));
        using StorageEnvironment again = StorageEnvironment.Open(left, SmallStorage.Path, SmallStorage.Options);
        Assert.Single(again.Warnings);
        using StorageEnvironment repaired = StorageEnvironment.OpenBranch(again, BranchPath, SmallStorage.Options);
        Assert.Equal(1, repaired.Current.TransactionId);
    }

    /// <summary>A name of a journal goes only when both copies of the header begin behind it.</summary>
    [Fact]
    public void Name_GoesAfterBothCopiesOfTheHeader()
    {
        var platform = new SimulatedPlatform(1);
        using StorageEnvironment root = StorageEnvironment.Open(platform, SmallStorage.Path, SmallStorage.Options);
        using StorageEnvironment branch = StorageEnvironment.OpenBranch(root, BranchPath, SmallStorage.Options);

        // Of this thread: the root's background may make a name for the branch at the same time, and writes its header for that.
        List<PalOperation> calls = [];
        int thread = Environment.CurrentManagedThreadId;
        platform.Inject(new SimulatedFault
        {
            Effect = FaultEffect.IoError,
            Where = call =>
            {
                if (Environment.CurrentManagedThreadId == thread)
                {
                    calls.Add(call);
                }

                return false;
            },
        });
        int names = 0;
        for (int round = 0; round < 20; round++)
        {
            Enumerable.Range(0, 10).ToList().ForEach(_ => Put(branch));
            calls.Clear();
            branch.Flush();
            branch.Sync();
            int first = calls.FindIndex(call =>
                call.Kind is PalOperationKind.Delete or PalOperationKind.Rename && Mutation.IsBranch(call) && Mutation.IsJournal(call));
            if (first >= 0)
            {
                names++;
                Assert.Equal(2, calls.Take(first).Count(call => call.Kind == PalOperationKind.Sync && call.Path == BranchPath + "/headers"));
                int data = calls.FindIndex(call => call.Kind == PalOperationKind.Sync && call.Path == BranchPath + "/data");
                Assert.InRange(data, 0, first);
            }
        }

        Assert.True(names > 2, $"{names} times names went: the test proves nothing");
    }

    private void Cut(string row, int seedsPerPoint)
    {
        const int seed = 4;
        var platform = new SimulatedPlatform(seed);
        var family = new FamilyWorkload(platform, [.. Enumerable.Range(0, Branches + 1).Select(_ => new Oracle())], seed);
        using var probe = new CrashProbe(platform, family.Oracles, seed * 1000, seedsPerPoint, s_rows[row]);
        foreach (Action step in family.Life())
        {
            step();
        }

        List<CrashedState> states = probe.TakeStates();
        output.WriteLine($"seed {seed}: {states.Count} states");
        Assert.True(states.Count >= 2 * seedsPerPoint, "the call was never made: the test proves nothing");
        string? violation = states.AsParallel().AsOrdered().Select(StateChecker.FindFamilyViolation).FirstOrDefault(found => found is not null);
        Assert.True(violation is null, violation);
    }

    private static void Put(StorageEnvironment storage)
    {
        using WriteTransaction transaction = storage.BeginWrite();
        transaction.Trees.CreateTree("t"u8).Put(BitConverter.GetBytes(transaction.TransactionId), new byte[1000]);
        transaction.Commit();
    }
}
