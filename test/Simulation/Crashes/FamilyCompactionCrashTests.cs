using System.Diagnostics;
using System.Globalization;
using Jackdaw.Pal;
using Jackdaw.Pal.Simulation;
using Jackdaw.Simulation.Harness;
using Jackdaw.Storage.Compaction;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Simulation.Crashes;

/// <summary>A root and its branches are compacted one after the other, after an end without closing: a power cut at
/// any call leaves each as it was or compacted, with the same contents, and the compaction can be run again.</summary>
public sealed class FamilyCompactionCrashTests(ITestOutputHelper output)
{
    private const int Seed = 71;
    private const int Branches = 3;
    private const int Steps = 24;

    [Fact]
    [Trait("Tier", "Full")]
    public void Compaction_OfAFamilyCutOffAtManyCalls_LeavesEachOldOrNew() => RunCuts(1, 193);

    [Fact]
    [Trait("Tier", "Full")]
    public void Compaction_OfAFamilyCutOffAtEachCall_LeavesEachOldOrNew() => RunCuts(3, 1);

    /// <summary>Names of a compacted branch that a cut left without its last step must not be made again from the
    /// root's link records.</summary>
    [Fact]
    public void Opening_OfARootWhoseBranchIsHalfBroughtIn_MakesNoNamesForIt()
    {
        (SimulatedPlatform platform, List<ModelState> states) = MakeFamily();
        SimulatedPlatform? cut = null;
        string headers = PathOf(1) + "/" + CompactionSwap.DoneFolder + "/headers";
        platform.BeforeOperation = call =>
        {
            if (cut is null && call.Kind == PalOperationKind.Rename && call.Path.StartsWith(headers, StringComparison.Ordinal))
            {
                cut = platform.Crash(new CrashOptions { Retention = CrashRetention.All });
            }
        };
        Compact(platform, 1);
        platform.BeforeOperation = null;

        Assert.NotNull(cut);
        using (StorageEnvironment root = StorageEnvironment.Open(cut, SmallStorage.Path, SmallStorage.Options))
        {
            Assert.DoesNotContain(root.Warnings, warning => warning.Contains(PathOf(1), StringComparison.Ordinal));
            Assert.Empty(cut.ListDirectory(PathOf(1) + "/Journals"));
        }

        RequireWhole(cut, states);
    }

    private void RunCuts(int seedsPerPoint, int stride)
    {
        long started = Stopwatch.GetTimestamp();
        (SimulatedPlatform platform, List<ModelState> states) = MakeFamily();
        List<Guid> old = ReadIds(platform.Crash(new CrashOptions { Retention = CrashRetention.All }));
        using var probe = new CrashProbe(platform, new Oracle(), Seed * 1000, seedsPerPoint, call => call.Sequence % stride == 0 || IsOfSwap(call));
        CompactAll(platform);
        List<CrashedState> cuts = probe.TakeStates();
        RequireWhole(platform, states);
        Assert.DoesNotContain(ReadIds(platform), old.Contains);
        int[] isNew = new int[1 + Branches];
        Parallel.ForEach(cuts, cut =>
        {
            try
            {
                if (cut.Seed % 2 == 0)
                {
                    CompactAll(cut.Platform);
                }

                RequireWhole(cut.Platform, states);
                List<Guid> found = ReadIds(cut.Platform);
                for (int i = 0; i < found.Count; i++)
                {
                    Interlocked.Add(ref isNew[i], found[i] == old[i] ? 0 : 1);
                }
            }
            catch (Exception e)
            {
                throw new SimulationViolationException($"{cut}: {e}");
            }
        });
        output.WriteLine($"seed {Seed}: {cuts.Count} states, every second compacted again; with new storages: {string.Join(", ", isNew)}; " +
            $"{Stopwatch.GetElapsedTime(started).TotalSeconds:0.0} s");
        Assert.All(isNew, count => Assert.InRange(count, 5, cuts.Count));
    }

    private static bool IsOfSwap(PalOperation call) =>
        call.Kind is PalOperationKind.Rename or PalOperationKind.RenameSync or PalOperationKind.Delete or PalOperationKind.DeleteDirectory;

    private static string PathOf(int storage) =>
        storage == 0 ? SmallStorage.Path : SmallStorage.Path + "/Indexes/" + storage.ToString(CultureInfo.InvariantCulture);

    /// <summary>Storages that were written, flushed here and there, and given up as by a kill.</summary>
    private static (SimulatedPlatform Platform, List<ModelState> States) MakeFamily()
    {
        var platform = new SimulatedPlatform(Seed);
        List<Workload> members = [new Workload(platform, new Oracle(), Seed)];
        for (int i = 1; i <= Branches; i++)
        {
            string path = PathOf(i);
            members.Add(new Workload(platform, new Oracle(), Seed + i)
            {
                Opening = () => StorageEnvironment.OpenBranch(members[0].Storage, path, SmallStorage.Options),
            });
        }

        members.ForEach(member => member.Open());
        for (int step = 0; step < Steps; step++)
        {
            members.ForEach(member => member.Commit());
            if (step == Steps / 2)
            {
                members[2].Storage.Flush();
                members[2].Storage.Sync();
            }
        }

        List<ModelState> states = [.. members.Select(member => member.State)];
        members.Reverse();
        members.ForEach(member => member.Storage.Abandon());
        return (platform, states);
    }

    private static void CompactAll(IPlatform platform)
    {
        for (int i = 0; i <= Branches; i++)
        {
            Compact(platform, i);
        }
    }

    private static void Compact(IPlatform platform, int storage) =>
        StorageCompaction.Run(platform, PathOf(storage), [StorageContents.Schema], SmallStorage.Options);

    private static List<Guid> ReadIds(IPlatform platform) => [.. Enumerable.Range(0, 1 + Branches).Select(storage =>
    {
        using StorageEnvironment opened = StorageEnvironment.Open(platform, PathOf(storage), SmallStorage.Options);
        return opened.StorageId;
    })];

    /// <summary>Opened as a family, twice, each with a transaction of its own in between.</summary>
    private static void RequireWhole(IPlatform platform, List<ModelState> states)
    {
        for (int i = 0; i < 2; i++)
        {
            using StorageEnvironment root = StorageEnvironment.Open(platform, SmallStorage.Path, SmallStorage.Options);
            List<StorageEnvironment> all = [root, .. Enumerable.Range(1, Branches).Select(
                branch => StorageEnvironment.OpenBranch(root, PathOf(branch), SmallStorage.Options))];
            for (int storage = 0; storage <= Branches; storage++)
            {
                RequireEqual(all[storage], states[storage]);
                Assert.DoesNotContain(
                    platform.ListDirectory(PathOf(storage)), name => name is CompactionSwap.WorkFolder or CompactionSwap.DoneFolder);
            }

            all.Skip(1).ToList().ForEach(branch => branch.Dispose());
        }
    }

    private static void RequireEqual(StorageEnvironment storage, ModelState state)
    {
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
}
