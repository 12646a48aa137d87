using System.Diagnostics;
using System.Text.RegularExpressions;
using Jackdaw.ProcessTests.Harness;

namespace Jackdaw.ProcessTests;

/// <summary>The process is killed in the middle of mixed batches with attachments and of large uploads: what was acknowledged is there whole, a
/// batch in doubt whole or not at all, and what the uploads that were cut left is removed.</summary>
public sealed partial class MixedKillTests(ITestOutputHelper output) : IDisposable
{
    private const int Clients = 4;
    private const int Uploads = 2;
    private const int KillsBetweenWalks = 10;

    /// <summary>Starts in which the collector, which begins with the opening, must be done. Each may be stopped early.</summary>
    private const int CollectingStartsMax = 5;

    private readonly TestFolder _folder = new();
    private int _inDoubt;
    private int _inDoubtThere;
    private int _cutUploads;
    private int _walks;
    private int _walksWithUnused;

    public void Dispose() => _folder.Dispose();

    [Fact]
    public Task Kill_UnderMixedBatchesAndUploads_OneCycle_LosesAndLeaksNothing() => KillAsync(cycles: 1, seed: 1);

    [Fact]
    [Trait("Tier", "Full")]
    public Task Kill_UnderMixedBatchesAndUploads_TwoHundredCycles_LosesAndLeaksNothing() => KillAsync(cycles: 200, seed: Environment.TickCount);

    private async Task KillAsync(int cycles, int seed)
    {
        output.WriteLine($"seed {seed}");
        long began = Stopwatch.GetTimestamp();
        var random = new Random(seed);
        MixedClient[] clients = [.. Enumerable.Range(0, Clients).Select(client => new MixedClient("shop", client))];
        LargeUploads[] uploads = [.. Enumerable.Range(0, Uploads).Select(client => new LargeUploads("shop", client, seed + client))];
        for (int cycle = 0; cycle < cycles; cycle++)
        {
            using (RunningServer server = await RunningServer.StartAsync(_folder))
            {
                await (cycle == 0 ? PrepareAsync(server, uploads) : CheckAsync(server, clients, uploads, isContentRead: false));
                await KillUnderLoadAsync(server, clients, uploads, random);
            }

            if (cycle % KillsBetweenWalks == KillsBetweenWalks - 1 || cycle == cycles - 1)
            {
                await CollectAndWalkAsync(clients, uploads);
            }
        }

        output.WriteLine($"{cycles} kills in {Stopwatch.GetElapsedTime(began).TotalSeconds:0} s: {clients.Sum(client => client.Acknowledged)} batches and " +
            $"{uploads.Sum(upload => upload.Acknowledged)} uploads acknowledged, {_inDoubt} batches in doubt of which {_inDoubtThere} are there, " +
            $"{_cutUploads} uploads cut, {_walksWithUnused} of {_walks} walks after a kill found unused contents: 0 lost, 0 half, 0 bytes leaked");
        Assert.True(clients.Sum(client => client.Acknowledged) > cycles, "too few batches");
        Assert.True(cycles < KillsBetweenWalks || uploads.Sum(upload => upload.Acknowledged) > 0, "no upload has come to its end");
        Assert.True(_inDoubt > cycles && _inDoubtThere < _inDoubt, "too few batches were interrupted");
        Assert.True(_cutUploads > cycles / 2, "too few uploads were cut");
        Assert.True(cycles < KillsBetweenWalks || _walksWithUnused > 0, "no kill left anything to collect");
    }

    private static async Task PrepareAsync(RunningServer server, LargeUploads[] uploads)
    {
        await server.CreateDatabaseAsync("shop");
        await server.ExpectAsync(200, "POST", "/databases/shop/admin/revisions/config",
            """{"Collections":{"Revised":{"MinimumRevisionsToKeep":2,"PurgeOnDelete":true}}}""");
        foreach (LargeUploads upload in uploads)
        {
            await upload.PrepareAsync(server);
        }
    }

    private static async Task KillUnderLoadAsync(RunningServer server, MixedClient[] clients, LargeUploads[] uploads, Random random)
    {
        int before = clients.Sum(client => client.Acknowledged);
        int wanted = random.Next(1, 12);
        long bytes = random.Next(3 << 20, 9 << 20);
        int uploaded = uploads.Sum(upload => upload.Acknowledged) + (random.Next(5) == 0 ? 1 : 0);
        Task<string?>[] running =
            [.. clients.Select(client => Task.Run(() => client.RunAsync(server))), .. uploads.Select(upload => Task.Run(() => upload.RunAsync(server)))];
        await JackdawProcess.WaitAsync(
            () => running.Any(one => one.IsCompleted)
                || (clients.Sum(client => client.Acknowledged) >= before + wanted && uploads.Any(upload => upload.Sent > bytes)
                    && uploads.Sum(upload => upload.Acknowledged) >= uploaded),
            "no load");
        await server.Process.KillAsync();
        Assert.All(await Task.WhenAll(running), Assert.Null);
    }

    private async Task CheckAsync(RunningServer server, MixedClient[] clients, LargeUploads[] uploads, bool isContentRead)
    {
        foreach (MixedClient client in clients)
        {
            (bool wasInDoubt, bool isThere) = await client.CheckAsync(server);
            _inDoubt += wasInDoubt ? 1 : 0;
            _inDoubtThere += isThere ? 1 : 0;
        }

        foreach (LargeUploads upload in uploads)
        {
            _cutUploads += await upload.CheckAsync(server, isContentRead) ? 1 : 0;
        }
    }

    // What the kill left is walked; then the server removes what is unused, and nothing may be left that no attachment or revision shows.
    private async Task CollectAndWalkAsync(MixedClient[] clients, LargeUploads[] uploads)
    {
        _walks++;
        long unused = await WalkAsync();
        _walksWithUnused += unused > 0 ? 1 : 0;
        for (int start = 0; start == 0 || unused > 0; start++)
        {
            Assert.True(start < CollectingStartsMax, $"after {start} starts, {unused} contents that nothing uses are still there");
            using RunningServer server = await RunningServer.StartAsync(_folder);
            await CheckAsync(server, clients, uploads, isContentRead: true);
            await server.StopAsync();
            unused = await WalkAsync();
        }
    }

    /// <summary>Contents that nothing uses.</summary>
    private async Task<long> WalkAsync()
    {
        ProcessEnd verified = await JackdawProcess.RunAsync(_folder.Path, "verify", _folder.Data);
        Assert.True(verified.Code == 0, verified.ToString());
        Match unused = Unused().Match(verified.Output.ReplaceLineEndings(" "));
        return unused.Success ? long.Parse(unused.Groups[1].Value, System.Globalization.CultureInfo.InvariantCulture) : 0;
    }

    [GeneratedRegex(@"unused\s.*?:\s+(\d+)\s+contents")]
    private static partial Regex Unused();
}
