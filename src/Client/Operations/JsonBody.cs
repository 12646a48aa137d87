using System.Buffers;
using System.Text.Json;

namespace Jackdaw.Client.Operations;

/// <summary>Bodies of requests.</summary>
internal static class JsonBody
{
    /// <summary>An object.</summary>
    public static ReadOnlyMemory<byte> Object(Action<Utf8JsonWriter> write)
    {
        var body = new ArrayBufferWriter<byte>(256);
        using (var json = new Utf8JsonWriter(body))
        {
            json.WriteStartObject();
            write(json);
            json.WriteEndObject();
        }

        return body.WrittenMemory;
    }

    /// <summary>A whole number of an answer; 0 when it is not there.</summary>
    public static long Number(JsonElement answer, string name) =>
        answer.ValueKind == JsonValueKind.Object && answer.TryGetProperty(name, out JsonElement value) && value.ValueKind == JsonValueKind.Number
            && value.TryGetInt64(out long number) ? number : 0;

    /// <summary>A text of an answer; null when it is not there.</summary>
    public static string? Text(JsonElement answer, string name) =>
        answer.ValueKind == JsonValueKind.Object && answer.TryGetProperty(name, out JsonElement value) && value.ValueKind == JsonValueKind.String
            ? value.GetString()
            : null;
}
