using Jackdaw.Pal.Simulation;
using Jackdaw.Storage.Environments;
using Jackdaw.TestKit;

namespace Jackdaw.Storage.Tests.Sharing;

/// <summary>Branches that are recovered after their root read their own entries only.</summary>
public sealed class JournalIndexTests
{
    private const int Commits = 20;
    private readonly SimulatedPlatform _platform = new();

    [Fact]
    public void Recovery_OfABranchBehindItsRoot_ReadsItsOwnEntriesOnly()
    {
        Crash();
        SimulatedPlatform left = _platform.Crash(KeepAll);
        left.RecordsOperations = true;
        using (StorageEnvironment first = StorageEnvironment.Open(left, BranchFamily.PathOf(0), BranchFamily.OneJournal))
        {
            first.Abandon();
        }

        int alone = CountReads(left);
        using StorageEnvironment root = StorageEnvironment.Open(left, BranchFamily.RootPath, BranchFamily.OneJournal);
        left.ClearOperations();
        using StorageEnvironment branch = StorageEnvironment.OpenBranch(root, BranchFamily.PathOf(0), BranchFamily.OneJournal);
        int behind = CountReads(left);
        Assert.Equal(Commits, BranchFamily.Check(branch));
        Assert.True(behind * 2 < alone, $"{behind} reads of journals behind the root, {alone} alone");
    }

    [Fact]
    public void Recovery_OfACopiedFolder_ReadsTheCopy()
    {
        Crash();
        SimulatedPlatform left = _platform.Crash(KeepAll);
        string name = BranchFamily.PathOf(0) + "/Journals/0000000000000000001.journal";
        byte[] bytes = left.ReadAll(name);
        left.Delete(name);
        bytes.AsSpan(bytes.Length / 2).Clear(); // nothing stands there
        left.Create(name, bytes);
        using StorageEnvironment root = StorageEnvironment.Open(left, BranchFamily.RootPath, BranchFamily.OneJournal);
        using StorageEnvironment branch = StorageEnvironment.OpenBranch(root, BranchFamily.PathOf(0), BranchFamily.OneJournal);
        Assert.Equal(Commits, BranchFamily.Check(branch));
    }

    [Fact]
    public void Index_GoesWithTheLastJournalThatItNames()
    {
        Crash();
        SimulatedPlatform left = _platform.Crash(KeepAll);
        using StorageEnvironment root = StorageEnvironment.Open(left, BranchFamily.RootPath, BranchFamily.OneJournal);
        Assert.Equal(1, root.RecoveredIndex!.NewestNumber);
        using (StorageEnvironment branch = StorageEnvironment.OpenBranch(root, BranchFamily.PathOf(0), BranchFamily.OneJournal))
        {
            Assert.Null(branch.RecoveredIndex);
        }

        BranchFamily.Commit(root);
        Assert.NotNull(root.RecoveredIndex);
        root.Flush();
        root.Sync();
        Assert.Null(root.RecoveredIndex);
    }

    private static CrashOptions KeepAll => new() { Retention = CrashRetention.All };

    private void Crash()
    {
        using var family = new BranchFamily(_platform, 3, BranchFamily.OneJournal);
        for (int i = 0; i < Commits; i++)
        {
            family.All.ToList().ForEach(storage => BranchFamily.Commit(storage));
        }

        family.Abandon();
    }

    private static int CountReads(SimulatedPlatform platform) => platform.Operations.Count(call =>
        call.Kind == PalOperationKind.Read && call.Path.EndsWith(".journal", StringComparison.Ordinal));
}
