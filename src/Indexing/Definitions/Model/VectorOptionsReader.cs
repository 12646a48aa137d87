using System.Text.Json;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Queries;

namespace Jackdaw.Indexing.Definitions.Model;

/// <summary>Reads and checks the option Vector of a field. Members may be null or missing.</summary>
internal static class VectorOptionsReader
{
    private const double RecallMin = 0.5;

    private static readonly string[] s_members =
    [
        "Dimensions", "SourceEmbeddingType", "DestinationEmbeddingType", "NumberOfEdges", "NumberOfCandidatesForIndexing", "TargetRecall",
    ];

    /// <param name="field">The name of the field, for messages.</param>
    /// <returns>Null when the field has no such option.</returns>
    /// <exception cref="IndexDefinitionException">A member has a value that is not allowed.</exception>
    public static VectorOptions? Read(string field, JsonElement json)
    {
        if (json.ValueKind is JsonValueKind.Undefined or JsonValueKind.Null)
        {
            return null;
        }

        if (json.ValueKind != JsonValueKind.Object)
        {
            throw Wrong(field, $"Vector must be an object, such as {{ \"Dimensions\": 384 }}, not {json}.");
        }

        if (json.EnumerateObject().Select(member => member.Name).FirstOrDefault(name => !s_members.Contains(name)) is { } unknown)
        {
            throw Wrong(field, $"Vector has no member '{unknown}'. It can have {string.Join(", ", s_members)}.");
        }

        EmbeddingType source = Type(field, json, "SourceEmbeddingType") ?? EmbeddingType.Single;
        return Checked(field, new VectorOptions
        {
            Dimensions = Whole(field, json, "Dimensions", 1, Embedding.DimensionsMax),
            SourceEmbeddingType = source,
            DestinationEmbeddingType = Type(field, json, "DestinationEmbeddingType") ?? source,
            NumberOfCandidatesForIndexing = Whole(field, json, "NumberOfCandidatesForIndexing", 1, VectorNode.CandidatesMax),
            NumberOfEdges = Whole(field, json, "NumberOfEdges", VectorSettings.EdgesMin, VectorSettings.EdgesMax),
            TargetRecall = Recall(field, IndexDefinitionReader.Member(json, "TargetRecall")),
        });
    }

    // A conversion may lose precision and cannot add any.
    private static VectorOptions Checked(string field, VectorOptions options)
    {
        if (options.SourceEmbeddingType > options.DestinationEmbeddingType)
        {
            throw Wrong(field, $"vectors of SourceEmbeddingType {options.SourceEmbeddingType} cannot be kept as {options.DestinationEmbeddingType}. " +
                "Single becomes Single, Int8 or Binary; Int8 becomes Int8 or Binary; Binary stays Binary.");
        }

        return options.SourceEmbeddingType == EmbeddingType.Binary && options.Dimensions % 8 > 0
            ? throw Wrong(field, $"Dimensions counts bits when SourceEmbeddingType is Binary, eight in each byte, so it cannot be {options.Dimensions}.")
            : options;
    }

    private static EmbeddingType? Type(string field, JsonElement json, string name)
    {
        JsonElement member = IndexDefinitionReader.Member(json, name);
        if (member.ValueKind is JsonValueKind.Undefined or JsonValueKind.Null)
        {
            return null;
        }

        string text = member.ToString();
        return text.Equals("Text", StringComparison.OrdinalIgnoreCase)
            ? throw Wrong(field, $"{name} cannot be Text: this server has no embedding model that makes vectors of texts. Store vectors that your own " +
                "model has made, and say Single, Int8 or Binary.")
            : member.ValueKind == JsonValueKind.String && Enum.TryParse(text, ignoreCase: true, out EmbeddingType type) && Enum.IsDefined(type)
                && !char.IsAsciiDigit(text[0])
            ? type
            : throw Wrong(field, $"{name} must be Single, Int8 or Binary, not '{text}'.");
    }

    private static double? Recall(string field, JsonElement member) => member.ValueKind switch
    {
        JsonValueKind.Undefined or JsonValueKind.Null => null,
        JsonValueKind.Number when member.GetDouble() is > RecallMin and < 1 => member.GetDouble(),
        _ => throw Wrong(field, $"TargetRecall must be a number above {RecallMin} and below 1, such as 0.95, not {member}."),
    };

    private static int? Whole(string field, JsonElement json, string name, int min, int max)
    {
        JsonElement member = IndexDefinitionReader.Member(json, name);
        return member.ValueKind is JsonValueKind.Undefined or JsonValueKind.Null ? null
            : member.ValueKind == JsonValueKind.Number && member.TryGetInt32(out int value) && value >= min && value <= max ? value
            : throw Wrong(field, $"{name} must be a whole number from {min} to {max:N0}, not {member}.");
    }

    private static IndexDefinitionException Wrong(string field, string message) => new($"Field '{field}': {message}");
}
