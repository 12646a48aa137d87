using Jackdaw.Pal.Simulation;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Storage.Tests.Environments;

/// <summary>Space that is allocated before it is needed.</summary>
public sealed class AllocateAheadTests : IDisposable
{
    private const int LoadBytes = 8 << 20;
    private readonly SimulatedPlatform _platform = new() { RecordsOperations = true };
    private readonly StorageEnvironment _storage;

    public AllocateAheadTests() =>
        _storage = StorageEnvironment.Open(_platform, "/db", new StorageOptions { BackgroundFlush = false });

    public void Dispose() => _storage.Dispose();

    [Fact]
    public void AllocateAhead_BeforeALoad_GrowsTheFileOnceByWhatWasAsked()
    {
        _storage.AllocateAhead(LoadBytes + (1 << 20));
        Assert.InRange(_storage.Figures.DataBytes, LoadBytes, LoadBytes + (3 << 20));
        Assert.Equal(1, CountGrowths());
        Load();
        Assert.Equal(1, CountGrowths());
        _storage.AllocateAhead(0);
        Assert.Equal(1, CountGrowths());
    }

    [Fact]
    public void Load_WithoutIt_GrowsTheFileInSteps()
    {
        Load();
        Assert.True(CountGrowths() > 3, "the test of the other way would prove nothing");
    }

    [Fact]
    public void AllocateAhead_OfMoreThanTheDiskHas_IsRefusedAndChangesNothing()
    {
        long before = _storage.Figures.DataBytes;
        _platform.CapacityBytes = _platform.UsedBytes + LoadBytes;
        Assert.Throws<DiskFullException>(() => _storage.AllocateAhead(2 * LoadBytes));
        Assert.Equal(before, _storage.Figures.DataBytes);
        _platform.CapacityBytes = 1L << 40;
        Load();
        Assert.Throws<ArgumentOutOfRangeException>(() => _storage.AllocateAhead(-1));
    }

    private int CountGrowths() => _platform.Operations.Count(call =>
        call.Kind == PalOperationKind.Allocate && call.Path == "/db/data" && call.Sequence > CreationCallsMax);

    /// <summary>Creating the storage allocates its first megabyte.</summary>
    private const int CreationCallsMax = 30;

    private void Load()
    {
        for (int i = 0; i < 8; i++)
        {
            using WriteTransaction transaction = _storage.BeginWrite();
            transaction.Trees.CreateTree("t").Put([(byte)i], new byte[LoadBytes / 8]);
            transaction.Commit();
        }
    }
}
