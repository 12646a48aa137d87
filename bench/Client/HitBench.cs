using System.Diagnostics;
using System.Text.Json;
using Jackdaw.Client;
using Jackdaw.Client.Caching;
using Jackdaw.Client.Sessions;

namespace Jackdaw.ClientBench;

/// <summary>Reads that cost no request: time and memory of one.</summary>
internal static class HitBench
{
    private const int Documents = 1_000;
    private const int Reads = 300_000;

    public static async Task RunAsync(string url)
    {
        await using DocumentStore store = Stores.Open(url);
        await Stores.FillAsync(store, 100_000);
        await using var records = new RecordCache<Frozen>(store, capacity: 2 * Documents);
        using IDisposable scope = await store.AggressivelyCacheAsync();
        string[] ids = [.. Enumerable.Range(0, Documents).Select(i => $"orders/{i}")];
        foreach (string id in ids)
        {
            await LoadAsync(store, id);
            await records.GetAsync(id);
        }

        byte[] body = JsonSerializer.SerializeToUtf8Bytes(Order.Sample(1));
        var options = new JsonSerializerOptions();
        var random = new Random(1);
        int requests = 0;
        await MeasureAsync("record-cache", () => records.TryGet(ids[random.Next(Documents)], out _) ? default : throw new InvalidOperationException("a miss"));
        (double readTime, double readBytes) = await MeasureAsync("deserialize", () =>
        {
            JsonSerializer.Deserialize<Order>(body, options);
            return default;
        });
        (double loadTime, double loadBytes) = await MeasureAsync("load", async () => requests += await LoadAsync(store, ids[random.Next(Documents)]));
        Stores.Print("hits", "load-over-deserialize", loadTime - readTime, "ns");
        Stores.Print("hits", "load-over-deserialize-bytes", loadBytes - readBytes, "B");
        Stores.Print("hits", "requests", requests, "requests");
    }

    private static async Task<int> LoadAsync(DocumentStore store, string id)
    {
        using IAsyncDocumentSession session = store.OpenAsyncSession(new SessionOptions { NoTracking = true });
        await session.LoadAsync<Order>(id);
        return session.Advanced.NumberOfRequests;
    }

    private static async Task<(double Nanoseconds, double Bytes)> MeasureAsync(string metric, Func<ValueTask> read)
    {
        for (int i = 0; i < Reads / 4; i++)
        {
            await read();
        }

        long before = GC.GetTotalAllocatedBytes(precise: true);
        var time = Stopwatch.StartNew();
        for (int i = 0; i < Reads; i++)
        {
            await read();
        }

        double nanoseconds = time.Elapsed.TotalNanoseconds / Reads;
        double bytes = (GC.GetTotalAllocatedBytes(precise: true) - before) / (double)Reads;
        Stores.Print("hits", metric, nanoseconds, "ns");
        Stores.Print("hits", metric + "-bytes", bytes, "B");
        return (nanoseconds, bytes);
    }

    private sealed record Frozen(string? Id, string Company);
}
