using System.Diagnostics;
using Jackdaw.ProcessTests.Harness;

namespace Jackdaw.ProcessTests;

/// <summary><c>jackdaw sample</c>, and a server that is killed while it makes sample data: the documents are all there or none.</summary>
public sealed class SampleShopTests(ITestOutputHelper output) : IDisposable
{
    private readonly TestFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task Sample_RunningServer_FillsItsDatabaseOnce()
    {
        using RunningServer server = await RunningServer.StartAsync(_folder);

        ProcessEnd first = await JackdawProcess.RunAsync(_folder.Path, "sample", server.Address.ToString(), "--Database=tutorial");
        ProcessEnd second = await JackdawProcess.RunAsync(_folder.Path, "sample", server.Address.ToString(), "--Database=tutorial");

        Assert.True(first.Code == 0, first.ToString());
        Assert.True(second.Code == 1, second.ToString());
        Assert.Contains("already holds 1059 documents", second.ToString(), StringComparison.Ordinal);
        Assert.Equal(1059, await CountAsync(server, "tutorial"));
        await server.StopAsync();
    }

    [Fact]
    [Trait("Tier", "Full")]
    public Task Kill_WhileSampleDataIsMade_FiftyTimes_LeavesAllOrNothing() => KillAsync(cycles: 50, seed: Environment.TickCount);

    private async Task KillAsync(int cycles, int seed)
    {
        output.WriteLine($"seed {seed}");
        var random = new Random(seed);
        int whole = 0;
        for (int cycle = 0; cycle < cycles; cycle++)
        {
            string database = $"shop{cycle}";
            using (RunningServer server = await RunningServer.StartAsync(_folder))
            {
                await server.CreateDatabaseAsync(database);
                Task<Exception?> filling = Record.ExceptionAsync(() => server.SendAsync("POST", $"/databases/{database}/studio/sample-data"));
                TimeSpan patience = TimeSpan.FromMilliseconds(random.Next(0, 2500));
                long began = Stopwatch.GetTimestamp();
                await JackdawProcess.WaitAsync(() => Stopwatch.GetElapsedTime(began) > patience || filling.IsCompleted, "no time passes");
                await server.Process.KillAsync();
                await filling;
            }

            using RunningServer again = await RunningServer.StartAsync(_folder);
            long count = await CountAsync(again, database);
            whole += count > 0 ? 1 : 0;
            if (count == 0)
            {
                await again.ExpectAsync(204, "POST", $"/databases/{database}/studio/sample-data");
            }

            Assert.Equal(1059, await CountAsync(again, database));
            await again.StopAsync();
        }

        output.WriteLine($"{whole} of {cycles} kills found everything stored");
    }

    private static async Task<long> CountAsync(RunningServer server, string database) =>
        (await server.ExpectAsync(200, "GET", $"/databases/{database}/stats")).Json.GetProperty("CountOfDocuments").GetInt64();
}
