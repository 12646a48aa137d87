using System.Buffers;
using System.Text.Json;
using Jackdaw.Json;

namespace Jackdaw.Documents.Databases;

/// <summary>Changes single members of database records.</summary>
internal static class RecordMembers
{
    /// <summary>The record with a new value of a member; all other members are unchanged.</summary>
    /// <param name="member">The name; its casing in the record does not count.</param>
    /// <param name="value">The value as JSON.</param>
    public static byte[] With(ReadOnlyMemory<byte> record, string member, ReadOnlySpan<byte> value)
    {
        using var json = JsonDocument.Parse(record, new JsonDocumentOptions { MaxDepth = DocumentLimits.JsonDepthMax });
        var changed = new ArrayBufferWriter<byte>();
        using (var writer = new Utf8JsonWriter(changed))
        {
            writer.WriteStartObject();
            foreach (JsonProperty property in json.RootElement.EnumerateObject())
            {
                if (!property.Name.Equals(member, StringComparison.OrdinalIgnoreCase))
                {
                    property.WriteTo(writer);
                }
            }

            writer.WritePropertyName(member);
            writer.WriteRawValue(value);
            writer.WriteEndObject();
        }

        return changed.WrittenSpan.ToArray();
    }
}
