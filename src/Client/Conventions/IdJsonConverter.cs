using System.Diagnostics.CodeAnalysis;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace Jackdaw.Client.Conventions;

/// <summary>Writes an id of a type of its own as the value in it, as it would be written without the type. Objects, as the serializer would write
/// them, are read, too.</summary>
internal sealed class IdJsonConverter<TId>(IdConversion conversion) : JsonConverter<TId>
{
    public override TId? Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
    {
        if (reader.TokenType == JsonTokenType.StartObject)
        {
            while (reader.Read() && reader.TokenType == JsonTokenType.PropertyName)
            {
                reader.Read();
                TId? found = ReadValue(ref reader);
                while (reader.TokenType != JsonTokenType.EndObject && reader.Read())
                {
                }

                return found;
            }
        }

        return ReadValue(ref reader);
    }

    public override void Write(Utf8JsonWriter writer, TId value, JsonSerializerOptions options)
    {
        switch (conversion.Unwrap(value!))
        {
            case int number:
                writer.WriteNumberValue(number);
                break;
            case long number:
                writer.WriteNumberValue(number);
                break;
            case null:
                writer.WriteNullValue();
                break;
            default:
                writer.WriteStringValue(conversion.ToText(value!, ""));
                break;
        }
    }

    public override TId ReadAsPropertyName(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) => Of(reader.GetString()!);

    public override void WriteAsPropertyName(Utf8JsonWriter writer, [DisallowNull] TId value, JsonSerializerOptions options) =>
        writer.WritePropertyName(conversion.ToText(value, ""));

    private TId? ReadValue(ref Utf8JsonReader reader) => reader.TokenType switch
    {
        JsonTokenType.Null => default,
        JsonTokenType.Number => Of(reader.GetInt64().ToString(System.Globalization.CultureInfo.InvariantCulture)),
        JsonTokenType.String => Of(reader.GetString()!),
        _ => throw new JsonException($"It is not a {typeof(TId).Name}."),
    };

    private TId Of(string text) => conversion.ToId(text, "") is TId id ? id : throw new JsonException($"'{text}' is not a {typeof(TId).Name}.");
}

/// <summary>Finds types whose names end with "Id" and that wrap a GUID, a number or a text.</summary>
[UnconditionalSuppressMessage("AOT", "IL3050", Justification = "It is used with reflection only.")]
[UnconditionalSuppressMessage("Trimming", "IL2070", Justification = "It is used with reflection only.")]
[UnconditionalSuppressMessage("Trimming", "IL2075", Justification = "It is used with reflection only.")]
internal sealed class IdJsonConverters : JsonConverterFactory
{
    public override bool CanConvert(Type typeToConvert) =>
        typeToConvert.Name.EndsWith("Id", StringComparison.OrdinalIgnoreCase) && !typeToConvert.IsDefined(typeof(JsonConverterAttribute), inherit: false)
        && typeToConvert.Namespace != "System" && !typeToConvert.IsEnum && IdConversion.Find(typeToConvert) is not null;

    public override JsonConverter? CreateConverter(Type typeToConvert, JsonSerializerOptions options) =>
        (JsonConverter)typeof(IdJsonConverter<>).MakeGenericType(typeToConvert).GetConstructors()[0].Invoke([IdConversion.Find(typeToConvert)]);
}
