using System.Text;
using Jackdaw.Pal.Native;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Vectors.Walks;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Search.Vectors.Tests;

/// <summary>Graphs with each kind of codes in files, and what is read from them as text.</summary>
internal static class GraphFiles
{
    private const int Count = 150;

    private static readonly (string Name, EmbeddingType Type, int Dimensions, long Memory)[] s_kinds =
    [
        ("bytes", EmbeddingType.Single, 50, long.MaxValue),
        ("signs", EmbeddingType.Single, 260, 1),
        ("int8", EmbeddingType.Int8, 50, long.MaxValue),
        ("binary", EmbeddingType.Binary, 72, long.MaxValue),
    ];

    /// <summary>Writes graphs: some vectors go, others come, and the maintenance is done.</summary>
    public static string Write(string folder)
    {
        foreach ((string name, EmbeddingType type, int dimensions, long memory) in s_kinds)
        {
            var settings = new VectorSettings { Destination = type };
            float[][] vectors = Vectors(dimensions, settings);
            using var graph = new GraphHarness(dimensions, settings, platform: new NativePlatform(), path: Path.Combine(folder, name)) { Memory = memory };
            uint[] nodes = graph.Add(vectors[..(2 * Count)]);
            graph.Release(nodes[..(Count / 2)]);
            graph.Maintain();
            graph.Add(vectors[(2 * Count)..(3 * Count)]);
            graph.Maintain();
        }

        return Read(folder);
    }

    /// <summary>A line for each graph: all its bytes as a number, and what searches find.</summary>
    public static string Read(string folder)
    {
        var text = new StringBuilder();
        foreach ((string name, EmbeddingType type, int dimensions, _) in s_kinds)
        {
            var settings = new VectorSettings { Destination = type };
            using var graph = new GraphHarness(dimensions, settings, platform: new NativePlatform(), path: Path.Combine(folder, name));
            graph.Verify();
            using (ReadTransaction read = graph.Storage.BeginRead())
            {
                text.Append(name).Append(' ').Append(GraphFingerprint.Of(read, "v"));
            }

            foreach (float[] query in Vectors(dimensions, settings)[(3 * Count)..])
            {
                text.Append(" walk ").AppendJoin(' ', graph.WalkTo(query, 10, 100));
                text.Append(" scan ").AppendJoin(' ', graph.Read(searcher => NodeKey.Nodes(searcher.Find(query, 10, 10, null, default))));
            }

            text.Append('\n');
        }

        return text.ToString();
    }

    private static float[][] Vectors(int dimensions, VectorSettings settings) =>
        [.. RandomVectors.Clustered(new Random(dimensions), (3 * Count) + 10, dimensions)
            .Select(vector => Embedding.Of([.. vector.Select(number => (double)number)], settings))];
}
