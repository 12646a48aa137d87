using System.Numerics;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace Jackdaw.Client.Vectors;

/// <summary>Vectors as they are in documents.</summary>
/// <remarks>The types of numbers are listed, so that a program that was compiled ahead of time has the code for each.</remarks>
internal sealed class EmbeddingVectorJson : JsonConverterFactory
{
    public override bool CanConvert(Type typeToConvert) =>
        typeToConvert.IsGenericType && typeToConvert.GetGenericTypeDefinition() == typeof(EmbeddingVector<>);

    public override JsonConverter CreateConverter(Type typeToConvert, JsonSerializerOptions options) =>
        typeToConvert == typeof(EmbeddingVector<float>) ? new EmbeddingVectorJson<float>()
        : typeToConvert == typeof(EmbeddingVector<sbyte>) ? new EmbeddingVectorJson<sbyte>()
        : typeToConvert == typeof(EmbeddingVector<byte>) ? new EmbeddingVectorJson<byte>()
        : typeToConvert == typeof(EmbeddingVector<double>) ? new EmbeddingVectorJson<double>()
        : typeToConvert == typeof(EmbeddingVector<Half>) ? new EmbeddingVectorJson<Half>()
        : throw new NotSupportedException(
            $"An EmbeddingVector of {typeToConvert.GetGenericArguments()[0].Name} cannot be stored. The numbers of a vector are float, double or Half, "
            + "or sbyte for Int8, or byte for Binary.");
}

/// <summary>Vectors of one type of numbers.</summary>
internal sealed class EmbeddingVectorJson<T> : JsonConverter<EmbeddingVector<T>> where T : unmanaged, INumber<T>
{
    public override EmbeddingVector<T> Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) => reader.TokenType switch
    {
        JsonTokenType.StartArray => new EmbeddingVector<T>(VectorText.ReadNumbers<T>(ref reader)),
        JsonTokenType.String => new EmbeddingVector<T>(VectorText.ReadBase64<T>(ref reader)),
        JsonTokenType.StartObject => ReadObject(ref reader),
        _ => throw NoVector(),
    };

    public override void Write(Utf8JsonWriter writer, EmbeddingVector<T> value, JsonSerializerOptions options)
    {
        writer.WriteStartObject();
        writer.WritePropertyName("@vector"u8);
        VectorText.WriteNumbers<T>(writer, value.Embedding);
        writer.WriteEndObject();
    }

    private static EmbeddingVector<T> ReadObject(ref Utf8JsonReader reader)
    {
        if (!reader.Read() || reader.TokenType != JsonTokenType.PropertyName || !reader.ValueTextEquals("@vector"u8) || !reader.Read())
        {
            throw NoVector();
        }

        T[] numbers = reader.TokenType switch
        {
            JsonTokenType.StartArray => VectorText.ReadNumbers<T>(ref reader),
            JsonTokenType.String => VectorText.ReadBase64<T>(ref reader),
            _ => throw NoVector(),
        };
        return reader.Read() && reader.TokenType == JsonTokenType.EndObject ? new EmbeddingVector<T>(numbers) : throw NoVector();
    }

    private static JsonException NoVector() =>
        new("""A vector is {"@vector":[...]}, an array of numbers, or a text in base64.""");
}
