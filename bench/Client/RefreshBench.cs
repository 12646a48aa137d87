using System.Diagnostics;
using Jackdaw.Client;
using Jackdaw.Client.Conventions;
using Jackdaw.Client.Sessions;

namespace Jackdaw.ClientBench;

/// <summary>Times of reads while entries expire each second: renewed behind the reader, or by him.</summary>
internal static class RefreshBench
{
    private const int Documents = 2_000;
    private const int ReadsPerSecond = 20_000;
    private static readonly TimeSpan s_time = TimeSpan.FromSeconds(8);

    public static async Task RunAsync(string url)
    {
        await CompareAsync(url, "loopback", TimeSpan.Zero);
        await CompareAsync(url, "1-ms-away", TimeSpan.FromMilliseconds(1));
    }

    private static async Task CompareAsync(string url, string where, TimeSpan distance)
    {
        double behind = await MeasureAsync(url, AggressiveCacheMode.BackgroundRefresh, distance);
        double inline = await MeasureAsync(url, AggressiveCacheMode.TrackChanges, distance);
        Stores.Print("refresh", $"{where}-p99-behind", behind, "us");
        Stores.Print("refresh", $"{where}-p99-inline", inline, "us");
        Stores.Print("refresh", $"{where}-p99-ratio", inline / behind, "x");
    }

    private static async Task<double> MeasureAsync(string url, AggressiveCacheMode mode, TimeSpan distance)
    {
        await using DocumentStore store = Stores.Open(url, distance: distance);
        await Stores.FillAsync(store, 100_000);
        using IDisposable scope = await store.AggressivelyCacheForAsync(TimeSpan.FromSeconds(1), mode);
        for (int i = 0; i < Documents; i++)
        {
            await LoadAsync(store, i);
        }

        var random = new Random(1);
        List<double> times = [];
        for (var time = Stopwatch.StartNew(); time.Elapsed < s_time;)
        {
            while (times.Count > time.Elapsed.TotalSeconds * ReadsPerSecond)
            {
                await Task.Delay(1);
            }

            long start = Stopwatch.GetTimestamp();
            await LoadAsync(store, random.Next(Documents));
            times.Add(Stopwatch.GetElapsedTime(start).TotalMicroseconds);
        }

        times.Sort();
        return times[(int)(times.Count * 0.99)];
    }

    private static async Task LoadAsync(DocumentStore store, int number)
    {
        using IAsyncDocumentSession session = store.OpenAsyncSession(new SessionOptions { NoTracking = true });
        await session.LoadAsync<Order>($"orders/{number}");
    }
}
