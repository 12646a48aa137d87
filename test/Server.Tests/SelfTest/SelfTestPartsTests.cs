using Jackdaw.Pal.InMemory;
using Jackdaw.Pal.Measurement;
using Jackdaw.Pal.Simulation;
using Jackdaw.Server.SelfTest;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Transactions;
using Spectre.Console;

namespace Jackdaw.Server.Tests.SelfTest;

/// <summary>The parts of the self test find what they look for, and do not cry wolf.</summary>
public sealed class SelfTestPartsTests
{
    private readonly MemoryPlatform _platform = new();

    [Fact]
    public void Judge_DiskThatWaits_Passes()
    {
        Finding finding = Judge(Of(500), Of(900), Of(2), new DiskFacts(false, "write back"));
        Assert.Equal(Verdict.Passed, finding.Verdict);
        Assert.Contains("not a turning disk, write cache: write back", finding.Summary, StringComparison.Ordinal);
        Assert.Contains(finding.Details, line => line.StartsWith("No software can prove", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData(4, 900, false, "does not honour durability")]
    [InlineData(500, 4, false, "does not honour durability")]
    [InlineData(150, 900, true, "less than half a turn")]
    public void Judge_ImpossibleSpeed_IsSuspiciousAndSaysWhatToDo(double durable, double synced, bool isTurning, string expected)
    {
        Finding finding = Judge(Of(durable), Of(synced), Of(2), new DiskFacts(isTurning, null));
        Assert.Equal(Verdict.Suspicious, finding.Verdict);
        Assert.Contains(finding.Details, line => line.Contains(expected, StringComparison.Ordinal));
        Assert.Contains(finding.Details, line => line.StartsWith("What to do:", StringComparison.Ordinal));
    }

    [Fact]
    public void Judge_DurableNoSlowerThanTheCache_IsSuspicious() =>
        Assert.Equal(Verdict.Suspicious, Judge(Of(300), Of(900), Of(200), new DiskFacts(null, null)).Verdict);

    [Theory]
    [InlineData(999_999, Verdict.Passed)]
    [InlineData(1_000_000, Verdict.Suspicious)]
    public void Judge_WriteOfASecond_IsSuspicious(double slowestUs, Verdict expected)
    {
        var test = new LatencyTest("unused", 1);
        Finding finding = test.Judge([(4096, Of(100)), (1 << 20, Of(200) with { LatencyUsMax = slowestUs })]);
        Assert.Equal(expected, finding.Verdict);
        Assert.Contains(finding.Details, line => line.StartsWith("1024 KB", StringComparison.Ordinal));
    }

    [Fact]
    public void DiskFacts_PartitionWithoutAQueue_HasThoseOfItsDisk()
    {
        string folder = Directory.CreateTempSubdirectory("jackdaw-sysfs-").FullName;
        try
        {
            Directory.CreateDirectory($"{folder}/sda/queue");
            Directory.CreateDirectory($"{folder}/sda/sda1");
            File.WriteAllText($"{folder}/sda/queue/rotational", "1\n");
            File.WriteAllText($"{folder}/sda/queue/write_cache", "write through\n");
            File.CreateSymbolicLink($"{folder}/8:1", $"{folder}/sda/sda1");
            Assert.Equal(new DiskFacts(true, "write through"), DiskFacts.Of((8 << 8) | 1, folder));
            Directory.CreateDirectory($"{folder}/virtio2/vda/queue");
            File.WriteAllText($"{folder}/virtio2/vda/queue/rotational", "1\n");
            File.CreateSymbolicLink($"{folder}/254:0", $"{folder}/virtio2/vda");
            Assert.Equal(new DiskFacts(null, null), DiskFacts.Of(254 << 8, folder));
            Assert.Equal(new DiskFacts(null, null), DiskFacts.Of(7, folder));
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    [Fact]
    public void Compare_AllThere_IsRightAndOneMoreToo()
    {
        using StorageEnvironment storage = Open();
        AcknowledgedRecords told = Write(storage, acknowledged: 40, stored: 41);
        Assert.Null(told.Compare(storage));
        Assert.Null(told.Add(0, 42));
        Assert.Equal("writer 0 continued with 44 after 42", told.Add(0, 44));
        Assert.Equal(42, told.Count);
    }

    [Theory]
    [InlineData(40, 39)]
    [InlineData(40, 42)]
    public void Compare_LostOrInvented_IsTold(int acknowledged, int stored)
    {
        using StorageEnvironment storage = Open();
        Assert.Equal(
            $"writer 0 got answers for {acknowledged} transactions, and {stored} are stored",
            Write(storage, acknowledged, stored).Compare(storage));
    }

    [Theory]
    [InlineData("0/000000000007", "changed", "record 0/7 is missing or wrong; the writer's last is 40")]
    [InlineData("0/000000000040", null, "record 0/40 is missing or wrong; the writer's last is 40")]
    [InlineData("0/000000000999", "too many", "41 records instead of 40")]
    public void Compare_HalfOrWrong_IsTold(string key, string? value, string expected)
    {
        using StorageEnvironment storage = Open();
        AcknowledgedRecords told = Write(storage, 40, 40);
        using (WriteTransaction transaction = storage.BeginWrite())
        {
            if (value is null)
            {
                transaction.Trees.CreateTree("records").Delete(System.Text.Encoding.UTF8.GetBytes(key));
            }
            else
            {
                transaction.Trees.CreateTree("records").Put(
                    System.Text.Encoding.UTF8.GetBytes(key), System.Text.Encoding.UTF8.GetBytes(value));
            }

            transaction.Commit();
        }

        Assert.Equal(expected, told.Compare(storage));
    }

    [Fact]
    public void Put_ManyRecords_KeepsTheLastOnes()
    {
        using StorageEnvironment storage = Open();
        const int stored = SelfTestRecords.KeptRecords + 100;
        Assert.Null(Write(storage, stored, stored).Compare(storage));
        using ReadTransaction read = storage.BeginRead();
        Assert.Equal(SelfTestRecords.KeptRecords, read.Trees.FindTree("records")!.EntryCount);
    }

    [Fact]
    public void BitFlips_ShortRun_FindsNoWrongData()
    {
        string folder = Path.Combine(Path.GetTempPath(), $"jackdaw-flips-{Guid.NewGuid():N}");
        try
        {
            Finding finding = new BitFlipTest(folder, 3).Run(TimeSpan.FromSeconds(1), default);
            Assert.True(finding.Verdict == Verdict.Passed, finding.Summary);
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    [Fact]
    public void Run_TooLittleRoom_SaysHowMuchIsNeededAndLeavesNothing()
    {
        var platform = new SimulatedPlatform(1) { CapacityBytes = SelfTestRun.FreeBytesMin - 1 };
        platform.CreateDirectory("/disk");
        var run = new SelfTestRun(AnsiConsole.Console, platform, default);
        var refused = Assert.Throws<IOException>(() => run.Run("/disk", 2, 1));
        Assert.Equal($"The self test needs {SelfTestRun.FreeBytesMin >> 20} MB of free space; there are 191 MB.", refused.Message);
        Assert.Empty(platform.ListDirectory("/disk"));
    }

    private static Finding Judge(WriteResult durable, WriteResult synced, WriteResult cached, DiskFacts facts) =>
        new DurabilityTest("unused", 1).Judge(durable, synced, cached, isDirect: true, facts);

    private static WriteResult Of(double medianUs) => new(100, 1, medianUs, medianUs * 2, 10) { LatencyUsP999 = medianUs * 3, LatencyUsMax = medianUs * 4 };

    private static AcknowledgedRecords Write(StorageEnvironment storage, int acknowledged, int stored)
    {
        var told = new AcknowledgedRecords(1);
        for (int number = 1; number <= Math.Max(acknowledged, stored); number++)
        {
            if (number <= stored)
            {
                using WriteTransaction transaction = storage.BeginWrite();
                SelfTestRecords.Put(transaction, 0, number);
                transaction.Commit();
            }

            Assert.Null(number <= acknowledged ? told.Add(0, number) : null);
        }

        return told;
    }

    private StorageEnvironment Open() =>
        StorageEnvironment.Open(_platform, "/db", SelfTestRecords.Options() with { BackgroundFlush = false });
}
