using System.Text;
using System.Text.Json;
using System.Text.Unicode;
using Jackdaw.Documents.Parsing;
using Jackdaw.TestKit;

namespace Jackdaw.Documents.Tests.Parsing;

/// <summary>What the framework's own parser thinks of a document, with the rules for metadata on top.</summary>
internal static class JsonOracle
{
    private static readonly JsonDocumentOptions s_options = new() { MaxDepth = 256, AllowDuplicateProperties = false };

    private static readonly HashSet<string> s_reserved =
    [
        "@id", "@change-vector", "@last-modified", "@flags", "@index-score", "@spatial", "@projection",
        "@attachments", "@counters", "@timeseries",
    ];

    /// <summary>The meaning that the stored form must have, as text; null when the document must be refused.</summary>
    public static string? Expect(byte[] json)
    {
        try
        {
            return Utf8.IsValid(json) ? ExpectValid(RawControls.Escape(json)) : null;
        }
        catch (Exception refusal) when (refusal is JsonException or InvalidOperationException)
        {
            return null;
        }
    }

    /// <summary>Those of some random documents that must be accepted.</summary>
    public static List<byte[]> Accepted(RandomJson json, int count)
        => [.. Enumerable.Range(0, count).Select(_ => json.Document()).Where(document => Expect(document) is not null)];

    /// <summary>A JSON text's meaning: order of members, unescaped strings, texts of numbers.</summary>
    public static string Meaning(ReadOnlyMemory<byte> json)
    {
        using JsonDocument document = JsonDocument.Parse(json, s_options);
        var text = new StringBuilder();
        Describe(document.RootElement, text, _ => true);
        return text.ToString();
    }

    private static string? ExpectValid(byte[] json)
    {
        using JsonDocument document = JsonDocument.Parse(json, s_options);
        JsonElement root = document.RootElement;
        Describe(root, new StringBuilder(), _ => true); // Throws for half surrogate pairs.
        if (root.ValueKind != JsonValueKind.Object)
        {
            return null;
        }
        var text = new StringBuilder();
        text.Append('{');
        DescribeMembers(root, text, name => name != "@metadata");
        text.Append("<@metadata>={");
        string collection = "@empty";
        if (root.TryGetProperty("@metadata", out JsonElement metadata) && metadata.ValueKind != JsonValueKind.Null)
        {
            if (metadata.ValueKind != JsonValueKind.Object || !TryReadCollection(metadata, ref collection))
            {
                return null;
            }
            bool keepsCollection = metadata.TryGetProperty("@collection", out JsonElement sent)
                && sent.ValueKind == JsonValueKind.String && !collection.Equals("@empty", StringComparison.OrdinalIgnoreCase);
            DescribeMembers(metadata, text,
                name => !s_reserved.Contains(name) && (keepsCollection || name != "@collection"));
        }
        return text.Append("};}").ToString();
    }

    private static bool TryReadCollection(JsonElement metadata, ref string collection)
    {
        if (!metadata.TryGetProperty("@collection", out JsonElement sent) || sent.ValueKind == JsonValueKind.Null)
        {
            return true;
        }
        if (sent.ValueKind != JsonValueKind.String)
        {
            return false;
        }
        collection = sent.GetString()!;
        return collection.Length > 0 && Encoding.UTF8.GetByteCount(collection) <= DocumentParser.CollectionBytesMax;
    }

    private static void Describe(JsonElement element, StringBuilder text, Predicate<string> isWanted)
    {
        switch (element.ValueKind)
        {
            case JsonValueKind.Object:
                text.Append('{');
                DescribeMembers(element, text, isWanted);
                text.Append('}');
                break;
            case JsonValueKind.Array:
                text.Append('[');
                foreach (JsonElement item in element.EnumerateArray())
                {
                    Describe(item, text, isWanted);
                    text.Append(';');
                }
                text.Append(']');
                break;
            case JsonValueKind.String:
                text.Append('"').Append(element.GetString()).Append('"');
                break;
            default:
                text.Append(element.GetRawText());
                break;
        }
    }

    private static void DescribeMembers(JsonElement element, StringBuilder text, Predicate<string> isWanted)
    {
        foreach (JsonProperty member in element.EnumerateObject())
        {
            if (isWanted(member.Name))
            {
                text.Append('<').Append(member.Name).Append(">=");
                Describe(member.Value, text, _ => true);
                text.Append(';');
            }
        }
    }
}
