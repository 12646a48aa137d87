using System.Diagnostics;
using System.Text;
using Jackdaw.Pal;
using Jackdaw.Pal.Simulation;
using Jackdaw.Simulation.Harness;
using Jackdaw.Storage;
using Jackdaw.Storage.Compaction;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Tables;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Simulation.Crashes;

/// <summary>A compaction that is cut off or fails at any call leaves the storage as it was or compacted, with the same contents.</summary>
public sealed class CompactionCrashTests(ITestOutputHelper output)
{
    private const int Seed = 61;
    private const int Steps = 50;

    [Fact]
    public void Compaction_CutOffAtEachCall_LeavesTheOldOrTheNewStorage() => RunCuts(1, 3);

    [Fact]
    [Trait("Tier", "Full")]
    public void Compaction_CutOffAtEachCallInManyWays_LeavesTheOldOrTheNewStorage() => RunCuts(6, 1);

    [Theory]
    [InlineData(FaultEffect.IoError, 5)]
    [InlineData(FaultEffect.NoSpace, 7)]
    public void Compaction_InWhichACallFails_LeavesTheOldOrTheNewStorage(FaultEffect effect, int stride)
    {
        int failed = 0, runs = 0;
        for (int n = 1; ; n += stride, runs++)
        {
            (SimulatedPlatform platform, ModelState state) = MakeStorage();
            SimulatedFault fault = platform.Inject(new SimulatedFault { Effect = effect, Occurrence = n });
            try
            {
                Compact(platform);
            }
            catch (Exception e) when (e is IOException or StoragePoisonedException)
            {
                failed++;
            }

            platform.ClearFaults();
            RequireWhole(platform, state);
            Assert.True(platform.OpenFileCount == 0, $"call {n}: {fault.Hit} left a file open");
            if (fault.Fired == 0)
            {
                break;
            }
        }

        output.WriteLine($"{effect}: {runs} runs, {failed} failed, seed {Seed}");
        Assert.True(failed > 10);
    }

    [Fact]
    public void Compaction_OfAnOpenStorage_IsRefusedAndChangesNothing()
    {
        (SimulatedPlatform platform, ModelState state) = MakeStorage();
        using (StorageEnvironment.Open(platform, SmallStorage.Path, SmallStorage.Options))
        {
            PalException refused = Assert.Throws<PalException>(() => Compact(platform));
            Assert.Equal(PalStatus.Locked, refused.Status);
        }

        RequireWhole(platform, state);
    }

    [Fact]
    public void Compaction_OfTablesWithoutASchema_IsRefusedAndChangesNothing()
    {
        (SimulatedPlatform platform, ModelState state) = MakeStorage();
        Assert.Throws<NotSupportedException>(() => StorageCompaction.Run(platform, SmallStorage.Path, [], SmallStorage.Options));
        Assert.False(platform.Exists(SmallStorage.Path + "/" + CompactionSwap.WorkFolder));
        RequireWhole(platform, state);
    }

    /// <summary>Rows are copied in the order of one index: a row that it lost must not be dropped with it.</summary>
    [Fact]
    public void Compaction_OfATableWhoseIndexLostARow_IsRefusedAndChangesNothing()
    {
        (SimulatedPlatform platform, ModelState state) = MakeStorage();
        using (StorageEnvironment storage = StorageEnvironment.Open(platform, SmallStorage.Path, SmallStorage.Options))
        using (WriteTransaction write = storage.BeginWrite())
        {
            string index = $"{StorageContents.Schema.Name}.{StorageContents.ByNumber.Name}";
            Assert.True(write.Trees.TryGetHeader(index, out TreeHeader header));
            var numbers = new FixedSizeTree<long, RowId>((PageWriter)write, header);
            Assert.True(numbers.TryGetLast(out long last, out _) && numbers.Delete(last));
            write.Trees.SetHeader(index, numbers.Header);
            write.Commit();
        }

        Assert.Throws<CorruptionException>(() => Compact(platform));

        using StorageEnvironment kept = StorageEnvironment.Open(platform, SmallStorage.Path, SmallStorage.Options);
        using ReadTransaction read = kept.BeginRead();
        var table = new Table(read, read.Trees, StorageContents.Schema);
        foreach (string key in state[ModelState.TableIndex].Keys)
        {
            Assert.True(table.TryGetByKey(Encoding.ASCII.GetBytes(key), out _), key);
        }
    }

    [Fact]
    public void Compaction_OfAStorageWithUnflushedTransactions_HasThem()
    {
        var platform = new SimulatedPlatform(Seed);
        var workload = new Workload(platform, new Oracle(), Seed);
        workload.Open();
        for (int i = 0; i < Steps; i++)
        {
            workload.Commit();
        }

        ModelState state = workload.State;
        workload.Storage.Abandon();
        Compact(platform);
        RequireWhole(platform, state);
    }

    /// <summary>A server that is restarted again and again gets the folder in the moment in which the compaction is done with it.</summary>
    [Fact]
    public void Compaction_WhoseFolderIsTakenAsSoonAsItIsDone_IsReportedAsDone()
    {
        (SimulatedPlatform platform, ModelState state) = MakeStorage();
        IDisposable? taken = null;
        bool isDecided = false;
        platform.AfterOperation = call => isDecided |= call.Kind == PalOperationKind.RenameSync
            && call.Path.EndsWith(CompactionSwap.DoneFolder, StringComparison.Ordinal);
        platform.BeforeOperation = call =>
        {
            if (isDecided && taken is null && call.Kind == PalOperationKind.CreateDirectory)
            {
                isDecided = false;
                taken = platform.Lock(SmallStorage.Path + "/lock", "a server");
            }
        };

        CompactionResult result = StorageCompaction.Run(platform, SmallStorage.Path, [StorageContents.Schema], SmallStorage.Options);

        Assert.NotNull(taken);
        taken.Dispose();
        platform.BeforeOperation = platform.AfterOperation = null;
        Assert.InRange(result.BytesAfter, 1, result.BytesBefore);
        RequireWhole(platform, state);
    }

    private void RunCuts(int seedsPerPoint, int stride)
    {
        long started = Stopwatch.GetTimestamp();
        (SimulatedPlatform platform, ModelState state) = MakeStorage();
        Guid old = ReadId(platform);
        using var probe = new CrashProbe(platform, new Oracle(), Seed * 1000, seedsPerPoint, call => call.Sequence % stride == 0 || IsOfSwap(call));
        Compact(platform);
        List<CrashedState> states = probe.TakeStates();
        Assert.NotEqual(old, ReadId(platform));
        int isNew = 0;
        Parallel.ForEach(states, cut =>
        {
            SimulatedPlatform again = CutOffOpening(cut);
            foreach (SimulatedPlatform left in (SimulatedPlatform[])[cut.Platform, again])
            {
                try
                {
                    RequireWhole(left, state);
                }
                catch (Exception e)
                {
                    throw new SimulationViolationException($"{cut}: {e}");
                }
            }

            Interlocked.Add(ref isNew, ReadId(cut.Platform) == old ? 0 : 1);
        });
        output.WriteLine($"seed {Seed}: {states.Count} states, cut twice each, {isNew} with the new storage, " +
            $"{Stopwatch.GetElapsedTime(started).TotalSeconds:0.0} s");
        Assert.InRange(isNew, 5, states.Count - 20);
    }

    /// <summary>What a second cut leaves, somewhere in the opening after the first.</summary>
    private static SimulatedPlatform CutOffOpening(CrashedState cut)
    {
        SimulatedPlatform first = cut.Platform.Crash(new CrashOptions { Retention = CrashRetention.All });
        long at = first.OperationCount + 1 + new Random(cut.Seed).Next(40);
        SimulatedPlatform? second = null;
        first.BeforeOperation = call => second = call.Sequence == at ? first.Crash(cut.Seed) : second;
        StorageEnvironment.Open(first, SmallStorage.Path, SmallStorage.Options).Dispose();
        first.BeforeOperation = null;
        return second ?? first.Crash(cut.Seed);
    }

    private static bool IsOfSwap(PalOperation call) =>
        call.Kind is PalOperationKind.Rename or PalOperationKind.RenameSync or PalOperationKind.Delete or PalOperationKind.DeleteDirectory
            or PalOperationKind.SyncDirectory;

    private static (SimulatedPlatform Platform, ModelState State) MakeStorage()
    {
        var platform = new SimulatedPlatform(Seed);
        var workload = new Workload(platform, new Oracle(), Seed);
        workload.Open();
        for (int i = 0; i < Steps; i++)
        {
            workload.Step();
        }

        workload.Close();
        return (platform, workload.State);
    }

    private static void Compact(IPlatform platform) =>
        StorageCompaction.Run(platform, SmallStorage.Path, [StorageContents.Schema], SmallStorage.Options);

    private static Guid ReadId(IPlatform platform)
    {
        using StorageEnvironment storage = StorageEnvironment.Open(platform, SmallStorage.Path, SmallStorage.Options);
        return storage.StorageId;
    }

    private static void RequireWhole(IPlatform platform, ModelState state)
    {
        for (int i = 0; i < 2; i++)
        {
            using StorageEnvironment storage = StorageEnvironment.Open(platform, SmallStorage.Path, SmallStorage.Options);
            StorageContents.RequireSound(storage);
            using (ReadTransaction read = storage.BeginRead())
            {
                StorageContents.RequireEqual(read, state);
            }

            using WriteTransaction write = storage.BeginWrite();
            write.Trees.CreateTree(StorageContents.NameOf(0)).Put("~again"u8, "x"u8);
            write.Trees.CreateTree(StorageContents.NameOf(0)).Delete("~again"u8);
            write.Commit();
        }

        Assert.DoesNotContain(platform.ListDirectory(SmallStorage.Path), name => name is CompactionSwap.WorkFolder or CompactionSwap.DoneFolder);
    }
}
