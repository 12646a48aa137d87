using System.Buffers;
using System.Globalization;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text.Json;

namespace Jackdaw.Client.Vectors;

/// <summary>Something that is an array of numbers in a query.</summary>
internal interface IVectorText
{
    void WriteNumbers(Utf8JsonWriter json);
}

/// <summary>Numbers of vectors in JSON: one after another, without boxes and without metadata of their type.</summary>
internal static class VectorText
{
    public static void WriteNumbers<T>(Utf8JsonWriter json, ReadOnlySpan<T> numbers) where T : unmanaged, INumber<T>
    {
        json.WriteStartArray();
        foreach (T number in numbers)
        {
            if (!T.IsFinite(number))
            {
                throw new JsonException($"The numbers of a vector are finite: {number.ToString(null, CultureInfo.InvariantCulture)} is not.");
            }

            if (typeof(T) == typeof(float) || typeof(T) == typeof(Half))
            {
                json.WriteNumberValue(float.CreateTruncating(number));
            }
            else if (typeof(T) == typeof(double))
            {
                json.WriteNumberValue(double.CreateTruncating(number));
            }
            else
            {
                json.WriteNumberValue(int.CreateChecked(number));
            }
        }

        json.WriteEndArray();
    }

    /// <summary>The numbers of an array. The reader stands at its beginning, and then at its end.</summary>
    /// <exception cref="JsonException">One of them is not a number of this type; the message says which.</exception>
    public static T[] ReadNumbers<T>(ref Utf8JsonReader reader) where T : unmanaged, INumber<T>
    {
        T[] buffer = ArrayPool<T>.Shared.Rent(1024);
        int count = 0;
        try
        {
            while (reader.Read() && reader.TokenType != JsonTokenType.EndArray)
            {
                if (count == buffer.Length)
                {
                    buffer = Grown(buffer);
                }

                buffer[count] = ReadNumber<T>(ref reader, count);
                count++;
            }

            return buffer.AsSpan(0, count).ToArray();
        }
        finally
        {
            ArrayPool<T>.Shared.Return(buffer);
        }
    }

    /// <summary>The numbers of a text in base64: the bytes of each, the lowest first.</summary>
    /// <exception cref="JsonException">It is not such a text.</exception>
    public static T[] ReadBase64<T>(ref Utf8JsonReader reader) where T : unmanaged, INumber<T>
    {
        if (!reader.TryGetBytesFromBase64(out byte[]? bytes) || bytes.Length % Unsafe.SizeOf<T>() != 0)
        {
            throw new JsonException($"A vector is an array of numbers, or the bytes of {typeof(T).Name} numbers in base64.");
        }

        return MemoryMarshal.Cast<byte, T>(bytes).ToArray();
    }

    private static T[] Grown<T>(T[] full)
    {
        T[] larger = ArrayPool<T>.Shared.Rent(full.Length * 2);
        full.CopyTo(larger.AsSpan());
        ArrayPool<T>.Shared.Return(full);
        return larger;
    }

    private static T ReadNumber<T>(ref Utf8JsonReader reader, int position) where T : unmanaged, INumber<T>
    {
        if (reader.TokenType != JsonTokenType.Number)
        {
            throw new JsonException($"A vector consists of numbers: at position {position} is a {reader.TokenType}.");
        }

        if (typeof(T) == typeof(float) && reader.TryGetSingle(out float single) && float.IsFinite(single))
        {
            return T.CreateTruncating(single);
        }

        double read = reader.GetDouble();
        T number = T.CreateSaturating(read);
        bool isWhole = T.IsInteger(T.One / (T.One + T.One));
        return T.IsFinite(number) && (!isWhole || double.CreateTruncating(number) == read)
            ? number
            : throw new JsonException(
                $"The number at position {position} of a vector, {read.ToString(CultureInfo.InvariantCulture)}, is not a {typeof(T).Name}.");
    }
}
