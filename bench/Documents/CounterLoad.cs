using System.Diagnostics;
using System.Text;
using Jackdaw.Documents;
using Jackdaw.Documents.Batches;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Database;
using Jackdaw.Pal;
using Jackdaw.Pal.InMemory;
using Jackdaw.Pal.Native;
using Jackdaw.Storage;

namespace Jackdaw.DocumentsBench;

/// <summary>Puts of documents, increments of counters of many documents, and of one counter of one document, by turns on one database: rates and
/// processor time, and their ratios to the puts of the same turn.</summary>
internal static class CounterLoad
{
    private const int Documents = 10_000;
    private const int LoadedAtOnce = 500;
    private const int Turns = 5;

    private static readonly string[] s_loads = ["put", "increment, many documents", "increment, one counter"];

    public static async Task<int> RunAsync(string[] args)
    {
        string folder = Path.GetFullPath(args.Length > 0 ? args[0] : "documents-bench-data");
        int tasks = args.Length > 1 ? int.Parse(args[1]) : 32;
        int seconds = args.Length > 2 ? int.Parse(args[2]) : 4;
        IPlatform platform = folder.EndsWith("memory", StringComparison.Ordinal) ? new MemoryPlatform() : new NativePlatform();
        DocumentDatabase database = DocumentDatabase.Open(
            platform, folder, "bench", DocumentDatabase.MakeDatabaseId(), new DatabaseSettings(), new StorageOptions());
        await using (database.ConfigureAwait(false))
        {
            using (var loading = new Client(database))
            {
                foreach (int[] some in Enumerable.Range(0, Documents).Chunk(LoadedAtOnce))
                {
                    IEnumerable<string> puts = some.Select(i =>
                        $$$$"""{"Type":"PUT","Id":"users/{{{{i}}}}","Document":{"@metadata":{"@collection":"Users"}}}""");
                    await loading.WriteAsync(string.Join(',', puts.Concat(some.Select(Increment)))).ConfigureAwait(false);
                }
            }

            List<(double Rate, double Processor)>[] figures = [[], [], []];
            for (int turn = 0; turn <= Turns; turn++)
            {
                for (int load = 0; load < s_loads.Length; load++)
                {
                    (double Rate, double Processor) figure = await MeasureAsync(database, load, tasks, seconds).ConfigureAwait(false);
                    if (turn > 0) // the first one warms up
                    {
                        figures[load].Add(figure);
                    }
                }
            }

            Print(figures);
        }

        if (platform is NativePlatform)
        {
            Directory.Delete(folder, recursive: true);
        }

        return 0;
    }

    private static string Increment(int document) =>
        $$$"""{"Type":"Counters","Id":"users/{{{document}}}","Counters":{"Operations":[{"Type":"Increment","CounterName":"Likes","Delta":1}]}}""";

    private static async Task<(double Rate, double Processor)> MeasureAsync(DocumentDatabase database, int load, int tasks, int seconds)
    {
        using var stop = new CancellationTokenSource(TimeSpan.FromSeconds(seconds));
        long began = Stopwatch.GetTimestamp();
        TimeSpan processor = Environment.CpuUsage.TotalTime;
        long[] counts = await Task.WhenAll(Enumerable.Range(0, tasks).Select(task => Task.Run(() => RunAsync(database, load, task, stop.Token))))
            .ConfigureAwait(false);
        double operations = counts.Sum();
        return (operations / Stopwatch.GetElapsedTime(began).TotalSeconds, (Environment.CpuUsage.TotalTime - processor).TotalMicroseconds / operations);
    }

    private static async Task<long> RunAsync(DocumentDatabase database, int load, int task, CancellationToken stop)
    {
        var random = new Random(task);
        using var client = new Client(database);
        var puts = new RandomPuts(Environment.TickCount + task, perBatch: 1);
        long count = 0;
        for (; !stop.IsCancellationRequested; count++)
        {
            await (load switch
            {
                0 => puts.WriteAsync(database),
                1 => client.WriteAsync(Increment(random.Next(Documents))),
                _ => client.WriteAsync(Increment(0)),
            }).ConfigureAwait(false);
        }

        return count;
    }

    private static void Print(List<(double Rate, double Processor)>[] figures)
    {
        for (int load = 0; load < s_loads.Length; load++)
        {
            double[] ratios = [.. figures[load].Select((figure, turn) => figure.Rate / figures[0][turn].Rate).Order()];
            Console.WriteLine(
                $"{s_loads[load],-28}{Median(figures[load].Select(figure => figure.Rate)),12:N0} /s  " +
                $"{Median(figures[load].Select(figure => figure.Processor)),8:N1} us  {Median(ratios),6:N2}x put ({ratios[0]:N2} to {ratios[^1]:N2})");
        }
    }

    private static double Median(IEnumerable<double> values) => values.Order().ElementAt(Turns / 2);

    /// <summary>Parses commands as a request does, and writes them.</summary>
    private sealed class Client(DocumentDatabase database) : IDisposable
    {
        private static readonly BatchKinds s_kinds = new(StandardExtensions.All);
        private readonly BatchParser _parser = new();
        private readonly ParsedBatch _batch = new();

        public async Task WriteAsync(string commands)
        {
            _parser.Parse(Encoding.UTF8.GetBytes($$"""{"Commands":[{{commands}}]}"""), _batch, s_kinds.OfBatch);
            WriteOutcome outcome = await database.WriteAsync(new WriteBatch { Commands = _batch.Commands }, CancellationToken.None)
                .ConfigureAwait(false);
            if (outcome.Status != WriteStatus.Applied)
            {
                throw new InvalidOperationException($"A write was answered with {outcome.Status}.");
            }
        }

        public void Dispose()
        {
            _parser.Dispose();
            _batch.Dispose();
        }
    }
}
