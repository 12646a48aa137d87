using System.Text.Json;
using Jackdaw.Json;

namespace Jackdaw.Documents.Databases;

/// <summary>The member Settings of a database record: texts by name, whose casing does not count.</summary>
internal static class RecordSettings
{
    /// <param name="record">The record as it was sent.</param>
    public static IReadOnlyDictionary<string, string?> Read(ReadOnlyMemory<byte> record)
    {
        using var json = JsonDocument.Parse(record, new JsonDocumentOptions { MaxDepth = DocumentLimits.JsonDepthMax });
        return Read(json.RootElement);
    }

    public static IReadOnlyDictionary<string, string?> Read(JsonElement record)
    {
        var settings = new Dictionary<string, string?>(StringComparer.OrdinalIgnoreCase);
        foreach (JsonProperty member in record.EnumerateObject())
        {
            if (member.Name.Equals("Settings", StringComparison.OrdinalIgnoreCase) && member.Value.ValueKind == JsonValueKind.Object)
            {
                foreach (JsonProperty setting in member.Value.EnumerateObject())
                {
                    settings[setting.Name] = setting.Value.ValueKind == JsonValueKind.Null ? null : setting.Value.ToString();
                }
            }
        }

        return settings;
    }
}
