using System.Diagnostics;
using System.Text.Json;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Revisions;
using Jackdaw.Pal;
using Jackdaw.Pal.InMemory;
using Jackdaw.Pal.Native;
using Jackdaw.Storage;

namespace Jackdaw.DocumentsBench;

/// <summary>Puts of documents of 1 KB over the same ids by many tasks, without revisions, with all of them and with the newest five, by turns
/// in one run.</summary>
internal static class RevisionLoad
{
    private const int Rounds = 5;
    private const int Ids = 10_000;

    private static readonly (string Name, string? Configuration)[] s_ways =
    [
        ("off", null), ("on", """{"Default":{}}"""), ("newest five", """{"Default":{"MinimumRevisionsToKeep":5}}"""),
        ("other collection", """{"Collections":{"Others":{}}}"""),
    ];

    public static async Task<int> RunAsync(string[] args)
    {
        string folder = Path.GetFullPath(args.Length > 0 ? args[0] : "revisions-bench-data");
        int tasks = args.Length > 1 ? int.Parse(args[1]) : 32;
        double seconds = args.Length > 2 ? double.Parse(args[2]) : 5;
        IPlatform platform = folder.EndsWith("memory", StringComparison.Ordinal) ? new MemoryPlatform() : new NativePlatform();
        var rates = s_ways.ToDictionary(way => way.Name, _ => new List<double>());
        for (int round = 0; round <= Rounds; round++)
        {
            foreach ((string name, string? configuration) in s_ways)
            {
                double rate = await MeasureAsync(platform, $"{folder}/{round}-{name}", configuration, tasks, seconds).ConfigureAwait(false);
                Console.WriteLine($"{(round == 0 ? "warm-up" : "round " + round)} {name}: {rate:N0}/s");
                if (round > 0)
                {
                    rates[name].Add(rate);
                }
            }
        }

        double off = Median(rates["off"]);
        foreach ((string name, List<double> measured) in rates)
        {
            Console.WriteLine($"{name,-20}{Median(measured),10:N0}/s {Median(measured) / off,6:N2}");
        }

        if (platform is NativePlatform)
        {
            Directory.Delete(folder, recursive: true);
        }

        return 0;
    }

    private static double Median(List<double> values) => values.Order().ElementAt(values.Count / 2);

    private static async Task<double> MeasureAsync(IPlatform platform, string folder, string? configuration, int tasks, double seconds)
    {
        var settings = new DatabaseSettings { Revisions = Read(configuration) };
        DocumentDatabase database = DocumentDatabase.Open(
            platform, folder, "bench", DocumentDatabase.MakeDatabaseId(), settings, new StorageOptions());
        await using (database.ConfigureAwait(false))
        {
            var document = new SampleDocument(1024, seed: 1);
            long began = Stopwatch.GetTimestamp();
            long[] written = await Task.WhenAll(Enumerable.Range(0, tasks).Select(task => Task.Run(async () =>
            {
                var random = new Random(task);
                long count = 0;
                for (; Stopwatch.GetElapsedTime(began).TotalSeconds < seconds; count++)
                {
                    byte[] key = new byte[32];
                    int length = SampleDocument.WriteKey(key, random.Next(Ids));
                    var batch = new WriteBatch { Commands = new DocumentCommand[] { document.Put(key.AsMemory(0, length)) } };
                    await database.WriteAsync(batch, default).ConfigureAwait(false);
                }

                return count;
            }))).ConfigureAwait(false);
            return written.Sum() / Stopwatch.GetElapsedTime(began).TotalSeconds;
        }
    }

    private static RevisionsConfiguration? Read(string? configuration)
    {
        if (configuration is null)
        {
            return null;
        }

        using JsonDocument json = JsonDocument.Parse(configuration);
        return RevisionsConfiguration.TryRead(json.RootElement, out RevisionsConfiguration? read, out string? problem)
            ? read
            : throw new ArgumentException(problem);
    }
}
