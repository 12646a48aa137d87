using Jackdaw.Pal.Simulation;
using Jackdaw.TestKit;
using Xunit.Abstractions;

namespace Jackdaw.Server.Tests.Http.Handlers.Indexes;

/// <summary>An index whose definition is changed while its replacement is built, with the server killed in between.</summary>
public sealed class IndexReplacementKillTests(ITestOutputHelper output)
{
    [Fact]
    public Task Change_KilledInTheMiddle_TenTimes_TheLastReplacesOnce() => RunAsync(seed: 5, rounds: 10);

    [Trait("Tier", "Full")]
    [Fact]
    public Task Change_KilledInTheMiddle_HundredTimes_TheLastReplacesOnce() => RunAsync(Environment.TickCount, rounds: 100);

    private async Task RunAsync(int seed, int rounds)
    {
        output.WriteLine($"seed {seed}");
        var random = new Random(seed);
        var platform = new SimulatedPlatform(seed);
        ServerFixture server = await ServerFixture.StartAsync(new ServerSetup { Platform = platform });
        try
        {
            for (int i = 0; i < 40; i++)
            {
                await server.PutAsync($"users/{i}", "Users", """{"Name":"Ann"}""");
            }

            await PutAsync(server, 0);
            await server.SettledAsync();
            int oldest = 0;
            for (int round = 1; round <= rounds; round++)
            {
                await server.PutAsync($"users/{random.Next(60)}", "Users", """{"Name":"Ann"}""");
                await PutAsync(server, round);
                if (random.Next(3) == 0)
                {
                    await PutAsync(server, -round); // and changed again at once
                    await PutAsync(server, round);
                }

                if (random.Next(5) == 0)
                {
                    await server.SettledAsync();
                    oldest = round;
                }

                oldest = await AssertServesAsync(server, oldest, round);
                platform = platform.Crash(random.Next());
                await server.DisposeAsync();
                server = await ServerFixture.StartAsync(new ServerSetup { Platform = platform });
                oldest = await AssertServesAsync(server, oldest, round);
            }

            await server.SettledAsync();
            Assert.Equal(rounds, await AssertServesAsync(server, rounds, rounds));
            Assert.Equal("People", Assert.Single(server.Indexes.All).Name);
            Assert.Single(platform.ListDirectory("/data/Databases/db1/Indexes"));
            Answer all = await server.QueryAsync("from Users", waits: false);
            Answer indexed = await server.QueryAsync("from index 'People'");
            Assert.Equal(all.Json.GetProperty("TotalResults").GetInt64(), indexed.Json.GetProperty("TotalResults").GetInt64());
        }
        finally
        {
            await server.DisposeAsync();
        }
    }

    private static async Task PutAsync(ServerFixture server, int version)
    {
        Answer answer = await server.PutIndexAsync(
            "People", $"from u in docs.Users select new {{ u.Name, Version = {version} }}", more: new { Fields = new { Version = new { Storage = "Yes" } } });
        Assert.True(answer.Status == 201, answer.Text);
    }

    // All entries are of one version, and never of an older one than before.
    private static async Task<int> AssertServesAsync(ServerFixture server, int oldest, int newest)
    {
        Answer answer = await server.QueryAsync("from index 'People' select Version", waits: false, new { ProjectionBehavior = "FromIndex" });
        Assert.True(answer.Status == 200, answer.Text);
        int version = Assert.Single(answer.Json.GetProperty("Results").EnumerateArray().Select(row => row.GetProperty("Version").GetInt32()).Distinct());
        Assert.InRange(Math.Abs(version), oldest, newest);
        Assert.True(answer.Json.GetProperty("Results").GetArrayLength() >= 40);
        return Math.Abs(version);
    }
}
