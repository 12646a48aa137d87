using Jackdaw.Pal;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Tests.Sharing;
using Jackdaw.Storage.Transactions;
using Jackdaw.TestKit;

namespace Jackdaw.Storage.Tests.Crashes;

/// <summary>A branch gets a name for a journal while its own background syncs: the header must not say that recovery begins behind that
/// journal, and its name must not go.</summary>
public sealed class LinkDuringSyncTests
{
    [Fact]
    public void Link_OfANewFile_IsKnownToASyncBeforeTheHeaderNamesIt()
    {
        var hooked = new HookedPlatform(new MemoryPlatform());
        using var family = new BranchFamily(hooked, 1);
        StorageEnvironment branch = family.Branches[0];
        BranchFamily.Commit(family.Root);
        List<int> known = [];

        // Only the header is synced here. A sync that waits for it takes its turn before the linking thread goes on, and
        // places the beginning of recovery behind all files that it knows of and the newest that the header names.
        hooked.BeforeSync = () => known.Add(branch.Figures.JournalFiles);
        BranchFamily.Commit(branch);
        hooked.BeforeSync = null;
        Assert.Equal(1, known[0]);
    }

    [Fact]
    public void Link_FoundAgain_WhileTheBranchSyncs_IsReadByRecovery()
    {
        var hooked = new HookedPlatform(new MemoryPlatform());
        using var family = new BranchFamily(hooked, 1);
        BranchFamily.Commit(family.Root);
        BranchFamily.Commit(family.Branches[0], 2);
        family.Branches[0].Abandon();
        StorageEnvironment branch = family.Branches[0] = family.Open(0);
        branch.Flush();
        hooked.BeforeDirectorySync = () =>
        {
            hooked.BeforeDirectorySync = null;
            var syncing = new Thread(() => branch.Sync());
            syncing.Start();
            syncing.Join();
        };
        BranchFamily.Commit(branch, 2);
        family.Abandon();
        using StorageEnvironment alone = family.OpenAlone(BranchFamily.PathOf(0));
        Assert.Equal(4, BranchFamily.Check(alone));
    }

    [Fact]
    public void Link_FoundAgain_KeepsWhatWasRecoveredFromTheFile()
    {
        const int large = 60_000;
        using var family = new BranchFamily(new MemoryPlatform(), 1);
        BranchFamily.Commit(family.Root);
        BranchFamily.Commit(family.Branches[0], 2);
        family.Branches[0].Abandon();
        StorageEnvironment branch = family.Branches[0] = family.Open(0);

        // Does not fit into the file any more, which has its name already.
        using (WriteTransaction transaction = branch.BeginWrite())
        {
            transaction.Trees.CreateTree("large"u8).Put("k"u8, MakeBytes(large));
            transaction.Commit();
        }

        branch.Sync();
        family.Abandon();
        using StorageEnvironment alone = family.OpenAlone(BranchFamily.PathOf(0));
        Assert.Equal(2, BranchFamily.Check(alone));
        Assert.Equal(3, alone.Current.TransactionId);
    }

    private static byte[] MakeBytes(int count)
    {
        byte[] bytes = new byte[count];
        new Random(1).NextBytes(bytes);
        return bytes;
    }
}
