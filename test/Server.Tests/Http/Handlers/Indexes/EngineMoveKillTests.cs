using System.Text.Json;
using Jackdaw.Pal.Simulation;
using Jackdaw.Server.Configuration;
using Jackdaw.Server.Tests.Additions;
using Jackdaw.TestKit;
using Xunit.Abstractions;

namespace Jackdaw.Server.Tests.Http.Handlers.Indexes;

/// <summary>A move of indexes to another engine, with the server killed at random moments while documents are written.</summary>
public sealed class EngineMoveKillTests(ITestOutputHelper output)
{
    private const int Indexes = 6;

    [Theory]
    [InlineData(7)]
    [InlineData(8)]
    [InlineData(9)]
    public Task Move_KilledAgainAndAgain_EndsWithAllIndexes(int seed) => RunAsync(seed, kills: 6);

    [Trait("Tier", "Full")]
    [Fact]
    public Task Move_KilledFiftyTimes_EndsWithAllIndexes() => RunAsync(Environment.TickCount, kills: 50);

    private async Task RunAsync(int seed, int kills)
    {
        output.WriteLine($"seed {seed}");
        var random = new Random(seed);
        var platform = new SimulatedPlatform(seed);
        ServerFixture server = await ServerFixture.StartAsync(new ServerSetup { Platform = platform, Engines = StandInEngine.LuceneAlone });
        try
        {
            await FillAsync(server);
            server.Setup = server.Setup with { Engines = RegisteredEngines.All };
            await server.RestartAsync();
            int written = 0;
            for (int kill = 0; kill < kills; kill++)
            {
                string engine = kill / 3 % 2 == 0 ? "Corax" : "Lucene"; // back again, when the first move may be over
                Answer begun = await server.DbAsync("POST", "/admin/indexes/move-engine", $$"""{"Engine":"{{engine}}"}""");
                if (begun.Status != 202)
                {
                    Assert.Contains("are being moved to", begun.Text, StringComparison.Ordinal); // of the other move, which goes on
                }

                for (int steps = random.Next(30); steps > 0; steps--)
                {
                    await server.PutAsync($"users/{100 + written++}", "Users", """{"Name":"Ann"}""");
                    await AssertServesAsync(server, random.Next(Indexes), 40);
                }

                platform = platform.Crash(random.Next());
                await server.DisposeAsync();
                server = await ServerFixture.StartAsync(new ServerSetup { Platform = platform });
                for (int index = 0; index < Indexes; index++)
                {
                    await AssertServesAsync(server, index, 40);
                }
            }

            await AssertAllEndAsync(server, platform, 40 + written);
        }
        finally
        {
            await server.DisposeAsync();
        }
    }

    private static async Task FillAsync(ServerFixture server)
    {
        for (int i = 0; i < 40; i++)
        {
            await server.PutAsync($"users/{i}", "Users", """{"Name":"Ann"}""");
        }

        for (int i = 0; i < Indexes - 1; i++)
        {
            Assert.Equal(201, (await server.PutIndexAsync($"People{i}", $"from u in docs.Users select new {{ u.Name, N = {i} }}")).Status);
        }

        await server.QueryAsync("from Users where Name = 'Ann'");
        await server.SettledAsync();
    }

    private static async Task AssertServesAsync(ServerFixture server, int index, int least)
    {
        Answer answer = await server.QueryAsync(index == Indexes - 1 ? "from Users where Name = 'Ann'" : $"from index 'People{index}'", waits: false);
        Assert.True(answer.Status == 200, answer.Text);
        Assert.InRange(answer.Json.GetProperty("TotalResults").GetInt32(), least, int.MaxValue);
    }

    private static async Task AssertAllEndAsync(ServerFixture server, SimulatedPlatform platform, int documents)
    {
        await EndAsync(server);
        await server.DbAsync("POST", "/admin/indexes/move-engine", """{"Engine":"Corax"}""");
        await EndAsync(server);
        await server.SettledAsync();
        Assert.Equal(Indexes, server.Indexes.Count);
        Assert.All(server.Indexes.All, index => Assert.Equal(("Corax", false), (index.Record.Engine, index.Record.IsMove)));
        Assert.Equal(Indexes, platform.ListDirectory("/data/Databases/db1/Indexes").Count);
        for (int index = 0; index < Indexes; index++)
        {
            await AssertServesAsync(server, index, documents);
        }
    }

    private static async Task EndAsync(ServerFixture server)
    {
        JsonElement state = (await server.DbAsync("GET", "/admin/indexes/move-engine")).Json;
        if (state.TryGetProperty("OperationId", out JsonElement id))
        {
            await server.EndOfOperationAsync(id.GetInt64());
        }
    }
}
