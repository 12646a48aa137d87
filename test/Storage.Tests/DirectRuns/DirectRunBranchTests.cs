using Jackdaw.Pal.Simulation;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Verification;

namespace Jackdaw.Storage.Tests.DirectRuns;

/// <summary>Direct runs of branches: they go to the branch's own data file, and the shared journal has little of them.</summary>
public sealed class DirectRunBranchTests : IDisposable
{
    private const int RunBytes = 1 << 20;
    private const string FirstPath = "/db/Indexes/a";
    private const string SecondPath = "/db/Indexes/b";

    private readonly SimulatedPlatform _platform = new();
    private readonly StorageEnvironment _root;
    private StorageEnvironment _first;
    private readonly StorageEnvironment _second;

    public DirectRunBranchTests()
    {
        _root = StorageEnvironment.Open(_platform, "/db", RunStorage.Options);
        _first = OpenFirst();
        _second = StorageEnvironment.OpenBranch(_root, SecondPath, RunStorage.Options);
    }

    public void Dispose()
    {
        _second.Dispose();
        _first.Dispose();
        _root.Dispose();
    }

    [Fact]
    public void Commit_OfABranch_BringsLittleToTheSharedJournal_AndNothingToOthers()
    {
        Put(_root, 1, isDirect: false, 100);
        Put(_second, 1, isDirect: false, 100);
        long others = _root.Journals.TotalBytes;
        (long root, long second) = (_root.Current.TransactionId, _second.Current.TransactionId);
        for (byte i = 1; i < 8; i++)
        {
            Put(_first, i, isDirect: true, RunBytes);
        }

        Assert.Equal(others, _root.Journals.TotalBytes);
        Assert.InRange(_first.Statistics.Sum.StoredBytes, 1, 100_000);
        Assert.Equal(7L * 129 * Page.Size, _first.Statistics.Sum.DirectBytes);
        Assert.Equal((root, second), (_root.Current.TransactionId, _second.Current.TransactionId));
        Assert.InRange(_second.DataFile.AllocatedBytes, 1, 1 << 20);
        Put(_second, 2, isDirect: true, RunBytes);
        Put(_root, 2, isDirect: true, RunBytes);
        CutPowerAndCheck(7, 2, 2);
    }

    /// <summary>The branch's folder moves before its data file is opened for direct runs, and afterwards.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Branch_ThatMoved_WritesDirectRunsWhereItIs(bool wroteBefore)
    {
        if (wroteBefore)
        {
            Put(_first, 1, isDirect: true, RunBytes);
        }

        _first.MoveTo("/db/Indexes/moved");
        Put(_first, 2, isDirect: true, RunBytes);
        SimulatedPlatform left = _platform.Crash(new CrashOptions { Retention = CrashRetention.None });
        using StorageEnvironment alone = StorageEnvironment.Open(left, "/db/Indexes/moved", RunStorage.Options);
        Require(alone, 2, RunBytes);
        Assert.Empty(EnvironmentVerifier.Verify(alone));
    }

    /// <summary>A branch whose root stopped must not write to its file any more.</summary>
    [Fact]
    public void Branch_WhoseRootStopped_WritesNoDirectRuns()
    {
        Put(_first, 1, isDirect: true, RunBytes);
        _platform.Inject(new SimulatedFault { Effect = FaultEffect.IoError, Kind = PalOperationKind.WriteJournal });
        Assert.Throws<StoragePoisonedException>(() => Put(_root, 5, isDirect: false, 100));
        Assert.Throws<StoragePoisonedException>(() => Put(_first, 2, isDirect: true, RunBytes));
    }

    [Fact]
    public void Branch_OpenedAgain_GoesOnWithItsRuns()
    {
        for (byte round = 1; round < 6; round++)
        {
            Put(_first, round, isDirect: true, RunBytes);
            if (round % 2 == 0)
            {
                _first.Dispose();
            }
            else
            {
                _first.Abandon();
            }

            _first = OpenFirst();
            for (byte i = 1; i <= round; i++)
            {
                Require(_first, i, RunBytes);
            }

            Assert.Empty(EnvironmentVerifier.Verify(_first));
        }
    }

    private StorageEnvironment OpenFirst() => StorageEnvironment.OpenBranch(_root, FirstPath, RunStorage.Options);

    private static void Put(StorageEnvironment storage, byte key, bool isDirect, int bytes)
    {
        using WriteTransaction transaction = storage.BeginWrite();
        if (isDirect)
        {
            RunStorage.Put(transaction, key, key, isDirect: true, bytes);
        }
        else
        {
            RunStorage.Tree(transaction).Put(RunStorage.KeyOf(key), new byte[bytes]);
        }

        transaction.Commit();
    }

    private static void Require(StorageEnvironment storage, byte key, int bytes)
    {
        using ReadTransaction read = storage.BeginRead();
        RunStorage.RequireRun(read, key, key, bytes);
    }

    private void CutPowerAndCheck(byte first, byte second, byte root)
    {
        SimulatedPlatform left = _platform.Crash(new CrashOptions { Retention = CrashRetention.None });
        using StorageEnvironment rootAgain = StorageEnvironment.Open(left, "/db", RunStorage.Options);
        using StorageEnvironment firstAgain = StorageEnvironment.OpenBranch(rootAgain, FirstPath, RunStorage.Options);
        using StorageEnvironment secondAgain = StorageEnvironment.Open(left, SecondPath, RunStorage.Options);
        for (byte i = 1; i <= first; i++)
        {
            Require(firstAgain, i, RunBytes);
        }

        Require(secondAgain, second, RunBytes);
        Require(rootAgain, root, RunBytes);
        Assert.All((StorageEnvironment[])[rootAgain, firstAgain, secondAgain], storage => Assert.Empty(EnvironmentVerifier.Verify(storage)));
    }
}
