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
    private static readonly TimeSpan s_time = TimeSpan.FromSeconds(4);

    public static async Task RunAsync(string url)
    {
        await using DocumentStore store = Stores.Open(url, conventions => conventions.MaxHttpCacheSize = 0);
        await Stores.FillAsync(store, Documents);
        using var http = new HttpClient { BaseAddress = new Uri($"{url}/databases/{Stores.Database}/") };
        (double sdkRate, double sdkBytes) = await MeasureAsync(id => LoadAsync(store, id));
        (double rawRate, double rawBytes) = await MeasureAsync(id => GetAsync(http, id));
        Stores.Print("load", "sdk", sdkRate, "loads/s");
        Stores.Print("load", "raw", rawRate, "loads/s");
        Stores.Print("load", "rate-ratio", sdkRate / rawRate, "x");
        Stores.Print("load", "sdk-bytes", sdkBytes, "B");
        Stores.Print("load", "raw-bytes", rawBytes, "B");
        Stores.Print("load", "bytes-ratio", sdkBytes / rawBytes, "x");
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

    private static async Task<(double Rate, double Bytes)> MeasureAsync(Func<string, Task> load)
    {
        await RunAsync(load, TimeSpan.FromSeconds(1));
        long before = GC.GetTotalAllocatedBytes(precise: true);
        var time = Stopwatch.StartNew();
        long count = await RunAsync(load, s_time);
        return (count / time.Elapsed.TotalSeconds, (GC.GetTotalAllocatedBytes(precise: true) - before) / (double)count);
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
}
