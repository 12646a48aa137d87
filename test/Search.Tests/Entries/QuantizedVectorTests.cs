using Jackdaw.Search.Entries;

namespace Jackdaw.Search.Tests.Entries;

/// <summary>Vectors that helpers of clients have made of floats are compared as if the index had made them.</summary>
public sealed class QuantizedVectorTests
{
    private const int Seed = 5;
    private const double Rounding = 1e-9;

    private static readonly VectorSettings s_bytes = new() { Source = EmbeddingType.Int8, Destination = EmbeddingType.Int8 };
    private static readonly VectorSettings s_bits = new() { Source = EmbeddingType.Binary, Destination = EmbeddingType.Binary };

    // What npm client 7.2.6 makes.
    [Fact]
    public void Helpers_OfTheTest_MakeWhatTheClientsMake()
    {
        Assert.Equal([109, 127, 102, 102, -10, 64], Int8Of([6.6f, 7.7f]));
        Assert.Equal([-127, 64, 0, 0, 0, 0, 63], Int8Of([-0.5f, 0.25f, 0]));
        Assert.Equal([0b1010_0000], Int1Of([1, -1, 0]));
        Assert.Equal([0b0111_1111, 0b1000_0000], Int1Of([-1, 1, 1, 1, 1, 1, 1, 1, 1]));
    }

    [Theory]
    [InlineData(true, EmbeddingType.Int8)]
    [InlineData(false, EmbeddingType.Int8)]
    [InlineData(true, EmbeddingType.Binary)]
    public void Bytes_WithTheirScale_CompareAsThoseThatTheIndexMakes(bool saysDimensions, EmbeddingType destination)
    {
        var random = new Random(Seed);
        foreach (int dimensions in (int[])[1, 2, 3, 8, 100, 768, 1536, 4096])
        {
            float[][] floats = [.. Enumerable.Range(0, 6).Select(i => Floats(random, dimensions, (float)Math.Pow(10, i - 3)))];
            VectorSettings settings = s_bytes with { Destination = destination, Dimensions = saysDimensions ? dimensions : null };
            var made = new VectorSettings { Destination = EmbeddingType.Int8 };
            foreach (float[] one in floats)
            {
                foreach (float[] other in floats)
                {
                    double expected = destination == EmbeddingType.Int8
                        ? Cosine(Embedding.Of(Doubles(one), made), Embedding.Of(Doubles(other), made))
                        : Cosine(Signs(Int8Of(one)[..dimensions]), Signs(Int8Of(other)[..dimensions]));
                    double cosine = Cosine(Embedding.Of(Int8Of(one), settings), Embedding.Of(Int8Of(other), settings));
                    Assert.True(Math.Abs(expected - cosine) < Tolerance(dimensions), $"seed {Seed}, {dimensions} dimensions: {expected}, {cosine}");
                }
            }
        }
    }

    [Fact]
    public void Bytes_OfOneField_HaveOneLengthWhetherTheyLookScaledOrNot()
    {
        var random = new Random(Seed);
        int changed = 0;
        for (int i = 0; i < 20_000; i++)
        {
            double[] numbers = [.. Enumerable.Range(0, 12).Select(_ => (double)random.Next(-128, 128))];
            Assert.Equal(12, Embedding.Of(numbers, s_bytes).Length);
            Assert.Equal(numbers, Doubles(Embedding.Of(numbers, s_bytes with { Dimensions = 12 })));
            changed += numbers.SequenceEqual(Doubles(Embedding.Of(numbers, s_bytes))) ? 0 : 1;
        }

        Assert.InRange(changed, 1, 400); // 8 % of them reach 127 where they must, and a fourteenth of these look scaled.
    }

    [Fact]
    public void Bits_PackedFromEitherEnd_CompareAsTheSignsOfTheFloats()
    {
        var random = new Random(Seed);
        var made = new VectorSettings { Destination = EmbeddingType.Binary };
        foreach (int dimensions in (int[])[8, 64, 1536, 4096])
        {
            float[][] floats = [.. Enumerable.Range(0, 6).Select(_ => Floats(random, dimensions, 1))];
            floats[0][dimensions / 2] = 0;
            foreach (float[] one in floats)
            {
                foreach (float[] other in floats)
                {
                    double expected = Cosine(Embedding.Of(Doubles(one), made), Embedding.Of(Doubles(other), made));
                    Assert.Equal(expected, Cosine(Embedding.Of(Int1Of(one), s_bits), Embedding.Of(Int1Of(other), s_bits)), Rounding);
                    Assert.Equal(expected, Cosine(Embedding.Of(Turned(Int1Of(one)), s_bits), Embedding.Of(Turned(Int1Of(other)), s_bits)), Rounding);
                }
            }
        }
    }

    // A number in the middle of two bytes may be rounded to either.
    private static double Tolerance(int dimensions) => dimensions < 3 ? 0.01 : 0.002;

    private static float[] Floats(Random random, int dimensions, float size) =>
        [.. Enumerable.Range(0, dimensions).Select(_ => size * (random.NextSingle() - 0.4f))];

    private static double[] Int8Of(float[] floats)
    {
        float greatest = floats.Max(MathF.Abs);
        double[] scale = [.. BitConverter.GetBytes(greatest).Select(one => (double)(sbyte)one)];
        return [.. floats.Select(number => Math.Floor((number * (127.0 / greatest)) + 0.5)), .. scale];
    }

    private static double[] Int1Of(float[] floats) =>
        [.. floats.Chunk(8).Select(eight => eight.Select((number, i) => number >= 0 ? 128 >> i : 0).Sum()).Select(one => (double)one)];

    private static double[] Turned(double[] bytes) =>
        [.. bytes.Select(one => (double)Enumerable.Range(0, 8).Sum(bit => ((int)one >> bit & 1) << (7 - bit)))];

    private static float[] Signs(double[] numbers) => [.. numbers.Select(number => number >= 0 ? 1f : -1)];

    private static double[] Doubles(float[] numbers) => [.. numbers.Select(number => (double)number)];

    private static double Cosine(float[] one, float[] other)
    {
        double product = one.Zip(other, (a, b) => (double)a * b).Sum();
        return product / Math.Sqrt(one.Sum(number => (double)number * number) * other.Sum(number => (double)number * number));
    }
}
