using System.Buffers.Binary;
using System.Diagnostics;
using System.Globalization;
using Jackdaw.Pal.Native;
using Jackdaw.Storage;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Flushing;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Bench.Engine;

/// <summary>Runs that bypass the journal against runs that go through it: what each writes, and how long commits of the root take beside a branch
/// that writes many, by turns.</summary>
internal static class DirectBench
{
    /// <summary>With the page header a run of 128 pages.</summary>
    private const int RunBytes = (1 << 20) - PageHeader.SizeOf;

    private const int Runs = 64;
    private const int Repeats = 5;
    private const int AloneMs = 500;
    private static readonly int s_rounds = int.Parse(Environment.GetEnvironmentVariable("ROUNDS") ?? "7", CultureInfo.InvariantCulture);

    public static void Run(string folder)
    {
        for (int i = 0; i < 3; i++)
        {
            foreach (bool isCompressible in (bool[])[false, true])
            {
                CountBytes(folder, isDirect: i % 2 == 0, isCompressible);
                CountBytes(folder, isDirect: i % 2 != 0, isCompressible);
            }
        }

        foreach (int perTransaction in (int[])[8, Runs])
        {
            MeasureRoot(folder, perTransaction);
        }
    }

    /// <summary>Bytes written for each byte of the values, until all of it is synced in the data file.</summary>
    private static void CountBytes(string folder, bool isDirect, bool isCompressible)
    {
        string own = Path.Combine(folder, "bytes");
        using (StorageEnvironment storage = StorageEnvironment.Open(new NativePlatform(), own, new StorageOptions { BackgroundFlush = false }))
        {
            long device = Figures.ReadWriteBytes();
            long started = Stopwatch.GetTimestamp();
            Write(storage, 8, isDirect, isCompressible);
            storage.Flush();
            storage.Sync();
            double seconds = Stopwatch.GetElapsedTime(started).TotalSeconds;
            device = Figures.ReadWriteBytes() - device;
            CommitCosts costs = storage.Statistics.Sum;
            FlushCosts flushes = storage.FlushTotal;
            string name = $"bytes-{(isDirect ? "direct" : "journal")}-{(isCompressible ? "text" : "random")}";
            const double bytes = (double)Runs * RunBytes;
            Figures.Print(name, "journal", costs.StoredBytes / bytes, "per_byte");
            Figures.Print(name, "data_file", (flushes.Bytes + costs.DirectBytes) / bytes, "per_byte");
            Figures.Print(name, "process_writes", device / bytes, "per_byte");
            Figures.Print(name, "time", seconds * 1000, "ms");
        }

        Directory.Delete(own, recursive: true);
    }

    /// <summary>Commits of the root beside a branch that writes 64 MB of runs, flushes and syncs, <see cref="Repeats"/> times in each round.</summary>
    private static void MeasureRoot(string folder, int perTransaction)
    {
        string own = Path.Combine(folder, "root");
        Dictionary<string, List<RootFigures>> all = new() { ["alone"] = [], ["journal"] = [], ["direct"] = [] };
        using (StorageEnvironment root = StorageEnvironment.Open(new NativePlatform(), own))
        using (StorageEnvironment branch = StorageEnvironment.OpenBranch(root, own + "/Indexes/1"))
        {
            for (int round = 0; round <= s_rounds; round++)
            {
                RootFigures alone = Measure(root, () => Thread.Sleep(AloneMs), double.MaxValue);

                // Each order comes up as often: whoever comes second finds what the first has left.
                foreach (bool isDirect in (bool[])[round % 2 == 0, round % 2 != 0])
                {
                    RootFigures beside = default;
                    for (int i = 0; i < Repeats; i++)
                    {
                        beside += Measure(root, () => WriteAndSync(branch, perTransaction, isDirect), alone.P50);
                        Clear(branch);
                    }

                    Note(all, isDirect ? "direct" : "journal", beside, round, perTransaction);
                }

                Note(all, "alone", alone, round, perTransaction);
            }
        }

        foreach ((string way, List<RootFigures> rounds) in all)
        {
            string name = $"root-{perTransaction}MB-{way}-median";
            Figures.Print(name, "p50", Median(rounds, figures => figures.P50), "us");
            Figures.Print(name, "p99", Median(rounds, figures => figures.P99), "us");
            Figures.Print(name, "max", Median(rounds, figures => figures.Max), "us");
            if (way != "alone")
            {
                Figures.Print(name, "waits_per_64MB", Median(rounds, figures => figures.ExcessMs / Repeats), "ms");
                Figures.Print(name, "time_per_64MB", Median(rounds, figures => figures.Ms / Repeats), "ms");
            }
        }

        Directory.Delete(own, recursive: true);
    }

    private static void Note(Dictionary<string, List<RootFigures>> all, string way, RootFigures figures, int round, int perTransaction)
    {
        Console.WriteLine($"{(round == 0 ? "warm-up" : $"round {round}")} {perTransaction} MB {way}: {figures}");
        if (round > 0)
        {
            all[way].Add(figures);
        }
    }

    private static double Median(List<RootFigures> rounds, Func<RootFigures, double> value) =>
        rounds.Select(value).Order().ElementAt(rounds.Count / 2);

    /// <summary>Commits of the root, one after the other, until some work beside them is done.</summary>
    private static RootFigures Measure(StorageEnvironment root, Action beside, double aloneMicroseconds)
    {
        bool isDone = false;
        var thread = new Thread(() =>
        {
            beside();
            Volatile.Write(ref isDone, true);
        });
        List<double> latencies = [];
        long started = Stopwatch.GetTimestamp();
        thread.Start();
        byte[] value = new byte[1000];
        byte[] key = new byte[8];
        while (!Volatile.Read(ref isDone))
        {
            long begin = Stopwatch.GetTimestamp();
            using (WriteTransaction transaction = root.BeginWrite())
            {
                BinaryPrimitives.WriteInt64BigEndian(key, begin % 10_000);
                transaction.Trees.CreateTree("documents"u8).Put(key, value);
                transaction.Commit();
            }

            latencies.Add(Stopwatch.GetElapsedTime(begin).TotalMicroseconds);
        }

        thread.Join();
        double excess = latencies.Sum(each => Math.Max(0, each - aloneMicroseconds));
        return new RootFigures(Stopwatch.GetElapsedTime(started).TotalMilliseconds, excess / 1000, latencies);
    }

    private static void WriteAndSync(StorageEnvironment branch, int perTransaction, bool isDirect)
    {
        Write(branch, perTransaction, isDirect, isCompressible: true);
        branch.Flush();
        branch.Sync();
    }

    private static void Write(StorageEnvironment storage, int perTransaction, bool isDirect, bool isCompressible)
    {
        var random = new Random(1);
        byte[] content = new byte[RunBytes];
        random.NextBytes(content);
        if (isCompressible)
        {
            for (int i = 0; i < content.Length; i++)
            {
                content[i] = i % 32 < 16 ? (byte)0 : content[i]; // about half, as postings and columns are
            }
        }

        byte[] key = new byte[8];
        for (int first = 0; first < Runs; first += perTransaction)
        {
            using WriteTransaction transaction = storage.BeginWrite();
            BTree tree = transaction.Trees.CreateTree("segment parts"u8);
            for (int i = first; i < first + perTransaction; i++)
            {
                BinaryPrimitives.WriteInt64BigEndian(key, i);
                content.CopyTo(isDirect ? tree.ReserveDirectRun(key, RunBytes, out _) : tree.ReserveRun(key, RunBytes, out _));
                if (isDirect && i % 4 == 3)
                {
                    transaction.WriteDirectRuns();
                }
            }

            transaction.Commit();
        }
    }

    private static void Clear(StorageEnvironment branch)
    {
        using (WriteTransaction transaction = branch.BeginWrite())
        {
            transaction.Trees.CreateTree("segment parts"u8).DeletePrefix([], long.MaxValue);
            transaction.Commit();
        }

        branch.Flush();
        branch.Sync();
    }

    /// <summary>Commits of the root in a while.</summary>
    /// <param name="Ms">Length of the while.</param>
    /// <param name="ExcessMs">By how much the commits took longer than the median of those alone, together.</param>
    /// <param name="Latencies">Of each, microseconds.</param>
    private readonly record struct RootFigures(double Ms, double ExcessMs, List<double> Latencies)
    {
        public double P50 => At(0.5);

        public double P99 => At(0.99);

        public double Max => At(1);

        public static RootFigures operator +(RootFigures left, RootFigures right) =>
            new(left.Ms + right.Ms, left.ExcessMs + right.ExcessMs, [.. left.Latencies ?? [], .. right.Latencies]);

        public override string ToString() => string.Create(CultureInfo.InvariantCulture,
            $"{Ms:0} ms, {Latencies.Count} commits, p50 {P50:0} us, p99 {P99:0} us, max {Max:0} us, waits {ExcessMs:0} ms");

        private double At(double part) => Latencies.Order().ElementAt((int)((Latencies.Count - 1) * part));
    }
}
