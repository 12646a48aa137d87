using System.Diagnostics;
using System.Globalization;
using Jackdaw.Documents.Database;
using Jackdaw.Pal.Native;
using Jackdaw.Storage;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.DocumentsBench;

/// <summary>Document writes beside many storages that commit small transactions all the time: without them, with them as branches that share
/// the documents' journals, as branches of a root of their own, and with journals of their own; by turns.</summary>
internal static class BranchLoad
{
    private const int Rounds = 5;
    private const int WarmUpSeconds = 2;
    private const int EntryBytes = 100;

    /// <summary>Whose journals the storages write to.</summary>
    private enum Sharing
    {
        None,
        Shared,
        Dedicated,
        Own,
    }

    public static async Task<int> RunAsync(string[] args)
    {
        string folder = Path.GetFullPath(args.Length > 0 ? args[0] : "branches-bench-data");
        int tasks = args.Length > 1 ? int.Parse(args[1]) : 128;
        int seconds = args.Length > 2 ? int.Parse(args[2]) : 10;
        int branches = args.Length > 3 ? int.Parse(args[3]) : 100;
        var platform = new NativePlatform();
        DocumentDatabase database = DocumentDatabase.Open(
            platform, folder, "bench", DocumentDatabase.MakeDatabaseId(), new DatabaseSettings(), new StorageOptions());
        await using (database.ConfigureAwait(false))
        {
            var results = Enum.GetValues<Sharing>().ToDictionary(sharing => sharing, _ => new List<Result>());
            for (int round = 0; round <= Rounds; round++)
            {
                foreach (Sharing sharing in Enum.GetValues<Sharing>())
                {
                    Result result = await MeasureAsync(database, folder, sharing, tasks, branches, seconds).ConfigureAwait(false);
                    Console.WriteLine($"{(round == 0 ? "warm-up" : "round " + round)} {result}");
                    if (round > 0)
                    {
                        results[sharing].Add(result);
                    }
                }
            }

            PrintRatios(results);
        }

        Directory.Delete(folder, recursive: true);
        return 0;
    }

    private static async Task<Result> MeasureAsync(
        DocumentDatabase database, string folder, Sharing sharing, int tasks, int branches, int seconds)
    {
        using StorageEnvironment? dedicated = sharing == Sharing.Dedicated ? StorageEnvironment.Open(new NativePlatform(), folder + "/DedicatedRoot") : null;
        StorageEnvironment? root = sharing == Sharing.Shared ? database.Environment : dedicated;
        int count = sharing == Sharing.None ? 0 : branches;
        List<StorageEnvironment> storages = [.. Enumerable.Range(0, count).Select(i => Open(root, $"{folder}/{sharing}/{i}"))];
        using var stop = new CancellationTokenSource();
        long[] transactions = new long[storages.Count];
        List<Thread> indexers = [.. storages.Select((storage, i) => new Thread(() => Commit(storage, ref transactions[i], stop.Token)))];
        indexers.ForEach(thread => thread.Start());
        List<float>[] latencies = [.. Enumerable.Range(0, tasks).Select(_ => new List<float>())];
        Task[] writers = [.. latencies.Select((list, i) => Task.Run(() => WriteAsync(database, i, list, stop.Token)))];
        await Task.Delay(TimeSpan.FromSeconds(WarmUpSeconds)).ConfigureAwait(false);
        var before = Counters.Of(database, [.. storages, .. dedicated is null ? [] : new[] { dedicated }], transactions);
        int[] first = [.. latencies.Select(list => list.Count)];
        await Task.Delay(TimeSpan.FromSeconds(seconds)).ConfigureAwait(false);
        var after = Counters.Of(database, [.. storages, .. dedicated is null ? [] : new[] { dedicated }], transactions);
        await stop.CancelAsync().ConfigureAwait(false);
        await Task.WhenAll(writers).ConfigureAwait(false);
        indexers.ForEach(thread => thread.Join());
        storages.ForEach(storage => storage.Dispose());
        return Result.Of(sharing, before, after, [.. latencies.SelectMany((list, i) => list.Skip(first[i]))]);
    }

    private static StorageEnvironment Open(StorageEnvironment? root, string path) =>
        root is null ? StorageEnvironment.Open(new NativePlatform(), path) : StorageEnvironment.OpenBranch(root, path);

    private static async Task WriteAsync(DocumentDatabase database, int seed, List<float> latencies, CancellationToken stop)
    {
        var puts = new RandomPuts(seed + (int)(Stopwatch.GetTimestamp() % 1_000_000) * 1000, perBatch: 1);
        while (!stop.IsCancellationRequested)
        {
            long started = Stopwatch.GetTimestamp();
            await puts.WriteAsync(database).ConfigureAwait(false);
            latencies.Add((float)Stopwatch.GetElapsedTime(started).TotalMicroseconds);
        }
    }

    /// <summary>What an index does for one document: a small transaction, durable before the next.</summary>
    private static void Commit(StorageEnvironment storage, ref long count, CancellationToken stop)
    {
        var random = new Random((int)Stopwatch.GetTimestamp());
        byte[] key = new byte[16];
        byte[] value = new byte[EntryBytes];
        while (!stop.IsCancellationRequested)
        {
            random.NextBytes(key);
            random.NextBytes(value);
            using WriteTransaction transaction = storage.BeginWrite();
            transaction.Trees.CreateTree("terms"u8).Put(key, value);
            transaction.Commit();
            Volatile.Write(ref count, count + 1);
        }
    }

    private static void PrintRatios(Dictionary<Sharing, List<Result>> results)
    {
        // Of each round by itself: the machine's speed changes from minute to minute.
        double Ratio(Sharing of, Sharing to, Func<Result, double> value)
        {
            List<double> sorted = [.. results[of].Zip(results[to], (a, b) => value(a) / value(b)).Order()];
            return sorted[sorted.Count / 2];
        }

        void Line(string name, double value) => Console.WriteLine($"{name,-64}{value,12:N2}");
        Line("durable writes per merged batch, shared", results[Sharing.Shared].Select(r => r.WritesPerBatch).Order().ElementAt(Rounds / 2));
        Line("documents/s, shared to none", Ratio(Sharing.Shared, Sharing.None, r => r.Documents));
        Line("document p99, shared to none", Ratio(Sharing.Shared, Sharing.None, r => r.P99));
        Line("durable writes per transaction, own to shared", Ratio(Sharing.Own, Sharing.Shared, r => r.WritesPerTransaction));
        Line("durable writes/s, own to shared", Ratio(Sharing.Own, Sharing.Shared, r => r.Writes));
        Line("documents/s, shared to own", Ratio(Sharing.Shared, Sharing.Own, r => r.Documents));
        Line("documents and transactions of branches/s, shared to own", Ratio(Sharing.Shared, Sharing.Own, All));
        Line("documents/s, shared to dedicated root", Ratio(Sharing.Shared, Sharing.Dedicated, r => r.Documents));
        Line("document p99, shared to dedicated root", Ratio(Sharing.Shared, Sharing.Dedicated, r => r.P99));
        Line("durable writes/s, dedicated root to shared", Ratio(Sharing.Dedicated, Sharing.Shared, r => r.Writes));
    }

    private static double All(Result result) => result.Documents + result.Transactions;

    private sealed record Counters(long Time, long Documents, long Batches, long RootWrites, long OwnWrites, long Transactions)
    {
        public static Counters Of(DocumentDatabase database, List<StorageEnvironment> storages, long[] transactions) => new(
            Stopwatch.GetTimestamp(), database.MergerStatistics.Commands, database.MergerStatistics.Batches, database.Environment.JournalWrites,
            storages.Sum(storage => storage.JournalWrites), transactions.Sum());
    }

    private sealed record Result(
        Sharing Sharing, double Documents, double P50, double P99, double Transactions, double Writes, double WritesPerBatch, double WritesPerTransaction)
    {
        public static Result Of(Sharing sharing, Counters before, Counters after, List<float> latencies)
        {
            double seconds = Stopwatch.GetElapsedTime(before.Time, after.Time).TotalSeconds;
            double writes = after.RootWrites + after.OwnWrites - before.RootWrites - before.OwnWrites;
            double batches = after.Batches - before.Batches;
            double transactions = after.Transactions - before.Transactions;
            latencies.Sort();
            return new Result(sharing, (after.Documents - before.Documents) / seconds, At(latencies, 0.5), At(latencies, 0.99),
                transactions / seconds, writes / seconds, writes / Math.Max(1, batches), writes / (batches + transactions));
        }

        private static float At(List<float> sorted, double share) => sorted.Count == 0 ? 0 : sorted[(int)(sorted.Count * share)];

        public override string ToString() => string.Create(CultureInfo.InvariantCulture,
            $"{Sharing,-9} documents/s {Documents,9:N0}  p50 {P50,7:N0} us  p99 {P99,7:N0} us  " +
            $"transactions of branches/s {Transactions,9:N0}  durable writes/s {Writes,8:N0}, per batch {WritesPerBatch:N2}");
    }
}
