using System.Runtime.InteropServices;
using System.Text.Json;

namespace Jackdaw.Bench.Vectors;

/// <summary>Vectors of length 1, queries that are not among them, and the ten nearest of each query.</summary>
/// <remarks>OUT.base and OUT.query: count, dimensions (4 bytes each), then floats. OUT.exact: ten numbers of vectors (4 bytes each) for each query.</remarks>
internal sealed class DataSet(float[][] vectors, float[][] queries)
{
    private const int Queries = 1000;
    private const int Nearest = 10;

    public float[][] Vectors => vectors;

    public float[][] QueryVectors => queries;

    public int[][] Exact { get; private init; } = [];

    /// <summary>The first words of the file of embeddings, shuffled.</summary>
    public static DataSet OfWords(string json, int count)
    {
        using var document = JsonDocument.Parse(File.ReadAllBytes(json));
        int dimensions = document.RootElement.GetProperty("dimensions").GetInt32();
        JsonElement all = document.RootElement.GetProperty("vectors");
        float[][] vectors = [.. all.EnumerateObject().Take(count)
            .Select(word => word.Value.EnumerateArray().Take(dimensions).Select(number => number.GetSingle()).ToArray())];
        return Split(vectors);
    }

    /// <summary>Vectors around as many centres as a hundredth of them, from a seeded generator.</summary>
    public static DataSet Clustered(int count, int dimensions)
    {
        var random = new Random(768);
        float[][] centres = [.. Enumerable.Range(0, Math.Max(1, count / 100)).Select(_ => Normal(random, dimensions))];
        return Split([.. Enumerable.Range(0, count).Select(_ =>
        {
            float[] vector = Normal(random, dimensions);
            float[] centre = centres[random.Next(centres.Length)];
            return vector.Zip(centre, (a, b) => a + b).ToArray();
        })]);
    }

    public static DataSet Read(string path)
    {
        int[] exact = MemoryMarshal.Cast<byte, int>(File.ReadAllBytes(path + ".exact")).ToArray();
        return new DataSet(ReadVectors(path + ".base"), ReadVectors(path + ".query")) { Exact = [.. exact.Chunk(Nearest)] };
    }

    /// <summary>Only the queries.</summary>
    public static DataSet ReadQueries(string path) => new([], ReadVectors(path + ".query"));

    public void Write(string path)
    {
        WriteVectors(path + ".base", vectors);
        WriteVectors(path + ".query", queries);
        int[][] exact = new int[queries.Length][];
        Parallel.For(0, queries.Length, query => exact[query] = FindExact(queries[query]));
        File.WriteAllBytes(path + ".exact", MemoryMarshal.AsBytes<int>(exact.SelectMany(nearest => nearest).ToArray()).ToArray());
        Console.WriteLine($"{vectors.Length} vectors, {queries.Length} queries, {vectors[0].Length} dimensions");
    }

    private int[] FindExact(float[] query)
    {
        float[] cosines = [.. vectors.Select(vector => Dot(vector, query))];
        int[] order = [.. Enumerable.Range(0, cosines.Length)];
        return [.. order.OrderByDescending(vector => cosines[vector]).Take(Nearest)];
    }

    private static DataSet Split(float[][] vectors)
    {
        new Random(12345).Shuffle(vectors);
        foreach (float[] vector in vectors)
        {
            float length = MathF.Sqrt(Dot(vector, vector));
            for (int i = 0; i < vector.Length; i++)
            {
                vector[i] /= length;
            }
        }

        return new DataSet(vectors[Queries..], vectors[..Queries]);
    }

    private static float Dot(float[] a, float[] b)
    {
        float sum = 0;
        for (int i = 0; i < a.Length; i++)
        {
            sum += a[i] * b[i];
        }

        return sum;
    }

    private static float[] Normal(Random random, int dimensions) =>
        [.. Enumerable.Range(0, dimensions).Select(_ => NextNormal(random))];

    private static float NextNormal(Random random) =>
        (float)(Math.Sqrt(-2 * Math.Log(1 - random.NextDouble())) * Math.Cos(2 * Math.PI * random.NextDouble()));

    private static float[][] ReadVectors(string path)
    {
        ReadOnlySpan<byte> bytes = File.ReadAllBytes(path);
        int dimensions = MemoryMarshal.Cast<byte, int>(bytes)[1];
        return [.. MemoryMarshal.Cast<byte, float>(bytes[8..]).ToArray().Chunk(dimensions)];
    }

    private static void WriteVectors(string path, float[][] rows)
    {
        using FileStream file = File.Create(path);
        file.Write(MemoryMarshal.AsBytes<int>([rows.Length, rows[0].Length]));
        foreach (float[] row in rows)
        {
            file.Write(MemoryMarshal.AsBytes<float>(row));
        }
    }
}
