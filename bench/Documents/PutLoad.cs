using System.Diagnostics;
using Jackdaw.Documents.Changes;
using Jackdaw.Documents.Database;
using Jackdaw.Pal;
using Jackdaw.Pal.InMemory;
using Jackdaw.Pal.Native;
using Jackdaw.Storage;
using Jackdaw.Storage.Merging;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.DocumentsBench;

/// <summary>Many tasks put single documents under random ids, each waiting for its write to be durable.</summary>
internal static class PutLoad
{
    private const int WarmUpSeconds = 3;
    private const int LoadedAtOnce = 1000;

    public static async Task<int> RunAsync(string[] args)
    {
        string folder = Path.GetFullPath(args.Length > 0 ? args[0] : "documents-bench-data");
        int tasks = args.Length > 1 ? int.Parse(args[1]) : 512;
        int seconds = args.Length > 2 ? int.Parse(args[2]) : 10;
        int documents = args.Length > 3 ? int.Parse(args[3]) : 0;
        int consumers = args.Length > 4 ? int.Parse(args[4]) : 0;
        IPlatform platform = folder.EndsWith("memory", StringComparison.Ordinal) ? new MemoryPlatform() : new NativePlatform();
        DocumentDatabase database = DocumentDatabase.Open(
            platform, folder, "bench", DocumentDatabase.MakeDatabaseId(), new DatabaseSettings(), new StorageOptions());
        await using (database.ConfigureAwait(false))
        {
            await LoadAsync(database, documents).ConfigureAwait(false);
            using var stop = new CancellationTokenSource();
            Task[] writers = [.. Enumerable.Range(0, tasks).Select(i => Task.Run(() => WriteAsync(database, i, stop.Token)))];
            Task[] followers = [.. Enumerable.Range(0, consumers).Select(_ => FollowAsync(database, stop.Token))];
            await Task.Delay(TimeSpan.FromSeconds(WarmUpSeconds)).ConfigureAwait(false);
            var before = Figures.Of(database);
            await Task.Delay(TimeSpan.FromSeconds(seconds)).ConfigureAwait(false);
            Figures.Of(database).Print(before);
            await stop.CancelAsync().ConfigureAwait(false);
            await Task.WhenAll([.. writers, .. followers]).ConfigureAwait(false);
        }

        if (platform is NativePlatform)
        {
            Directory.Delete(folder, recursive: true);
        }

        return 0;
    }

    /// <summary>Documents that are there before the measurement, under ids of the same space.</summary>
    private static async Task LoadAsync(DocumentDatabase database, int documents)
    {
        var puts = new RandomPuts(int.MaxValue, LoadedAtOnce);
        for (int i = 0; i < documents; i += LoadedAtOnce)
        {
            await puts.WriteAsync(database).ConfigureAwait(false);
        }
    }

    private static async Task WriteAsync(DocumentDatabase database, int seed, CancellationToken stop)
    {
        var puts = new RandomPuts(seed, perBatch: 1);
        while (!stop.IsCancellationRequested)
        {
            await puts.WriteAsync(database).ConfigureAwait(false);
        }
    }

    /// <summary>Reads every change of the feed and does nothing with it.</summary>
    private static async Task FollowAsync(DocumentDatabase database, CancellationToken stop)
    {
        using ChangeSubscription consumer = database.Changes.Subscribe();
        try
        {
            while (true)
            {
                FeedItem item = await consumer.ReadAsync(stop).ConfigureAwait(false);
                foreach (Change change in item)
                {
                    Debug.Assert(change.Etag.Value <= item.Last.Value);
                }
            }
        }
        catch (OperationCanceledException)
        {
            // The measurement is over.
        }
    }

    /// <summary>Counters at one moment.</summary>
    private sealed record Figures(
        long Time, long Commands, long Batches, long StoredBytes, long RawBytes, long ChangedBytes, long Pages,
        long PrepareUs, long WriteUs, long Allocated, TimeSpan Processor, int Collections)
    {
        public static Figures Of(DocumentDatabase database)
        {
            MergerStatistics merger = database.MergerStatistics;
            CommitCosts costs = database.Environment.Statistics.Sum;
            return new Figures(
                Stopwatch.GetTimestamp(), merger.Commands, merger.Batches, costs.StoredBytes, costs.RawBytes,
                costs.ChangedBytes, costs.Pages, costs.PrepareMicroseconds, costs.WriteMicroseconds,
                GC.GetTotalAllocatedBytes(), Environment.CpuUsage.TotalTime, GC.CollectionCount(0));
        }

        public void Print(Figures before)
        {
            double seconds = Stopwatch.GetElapsedTime(before.Time, Time).TotalSeconds;
            double commands = Commands - before.Commands;
            double batches = Batches - before.Batches;
            void Line(string name, double value, string more = "") => Console.WriteLine($"{name,-28}{value,12:N1} {more}");

            Line("commands/s", commands / seconds);
            Line("commands/batch", commands / batches);
            Line("journal bytes/command", (StoredBytes - before.StoredBytes) / commands);
            Line("  before compression", (RawBytes - before.RawBytes) / commands);
            Line("  of changed pages", (ChangedBytes - before.ChangedBytes) / commands);
            Line("pages/batch", (Pages - before.Pages) / batches);
            Line("prepare us/batch", (PrepareUs - before.PrepareUs) / batches);
            Line("write us/batch", (WriteUs - before.WriteUs) / batches);
            Line("batch us", seconds * 1_000_000 / batches);
            Line("allocated bytes/command", (Allocated - before.Allocated) / commands);
            Line("collections", Collections - before.Collections);
            double cores = (Processor - before.Processor).TotalSeconds / seconds;
            Line("processor, cores", cores, $"{cores * seconds * 1_000_000 / commands:N1} us/command");
        }
    }
}
