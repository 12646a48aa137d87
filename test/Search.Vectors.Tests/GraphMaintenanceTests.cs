namespace Jackdaw.Search.Vectors.Tests;

public sealed class GraphMaintenanceTests
{
    [Fact]
    public void Repair_AfterHalfWasExchangedThreeTimes_KeepsRecall()
    {
        var random = new Random(31);
        float[][] all = RandomVectors.Clustered(random, 4100, 32);
        float[][] queries = all[..100];
        float[][] vectors = all[100..];
        using var graph = new GraphHarness(32);
        uint[] nodes = graph.Add(vectors);
        double before = Recall(graph, vectors, nodes, queries, _ => true);
        for (int round = 0; round < 3; round++)
        {
            int[] half = [.. Enumerable.Range(0, vectors.Length).Where(_ => random.Next(2) == 0)];
            graph.Release(half.Select(i => nodes[i]));
            bool[] isGone = new bool[vectors.Length];
            Array.ForEach(half, i => isGone[i] = true);
            Assert.True(Recall(graph, vectors, nodes, queries, i => !isGone[i]) > 0.97);
            graph.Maintain();
            graph.Verify();
            Assert.Equal(half.Length, (int)graph.Read(searcher => searcher.View.Header.Free));
            Assert.True(Recall(graph, vectors, nodes, queries, i => !isGone[i]) > 0.97);

            uint[] again = graph.Add([.. half.Select(i => vectors[i])]);
            for (int i = 0; i < half.Length; i++)
            {
                nodes[half[i]] = again[i];
            }

            graph.Maintain();
            graph.Verify();
            Assert.Equal(vectors.Length, (int)graph.Read(searcher => searcher.View.Header.Nodes));
        }

        double after = Recall(graph, vectors, nodes, queries, _ => true);
        Assert.True(after > before - 0.01, $"{before} became {after}");
    }

    [Fact]
    public void Repair_BesideBatchesThatGiveNodesBackAndTakeThemAgain_FreesNoneThatIsANeighbour()
    {
        var random = new Random(38);
        float[][] vectors = RandomVectors.Clustered(random, 3000, 8);
        using var graph = new GraphHarness(8);
        uint[] nodes = graph.Add(vectors);
        graph.Release(nodes[..1500]);
        for (int round = 0; round < 12; round++)
        {
            graph.MaintainStep();
            int[] some = [.. Enumerable.Range(0, 40).Select(_ => random.Next(1500)).Distinct()];
            uint[] again = graph.Add([.. some.Select(i => vectors[i])]);
            graph.Add([.. some.Select(i => vectors[i].Select(number => number * (1 + (random.NextSingle() / 100))).ToArray())]);
            graph.Release(again);
            graph.Verify();
        }

        graph.Maintain();
        graph.Verify();
        Assert.Equal(nodes[2000], graph.WalkTo(vectors[2000], 1, 100)[0]);
    }

    [Fact]
    public void Repair_OfAGraphWithoutLiveNodes_LeavesOneThatGrowsAgain()
    {
        float[][] vectors = RandomVectors.Clustered(new Random(32), 500, 8);
        using var graph = new GraphHarness(8);
        graph.Release(graph.Add(vectors));
        Assert.Empty(graph.Find(vectors[0], 10, 50));
        uint[] other = graph.Add(vectors[..1]);
        Assert.Equal(other, graph.WalkTo(vectors[0], 10, 50));
        graph.Release(other);
        graph.Maintain();
        graph.Verify();
        uint[] nodes = graph.Add(vectors);
        graph.Verify();
        Assert.Equal(500u, graph.Read(searcher => searcher.View.Header.Nodes));
        Assert.Equal(nodes[7], graph.WalkTo(vectors[7], 1, 50)[0]);
    }

    [Fact]
    public void Add_WhenAllNearNodesAreDead_StillConnectsTheNode()
    {
        var random = new Random(33);
        float[][] far = RandomVectors.Clustered(random, 300, 8, centres: 1, noise: 0.05);
        float[][] near = [.. far.Select(vector => vector.Select(number => -number).ToArray())];
        using var graph = new GraphHarness(8);
        graph.Add(far);
        graph.Release(graph.Add(near));
        uint[] added = graph.Add([near[5]]);
        Assert.Equal(added[0], graph.WalkTo(near[5], 1, 10)[0]);
    }

    [Fact]
    public void Write_ThatIsRolledBack_LeavesTheGraphAsItWas()
    {
        float[][] vectors = RandomVectors.Clustered(new Random(35), 3000, 16);
        using var graph = new GraphHarness(16);
        uint[] nodes = graph.Add(vectors[..1000]);
        uint[] before = graph.Find(vectors[2000], 20, 100);
        graph.Write(writer => Array.ForEach(vectors[1000..], vector => writer.Add(vector)), commits: false);
        graph.Write(writer => Array.ForEach(nodes[..500], writer.Release), commits: false);
        Assert.Equal(before, graph.Find(vectors[2000], 20, 100));
        graph.Verify();
        graph.Add(vectors[1000..]);
        graph.Verify();
        Assert.Equal(3000u, graph.Read(searcher => searcher.View.Header.Nodes));
    }

    private static double Recall(GraphHarness graph, float[][] vectors, uint[] nodes, float[][] queries, Func<int, bool> isLive) =>
        queries.Average(query =>
        {
            HashSet<uint> nearest = [.. RandomVectors.Nearest(vectors, query, 10, isLive).Select(i => nodes[i])];
            return graph.WalkTo(query, 10, 100).Count(nearest.Contains) / 10.0;
        });
}
