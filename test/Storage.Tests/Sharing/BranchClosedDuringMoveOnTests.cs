using Jackdaw.Pal.InMemory;
using Jackdaw.Storage.Environments;

namespace Jackdaw.Storage.Tests.Sharing;

/// <summary>A branch that is closed in the moment in which its root goes on in the next journal.</summary>
public sealed class BranchClosedDuringMoveOnTests
{
    private static readonly TimeSpan s_deadline = TimeSpan.FromSeconds(30);
    private static readonly TimeSpan s_glance = TimeSpan.FromMilliseconds(20);

    private readonly MemoryPlatform _platform = new();
    private readonly HeldTime _time = new();

    /// <summary>The root has taken the prepared journal and does not write to it yet. The branch has a name for it, which has to end with the
    /// branch: its next life would write there without a name of its own.</summary>
    [Fact]
    public async Task Branch_OpenedAgain_MakesItsOwnNameForTheJournal()
    {
        using var family = new BranchFamily(
            _platform, 1, new StorageOptions { BackgroundFlush = false, JournalFileBytes = 256 * 1024, Time = _time });
        do
        {
            BranchFamily.Commit(family.Root, 1, 3000);
        }
        while (!SpinWait.SpinUntil(() => family.Root.Journals.FileCount == 2, s_glance)); // else one write more is needed
        BranchFamily.Commit(family.Branches[0]);
        Assert.Equal(2, family.Journals(BranchFamily.PathOf(0)).Count);

        using var isTaken = new ManualResetEventSlim();
        using var goOn = new ManualResetEventSlim();
        _time.BeforeTimestamp = () =>
        {
            _time.BeforeTimestamp = null;
            isTaken.Set();
            goOn.Wait(s_deadline);
        };
        Task moving = Task.Run(() =>
        {
            while (_time.BeforeTimestamp is not null)
            {
                BranchFamily.Commit(family.Root, 1, 3000);
            }
        });
        Assert.True(isTaken.Wait(s_deadline));
        family.Branches[0].Dispose();
        goOn.Set();
        await moving.WaitAsync(s_deadline);
        Assert.Empty(family.Journals(BranchFamily.PathOf(0)));

        family.Branches[0] = family.Open(0);
        BranchFamily.Commit(family.Branches[0]);
        family.Branches[0].Flush();
        family.Branches[0].Sync();
        BranchFamily.Commit(family.Branches[0], 2);
        family.Abandon();
        using StorageEnvironment alone = family.OpenAlone(BranchFamily.PathOf(0));
        Assert.Equal(4, BranchFamily.Check(alone));
    }

    /// <summary>The system's clock, which a test may hold up.</summary>
    private sealed class HeldTime : TimeProvider
    {
        /// <summary>Called before each time stamp.</summary>
        public Action? BeforeTimestamp { get; set; }

        /// <inheritdoc/>
        public override long GetTimestamp()
        {
            BeforeTimestamp?.Invoke();
            return base.GetTimestamp();
        }
    }
}
