using System.Diagnostics;
using Jackdaw.Pal;
using Jackdaw.Server.Documents.Storage;
using Jackdaw.Storage.Environments;

namespace Jackdaw.DocumentsBench;

/// <summary>Latency of document writes at full load while flush and sync run one after the other all the time, and while none runs; by turns.</summary>
internal static class FlushLatency
{
    private const int Rounds = 5;
    private const int WarmUpSeconds = 2;
    private const int DocumentsBefore = 500_000;
    private const int LoadedAtOnce = 1000;

    public static async Task<int> RunAsync(string[] args)
    {
        string folder = Path.GetFullPath(args.Length > 0 ? args[0] : "flush-bench-data");
        int tasks = args.Length > 1 ? int.Parse(args[1]) : 128;
        int seconds = args.Length > 2 ? int.Parse(args[2]) : 5;
        StoredDatabase database = StoredDatabase.Open(
            new NativePlatform(), folder, "bench", StoredDatabase.MakeDatabaseId(), new DatabaseSettings(), new StorageOptions { BackgroundFlush = false });
        await using (database.ConfigureAwait(false))
        {
            var puts = new RandomPuts(int.MaxValue, LoadedAtOnce);
            for (int i = 0; i < DocumentsBefore; i += LoadedAtOnce)
            {
                await puts.WriteAsync(database).ConfigureAwait(false);
            }

            List<double> ratios = [];
            for (int round = 0; round <= Rounds; round++)
            {
                database.Environment.Flush();
                database.Environment.Sync();
                Result without = await MeasureAsync(database, tasks, seconds, flushes: false).ConfigureAwait(false);
                Result with = await MeasureAsync(database, tasks, seconds, flushes: true).ConfigureAwait(false);
                Console.WriteLine($"{(round == 0 ? "warm-up" : "round " + round)}: without {without}; with {with}; p99 {with.P99 / without.P99:0.00}x");
                if (round > 0)
                {
                    ratios.Add(with.P99 / without.P99);
                }
            }

            ratios.Sort();
            Console.WriteLine($"median of the rounds' ratios of p99: {ratios[Rounds / 2]:0.00}");
        }

        Directory.Delete(folder, recursive: true);
        return 0;
    }

    private static async Task<Result> MeasureAsync(StoredDatabase database, int tasks, int seconds, bool flushes)
    {
        using var stop = new CancellationTokenSource();
        long flushed = 0;
        var flusher = new Thread(() =>
        {
            PalThread.LowerPriority(); // as the storage's own
            while (flushes && !stop.IsCancellationRequested)
            {
                database.Environment.Flush();
                database.Environment.Sync();
                flushed++;
            }
        });
        List<float>[] latencies = [.. Enumerable.Range(0, tasks).Select(_ => new List<float>())];
        Task[] writers = [.. latencies.Select((list, i) => Task.Run(() => WriteAsync(database, i, list, stop.Token)))];
        flusher.Start();
        await Task.Delay(TimeSpan.FromSeconds(WarmUpSeconds)).ConfigureAwait(false);
        int[] first = [.. latencies.Select(list => list.Count)];
        await Task.Delay(TimeSpan.FromSeconds(seconds)).ConfigureAwait(false);
        await stop.CancelAsync().ConfigureAwait(false);
        await Task.WhenAll(writers).ConfigureAwait(false);
        flusher.Join();
        List<float> all = [.. latencies.SelectMany((list, i) => list.Skip(first[i])).Order()];
        return new Result(all.Count / (double)seconds, all[all.Count / 2], all[(int)(all.Count * 0.99)], all[^1], flushed);
    }

    private static async Task WriteAsync(StoredDatabase database, int seed, List<float> latencies, CancellationToken stop)
    {
        var puts = new RandomPuts(seed + (int)(Stopwatch.GetTimestamp() % 1_000_000 * 1000), perBatch: 1);
        while (!stop.IsCancellationRequested)
        {
            long started = Stopwatch.GetTimestamp();
            await puts.WriteAsync(database).ConfigureAwait(false);
            latencies.Add((float)Stopwatch.GetElapsedTime(started).TotalMilliseconds);
        }
    }

    private sealed record Result(double PerSecond, double P50, double P99, double Max, long Flushes)
    {
        public override string ToString() =>
            $"{PerSecond:N0}/s, p50 {P50:0.00} ms, p99 {P99:0.00} ms, max {Max:0.0} ms{(Flushes > 0 ? $", {Flushes} flushes" : "")}";
    }
}
