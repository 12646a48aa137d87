using System.Diagnostics;
using Jackdaw.Pal.Native;
using Jackdaw.Storage;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Resources;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.DocumentsBench;

/// <summary>What a start after a kill costs: a root with branches, none of them flushed, with so many bytes of shared journals. The root is
/// opened first, then all branches beside each other.</summary>
internal static class FamilyRecovery
{
    private const int Rounds = 5;
    private const int ValueBytes = 1000;
    private const int PutsPerTransaction = 20;

    public static int Run(string[] args)
    {
        string folder = Path.GetFullPath(args.Length > 0 ? args[0] : "recovery-bench-data");
        long journalBytes = args.Length > 1 ? long.Parse(args[1]) : 1L << 30;
        int branches = args.Length > 2 ? int.Parse(args[2]) : 100;
        List<double> perGigabyte = [];
        for (int round = 1; round <= Rounds; round++)
        {
            long bytes = Fill(folder, journalBytes, branches);
            Collect();
            long started = Stopwatch.GetTimestamp();
            var root = StorageEnvironment.Open(new NativePlatform(), folder, NoFlush);
            TimeSpan ofRoot = Stopwatch.GetElapsedTime(started);
            var opened = new StorageEnvironment[branches];
            Parallel.For(0, branches, i => opened[i] = StorageEnvironment.OpenBranch(root, PathOf(folder, i), NoFlush));
            double seconds = Stopwatch.GetElapsedTime(started).TotalSeconds;
            perGigabyte.Add(seconds / bytes * (1 << 30));
            Console.WriteLine($"round {round}: {bytes >> 20:N0} MB of journals, " +
                $"root {ofRoot.TotalSeconds:0.00} s, all {seconds:0.00} s, {perGigabyte[^1]:0.00} s per GB");
            Array.ForEach(opened, branch => branch.Abandon());
            root.Abandon();
            Directory.Delete(folder, recursive: true);
        }

        perGigabyte.Sort();
        Console.WriteLine($"median {perGigabyte[Rounds / 2]:0.00} s per GB of journals, root with {branches} branches");
        return 0;
    }

    private static StorageOptions NoFlush => new()
    {
        BackgroundFlush = false,
        ScratchBytesMax = long.MaxValue,
        Resources = new ProcessResources(new MemoryBudget(long.MaxValue)),
    };

    private static string PathOf(string folder, int branch) => $"{folder}/Indexes/{branch}";

    /// <summary>Half of the bytes are the root's. Returns the bytes of entries.</summary>
    private static long Fill(string folder, long journalBytes, int branches)
    {
        var root = StorageEnvironment.Open(new NativePlatform(), folder, NoFlush);
        List<StorageEnvironment> all = [root, .. Enumerable.Range(0, branches).Select(i => StorageEnvironment.OpenBranch(root, PathOf(folder, i), NoFlush))];
        var threads = all.ConvertAll(storage => new Thread(() => Write(storage, storage == root ? journalBytes / 2 : journalBytes / 2 / branches)));
        threads.ForEach(thread => thread.Start());
        threads.ForEach(thread => thread.Join());
        long bytes = all.Sum(storage => storage.Statistics.Sum.StoredBytes);
        all.Skip(1).ToList().ForEach(branch => branch.Abandon());
        root.Abandon();
        return bytes;
    }

    private static void Write(StorageEnvironment storage, long bytes)
    {
        var random = new Random(1);
        byte[] key = new byte[16];
        byte[] value = new byte[ValueBytes];
        while (storage.Statistics.Sum.StoredBytes < bytes)
        {
            using WriteTransaction transaction = storage.BeginWrite();
            for (int i = 0; i < PutsPerTransaction; i++)
            {
                random.NextBytes(key);
                random.NextBytes(value.AsSpan(0, ValueBytes / 2)); // compresses to the half, as JSON does at least
                transaction.Trees.CreateTree("t"u8).Put(key, value);
            }

            transaction.Submit();
        }
    }

    private static void Collect()
    {
        GC.Collect();
        GC.WaitForPendingFinalizers();
    }
}
