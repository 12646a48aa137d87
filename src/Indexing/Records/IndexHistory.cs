using System.Buffers;
using System.Globalization;
using System.Text.Json;

namespace Jackdaw.Indexing.Records;

/// <summary>The earlier definitions of an index, newest first, as JSON: <c>[{"Definition":{...},"CreatedAt":"..."}]</c>.</summary>
internal static class IndexHistory
{
    /// <summary>Earlier definitions that are kept; the oldest go. Enough to find out what changed in the last weeks, and a definition is short.</summary>
    private const int EarlierMax = 9;

    /// <summary>The history of the definition that comes after another one.</summary>
    /// <param name="replaced">The definition before it, with its own history.</param>
    public static ReadOnlyMemory<byte> After(IndexRecord replaced)
    {
        var buffer = new ArrayBufferWriter<byte>();
        using (var json = new Utf8JsonWriter(buffer))
        {
            json.WriteStartArray();
            json.WriteStartObject();
            json.WritePropertyName("Definition"u8);
            json.WriteRawValue(replaced.Definition.Span);
            json.WriteString("CreatedAt"u8, new DateTime(replaced.CreatedTicks, DateTimeKind.Utc).ToString("o", CultureInfo.InvariantCulture));
            json.WriteEndObject();
            foreach (JsonElement earlier in Read(replaced).Take(EarlierMax - 1))
            {
                earlier.WriteTo(json);
            }

            json.WriteEndArray();
        }

        return buffer.WrittenSpan.ToArray();
    }

    /// <summary>The earlier definitions of an index, newest first.</summary>
    public static IEnumerable<JsonElement> Read(IndexRecord record) =>
        record.History.IsEmpty ? [] : JsonSerializer.Deserialize<JsonElement>(record.History.Span).EnumerateArray();
}
