using System.Diagnostics;
using Jackdaw.Documents.Database;
using Jackdaw.Pal.Native;
using Jackdaw.Storage;
using Jackdaw.Storage.Resources;

namespace Jackdaw.DocumentsBench;

/// <summary>Latency of document writes at full load while the storage flushes and syncs 64 MB at a time, which is nearly always, and while it never
/// does; by turns.</summary>
internal static class FlushLatency
{
    private const int Rounds = 5;
    private const int WarmUpSeconds = 2;
    private const int DocumentsBefore = 500_000;
    private const int LoadedAtOnce = 1000;
    private const long FlushedAtOnce = 64L << 20;

    public static async Task<int> RunAsync(string[] args)
    {
        string folder = Path.GetFullPath(args.Length > 0 ? args[0] : "flush-bench-data");
        int tasks = args.Length > 1 ? int.Parse(args[1]) : 128;
        int seconds = args.Length > 2 ? int.Parse(args[2]) : 5;
        string id = DocumentDatabase.MakeDatabaseId();
        await LoadAsync(Open(folder, id, flushes: true)).ConfigureAwait(false);
        List<double> ratios = [];
        for (int round = 0; round <= Rounds; round++)
        {
            Result without = await MeasureAsync(Open(folder, id, flushes: false), tasks, seconds).ConfigureAwait(false);
            Result with = await MeasureAsync(Open(folder, id, flushes: true), tasks, seconds).ConfigureAwait(false);
            Console.WriteLine($"{(round == 0 ? "warm-up" : "round " + round)}: without {without}; with {with}; p99 {with.P99 / without.P99:0.00}x");
            if (round > 0)
            {
                ratios.Add(with.P99 / without.P99);
            }
        }

        ratios.Sort();
        Console.WriteLine($"median of the rounds' ratios of p99: {ratios[Rounds / 2]:0.00}");
        Directory.Delete(folder, recursive: true);
        return 0;
    }

    private static DocumentDatabase Open(string folder, string id, bool flushes) =>
        DocumentDatabase.Open(new NativePlatform(), folder, "bench", id, new DatabaseSettings(), new StorageOptions
        {
            BackgroundFlush = flushes,
            FlushAtScratchBytes = FlushedAtOnce,
            ScratchBytesMax = long.MaxValue,
            Resources = new ProcessResources(new MemoryBudget(long.MaxValue)),
        });

    private static async Task LoadAsync(DocumentDatabase database)
    {
        await using (database.ConfigureAwait(false))
        {
            var puts = new RandomPuts(int.MaxValue, LoadedAtOnce);
            for (int i = 0; i < DocumentsBefore; i += LoadedAtOnce)
            {
                await puts.WriteAsync(database).ConfigureAwait(false);
            }
        }
    }

    private static async Task<Result> MeasureAsync(DocumentDatabase database, int tasks, int seconds)
    {
        await using (database.ConfigureAwait(false))
        {
            using var stop = new CancellationTokenSource();
            List<float>[] latencies = [.. Enumerable.Range(0, tasks).Select(_ => new List<float>())];
            Task[] writers = [.. latencies.Select((list, i) => Task.Run(() => WriteAsync(database, i, list, stop.Token)))];
            await Task.Delay(TimeSpan.FromSeconds(WarmUpSeconds)).ConfigureAwait(false);
            int[] first = [.. latencies.Select(list => list.Count)];
            long before = database.Environment.FlushTotal.Bytes;
            await Task.Delay(TimeSpan.FromSeconds(seconds)).ConfigureAwait(false);
            long flushed = database.Environment.FlushTotal.Bytes - before;
            await stop.CancelAsync().ConfigureAwait(false);
            await Task.WhenAll(writers).ConfigureAwait(false);
            List<float> all = [.. latencies.SelectMany((list, i) => list.Skip(first[i])).Order()];
            return new Result(all.Count / (double)seconds, all[all.Count / 2], all[(int)(all.Count * 0.99)], all[^1], flushed >> 20);
        }
    }

    private static async Task WriteAsync(DocumentDatabase database, int seed, List<float> latencies, CancellationToken stop)
    {
        var puts = new RandomPuts(seed + (int)(Stopwatch.GetTimestamp() % 1_000_000 * 1000), perBatch: 1);
        while (!stop.IsCancellationRequested)
        {
            long started = Stopwatch.GetTimestamp();
            await puts.WriteAsync(database).ConfigureAwait(false);
            latencies.Add((float)Stopwatch.GetElapsedTime(started).TotalMilliseconds);
        }
    }

    private sealed record Result(double PerSecond, double P50, double P99, double Max, long FlushedMegabytes)
    {
        public override string ToString() =>
            $"{PerSecond:N0}/s, p50 {P50:0.00} ms, p99 {P99:0.00} ms, max {Max:0.0} ms{(FlushedMegabytes > 0 ? $", {FlushedMegabytes} MB flushed" : "")}";
    }
}
