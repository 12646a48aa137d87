using System.Globalization;
using System.Runtime.InteropServices;
using Jackdaw.Search.Entries;

namespace Jackdaw.Search.Tests.Entries;

/// <summary>The vectors of all types of numbers, in all forms, at all lengths, against the rules as they are written for users.</summary>
public sealed class EmbeddingTests
{
    private const int Seed = 11;
    private const double Rounding = 1e-6;

    private static readonly int[] s_lengths = [1, 2, 3, 7, 8, 9, 16, 100, 511];

    public static TheoryData<EmbeddingType, EmbeddingType> Types => new()
    {
        { EmbeddingType.Single, EmbeddingType.Single },
        { EmbeddingType.Single, EmbeddingType.Int8 },
        { EmbeddingType.Single, EmbeddingType.Binary },
        { EmbeddingType.Int8, EmbeddingType.Int8 },
        { EmbeddingType.Int8, EmbeddingType.Binary },
        { EmbeddingType.Binary, EmbeddingType.Binary },
    };

    [Theory]
    [MemberData(nameof(Types))]
    public void Vector_OfNumbersAndOfBase64_IsWhatTheTypesSay(EmbeddingType source, EmbeddingType destination)
    {
        var settings = new VectorSettings { Source = source, Destination = destination };
        var random = new Random(Seed);
        foreach (int length in source == EmbeddingType.Binary ? s_lengths : [.. s_lengths, Embedding.DimensionsMax])
        {
            foreach (double[] numbers in Written(source, length, random))
            {
                float[] vector = Embedding.Of(numbers, settings);
                AssertKept(numbers, vector, settings);
                Assert.Equal(vector, Embedding.OfBase64(Base64(numbers, source), settings));
                Assert.Equal(vector, Embedding.Of(numbers, settings with { Dimensions = vector.Length }));
            }
        }
    }

    [Theory]
    [InlineData(EmbeddingType.Single, 0, "1 to 4,096 dimensions, and this one has 0")]
    [InlineData(EmbeddingType.Single, 4097, "1 to 4,096 dimensions, and this one has 4,097")]
    [InlineData(EmbeddingType.Single, 100_000, "1 to 4,096 dimensions, and this one has 100,000")]
    [InlineData(EmbeddingType.Int8, 0, "1 to 4,096 dimensions, and this one has 0")]
    [InlineData(EmbeddingType.Int8, 4097, "1 to 4,096 dimensions, and this one has 4,097")]
    [InlineData(EmbeddingType.Int8, 4101, "1 to 4,096 dimensions, and this one has 4,101")]
    [InlineData(EmbeddingType.Binary, 0, "1 to 4,096 dimensions, and this one has 0")]
    [InlineData(EmbeddingType.Binary, 513, "1 to 4,096 dimensions, and this one has 4,104")]
    public void Vector_OfAWrongLength_IsRefused(EmbeddingType source, int length, string message)
    {
        double[] numbers = [.. Enumerable.Repeat(1.0, length)];
        var settings = new VectorSettings { Source = source, Destination = source };
        AssertRefused(message, () => Embedding.Of(numbers, settings));
        if (length < 10_000)
        {
            AssertRefused(message, () => Embedding.OfBase64(Base64(numbers, source), settings));
        }
    }

    [Theory]
    [InlineData(EmbeddingType.Single, 2, 3, "the vector has 3 dimensions, but the vectors of the field have 2.")]
    [InlineData(EmbeddingType.Single, 2, 1, "the vector has 1 dimension, but the vectors of the field have 2.")]
    [InlineData(EmbeddingType.Int8, 2, 6, "the vector has 6 dimensions, but the vectors of the field have 2.")]
    [InlineData(EmbeddingType.Int8, 2, 7, "the vector has 7 dimensions, but the vectors of the field have 2.")]
    [InlineData(EmbeddingType.Binary, 16, 1, "the vector has 8 dimensions, but the vectors of the field have 16.")]
    public void Vector_OfOtherDimensionsThanTheField_IsRefusedWithBoth(EmbeddingType source, int dimensions, int length, string message) =>
        AssertRefused(message, () => Embedding.Of(
            [.. Enumerable.Repeat(1.0, length)], new VectorSettings { Source = source, Destination = source, Dimensions = dimensions }));

    [Theory]
    [InlineData(EmbeddingType.Single, double.NaN, "number 2 of the vector is NaN, but")]
    [InlineData(EmbeddingType.Single, double.PositiveInfinity, "number 2 of the vector is Infinity, but")]
    [InlineData(EmbeddingType.Single, double.NegativeInfinity, "number 2 of the vector is -Infinity, but")]
    [InlineData(EmbeddingType.Single, 3.5e38, "number 2 of the vector is 3.5E+38, but")]
    [InlineData(EmbeddingType.Single, -1e300, "which reach from -3.4e38 to 3.4e38")]
    [InlineData(EmbeddingType.Int8, 128, "number 2 of the vector is 128, but a vector of type Int8 has whole numbers from -128 to 127")]
    [InlineData(EmbeddingType.Int8, -129, "number 2 of the vector is -129, but")]
    [InlineData(EmbeddingType.Int8, 0.5, "number 2 of the vector is 0.5, but")]
    [InlineData(EmbeddingType.Int8, double.NaN, "number 2 of the vector is NaN, but")]
    [InlineData(EmbeddingType.Binary, 256, "number 2 of the vector is 256, but a vector of type Binary has bytes from 0 to 255")]
    [InlineData(EmbeddingType.Binary, -1, "number 2 of the vector is -1, but")]
    [InlineData(EmbeddingType.Binary, 1.5, "number 2 of the vector is 1.5, but")]
    [InlineData(EmbeddingType.Binary, double.PositiveInfinity, "number 2 of the vector is Infinity, but")]
    public void Vector_WithAWrongNumber_IsRefusedWithItsPlace(EmbeddingType source, double number, string message) =>
        AssertRefused(message, () => Embedding.Of([1, number, 1], new VectorSettings { Source = source, Destination = source }));

    [Theory]
    [InlineData(EmbeddingType.Single, 0)]
    [InlineData(EmbeddingType.Single, -0.0)]
    [InlineData(EmbeddingType.Single, 1e-46)] // less than any number of 32 bits
    [InlineData(EmbeddingType.Int8, 0)]
    public void Vector_OfZeros_IsRefused(EmbeddingType source, double number) => AssertRefused(
        "all numbers of the vector are 0", () => Embedding.Of([number, number], new VectorSettings { Source = source, Destination = source }));

    [Theory]
    [InlineData("italian food", "not 'italian food'")]
    [InlineData("AAA", "not 'AAA'")]
    [InlineData("AACAPw==x", "not 'AACAPw==x'")]
    [InlineData("AACAPwA=", "4 bytes for each number of 32 bits, and this one has 5 bytes")]
    [InlineData("", "1 to 4,096 dimensions, and this one has 0")]
    public void Vector_OfABrokenText_IsRefused(string text, string message) =>
        AssertRefused(message, () => Embedding.OfBase64(text, new VectorSettings()));

    [Fact]
    public void Vector_OfALongText_IsRefusedWithItsBeginning() => AssertRefused(
        $"not '{new string('A', 40)}...'", () => Embedding.OfBase64(new string('A', 1_000_000), new VectorSettings()));

    private static void AssertRefused(string message, Action action) =>
        Assert.Contains(message, Assert.Throws<FormatException>(action).Message, StringComparison.Ordinal);

    // The rules of docs/vectors.md.
    private static void AssertKept(double[] numbers, float[] vector, VectorSettings settings)
    {
        double[] given = settings.Source == EmbeddingType.Binary
            ? [.. numbers.SelectMany(number => Enumerable.Range(0, 8).Select(bit => ((int)number >> bit & 1) == 1 ? 1.0 : -1))]
            : [.. numbers.Select(number => settings.Source == EmbeddingType.Single ? (float)number : number)];
        Assert.Equal(given.Length, vector.Length);
        double greatest = given.Max(Math.Abs);
        for (int i = 0; i < given.Length; i++)
        {
            string place = string.Create(CultureInfo.InvariantCulture, $"seed {Seed}, {settings}, {given.Length} numbers, number {i}: {given[i]}, {vector[i]}");
            bool isRight = (settings.Source, settings.Destination) switch
            {
                (EmbeddingType.Single, EmbeddingType.Int8) =>
                    float.IsInteger(vector[i]) && Math.Abs(vector[i] - (127 * given[i] / greatest)) <= 0.5 + Rounding,
                (EmbeddingType.Single or EmbeddingType.Int8, EmbeddingType.Binary) => vector[i] == (given[i] >= 0 ? 1 : -1),
                _ => vector[i] == given[i],
            };
            Assert.True(isRight, place);
        }
    }

    private static IEnumerable<double[]> Written(EmbeddingType source, int length, Random random)
    {
        double[] Make(Func<int, double> number) => [.. Enumerable.Range(0, length).Select(number)];
        switch (source)
        {
            case EmbeddingType.Binary:
                yield return Make(_ => random.Next(256));
                yield return Make(_ => 0);
                yield return Make(_ => 255);
                break;
            case EmbeddingType.Int8:
                yield return Make(i => i == 0 ? 1 : random.Next(-100, 100));
                yield return Make(_ => -128);
                yield return Make(i => i == length - 1 ? 3 : 0);
                break;
            default:
                yield return Make(_ => random.NextDouble() - 0.5);
                yield return Make(i => i % 2 == 0 ? 1e38 : -3.4e38);
                yield return Make(i => i % 3 == 0 ? 1e-45 : -1e-42); // below the least number with all its bits
                yield return Make(i => i == 0 ? 1 : i % 2 == 0 ? 0 : -0.0);
                yield return Make(i => i == 0 ? 127 : (i % 254) - 126.5); // halves
                break;
        }
    }

    private static string Base64(double[] numbers, EmbeddingType source) => Convert.ToBase64String(source switch
    {
        EmbeddingType.Int8 => [.. numbers.Select(number => (byte)(sbyte)number)],
        EmbeddingType.Binary => [.. numbers.Select(number => (byte)number)],
        _ => MemoryMarshal.AsBytes(numbers.Select(number => (float)number).ToArray().AsSpan()).ToArray(),
    });
}
