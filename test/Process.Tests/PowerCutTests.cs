using System.Diagnostics;
using Jackdaw.ProcessTests.Harness;
using Jackdaw.TestKit;

namespace Jackdaw.ProcessTests;

/// <summary>The process ends in the middle of concurrent writes: what was acknowledged is there, and no batch in part.</summary>
public sealed class PowerCutTests(ITestOutputHelper output) : IDisposable
{
    private const int Clients = 16;

    private readonly TestFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public Task Kill_UnderLoad_OneCycle_LosesNothing() => KillAsync(cycles: 1, seed: 1);

    [Fact]
    [Trait("Tier", "Full")]
    public Task Kill_UnderLoad_HundredCycles_LosesNothing() => KillAsync(cycles: 100, seed: Environment.TickCount);

    [Fact]
    public async Task Terminate_UnderLoad_StopsWithinTenSecondsAndLosesNothing()
    {
        var load = new BatchLoad("shop");
        using (RunningServer server = await RunningServer.StartAsync(_folder))
        {
            await server.CreateDatabaseAsync("shop");
            Task writing = load.RunAsync(server, Clients, "term");
            await load.WaitForAsync(100);
            load.Stop();
            (int code, TimeSpan time) = await server.Process.TerminateAsync();
            await writing;
            output.WriteLine($"stopped after {time.TotalSeconds:0.00} s with {load.Acknowledged} batches acknowledged");
            Assert.Equal(0, code);
            Assert.True(time < TimeSpan.FromSeconds(10), $"{time}");
        }

        using RunningServer again = await RunningServer.StartAsync(_folder);
        Assert.Equal((0, 0, 0), await load.CheckAsync(again, "term/"));
        await again.StopAsync();
        await AssertSoundAsync();
    }

    [Fact]
    public async Task Terminate_WithOpenRequests_CutsThemWithinTenSeconds()
    {
        using RunningServer server = await RunningServer.StartAsync(_folder);
        await server.CreateDatabaseAsync("shop");
        using var half = new RawConnection(server.Address);
        await half.SendAsync("PUT /databases/shop/docs?id=half HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{");
        using var idle = new RawConnection(server.Address);
        await idle.SendAsync("GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n");
        await idle.ReadUntilAsync("Live");

        (int code, TimeSpan time) = await server.Process.TerminateAsync();

        Assert.Equal(0, code);
        Assert.True(time < TimeSpan.FromSeconds(10), $"{time}");
        await AssertSoundAsync();
    }

    private async Task KillAsync(int cycles, int seed)
    {
        var random = new Random(seed);
        var load = new BatchLoad("shop");
        (int lost, int half, int unknown, double slowest) = (0, 0, 0, 0);
        for (int cycle = 0; cycle <= cycles; cycle++)
        {
            long started = Stopwatch.GetTimestamp();
            using RunningServer server = await RunningServer.StartAsync(_folder);
            slowest = Math.Max(slowest, Stopwatch.GetElapsedTime(started).TotalSeconds);
            if (cycle == 0)
            {
                await server.CreateDatabaseAsync("shop");
            }
            else
            {
                (int l, int h, int u) = await load.CheckAsync(server, $"{cycle - 1}/");
                (lost, half, unknown) = (lost + l, half + h, unknown + u);
            }

            if (cycle < cycles)
            {
                Task writing = load.RunAsync(server, Clients, $"{cycle}");
                await load.WaitForAsync(load.Acknowledged + random.Next(1, 400));
                await server.Process.KillAsync();
                await writing;
            }
            else
            {
                // The last start: everything once more, then an orderly stop.
                (int l, int h, int u) = await load.CheckAsync(server, "");
                (lost, half, unknown) = (lost + l, half + h, unknown + u);
                await server.StopAsync();
            }
        }

        output.WriteLine($"seed {seed}: {cycles} kills, {load.Sent} batches sent, {load.Acknowledged} acknowledged, {lost} lost, {half} half, " +
            $"{unknown} unknown, slowest start {slowest:0.0} s");
        Assert.Equal((0, 0, 0), (lost, half, unknown));
        Assert.Empty(load.Refusals);
        await AssertSoundAsync();
    }

    private async Task AssertSoundAsync()
    {
        ProcessEnd verified = await JackdawProcess.RunAsync(_folder.Path, "verify", _folder.Data);
        Assert.True(verified.Code == 0, verified.ToString());
    }
}
