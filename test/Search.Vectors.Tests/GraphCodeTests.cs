using Jackdaw.Search.Entries;
using Jackdaw.Search.Vectors.Graphs;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Search.Vectors.Tests;

/// <summary>Graphs with each kind of codes, and the change from one kind to another.</summary>
public sealed class GraphCodeTests
{
    private const int Dimensions = 256;

    [Theory]
    [InlineData(EmbeddingType.Single)]
    [InlineData(EmbeddingType.Int8)]
    [InlineData(EmbeddingType.Binary)]
    public void Walk_WithCodesOfAnyType_FindsMostOfTheTenNearest(EmbeddingType type)
    {
        var settings = new VectorSettings { Destination = type };
        float[][] all = Convert(RandomVectors.Clustered(new Random(31), 2600, 96), settings);
        using var graph = new GraphHarness(96, settings);
        uint[] nodes = graph.Add(all[100..]);
        graph.Verify();
        Assert.InRange(Recall(graph, all[100..], nodes, all[..100], 100), 0.97, 1);
        Assert.All(Enumerable.Range(0, 50), i => Assert.Equal(
            all[100 + i], graph.Read(searcher => Copy(searcher, nodes[i])), new Near(type == EmbeddingType.Single)));
    }

    [Fact]
    public void Graph_OfBits_TakesAThirtiethOfThePagesOfFloats()
    {
        float[][] vectors = RandomVectors.Clustered(new Random(32), 1000, 1024);
        long bits = PagesOfVectors(EmbeddingType.Binary, vectors);
        long floats = PagesOfVectors(EmbeddingType.Single, vectors);
        Assert.True(bits * 30 < floats, $"{bits} and {floats} pages");
    }

    [Fact]
    public void Maintain_WithNodesBeyondTheMemory_GoesOnWithSigns()
    {
        float[][] all = RandomVectors.Clustered(new Random(33), 3100, Dimensions, noise: 1);
        float[][] queries = all[..100];
        float[][] vectors = all[100..];
        using var graph = new GraphHarness(Dimensions);
        uint[] nodes = graph.Add(vectors[..2500]);
        graph.Maintain();
        Assert.NotNull(graph.ReadRecall());

        graph.Memory = 1;
        graph.Maintain();

        Assert.Equal(VectorCodeKind.Signs, KindOf(graph));
        graph.Verify();
        nodes = [.. nodes, .. graph.Add(vectors[2500..])];
        graph.Maintain();
        graph.Verify();
        Assert.NotNull(graph.ReadRecall());
        Assert.InRange(Recall(graph, vectors, nodes, queries, 200), 0.95, 1);
        Assert.InRange(Found(graph, vectors, nodes, 400), vectors.Length - 2, vectors.Length);
    }

    [Fact]
    public void Maintain_StepByStep_KeepsBothCodesOfNodesThatBatchesUseAgain()
    {
        var random = new Random(34);
        float[][] vectors = RandomVectors.Clustered(random, 2600, Dimensions);
        using var graph = new GraphHarness(Dimensions);
        uint[] nodes = graph.Add(vectors);
        graph.Release(nodes[..600]);
        graph.Maintain(); // frees them
        graph.Memory = 1;
        graph.MaintainStep();
        Assert.Equal(VectorCodeKind.Bytes, KindOf(graph));

        float[][] others = RandomVectors.Clustered(random, 400, Dimensions);
        uint[] again = graph.Add(others);
        Assert.Contains(again, node => node < 600);
        graph.Maintain();

        Assert.Equal(VectorCodeKind.Signs, KindOf(graph));
        graph.Verify();
        Assert.InRange(Found(graph, [.. vectors[600..], .. others], [.. nodes[600..], .. again], 400), 2398, 2400);
    }

    [Fact]
    public void Rent_OfASnapshotFromBeforeTheChange_SearchesItsCodes()
    {
        float[][] vectors = RandomVectors.Clustered(new Random(35), 2500, Dimensions);
        using var graph = new GraphHarness(Dimensions);
        uint[] nodes = graph.Add(vectors);
        using ReadTransaction before = graph.Storage.BeginRead();
        uint[] first = graph.FindIn(before, vectors[7], 10, 100);
        graph.Memory = 1;
        graph.Maintain();
        graph.Add(RandomVectors.Clustered(new Random(36), 500, Dimensions));

        Assert.Equal(first, graph.FindIn(before, vectors[7], 10, 100));
        Assert.Equal(nodes[7], graph.Find(vectors[7], 1, 100)[0]);
        Assert.Equal(first, graph.FindIn(before, vectors[7], 10, 100));
    }

    [Fact]
    public void Maintain_WithFewDimensions_KeepsBytes()
    {
        using var graph = new GraphHarness(32);
        graph.Add(RandomVectors.Clustered(new Random(37), 100, 32));
        graph.Memory = 1;
        graph.Maintain();
        Assert.Equal(VectorCodeKind.Bytes, KindOf(graph));
    }

    private static long PagesOfVectors(EmbeddingType type, float[][] vectors)
    {
        var settings = new VectorSettings { Destination = type };
        using var graph = new GraphHarness(vectors[0].Length, settings);
        graph.Add(Convert(vectors, settings));
        return graph.Read(searcher => (searcher.View.Layout.HasVectors ? searcher.View.Vectors.PageCount : 0) + searcher.View.Codes.PageCount);
    }

    private static VectorCodeKind KindOf(GraphHarness graph) => graph.Read(searcher => searcher.View.Header.CodeKind);

    private static double Recall(GraphHarness graph, float[][] vectors, uint[] nodes, float[][] queries, int width) => queries.Average(query =>
    {
        double[] cosines = [.. vectors.Select(vector => RandomVectors.Cosine(vector, query))];
        double tenth = cosines.OrderDescending().ElementAt(9);
        return graph.WalkTo(query, 10, width).Count(node => cosines[Array.IndexOf(nodes, node)] >= tenth - 1e-6) / 10.0;
    });

    private static int Found(GraphHarness graph, float[][] vectors, uint[] nodes, int width) =>
        Enumerable.Range(0, vectors.Length).Count(i => graph.WalkTo(vectors[i], 1, width)[0] == nodes[i]);

    private static float[] Copy(GraphSearcher searcher, uint node)
    {
        float[] vector = new float[searcher.View.Layout.Dimensions];
        searcher.View.CopyVector(node, vector);
        return vector;
    }

    private static float[][] Convert(float[][] vectors, VectorSettings settings) =>
        [.. vectors.Select(vector => Embedding.Of([.. vector.Select(number => (double)number)], settings))];

    // The direction is what is left of floats; the others come back as they were.
    private sealed class Near(bool isDirection) : IEqualityComparer<float[]>
    {
        public bool Equals(float[]? x, float[]? y) => isDirection ? RandomVectors.Cosine(x!, y!) > 0.999999 : x!.SequenceEqual(y!);

        public int GetHashCode(float[] vector) => vector.Length;
    }
}
