using Jackdaw.Pal.Simulation;
using Jackdaw.Server.Tests.Additions;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Indexes;

/// <summary>Comparisons of engines that end before their time leave no files.</summary>
public sealed class EngineComparisonEndTests : EngineComparisonHarness
{
    [Fact]
    public async Task Comparison_WhoseClientIsGone_EndsAndLeavesNothing()
    {
        using var hold = new Hold(Own);
        using var gone = new CancellationTokenSource();
        using var content = new StringContent(BodyOf(new { Name = "T", Maps = new[] { Map } }, null, "from index 'T'"));
        Task<HttpResponseMessage> request = Server.Client.PostAsync(new Uri($"/databases/db1{Path}", UriKind.Relative), content, gone.Token);
        await hold.Held;

        Answer second = await Server.DbAsync("POST", Path, BodyOf(new { Name = "T", Maps = new[] { Map } }, null));
        Assert.Contains("Engines are being compared in this database; try again", second.Text, StringComparison.Ordinal);
        await gone.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => request);
        hold.Release();
        Answer third = second;
        for (int asked = 0; asked < 10_000 && third.Status != 200; asked++) // until the first one has noticed it; there is no signal for that
        {
            third = await Server.DbAsync("POST", Path, BodyOf(new { Name = "T", Maps = new[] { Map } }, null));
        }

        Assert.Equal(200, third.Status);
        await AssertNothingStaysAsync();
    }

    [Fact]
    public async Task Database_ClosedMeanwhile_WaitsForTheEnd_AndNothingStays()
    {
        using var hold = new Hold(Own);
        Task<Answer> request = Server.DbAsync("POST", Path, BodyOf(new { Name = "T", Maps = new[] { Map } }, null));
        await hold.Held;
        Task restart = Server.RestartAsync();
        hold.Release();
        await restart;
        await Record.ExceptionAsync(() => request);
        await AssertNothingStaysAsync();
    }

    [Fact]
    public async Task Server_KilledMeanwhile_DeletesTheFilesWhenItOpens()
    {
        var platform = new SimulatedPlatform(3);
        var own = new StandInEngine();
        ServerFixture server = await ServerFixture.StartAsync(new ServerSetup { Platform = platform, Engines = StandInEngine.Both(own) });
        for (int i = 0; i < 200; i++)
        {
            await server.PutAsync($"Orders/{i}", "Orders", """{"Company":"companies/1"}""");
        }

        await server.PutIndexAsync("Kept", Map);
        await server.SettledAsync();
        int batches = 0;
        using var hold = new Hold(own, () => ++batches == 1 ? Pass.Through : Pass.Wait); // with something in the files
        Task<Answer> request = server.DbAsync("POST", Path, BodyOf(
            new { Name = "T", Maps = new[] { Map }, Configuration = new Dictionary<string, string> { ["Indexing.MapBatchSize"] = "128" } }, null));
        await hold.Held;
        SimulatedPlatform after = platform.Crash(5);
        hold.Release();
        await Record.ExceptionAsync(() => request);
        await server.DisposeAsync();
        Assert.Equal(3, after.ListDirectory("/data/Databases/db1/Indexes").Count); // with those that were there when it was killed
        server = await ServerFixture.StartAsync(new ServerSetup { Platform = after, Engines = StandInEngine.Both() });
        Assert.Equal([server.Indexes.Require("Kept").Record.Folder], after.ListDirectory("/data/Databases/db1/Indexes"));
        await server.DisposeAsync();
    }

    private enum Pass
    {
        Through,
        Wait,
    }

    /// <summary>Keeps an engine from working.</summary>
    private sealed class Hold : IDisposable
    {
        private readonly TaskCompletionSource _held = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private readonly ManualResetEventSlim _released = new();

        public Hold(StandInEngine engine, Func<Pass>? decide = null) => engine.Batching = () =>
        {
            if (decide?.Invoke() != Pass.Through)
            {
                _held.TrySetResult();
                _released.Wait();
            }
        };

        public Task Held => _held.Task.WaitAsync(TimeSpan.FromMinutes(1));

        public void Release() => _released.Set();

        public void Dispose() => Release();
    }
}
