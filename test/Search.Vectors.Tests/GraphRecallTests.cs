using Jackdaw.Search.Queries;

namespace Jackdaw.Search.Vectors.Tests;

public sealed class GraphRecallTests
{
    [Fact]
    public void Walk_OverClusteredVectors_FindsMostOfTheTenNearest()
    {
        var random = new Random(17);
        float[][] all = RandomVectors.Clustered(random, 6000, 48);
        float[][] queries = all[..100];
        float[][] vectors = all[100..];
        using var graph = new GraphHarness(48);
        uint[] nodes = graph.Add(vectors);

        double recall = queries.Average(query =>
        {
            HashSet<uint> nearest = [.. RandomVectors.Nearest(vectors, query, 10).Select(i => nodes[i])];
            return graph.WalkTo(query, 10, 100).Count(nearest.Contains) / 10.0;
        });

        Assert.True(recall > 0.97, $"recall {recall}");
    }

    [Fact]
    public void Find_WithFilter_FindsTheNearestOfThose()
    {
        var random = new Random(18);
        float[][] all = RandomVectors.Clustered(random, 4100, 24);
        float[][] vectors = all[100..];
        using var graph = new GraphHarness(24);
        uint[] nodes = graph.Add(vectors);
        double found = 0;
        foreach (float[] query in all[..100])
        {
            double share = Math.Pow(10, -random.NextDouble() * 3);
            bool[] isIn = [.. vectors.Select(_ => random.NextDouble() < share)];
            var allowed = new NodeSet(4000);
            for (int i = 0; i < isIn.Length; i++)
            {
                if (isIn[i])
                {
                    allowed.Add(nodes[i]);
                }
            }

            uint[] nearest = [.. RandomVectors.Nearest(vectors, query, 10, i => isIn[i]).Select(i => nodes[i])];
            uint[] answer = graph.Find(query, 10, 64, allowed);
            Assert.Equal(nearest.Length, answer.Length);
            Assert.All(answer, node => Assert.True(allowed.Contains(node)));
            found += nearest.Length == 0 ? 1 : answer.Count(nearest.Contains) / (double)nearest.Length;
        }

        Assert.True(found / 100 > 0.97, $"recall {found / 100}");
    }

    [Fact]
    public void Add_WithAnyNumberOfThreads_MakesTheSameGraph()
    {
        float[][] vectors = RandomVectors.Clustered(new Random(19), 3000, 16);
        using var one = new GraphHarness(16, threads: 1);
        using var four = new GraphHarness(16, threads: 4);
        one.Add(vectors, 700);
        four.Add(vectors, 700);
        Assert.Equal(Dump(one), Dump(four));
    }

    [Fact]
    public void Add_OfEqualVectors_GivesOneNode()
    {
        using var graph = new GraphHarness(4);
        uint[] nodes = graph.Add([[1, 2, 3, 4], [4, 3, 2, 1], [1, 2, 3, 4], [1, 2, 3, 4]]);
        Assert.Equal(nodes[0], nodes[2]);
        Assert.Equal(nodes[0], nodes[3]);
        Assert.NotEqual(nodes[0], nodes[1]);
        graph.Release([nodes[0], nodes[0]]);
        Assert.Equal([nodes[0], nodes[1]], graph.Find([1, 2, 3, 4], 5, 10));
        graph.Release([nodes[0]]);
        Assert.Equal([nodes[1]], graph.Find([1, 2, 3, 4], 5, 10));
        Assert.Equal([nodes[0]], graph.Add([[1, 2, 3, 4]]));
        Assert.Equal([nodes[0], nodes[1]], graph.Find([1, 2, 3, 4], 5, 10));
    }

    [Fact]
    public void Find_WithASearcherOfAnEarlierSnapshotOfTheSameState_ReadsPagesThatItHasNotRead()
    {
        float[][] vectors = RandomVectors.Clustered(new Random(20), 3000, 16);
        using var graph = new GraphHarness(16);
        graph.Add(vectors);
        for (int i = 0; i < 50; i++)
        {
            Assert.Equal(10, graph.WalkTo(vectors[i * 50], 10, 12).Length); // Each walk comes to pages that no walk before has read.
        }
    }

    private static string Dump(GraphHarness graph) => graph.Read(searcher =>
    {
        var text = new System.Text.StringBuilder();
        for (uint node = 0; node < searcher.View.Header.Nodes; node++)
        {
            for (int level = searcher.View.Level(node); level >= 0; level--)
            {
                text.Append(node).Append('.').Append(level).Append(':');
                text.AppendJoin(',', searcher.View.Neighbours(node, level).ToArray()).Append('\n');
            }
        }

        return text.ToString();
    });
}
