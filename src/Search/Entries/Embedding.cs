using System.Buffers.Binary;

namespace Jackdaw.Search.Entries;

/// <summary>Turns the numbers of a document or a query into the vector that a field keeps and compares. Its messages begin in lower case, because callers put
/// the name of the field or the place in the query before them.</summary>
public static class Embedding
{
    /// <summary>The most numbers of a vector.</summary>
    public const int DimensionsMax = 4096;

    /// <summary>The most vectors that a document may have in a field, and a condition may search for. More are a mistake, and would make one document as large
    /// as an index.</summary>
    public const int VectorsMax = 1000;

    private const float Int8Max = 127;
    private const int BitsPerByte = 8;

    /// <summary>The most characters of a text that a message shows.</summary>
    private const int ShownMax = 40;

    /// <summary>The vector of numbers.</summary>
    /// <param name="numbers">As many as the source type of the field has for a vector.</param>
    /// <exception cref="FormatException">The numbers are not a vector of this field. The message says why.</exception>
    public static float[] Of(ReadOnlySpan<double> numbers, VectorSettings settings)
    {
        ArgumentNullException.ThrowIfNull(settings);
        float[] vector = settings.Source switch
        {
            EmbeddingType.Int8 => AppendedScale.Remove(WholeNumbers(OfLength(numbers, AppendedScale.Bytes)), settings.Dimensions),
            EmbeddingType.Binary => Bits(OfLength(numbers, 0, BitsPerByte)),
            _ => Singles(OfLength(numbers)),
        };
        CheckLength(vector.Length);
        if (settings.Dimensions is { } dimensions && vector.Length != dimensions)
        {
            throw new FormatException($"the vector has {Count(vector.Length)}, but the vectors of the field have {dimensions:N0}.");
        }

        return vector.AsSpan().ContainsAnyExcept(0f)
            ? Keep(vector, settings)
            : throw new FormatException("all numbers of the vector are 0, so that it has no direction to compare.");
    }

    /// <summary>The vector of a base64 text: floats of 32 bits in little-endian order, signed bytes, or bytes of bits.</summary>
    /// <exception cref="FormatException">The text is not a vector of this field. The message says why.</exception>
    public static float[] OfBase64(string text, VectorSettings settings)
    {
        ArgumentNullException.ThrowIfNull(text);
        ArgumentNullException.ThrowIfNull(settings);
        byte[] bytes = new byte[(text.Length / 4 * 3) + 3];
        if (text.Length > DimensionsMax * sizeof(float) * 2 || !Convert.TryFromBase64String(text, bytes, out int count))
        {
            throw new FormatException($"a text that stands for a vector is base64 of up to {DimensionsMax:N0} numbers, not {Shorten(text)}.");
        }

        int size = settings.Source == EmbeddingType.Single ? sizeof(float) : 1;
        if (count % size != 0)
        {
            throw new FormatException($"a vector in base64 has 4 bytes for each number of 32 bits, and this one has {count:N0} bytes.");
        }

        double[] numbers = new double[count / size];
        for (int i = 0; i < numbers.Length; i++)
        {
            numbers[i] = settings.Source switch
            {
                EmbeddingType.Int8 => (sbyte)bytes[i],
                EmbeddingType.Binary => bytes[i],
                _ => BinaryPrimitives.ReadSingleLittleEndian(bytes.AsSpan(i * sizeof(float))),
            };
        }

        return Of(numbers, settings);
    }

    /// <summary>A number of dimensions, for messages.</summary>
    public static string Count(int dimensions) => dimensions == 1 ? "1 dimension" : $"{dimensions:N0} dimensions";

    /// <summary>Checks how many numbers there are, before anything is made of them.</summary>
    /// <exception cref="FormatException">No vector has this number of them.</exception>
    public static void CheckNumbers(long numbers) => CheckLength(numbers > DimensionsMax + AppendedScale.Bytes ? numbers : Math.Min(numbers, DimensionsMax));

    private static float[] Singles(ReadOnlySpan<double> numbers)
    {
        float[] vector = new float[numbers.Length];
        for (int i = 0; i < vector.Length; i++)
        {
            vector[i] = (float)numbers[i];
            if (!float.IsFinite(vector[i]))
            {
                throw Wrong(i, numbers[i], "a vector has finite numbers of 32 bits, which reach from -3.4e38 to 3.4e38");
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
                : throw Wrong(i, numbers[i], "a vector of type Int8 has whole numbers from -128 to 127");
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
                throw Wrong(i, numbers[i], "a vector of type Binary has bytes from 0 to 255");
            }

            for (int bit = 0; bit < BitsPerByte; bit++)
            {
                vector[(i * BitsPerByte) + bit] = ((int)numbers[i] >> bit & 1) == 1 ? 1 : -1;
            }
        }

        return vector;
    }

    // As the helpers of clients make whole numbers and bits: by the ratio to the greatest, and 0 is a bit that is set.
    private static float[] Keep(float[] vector, VectorSettings settings)
    {
        if (settings.Destination == settings.Source)
        {
            return vector;
        }

        double largest = vector.Max(Math.Abs);
        for (int i = 0; i < vector.Length; i++)
        {
            vector[i] = settings.Destination switch
            {
                EmbeddingType.Int8 => (float)Math.Round(vector[i] / largest * Int8Max),
                EmbeddingType.Binary => vector[i] >= 0 ? 1 : -1,
                _ => vector[i],
            };
        }

        return vector;
    }

    // Before anything is made of the numbers, so that a long list takes no memory.
    private static ReadOnlySpan<double> OfLength(ReadOnlySpan<double> numbers, int more = 0, int each = 1)
    {
        if (numbers.Length * (long)each > DimensionsMax + more)
        {
            CheckLength(numbers.Length * (long)each);
        }

        return numbers;
    }

    private static void CheckLength(long dimensions)
    {
        if (dimensions is 0 or > DimensionsMax)
        {
            throw new FormatException($"a vector has 1 to {DimensionsMax:N0} dimensions, and this one has {dimensions:N0}.");
        }
    }

    private static FormatException Wrong(int index, double number, string expected) => new($"number {index + 1:N0} of the vector is {number}, but {expected}.");

    private static string Shorten(string text) => text.Length <= ShownMax ? $"'{text}'" : $"'{text[..ShownMax]}...'";
}
