using System.Text.Json;
using Jackdaw.Documents.CompareExchange;

namespace Jackdaw.Documents.Reading;

/// <summary>Writes compare exchange values as clients read them.</summary>
internal static class CompareExchangeEntries
{
    /// <param name="key">The key in the answer.</param>
    /// <param name="changeVector">Null when it has none.</param>
    public static void Write(Utf8JsonWriter json, ReadOnlySpan<byte> key, CompareExchangeRow row, string? changeVector = null)
    {
        json.WriteStartObject();
        json.WriteString("Key"u8, key);
        json.WriteNumber("Index"u8, row.Index);
        WriteValue(json, row.Value);
        json.WriteString("ChangeVector"u8, changeVector);
        json.WriteEndObject();
    }

    /// <summary>Writes that there is no value, which clients recognise by the index.</summary>
    public static void WriteMissing(Utf8JsonWriter json, string key)
    {
        json.WriteStartObject();
        json.WriteString("Key"u8, key);
        json.WriteNumber("Index"u8, -1);
        json.WriteNull("Value"u8);
        json.WriteEndObject();
    }

    /// <param name="value">Empty when there is none.</param>
    public static void WriteValue(Utf8JsonWriter json, ReadOnlySpan<byte> value)
    {
        json.WritePropertyName("Value"u8);
        json.WriteRawValue(value.IsEmpty ? "null"u8 : value, skipInputValidation: true);
    }
}
