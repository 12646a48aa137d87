namespace Jackdaw.Search.Vectors.Tests;

/// <summary>Vectors for tests, and the plain comparison of all of them.</summary>
public static class RandomVectors
{
    /// <summary>Vectors around centres, as embeddings are.</summary>
    public static float[][] Clustered(Random random, int count, int dimensions, int centres = 50, double noise = 0.6)
    {
        float[][] middles = [.. Enumerable.Range(0, centres).Select(_ => Normal(random, dimensions))];
        return [.. Enumerable.Range(0, count).Select(_ =>
        {
            float[] middle = middles[random.Next(centres)];
            return Normal(random, dimensions).Zip(middle, (a, b) => (float)((noise * a) + b)).ToArray();
        })];
    }

    public static float[] Normal(Random random, int dimensions) =>
        [.. Enumerable.Range(0, dimensions).Select(_ => NextNormal(random))];

    private static float NextNormal(Random random) =>
        (float)(Math.Sqrt(-2 * Math.Log(1 - random.NextDouble())) * Math.Cos(2 * Math.PI * random.NextDouble()));

    public static double Cosine(float[] a, float[] b)
    {
        double dot = 0, aa = 0, bb = 0;
        for (int i = 0; i < a.Length; i++)
        {
            dot += (double)a[i] * b[i];
            aa += (double)a[i] * a[i];
            bb += (double)b[i] * b[i];
        }

        return dot / Math.Sqrt(aa * bb);
    }

    /// <summary>The indexes of the nearest vectors.</summary>
    public static int[] Nearest(IReadOnlyList<float[]> vectors, float[] query, int count, Func<int, bool>? isAllowed = null) =>
        [.. Enumerable.Range(0, vectors.Count).Where(i => isAllowed?.Invoke(i) != false)
            .OrderByDescending(i => Cosine(vectors[i], query)).Take(count)];

    /// <summary>Vectors that are hard to tell apart or come in an order that is hard for graphs: "near copies", "half copies", "clusters", "line" or
    /// "ordered".</summary>
    public static float[][] Awkward(string kind, Random random, int count, int dimensions)
    {
        float[] one = Normal(random, dimensions);
        float[] step = Normal(random, dimensions);
        return [.. Enumerable.Range(0, count).Select(i => kind switch
        {
            "near copies" => Plus(one, Normal(random, dimensions), 1e-4f),
            "half copies" => i % 2 == 0 ? one : Normal(random, dimensions),
            "line" => Plus(one, step, i / (float)count),
            "clusters" => Plus(i % 7 == 0 ? one : step, Normal(random, dimensions), 0.01f),
            _ => Plus(one, step, (float)Math.Tan((i + 1) * Math.PI / 2.1 / count)),
        })];
    }

    private static float[] Plus(float[] a, float[] b, float share) => [.. a.Zip(b, (x, y) => x + (share * y))];
}
