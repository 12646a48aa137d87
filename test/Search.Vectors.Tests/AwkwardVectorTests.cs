using Jackdaw.Search.Vectors.Graphs;

namespace Jackdaw.Search.Vectors.Tests;

/// <summary>Copies, near copies, lines, tight clusters and vectors in order: each live one is found by itself, or what is found is just as near.</summary>
public sealed class AwkwardVectorTests
{
    private const int Dimensions = 16;
    private const int Width = 400;
    private const double Rounding = 1e-6;

    private static readonly string[] s_kinds = ["near copies", "half copies", "line", "clusters", "ordered"];
    private static readonly string[] s_returns = ["forwards", "backwards", "from both ends", "outwards", "shuffled"];

    public static TheoryData<string, string, int> Few => Cases(1500);

    public static TheoryData<string, string, int> Many => Cases(15_000);

    [Theory]
    [MemberData(nameof(Few))]
    public void Walk_ToEachOfAwkwardVectors_FindsItThroughDeletesRepairsAndReturns(string kind, string order, int count) => Run(kind, order, count);

    [Theory]
    [Trait("Tier", "Full")]
    [MemberData(nameof(Many))]
    public void Walk_ToEachOfManyAwkwardVectors_FindsItThroughDeletesRepairsAndReturns(string kind, string order, int count) => Run(kind, order, count);

    // Vectors without an order come back only in one.
    private static TheoryData<string, string, int> Cases(int count)
    {
        var cases = new TheoryData<string, string, int>();
        foreach (string kind in s_kinds)
        {
            foreach (string order in kind is "line" or "ordered" ? s_returns : s_returns[..1])
            {
                cases.Add(kind, order, count);
            }
        }

        return cases;
    }

    private static void Run(string kind, string order, int count)
    {
        var random = new Random(34);
        float[][] vectors = RandomVectors.Awkward(kind, random, count, Dimensions);
        using var graph = new GraphHarness(Dimensions);
        uint?[] nodes = [.. graph.Add(vectors).Select(node => (uint?)node)];
        Check(graph, vectors, nodes, $"{kind}, {order}, all");
        Release(graph, nodes, Enumerable.Range(0, count).Where(_ => random.Next(2) == 0));
        Check(graph, vectors, nodes, $"{kind}, {order}, without a random half");
        Release(graph, nodes, Enumerable.Range(count / 4, count / 4));
        Add(graph, vectors, nodes, Ordered(order, count / 2, count / 4));
        Check(graph, vectors, nodes, $"{kind}, {order}, without a quarter in a row, and with another again");
        Add(graph, vectors, nodes, Ordered(order, 0, count));
        Check(graph, vectors, nodes, $"{kind}, {order}, with all again");
    }

    private static int[] Ordered(string order, int first, int count) => order switch
    {
        "forwards" => [.. Enumerable.Range(first, count)],
        "backwards" => [.. Enumerable.Range(first, count).Reverse()],
        "from both ends" => [.. Enumerable.Range(0, count).Select(i => first + (i % 2 == 0 ? i / 2 : count - 1 - (i / 2)))],
        "outwards" => [.. Enumerable.Range(first, count).OrderBy(i => Math.Abs(first + (count / 2) - i))],
        _ => [.. Enumerable.Range(first, count).OrderBy(i => (uint)i * 2654435769u)],
    };

    private static void Release(GraphHarness graph, uint?[] nodes, IEnumerable<int> some)
    {
        int[] live = [.. some.Where(i => nodes[i] is not null)];
        graph.Release(live.Select(i => nodes[i]!.Value));
        Array.ForEach(live, i => nodes[i] = null);
    }

    private static void Add(GraphHarness graph, float[][] vectors, uint?[] nodes, IEnumerable<int> some)
    {
        int[] gone = [.. some.Where(i => nodes[i] is null)];
        uint[] added = graph.Add([.. gone.Select(i => vectors[i])]);
        for (int i = 0; i < gone.Length; i++)
        {
            nodes[gone[i]] = added[i];
        }
    }

    private static void Check(GraphHarness graph, float[][] vectors, uint?[] nodes, string when)
    {
        graph.Maintain();
        graph.Verify();
        int missed = graph.Read(searcher => Enumerable.Range(0, vectors.Length).Count(i => nodes[i] is { } node && !IsFound(searcher, vectors[i], node)));
        Assert.True(missed == 0, $"{when}: {missed} of {nodes.Count(node => node is not null)} vectors do not find themselves");
    }

    private static bool IsFound(GraphSearcher searcher, float[] vector, uint node)
    {
        foreach (ulong key in searcher.FindByWalk(vector, 10, Width))
        {
            if (Walks.NodeKey.Node(key) == node)
            {
                return true;
            }

            if (Walks.NodeKey.Distance(key) > Rounding)
            {
                return false;
            }
        }

        return true; // Ten others are at the same place.
    }
}
