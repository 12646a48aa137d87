using System.Globalization;
using System.Text;
using Jackdaw.Search.Vectors.Graphs;
using Jackdaw.Search.Vectors.Recall;
using Xunit.Abstractions;

namespace Jackdaw.Search.Vectors.Tests;

/// <summary>What an index states of its recall against the recall of queries that it does not have.</summary>
public sealed class StatedRecallTests(ITestOutputHelper output)
{
    private const int Nearest = 10;
    private const double AboveMax = 0.01;
    private const double BelowMax = 0.03;
    private const double BelowMaxOfLow = 0.08;
    private const double Low = 0.9;

    /// <summary>Vectors without any structure, of which an index states up to 0.07 too little with few dimensions, and up to 0.05 too much with more. No
    /// embeddings are like that.</summary>
    private const string Normal = "normal";

    [Theory]
    [InlineData("clusters", 4400, 32)]
    [InlineData("wide clusters", 4400, 48)]
    [InlineData(Normal, 4400, 16)]
    public void StatedRecall_IsNearTheTrueOneAndNotAboveIt(string kind, int count, int dimensions) => Run(kind, count, dimensions, queries: 300);

    [Theory]
    [Trait("Tier", "Full")]
    [InlineData("clusters", 30_000, 32)]
    [InlineData("wide clusters", 20_000, 48)]
    [InlineData("wide clusters", 60_000, 96)]
    [InlineData("many clusters", 40_000, 128)]
    [InlineData(Normal, 30_000, 16)]
    [InlineData(Normal, 10_000, 40)]
    public void StatedRecall_OfManyVectors_IsNearTheTrueOneAndNotAboveIt(string kind, int count, int dimensions) => Run(kind, count, dimensions, queries: 1000);

    private void Run(string kind, int count, int dimensions, int queries)
    {
        var random = new Random(count + dimensions);
        float[][] all = kind switch
        {
            "clusters" => RandomVectors.Clustered(random, count + queries, dimensions),
            "wide clusters" => RandomVectors.Clustered(random, count + queries, dimensions, centres: 200, noise: 1.2),
            "many clusters" => RandomVectors.Clustered(random, count + queries, dimensions, centres: 2000, noise: 0.9),
            _ => [.. Enumerable.Range(0, count + queries).Select(_ => RandomVectors.Normal(random, dimensions))],
        };
        using var graph = new GraphHarness(dimensions);
        uint[] nodes = graph.Add(all[queries..]);
        var problems = new List<string>();
        Compare(graph, all[..queries], $"{kind}, {count} of {dimensions}", problems);
        graph.Release(nodes.Where(_ => random.Next(2) == 0));
        Compare(graph, all[..queries], $"{kind}, half of {count} of {dimensions}", problems);
        Assert.True(problems.Count == 0, string.Join('\n', problems));
    }

    private void Compare(GraphHarness graph, float[][] queries, string what, List<string> problems)
    {
        graph.Maintain();
        RecallTable table = Assert.IsType<RecallTable>(graph.ReadRecall());
        HashSet<uint>[] exact = [.. queries.Select(query => graph.Read(searcher => Exact(searcher, query)))];
        var line = new StringBuilder($"{what}: ef stated/true ");
        foreach (RecallAt stated in table.Widths)
        {
            double recall = queries.Select((query, i) => graph.WalkTo(query, Nearest, stated.Width).Count(exact[i].Contains) / (double)Nearest).Average();
            string pair = string.Create(CultureInfo.InvariantCulture, $"{stated.Width} {stated.Mean:0.000}/{recall:0.000}");
            line.Append(pair).Append("  ");
            double more = what.StartsWith(Normal, StringComparison.Ordinal) ? 0.03 : 0;
            double belowMax = more + (recall >= Low ? BelowMax : BelowMaxOfLow);
            double aboveMax = more + AboveMax + stated.Error; // one standard error of the samples
            if (stated.Mean > recall + aboveMax || stated.Mean < recall - belowMax)
            {
                problems.Add($"{what}: {pair} +- {stated.Error}");
            }
        }

        output.WriteLine(line.ToString());
    }

    private static HashSet<uint> Exact(GraphSearcher searcher, float[] query)
    {
        float[] cosines = new float[searcher.View.Header.Nodes];
        searcher.FillCosines(query, cosines, default);
        return [.. Enumerable.Range(0, cosines.Length).Where(node => !float.IsNaN(cosines[node])).OrderByDescending(node => cosines[node]).Take(Nearest)
            .Select(node => (uint)node)];
    }
}
