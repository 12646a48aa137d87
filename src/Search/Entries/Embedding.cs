using System.Runtime.InteropServices;

namespace Jackdaw.Search.Entries;

/// <summary>Turns the numbers of a document or a query into the vector that a field keeps and compares.</summary>
public static class Embedding
{
    /// <summary>The most numbers of a vector.</summary>
    public const int DimensionsMax = 4096;

    /// <summary>The most vectors that an entry may have in a field, and a condition may search for. More are a mistake, and would make one document as large
    /// as an index.</summary>
    public const int VectorsMax = 1000;

    private const float Int8Max = 127;
    private const int BitsPerByte = 8;

    /// <summary>The vector of numbers.</summary>
    /// <param name="numbers">As many as the source type of the field has for a vector.</param>
    /// <exception cref="FormatException">The numbers are not a vector of this field. The message says why.</exception>
    public static float[] Of(ReadOnlySpan<double> numbers, VectorSettings settings)
    {
        CheckLength(settings.Source == EmbeddingType.Binary ? numbers.Length * (long)BitsPerByte : numbers.Length);
        float[] vector = settings.Source switch
        {
            EmbeddingType.Int8 => WholeNumbers(numbers),
            EmbeddingType.Binary => Bits(numbers),
            _ => Singles(numbers),
        };
        return Checked(vector, settings);
    }

    /// <summary>The vector of a base64 text: floats of 32 bits in little-endian order, signed bytes, or bytes of bits.</summary>
    /// <exception cref="FormatException">The text is not a vector of this field. The message says why.</exception>
    public static float[] OfBase64(string text, VectorSettings settings)
    {
        byte[] bytes = new byte[(text.Length / 4 * 3) + 3];
        if (text.Length > DimensionsMax * sizeof(float) * 2 || !Convert.TryFromBase64String(text, bytes, out int count))
        {
            throw new FormatException($"A vector is a list of numbers or a base64 text of up to {DimensionsMax:N0} numbers, not {Shorten(text)}.");
        }

        if (settings.Source == EmbeddingType.Single && count % sizeof(float) != 0)
        {
            throw new FormatException($"A base64 text with numbers of 32 bits has 4 bytes for each; this one has {count} bytes.");
        }

        double[] numbers = settings.Source switch
        {
            EmbeddingType.Int8 => [.. bytes.Take(count).Select(value => (double)(sbyte)value)],
            EmbeddingType.Binary => [.. bytes.Take(count).Select(value => (double)value)],
            _ => [.. MemoryMarshal.Cast<byte, float>(bytes.AsSpan(0, count)).ToArray().Select(value => (double)value)],
        };
        return Of(numbers, settings);
    }

    /// <exception cref="FormatException">A vector cannot have this number of dimensions.</exception>
    public static void CheckLength(long dimensions)
    {
        if (dimensions is 0 or > DimensionsMax)
        {
            throw new FormatException($"A vector has 1 to {DimensionsMax:N0} dimensions, not {dimensions:N0}.");
        }
    }

    private static float[] Singles(ReadOnlySpan<double> numbers)
    {
        float[] vector = new float[numbers.Length];
        for (int i = 0; i < vector.Length; i++)
        {
            vector[i] = (float)numbers[i];
            if (!float.IsFinite(vector[i]))
            {
                throw new FormatException($"Number {i + 1} of the vector is {numbers[i]}, but numbers of 32 bits reach from -3.4e38 to 3.4e38.");
            }
        }

        return vector;
    }

    private static float[] WholeNumbers(ReadOnlySpan<double> numbers)
    {
        float[] vector = new float[numbers.Length];
        for (int i = 0; i < vector.Length; i++)
        {
            vector[i] = numbers[i] is >= sbyte.MinValue and <= sbyte.MaxValue && double.IsInteger(numbers[i])
                ? (float)numbers[i]
                : throw new FormatException($"Number {i + 1} of the vector is {numbers[i]}, but a vector of type Int8 has whole numbers from -128 to 127.");
        }

        return vector;
    }

    private static float[] Bits(ReadOnlySpan<double> numbers)
    {
        float[] vector = new float[numbers.Length * BitsPerByte];
        for (int i = 0; i < numbers.Length; i++)
        {
            if (numbers[i] is not (>= 0 and <= byte.MaxValue) || !double.IsInteger(numbers[i]))
            {
                throw new FormatException($"Number {i + 1} of the vector is {numbers[i]}, but a vector of type Binary has bytes from 0 to 255.");
            }

            for (int bit = 0; bit < BitsPerByte; bit++)
            {
                vector[(i * BitsPerByte) + bit] = ((int)numbers[i] >> bit & 1) == 1 ? 1 : -1;
            }
        }

        return vector;
    }

    private static float[] Checked(float[] vector, VectorSettings settings)
    {
        if (settings.Dimensions is { } dimensions && vector.Length != dimensions)
        {
            throw new FormatException($"The vector has {vector.Length} dimensions, but those of the field have {dimensions}.");
        }

        if (!vector.AsSpan().ContainsAnyExcept(0f))
        {
            throw new FormatException("All numbers of the vector are 0, so that it has no direction to compare.");
        }

        return settings.Destination == settings.Source ? vector : Convert32(vector, settings.Destination);
    }

    private static float[] Convert32(float[] vector, EmbeddingType destination)
    {
        double largest = vector.Max(Math.Abs);
        for (int i = 0; i < vector.Length && destination != EmbeddingType.Single; i++)
        {
            vector[i] = destination == EmbeddingType.Int8
                ? (float)Math.Round(vector[i] / largest * Int8Max)
                : vector[i] > 0 ? 1 : -1;
        }

        return vector;
    }

    private static string Shorten(string text) => text.Length <= 40 ? $"'{text}'" : $"'{text[..40]}...'";
}
