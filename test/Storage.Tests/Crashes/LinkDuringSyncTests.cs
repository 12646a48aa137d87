using System.Diagnostics;
using Jackdaw.Pal;
using Jackdaw.Pal.InMemory;
using Jackdaw.Pal.Simulation;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Headers;
using Jackdaw.Storage.Tests.Sharing;
using Jackdaw.Storage.Transactions;
using Jackdaw.TestKit;

namespace Jackdaw.Storage.Tests.Crashes;

/// <summary>A branch gets a name for a journal while its own background syncs: the header must not say that recovery begins behind that
/// journal, and its name must not go.</summary>
public sealed class LinkDuringSyncTests
{
    private const int WaitingMs = 300;

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
        using BranchFamily family = OpenAgain(hooked);
        StorageEnvironment branch = family.Branches[0];
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

    /// <summary>The sync has decided to let the name go, and is held up just before it does; the link finds the name, takes it into use
    /// again and writes that recovery begins there, and the root closes the file: nothing keeps the name but the header.</summary>
    [Fact]
    public void Link_FoundAgain_WhileASyncLetsTheNameGo_LeavesNoHeaderThatBeginsThere()
    {
        var hooked = new HookedPlatform(new MemoryPlatform());
        using BranchFamily family = OpenAgain(hooked);
        StorageEnvironment branch = family.Branches[0];
        branch.Flush();
        long revision = branch.Headers.Current.Revision;
        var moving = new Thread(() => branch.Journals.MoveTo(branch.Path, () => false));
        var syncing = new Thread(() => branch.Sync());
        PendingCommit written;
        using (branch.Journals.Stay())
        {
            StartAndSeeItWait(moving); // who comes after it waits for it, but for this thread
            StartAndSeeItWait(syncing);
            Assert.Equal(revision + 2, branch.Headers.Current.Revision);
            hooked.BeforeDirectorySync = () =>
            {
                hooked.BeforeDirectorySync = null;
                BranchFamily.Commit(family.Root, 3, 40_000);
            };
            written = BranchFamily.Write(branch);
            Assert.Null(hooked.BeforeDirectorySync);
        }

        written.Wait();
        moving.Join();
        syncing.Join();
        family.Abandon();
        using StorageEnvironment alone = family.OpenAlone(BranchFamily.PathOf(0));
        Assert.Empty(alone.Warnings); // without the third transaction the journal that is missed would stop it
        Assert.Equal(3, BranchFamily.Check(alone));
    }

    /// <summary>A sync has placed the beginning of recovery behind a name and could not let the name go. Used again, the name is behind the
    /// beginning in both copies of the header.</summary>
    [Fact]
    public void Link_FoundAgain_AfterASyncThatKeptIt_IsReadByEitherHeader()
    {
        var platform = new SimulatedPlatform();
        using BranchFamily family = OpenAgain(platform);
        StorageEnvironment branch = family.Branches[0];
        SimulatedFault shortage = platform.Inject(new SimulatedFault
        {
            Effect = FaultEffect.TooManyFiles,
            Kind = PalOperationKind.Open,
            PathContains = BranchFamily.PathOf(0) + "/Journals",
        });
        branch.Flush();
        branch.Sync();
        Assert.Equal(1, shortage.Fired);
        BranchFamily.Commit(branch, 2);
        long revision = branch.Headers.Current.Revision;
        family.Abandon();
        platform.FlipBit(BranchFamily.PathOf(0) + "/" + HeaderFile.FileName, (revision & 1) * HeaderFile.CopyBytes * 8);
        using StorageEnvironment alone = family.OpenAlone(BranchFamily.PathOf(0));
        Assert.Single(alone.Warnings);
        Assert.Equal(4, BranchFamily.Check(alone));
    }

    [Fact]
    public void Link_FoundAgain_KeepsWhatWasRecoveredFromTheFile()
    {
        const int large = 60_000;
        using BranchFamily family = OpenAgain(new MemoryPlatform());
        StorageEnvironment branch = family.Branches[0];

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

    /// <summary>A family whose branch was opened again, with two transactions, while its root went on.</summary>
    private static BranchFamily OpenAgain(IPlatform platform)
    {
        var family = new BranchFamily(platform, 1);
        BranchFamily.Commit(family.Root);
        BranchFamily.Commit(family.Branches[0], 2);
        family.Branches[0].Abandon();
        family.Branches[0] = family.Open(0);
        return family;
    }

    /// <summary>A thread that begins waits for this and that: who waits without a pause for so long waits for what the test holds.</summary>
    private static void StartAndSeeItWait(Thread thread)
    {
        thread.Start();
        long since = Stopwatch.GetTimestamp();
        Eventually.IsTrue(
            () =>
            {
                since = (thread.ThreadState & System.Threading.ThreadState.WaitSleepJoin) != 0 ? since : Stopwatch.GetTimestamp();
                return Stopwatch.GetElapsedTime(since).TotalMilliseconds > WaitingMs;
            },
            () => $"the thread is {thread.ThreadState}");
    }

    private static byte[] MakeBytes(int count)
    {
        byte[] bytes = new byte[count];
        new Random(1).NextBytes(bytes);
        return bytes;
    }
}
