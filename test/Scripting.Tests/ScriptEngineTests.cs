using System.Text;
using Jackdaw.Json;
using Jackdaw.Scripting.Caching;
using Jackdaw.Scripting.Projections;

namespace Jackdaw.Scripting.Tests;

/// <summary>Engines and parsed scripts that are kept: bounded, cheap, and for many threads.</summary>
public sealed class ScriptEngineTests
{
    [Fact]
    public void Projection_OfFiveFields_AllocatesLittle()
    {
        using var bench = new ScriptHarness();
        var projection = new ScriptProjection([], new ScriptFragment(
            "{ Company: o.Company, Status: o.Status, City: o.ShipTo.City, Freight: o.Freight, At: o.At }", "select"), ["o"], []);
        ScriptDocument document = ScriptHarness.Document(
            """{"Company":"companies/1","Status":"Shipped","ShipTo":{"City":"Bern"},"Freight":12.5,"At":"2020-01-01","Lines":[1,2,3]}""", "orders/1");
        using var run = new ProjectionRun(bench.Pool, projection, null, default);
        using var output = new PooledBuffer();
        var ends = new List<int>();
        ScriptDocument?[] documents = [document];
        long before = 0;
        const int warm = 2_000;
        const int measured = 2_000;
        for (int i = 0; i < warm + measured; i++)
        {
            if (i == warm)
            {
                before = GC.GetAllocatedBytesForCurrentThread();
            }

            output.Clear();
            ends.Clear();
            run.Project(documents, output, ends, CancellationToken.None);
        }

        Assert.InRange((GC.GetAllocatedBytesForCurrentThread() - before) / measured, 1, 4096);
    }

    [Fact]
    public void Cache_OfScripts_IsBounded()
    {
        var cache = new ScriptCache<object>();
        object first = cache.GetOrAdd("first", () => new object());
        for (int i = 0; i < 2_000; i++)
        {
            cache.GetOrAdd(i.ToString(System.Globalization.CultureInfo.InvariantCulture), () => new object());
            Assert.Same(first, cache.GetOrAdd("first", () => new object()));
        }

        Assert.Equal(ScriptCache<object>.EntriesMax, cache.Count);
    }

    [Fact]
    public async Task Threads_EightAtOnce_EachSeesItsOwnDocuments()
    {
        using var bench = new ScriptHarness();
        var projection = new ScriptProjection([], new ScriptFragment("{ v: o.v, s: o.l.reduce((a, b) => a + b, 0) }", "select"), ["o"], []);
        await Task.WhenAll(Enumerable.Range(0, 8).Select(thread => Task.Run(() =>
        {
            using var output = new PooledBuffer();
            for (int i = 0; i < 300; i++)
            {
                using var run = new ProjectionRun(bench.Pool, projection, null, default);
                output.Clear();
                run.Project([ScriptHarness.Document($$"""{"v":{{thread * 1000 + i}},"l":[1,2,{{i}}]}""")], output, [], CancellationToken.None);
                Assert.Equal($$"""{"v":{{thread * 1000 + i}},"s":{{3 + i}}}""", Encoding.UTF8.GetString(output.Written));
            }
        })));
        Assert.InRange(bench.Pool.Idle, 1, ScriptEnginePool.IdleMax + 8);
    }
}
