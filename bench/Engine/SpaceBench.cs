using System.Diagnostics;
using System.Globalization;
using System.Text;
using Jackdaw.Pal.Native;
using Jackdaw.Storage;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Flushing;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Bench.Engine;

/// <summary>Where free space is taken from: the policy of the engine against a file that only grows, in turns.</summary>
/// <remarks>A storage of values from a leaf entry to runs of five pages; then transactions that delete, insert and replace at
/// random, and a flush and sync after every <see cref="TransactionsPerFlush"/>. Written per flush: pages, runs (= seeks), device
/// writes.</remarks>
internal static class SpaceBench
{
    private const int Keys = 20_000;
    private const int Flushes = 12;
    private const int TransactionsPerFlush = 100;
    private const int ChangesPerTransaction = 20;
    private const int Rounds = 3;

    public static void Run(string folder)
    {
        for (int round = 1; round <= Rounds; round++)
        {
            // Whoever comes second finds a warmer machine: they take turns in that too.
            bool first = round % 2 == 0;
            Churn(folder, round, appendOnly: first);
            Churn(folder, round, appendOnly: !first);
        }
    }

    private static void Churn(string folder, int round, bool appendOnly)
    {
        string own = Path.Combine(folder, appendOnly ? "append" : "reuse");
        Directory.CreateDirectory(own);
        var device = BlockDevice.Of(own);
        var random = new Random(round);
        var options = new StorageOptions { BackgroundFlush = false, AppendOnly = appendOnly };
        using (StorageEnvironment storage = StorageEnvironment.Open(new NativePlatform(), own, options))
        {
            Load(storage, random);
            storage.Flush();
            storage.Sync();
            long loaded = storage.Current.NextPage.Value;
            FlushCosts before = storage.FlushTotal;
            long started = Stopwatch.GetTimestamp();
            (long writes, long bytes) = (0, 0);
            double flushSeconds = 0;
            for (int flush = 0; flush < Flushes; flush++)
            {
                for (int i = 0; i < TransactionsPerFlush; i++)
                {
                    Change(storage, random);
                }

                (long writesBefore, long bytesBefore) = device.Read();
                long flushStarted = Stopwatch.GetTimestamp();
                storage.Flush();
                storage.Sync();
                storage.PunchHoles();
                flushSeconds += Stopwatch.GetElapsedTime(flushStarted).TotalSeconds;
                (long writesAfter, long bytesAfter) = device.Read();
                writes += writesAfter - writesBefore;
                bytes += bytesAfter - bytesBefore;
            }

            string name = $"space-{(appendOnly ? "append" : "reuse")}-{round}";
            FlushCosts total = storage.FlushTotal;
            Figures.Print(name, "pages_per_flush", (double)(total.Pages - before.Pages) / Flushes, "pages");
            Figures.Print(name, "runs_per_flush", (double)(total.Runs - before.Runs) / Flushes, "runs");
            Figures.Print(name, "device_writes_per_flush", (double)writes / Flushes, "writes");
            Figures.Print(name, "device_MB_per_flush", bytes / 1048576.0 / Flushes, "MB");
            Figures.Print(name, "flush_and_sync", flushSeconds * 1000 / Flushes, "ms");
            Figures.Print(name, "growth", (storage.Current.NextPage.Value - loaded) / 128.0, "MB");
            Figures.Print(name, "holes", storage.HoleBytes / 1048576.0, "MB");
            Figures.Print(name, "total", Stopwatch.GetElapsedTime(started).TotalSeconds, "s");
        }

        Directory.Delete(own, recursive: true);
    }

    private static void Load(StorageEnvironment storage, Random random)
    {
        for (int first = 0; first < Keys; first += 500)
        {
            using WriteTransaction transaction = storage.BeginWrite();
            BTree tree = transaction.Trees.CreateTree("space"u8);
            for (int i = first; i < first + 500; i++)
            {
                tree.Put(KeyOf(i), new byte[LengthOf(random)]);
            }

            transaction.Commit();
        }
    }

    private static void Change(StorageEnvironment storage, Random random)
    {
        using WriteTransaction transaction = storage.BeginWrite();
        BTree tree = transaction.Trees.CreateTree("space"u8);
        for (int i = 0; i < ChangesPerTransaction; i++)
        {
            byte[] key = KeyOf(random.Next(Keys));
            if (random.Next(3) == 0)
            {
                tree.Delete(key);
            }
            else
            {
                tree.Put(key, new byte[LengthOf(random)]);
            }
        }

        transaction.Commit();
    }

    /// <summary>Half in leaves, half in runs of one to five pages.</summary>
    private static int LengthOf(Random random) => random.Next(2) == 0 ? 100 + random.Next(1800) : 2100 + random.Next(38_000);

    private static byte[] KeyOf(int number) =>
        Encoding.ASCII.GetBytes(string.Create(CultureInfo.InvariantCulture, $"key/{Figures.Mix((ulong)number):x16}"));
}
