using Jackdaw.Client.Caching;
using Jackdaw.Client.Conventions;
using Xunit.Abstractions;

namespace Jackdaw.Client.Tests.Caching;

/// <summary>Random interleavings of reads, writes of others, own writes, notices, losses, evictions and time against a server that remembers all its
/// answers.</summary>
public sealed class CacheModelTests(ITestOutputHelper output)
{
    [Fact]
    public void Reads_RandomInterleavings_KeepAllPromises() => RunSeeds(1, 300);

    [Fact]
    [Trait("Tier", "Full")]
    public void Reads_ManyRandomInterleavings_KeepAllPromises() => RunSeeds(1_000, 20_000);

    private void RunSeeds(int first, int count)
    {
        int served = 0;
        int stale = 0;
        int requests = 0;
        for (int seed = first; seed < first + count; seed++)
        {
            using var world = new CacheWorld(seed % 3 == 0 ? 16 * 1024 : 1 << 20, slotBits: seed % 5 == 0 ? 2 : 8);
            try
            {
                RunSeed(world, new Random(seed));
            }
            catch (Exception e)
            {
                throw new Xunit.Sdk.XunitException($"seed {seed}: {e.Message}", e);
            }

            (served, stale, requests) = (served + world.Served, stale + world.ServedStale, requests + world.Requests);
        }

        output.WriteLine($"seeds {first} to {first + count - 1}: {served} reads without a request, {stale} of them of old answers, {requests} requests");
        Assert.True(served > 20 * count && stale > count && requests > 20 * count, "the runs prove nothing");
    }

    private static void RunSeed(CacheWorld world, Random random)
    {
        for (int round = 0; round < 40; round++)
        {
            for (int i = random.Next(1, 7); i > 0; i--)
            {
                AddRandom(world, random);
            }

            world.Run(random.Next);
            if (random.Next(4) == 0)
            {
                world.ProcessAll();
            }
        }

        if (!world.IsConnected)
        {
            world.Add("connect", world.Connect());
            world.Run(_ => 0);
        }

        world.ProcessAll();
        world.CheckAllCurrent(CacheWorld.ScopeOf(AggressiveCacheMode.TrackChanges));
    }

    private static void AddRandom(CacheWorld world, Random random)
    {
        string id = ModelServer.Ids[random.Next(ModelServer.Ids.Length)];
        string other = ModelServer.Ids[random.Next(ModelServer.Ids.Length)];
        int value = random.Next(10);
        switch (random.Next(30))
        {
            case 0:
                world.Add("put", world.WriteOfOthers(server => server.Put(id, value, other)));
                break;
            case 1:
                world.Add("delete", world.WriteOfOthers(server => server.Delete(id)));
                break;
            case 2:
                world.Add("own", world.OwnWrite(id, server => server.Put(id, value, other), random.Next(2) == 0));
                break;
            case 3:
                world.Add("index", world.WriteOfOthers(server => server.RunIndex()));
                break;
            case 4 when random.Next(3) == 0:
                world.Add("unknown", world.WriteOfOthers(server => server.PutWithoutDetails(id, value)));
                break;
            case 5 or 6 when !world.IsConnected:
                world.Add("connect", world.Connect());
                break;
            case 7 when world.IsConnected && random.Next(3) == 0:
                world.Add("lose", world.Lose());
                break;
            case 8:
                world.Add("time", world.Pass(TimeSpan.FromSeconds(random.Next(1, 4))));
                break;
            case 9 when random.Next(4) == 0:
                world.Add("evict", world.Evict());
                break;
            case 10 or 11:
                world.Add("notices", Notices(world));
                break;
            default:
                AggressiveCacheScope? scope = random.Next(10) switch
                {
                    0 => null,
                    1 => CacheWorld.ScopeOf(AggressiveCacheMode.DoNotTrackChanges, TimeSpan.FromSeconds(4)),
                    < 6 => CacheWorld.ScopeOf(AggressiveCacheMode.TrackChanges),
                    _ => CacheWorld.ScopeOf(AggressiveCacheMode.BackgroundRefresh),
                };
                world.Add("read", world.Read(ModelServer.Questions[random.Next(ModelServer.Questions.Length)], scope));
                break;
        }
    }

    private static IEnumerable<Func<bool>> Notices(CacheWorld world)
    {
        world.ProcessAll();
        yield break;
    }
}
