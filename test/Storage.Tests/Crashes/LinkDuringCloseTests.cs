using Jackdaw.Pal.InMemory;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Tests.Sharing;
using Jackdaw.TestKit;

namespace Jackdaw.Storage.Tests.Crashes;

/// <summary>A branch is closed while the root's background makes a name for it: the name must not be taken for one of the branch's next
/// life, which would write to a journal that it does not know.</summary>
public sealed class LinkDuringCloseTests
{
    private static readonly TimeSpan s_patience = TimeSpan.FromMilliseconds(500);

    private readonly HookedPlatform _hooked = new(new MemoryPlatform());
    private readonly ManualResetEventSlim _linked = new();
    private readonly ManualResetEventSlim _closing = new();

    [Fact]
    public void Link_MadeAheadWhileTheBranchCloses_IsNotOfItsNextLife()
    {
        using var family = new BranchFamily(_hooked, 1);
        BranchFamily.Commit(family.Root);
        HoldUpTheNextLink();
        long commits = 0;
        for (; !_linked.IsSet; commits++)
        {
            // A name is made ahead for who wrote to the file before it.
            BranchFamily.Commit(family.Branches[0]);
            BranchFamily.Commit(family.Root, 1, 2000);
        }

        family.Branches[0].Dispose();
        StorageEnvironment branch = family.Branches[0] = family.Open(0);
        for (; family.Journals(BranchFamily.RootPath).Count < 3; commits++)
        {
            BranchFamily.Commit(family.Root, 1, 2000);
            BranchFamily.Commit(branch);
        }

        family.Abandon();
        using StorageEnvironment alone = family.OpenAlone(BranchFamily.PathOf(0));
        Assert.Equal(commits, BranchFamily.Check(alone));
    }

    /// <summary>Between the link and the sync of its folder, until the branch has come to its own last sync, or does not come to it because
    /// it waits for the link.</summary>
    private void HoldUpTheNextLink()
    {
        int preparer = 0;
        _hooked.AfterNameChange = (change, _) =>
        {
            if (change == NameChange.Link && Thread.CurrentThread.Name == "journal preparer")
            {
                preparer = Environment.CurrentManagedThreadId;
            }
        };
        _hooked.BeforeDirectorySync = () =>
        {
            if (preparer == Environment.CurrentManagedThreadId)
            {
                _hooked.BeforeDirectorySync = null;
                _hooked.BeforeSync = Release;
                _linked.Set();
                _closing.Wait(s_patience);
            }
        };

        void Release()
        {
            if (preparer != Environment.CurrentManagedThreadId)
            {
                _hooked.BeforeSync = null;
                _closing.Set();
                using var pause = new ManualResetEventSlim();
                pause.Wait(s_patience); // the link is finished meanwhile
            }
        }
    }
}
