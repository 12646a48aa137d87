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
}
