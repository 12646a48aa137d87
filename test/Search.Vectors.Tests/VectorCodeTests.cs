using Jackdaw.Search.Vectors.Codes;

namespace Jackdaw.Search.Vectors.Tests;

public sealed unsafe class VectorCodeTests
{
    public static TheoryData<string, int> Forms()
    {
        var forms = new TheoryData<string, int>();
        foreach (int dimensions in (int[])[1, 2, 7, 8, 15, 16, 17, 31, 63, 64, 65, 100, 255, 256, 384, 768, 1000, 1024, 1536, 4095, 4096])
        {
            forms.Add("bytes", dimensions);
            forms.Add("int8", dimensions);
            forms.Add("binary", dimensions);
            if (dimensions >= 256)
            {
                forms.Add("signs", dimensions);
            }
        }

        return forms;
    }

    [Theory]
    [MemberData(nameof(Forms))]
    public void Distance_OfTwoVectors_IsNearTheirCosine(string form, int dimensions)
    {
        var random = new Random(dimensions);
        VectorCode code = CodeOf(form, dimensions);
        double allowed = code.IsExact ? 1e-6 : form == "bytes" ? 0.02 : 5 / Math.Sqrt(dimensions);
        double sum = 0;
        for (int i = 0; i < 50; i++)
        {
            float[] a = Kept(form, RandomVectors.Normal(random, dimensions));
            double share = random.NextDouble();
            float[] b = Kept(form, [.. RandomVectors.Normal(random, dimensions).Zip(a, (x, y) => (float)((share * x) + ((1 - share) * y)))]);
            double expected = 1 - RandomVectors.Cosine(a, b);

            Assert.Equal(expected, Distance(code, a, b), allowed);
            Assert.Equal(expected, DistanceBetween(code, a, b), allowed * 1.5);
            sum += Distance(code, a, b) - expected;
        }

        Assert.Equal(0, sum / 50, allowed / 5); // No distances are too large on the whole, and none too small.
    }

    [Theory]
    [MemberData(nameof(Forms))]
    public void Distance_OfAVector_IsNotNearerToAnotherThanToItself(string form, int dimensions)
    {
        var random = new Random(dimensions + 1);
        VectorCode code = CodeOf(form, dimensions);
        for (int i = 0; i < 20; i++)
        {
            float[] a = Kept(form, RandomVectors.Normal(random, dimensions));
            float[] b = Kept(form, RandomVectors.Normal(random, dimensions));
            Assert.True(DistanceBetween(code, a, a) <= DistanceBetween(code, a, b) + 1e-6);
        }
    }

    [Theory]
    [InlineData("int8", 1)]
    [InlineData("int8", 33)]
    [InlineData("binary", 1)]
    [InlineData("binary", 64)]
    [InlineData("binary", 65)]
    public void Decode_OfAnExactCode_GivesTheVector(string form, int dimensions)
    {
        VectorCode code = CodeOf(form, dimensions);
        float[] vector = Kept(form, RandomVectors.Normal(new Random(dimensions), dimensions));
        float[] decoded = new float[dimensions];
        byte[] bytes = new byte[code.Size];
        fixed (float* from = vector, to = decoded)
        fixed (byte* stored = bytes)
        {
            code.Encode(from, stored);
            code.Decode(stored, to);
        }

        Assert.Equal(vector, decoded);
    }

    [Theory]
    [InlineData(256)]
    [InlineData(300)]
    [InlineData(768)]
    [InlineData(1024)]
    [InlineData(4095)]
    public void Apply_OfARotation_KeepsLengthsAndAngles_AndSpreadsOneNumber(int dimensions)
    {
        var rotation = new Rotation(dimensions, seed: 7);
        float[] a = RandomVectors.Normal(new Random(1), dimensions);
        float[] b = RandomVectors.Normal(new Random(2), dimensions);
        float[] one = new float[dimensions];
        one[dimensions / 2] = 1;

        Assert.Equal(RandomVectors.Cosine(a, b), RandomVectors.Cosine(Rotate(rotation, a), Rotate(rotation, b)), 1e-5);
        Assert.Equal(1, Rotate(rotation, one).Sum(number => (double)number * number), 1e-5);
        Assert.True(Rotate(rotation, one).Max(Math.Abs) < 8 / Math.Sqrt(dimensions));
    }

    private static float[] Rotate(Rotation rotation, float[] vector)
    {
        float[] rotated = new float[vector.Length];
        fixed (float* from = vector, to = rotated)
        {
            rotation.Apply(from, to);
        }

        return rotated;
    }

    private static VectorCode CodeOf(string form, int dimensions) => form switch
    {
        "signs" => new SignCode(dimensions, seed: 5),
        "binary" => new BinaryCode(dimensions),
        _ => new Int8Code(dimensions, isExact: form == "int8"),
    };

    // The numbers that a graph with such codes keeps.
    private static float[] Kept(string form, float[] vector)
    {
        float largest = vector.Max(Math.Abs);
        float[] kept = new float[vector.Length];
        UnitVector.Write(vector, kept);
        return form switch
        {
            "int8" => [.. vector.Select(number => MathF.Round(number / largest * 127))],
            "binary" => [.. vector.Select(number => number > 0 ? 1f : -1f)],
            _ => kept,
        };
    }

    private static float Distance(VectorCode code, float[] query, float[] vector)
    {
        byte[] first = new byte[code.QuerySize], second = new byte[code.Size];
        fixed (float* a = query, b = vector)
        fixed (byte* x = first, y = second)
        {
            code.EncodeQuery(a, x);
            code.Encode(b, y);
            return code.Distance(x, y);
        }
    }

    private static float DistanceBetween(VectorCode code, float[] vector, float[] other)
    {
        byte[] first = new byte[code.Size], second = new byte[code.Size];
        fixed (float* a = vector, b = other)
        fixed (byte* x = first, y = second)
        {
            code.Encode(a, x);
            code.Encode(b, y);
            return code.DistanceBetween(x, y);
        }
    }
}
