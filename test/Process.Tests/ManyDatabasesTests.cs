using System.Diagnostics;
using Jackdaw.ProcessTests.Harness;

namespace Jackdaw.ProcessTests;

/// <summary>A server with many databases: how long it starts, and what it needs for them.</summary>
public sealed class ManyDatabasesTests(ITestOutputHelper output) : IDisposable
{
    private readonly TestFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public Task Start_WithTwentyDatabases_OpensThemAll() => StartAsync(20, TimeSpan.FromSeconds(30));

    [Fact]
    [Trait("Tier", "Full")]
    public Task Start_WithThousandDatabases_OpensThemAll() => StartAsync(1000, TimeSpan.FromSeconds(60));

    private async Task StartAsync(int count, TimeSpan limit)
    {
        using (RunningServer server = await RunningServer.StartAsync(_folder))
        {
            for (int i = 0; i < count; i++)
            {
                await server.CreateDatabaseAsync($"d{i}");
            }

            await server.StopAsync();
        }

        long started = Stopwatch.GetTimestamp();
        using RunningServer again = await RunningServer.StartAsync(_folder);
        TimeSpan time = Stopwatch.GetElapsedTime(started);
        for (int i = 0; i < count; i += Math.Max(count / 10, 1))
        {
            await again.AssertServesAsync($"d{i}");
        }

        string figures = ProcessFigures.Describe(again.Process.Id);
        (int code, TimeSpan stop) = await again.Process.TerminateAsync();
        output.WriteLine($"{count} databases: start {time.TotalSeconds:0.0} s, stop {stop.TotalSeconds:0.0} s, {figures}");
        Assert.Equal(0, code);
        Assert.True(time < limit, $"The start took {time}.");
        Assert.True(stop < TimeSpan.FromSeconds(30), $"The stop took {stop}.");
    }
}
