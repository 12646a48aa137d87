using Jackdaw.Client.Caching;
using Jackdaw.Client.Conventions;
using Jackdaw.Client.Http;
using Xunit.Abstractions;

namespace Jackdaw.Client.Tests.Caching;

/// <summary>How many requests are left while others write.</summary>
public sealed class CacheRequestsTests(ITestOutputHelper output)
{
    private const int Documents = 10_000;
    private const int Reads = 100_000;

    private static readonly string[] s_collection = ["Users"];

    [Fact]
    public void Reads_OnePercentWrites_NeedATenthOfTheRequestsOfCoarseNotices()
    {
        int precise = RequestsOf(seed: 5, isPrecise: true);
        int coarse = RequestsOf(seed: 5, isPrecise: false);
        output.WriteLine(
            $"requests per 1,000 reads: {precise * 1_000.0 / Reads:F1} with precise notices, {coarse * 1_000.0 / Reads:F1} where any change makes all suspect");
        Assert.InRange(precise * 1_000.0 / Reads, 0, 15);
        Assert.True(coarse > 10 * precise, $"{precise} and {coarse} requests");
    }

    private static int RequestsOf(int seed, bool isPrecise)
    {
        var random = new Random(seed);
        var tracker = new ChangeTracker(new StandingClock());
        var cache = new AnswerCache(64 << 20, tracker);
        AggressiveCacheScope tracking = CacheWorld.ScopeOf(AggressiveCacheMode.TrackChanges);
        string[] ids = [.. Enumerable.Range(0, Documents).Select(i => "users/" + i)];
        tracker.OnConnected();
        foreach (string id in ids)
        {
            var tags = new AnswerTags();
            tags.AddDocument(id);
            cache.Put(KeyOf(id), new CachedAnswer(new RequestAnswer(200, new byte[200], "e"), tags.ToArray(), tracker.TakeStamp()));
        }

        int requests = 0;
        for (int i = 0; i < Reads; i++)
        {
            if (random.Next(100) == 0)
            {
                Tell(tracker, ids[random.Next(Documents)], isPrecise);
            }

            if (cache.Decide(KeyOf(ids[random.Next(Documents)]), tracking, out CachedAnswer? answer) == CacheDecision.Revalidate)
            {
                requests++;
                answer!.Renew(tracker.TakeStamp());
            }
        }

        return requests;
    }

    private static void Tell(ChangeTracker tracker, string id, bool isPrecise)
    {
        if (isPrecise)
        {
            tracker.OnDocumentsChanged([id], s_collection);
        }
        else
        {
            tracker.OnAnythingChanged();
        }
    }

    private static AnswerKey KeyOf(string id) => new("shop", "GET", "/docs?id=" + id);
}
