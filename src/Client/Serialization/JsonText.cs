using System.Buffers;
using System.Text.Json;

namespace Jackdaw.Client.Serialization;

/// <summary>Writes complete JSON texts: bodies of requests, and values as they would be read back.</summary>
internal static class JsonText
{
    /// <summary>Text of an object.</summary>
    /// <param name="write">Writes its members.</param>
    public static ReadOnlyMemory<byte> Object(Action<Utf8JsonWriter> write) => Value(json =>
    {
        json.WriteStartObject();
        write(json);
        json.WriteEndObject();
    });

    /// <summary>Text of any value.</summary>
    public static ReadOnlyMemory<byte> Value(Action<Utf8JsonWriter> write)
    {
        var text = new ArrayBufferWriter<byte>(256);
        using (var json = new Utf8JsonWriter(text))
        {
            write(json);
        }

        return text.WrittenMemory;
    }

    /// <summary>Writes a member that is a list of texts.</summary>
    public static void WriteTexts(Utf8JsonWriter json, ReadOnlySpan<byte> name, IEnumerable<string> texts)
    {
        json.WriteStartArray(name);
        foreach (string text in texts)
        {
            json.WriteStringValue(text);
        }

        json.WriteEndArray();
    }

    /// <summary>A value as it would be read back.</summary>
    public static JsonElement Element(Action<Utf8JsonWriter> write)
    {
        var reader = new Utf8JsonReader(Value(write).Span);
        return JsonElement.ParseValue(ref reader);
    }
}
