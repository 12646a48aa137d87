using System.Diagnostics;
using System.Text.Json;
using Jackdaw.Client;
using Jackdaw.Client.Sessions;

namespace Jackdaw.ClientBench;

/// <summary>Loads of one document each: through a session, and by an HttpClient that reads the same answer.</summary>
internal static class LoadBench
{
    private const int Documents = 100_000;
    private const int Readers = 16;
    private static readonly TimeSpan s_warmUp = TimeSpan.FromSeconds(3);
    private static readonly TimeSpan s_time = TimeSpan.FromSeconds(4);

    public static async Task RunAsync(string url)
    {
        await using DocumentStore store = Stores.Open(url, conventions => conventions.MaxHttpCacheSize = 0);
        await Stores.FillAsync(store, Documents);
        using var http = new HttpClient { BaseAddress = new Uri($"{url}/databases/{Stores.Database}/") };
        Func<string, Task>[] ways = [id => LoadAsync(store, id), id => GetAsync(http, id)];
        await RunAsync(ways[0], s_warmUp);
        await RunAsync(ways[1], s_warmUp);
        Measured sdk = await MeasureAsync(ways[0]);
        Measured raw = await MeasureAsync(ways[1]);
        Print("sdk", sdk);
        Print("raw", raw);
        Stores.Print("load", "rate-ratio", sdk.Rate / raw.Rate, "x");
        Stores.Print("load", "bytes-ratio", sdk.Bytes / raw.Bytes, "x");
        Stores.Print("load", "processor-ratio", sdk.ProcessorTime / raw.ProcessorTime, "x");
    }

    private static void Print(string way, Measured measured)
    {
        Stores.Print("load", way, measured.Rate, "loads/s");
        Stores.Print("load", way + "-bytes", measured.Bytes, "B");
        Stores.Print("load", way + "-processor", measured.ProcessorTime, "us");
    }

    private static async Task LoadAsync(DocumentStore store, string id)
    {
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        if (await session.LoadAsync<Order>(id) is null)
        {
            throw new InvalidOperationException(id);
        }
    }

    private static async Task GetAsync(HttpClient http, string id)
    {
        byte[] body = await http.GetByteArrayAsync(new Uri("docs?id=" + Uri.EscapeDataString(id), UriKind.Relative));
        if (JsonSerializer.Deserialize<Answer>(body)?.Results[0] is null)
        {
            throw new InvalidOperationException(id);
        }
    }

    private static async Task<Measured> MeasureAsync(Func<string, Task> load)
    {
        long bytes = GC.GetTotalAllocatedBytes(precise: true);
        TimeSpan processor = Environment.CpuUsage.TotalTime;
        var time = Stopwatch.StartNew();
        long count = await RunAsync(load, s_time);
        return new Measured(
            count / time.Elapsed.TotalSeconds,
            (GC.GetTotalAllocatedBytes(precise: true) - bytes) / (double)count,
            (Environment.CpuUsage.TotalTime - processor).TotalMicroseconds / count);
    }

    private static async Task<long> RunAsync(Func<string, Task> load, TimeSpan length)
    {
        var time = Stopwatch.StartNew();
        long[] counts = await Task.WhenAll(Enumerable.Range(0, Readers).Select(reader => Task.Run(async () =>
        {
            var random = new Random(reader);
            long count = 0;
            for (; time.Elapsed < length; count++)
            {
                await load($"orders/{random.Next(Documents)}");
            }

            return count;
        })));
        return counts.Sum();
    }

    private sealed record Answer(Order[] Results);

    /// <summary>Loads per second; of one load the bytes that are allocated, and microseconds of processor time of this process.</summary>
    private sealed record Measured(double Rate, double Bytes, double ProcessorTime);
}
