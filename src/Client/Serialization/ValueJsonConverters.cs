using System.Buffers;
using System.Globalization;
using System.Numerics;
using System.Text;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace Jackdaw.Client.Serialization;

/// <summary>Whole numbers of any length, which are numbers in JSON, too.</summary>
internal sealed class BigIntegerJsonConverter : JsonConverter<BigInteger>
{
    private const NumberStyles Style = NumberStyles.AllowLeadingSign | NumberStyles.AllowExponent | NumberStyles.AllowDecimalPoint;

    public override BigInteger Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
    {
        string? text = reader.TokenType switch
        {
            JsonTokenType.Number => Encoding.UTF8.GetString(reader.HasValueSequence ? reader.ValueSequence.ToArray() : reader.ValueSpan),
            JsonTokenType.String => reader.GetString(),
            _ => null,
        };
        return Of(text);
    }

    public override void Write(Utf8JsonWriter writer, BigInteger value, JsonSerializerOptions options) => writer.WriteRawValue(TextOf(value));

    public override BigInteger ReadAsPropertyName(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) => Of(reader.GetString());

    public override void WriteAsPropertyName(Utf8JsonWriter writer, BigInteger value, JsonSerializerOptions options) => writer.WritePropertyName(TextOf(value));

    private static string TextOf(BigInteger value) => value.ToString(CultureInfo.InvariantCulture);

    private static BigInteger Of(string? text) =>
        BigInteger.TryParse(text, Style, CultureInfo.InvariantCulture, out BigInteger value)
            ? value
            : throw new JsonException($"'{text}' is not a whole number.");
}

/// <summary>The text in a <see cref="StringBuilder"/>. The serializer would write how much it can hold.</summary>
internal sealed class TextBuilderJsonConverter : JsonConverter<StringBuilder>
{
    public override StringBuilder? Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) => new(reader.GetString());

    public override void Write(Utf8JsonWriter writer, StringBuilder value, JsonSerializerOptions options) => writer.WriteStringValue(value.ToString());
}
