using System.Globalization;
using System.Text.RegularExpressions;
using Jackdaw.Client.Tests.Harness;
using Xunit.Abstractions;

namespace Jackdaw.Client.Tests.Samples;

/// <summary>What the aggressive cache of the web sample promises under load: nothing old is read, and few requests reach the server.</summary>
public sealed partial class CitiesUnderLoadTests(ITestOutputHelper output)
{
    private const int Readers = 8;
    private const int Cities = 100;

    [Fact]
    public Task Reads_WhileAnotherProgramWrites_AreNotOldAndCostATenthOfTheRequests() => CompareAsync(4_000);

    [Fact]
    [Trait("Tier", "Full")]
    public Task ManyReads_WhileAnotherProgramWrites_AreNotOldAndCostATenthOfTheRequests() => CompareAsync(200_000);

    private async Task CompareAsync(int reads)
    {
        int seed = Random.Shared.Next();
        output.WriteLine($"seed {seed}, {reads} reads by {Readers} readers, {Cities} cities, one write for each 100 reads");
        await using SocketServer server = await SocketServer.StartAsync();
        double cached = await RequestsAsync(server, true, seed, reads);
        double plain = await RequestsAsync(server, false, seed, reads);
        Assert.True(cached * 10 <= plain, $"requests per 1,000 reads: {cached:F1} with the cache, {plain:F1} without it");
    }

    /// <summary>Requests of the sample that reach the server, for each thousand reads.</summary>
    private async Task<double> RequestsAsync(SocketServer server, bool isCached, int seed, int reads)
    {
        await using CitiesLoad load = await CitiesLoad.StartAsync(server, isCached, seed, Cities, reads);
        long before = await CountAsync(server);
        await load.RunAsync(Readers);
        double requests = (await CountAsync(server) - before) * 1000.0 / reads;
        output.WriteLine($"{(isCached ? "with the cache" : "without it")}: {requests:F1} requests per 1,000 reads, {load.Stale.Count} old reads, "
            + $"{load.Duration.TotalSeconds:F1} s");
        Assert.Empty(load.Stale);
        await load.CheckAsync();
        return requests;
    }

    // The server's own count. The writer's requests are left out: it saves, and does nothing else.
    private static async Task<long> CountAsync(SocketServer server)
    {
        using var http = new HttpClient();
        string metrics = await http.GetStringAsync(new Uri($"{server.Url}/metrics"));
        return RequestsOfRoute().Matches(metrics)
            .Where(route => !route.Groups["route"].Value.EndsWith("/bulk_docs", StringComparison.Ordinal) && route.Groups["route"].Value != "/metrics")
            .Sum(route => long.Parse(route.Groups["count"].Value, CultureInfo.InvariantCulture));
    }

    [GeneratedRegex("""^jackdaw_http_request_duration_seconds_count\{route="(?<route>[^"]*)"\} (?<count>[0-9]+)""", RegexOptions.Multiline)]
    private static partial Regex RequestsOfRoute();
}
