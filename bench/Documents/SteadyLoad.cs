using System.Diagnostics;
using System.Globalization;
using Jackdaw.Documents.Database;
using Jackdaw.Pal.Native;
using Jackdaw.Storage;
using Jackdaw.Storage.Environments;

namespace Jackdaw.DocumentsBench;

/// <summary>Full load for minutes, second by second: what bursts hide. Documents are overwritten under a bounded number of ids, so that the
/// data stays the same while journals, flushes and reuse of space go on.</summary>
internal static class SteadyLoad
{
    private const int Ids = 3_000_000;
    private const int LoadedAtOnce = 1000;
    private const int WarmUpSeconds = 20;

    public static async Task<int> RunAsync(string[] args)
    {
        string folder = Path.GetFullPath(args.Length > 0 ? args[0] : "steady-bench-data");
        int tasks = args.Length > 1 ? int.Parse(args[1]) : 128;
        int minutes = args.Length > 2 ? int.Parse(args[2]) : 15;
        string plot = args.Length > 3 ? args[3] : "steady.svg";
        DocumentDatabase database = DocumentDatabase.Open(
            new NativePlatform(), folder, "bench", DocumentDatabase.MakeDatabaseId(), new DatabaseSettings(), new StorageOptions());
        await using (database.ConfigureAwait(false))
        {
            var puts = new RandomPuts(1, LoadedAtOnce, Ids);
            for (int i = 0; i < Ids; i += LoadedAtOnce)
            {
                await puts.WriteAsync(database).ConfigureAwait(false);
            }

            using var stop = new CancellationTokenSource();
            List<float>[] latencies = [.. Enumerable.Range(0, tasks).Select(_ => new List<float>())];
            Task[] writers = [.. latencies.Select((list, i) => Task.Run(() => WriteAsync(database, i, list, stop.Token)))];
            List<Second> seconds = await SampleAsync(latencies, minutes * 60).ConfigureAwait(false);
            await stop.CancelAsync().ConfigureAwait(false);
            await Task.WhenAll(writers).ConfigureAwait(false);
            PrintRatios(seconds, database);
            await File.WriteAllTextAsync(plot, new SecondsPlot(seconds.ConvertAll(second => (second.PerSecond, second.P99))).Draw()).ConfigureAwait(false);
        }

        Directory.Delete(folder, recursive: true);
        return 0;
    }

    private static async Task<List<Second>> SampleAsync(List<float>[] latencies, int count)
    {
        List<Second> seconds = [];
        using var timer = new PeriodicTimer(TimeSpan.FromSeconds(1));
        long last = Stopwatch.GetTimestamp();
        for (int i = 0; i < count + WarmUpSeconds; i++)
        {
            await timer.WaitForNextTickAsync().ConfigureAwait(false);
            List<float> taken = [];
            foreach (List<float> list in latencies)
            {
                lock (list)
                {
                    taken.AddRange(list);
                    list.Clear();
                }
            }

            long now = Stopwatch.GetTimestamp();
            double elapsed = Stopwatch.GetElapsedTime(last, now).TotalSeconds;
            last = now;
            taken.Sort();
            if (i >= WarmUpSeconds)
            {
                seconds.Add(new Second(taken.Count / elapsed, taken.Count == 0 ? 1000 : taken[(int)(taken.Count * 0.99)]));
                PrintMinute(seconds);
            }
        }

        return seconds;
    }

    private static async Task WriteAsync(DocumentDatabase database, int seed, List<float> latencies, CancellationToken stop)
    {
        var puts = new RandomPuts(seed + 2, perBatch: 1, Ids);
        while (!stop.IsCancellationRequested)
        {
            long started = Stopwatch.GetTimestamp();
            await puts.WriteAsync(database).ConfigureAwait(false);
            lock (latencies)
            {
                latencies.Add((float)Stopwatch.GetElapsedTime(started).TotalMilliseconds);
            }
        }
    }

    private static void PrintMinute(List<Second> seconds)
    {
        if (seconds.Count % 60 == 0)
        {
            List<Second> minute = seconds[^60..];
            Console.WriteLine(string.Create(CultureInfo.InvariantCulture,
                $"minute {seconds.Count / 60,2}: {minute.Average(s => s.PerSecond),9:N0} puts/s, " +
                $"p99 of a second {minute.Average(s => s.P99):0.00} ms on average, {minute.Max(s => s.P99):0.0} at most"));
        }
    }

    private static void PrintRatios(List<Second> seconds, DocumentDatabase database)
    {
        List<Second> first = seconds[..60], last = seconds[^60..];
        StorageFigures figures = database.Environment.Figures;
        Console.WriteLine($"last minute to first: throughput {last.Average(s => s.PerSecond) / first.Average(s => s.PerSecond):0.00}x, " +
            $"p99 {last.Average(s => s.P99) / first.Average(s => s.P99):0.00}x; " +
            $"writers paused {figures.WritersPausedMs} ms, data file {figures.DataBytes >> 20:N0} MB");
    }

    private readonly record struct Second(double PerSecond, double P99);
}
