using System.Text.Json;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Queries;

namespace Jackdaw.Indexing.Definitions.Model;

/// <summary>Reads the options of fields. Members may be null or missing.</summary>
internal static class FieldOptionsReader
{
    /// <summary>Reads the options of all fields, by the names of the fields.</summary>
    /// <exception cref="IndexDefinitionException">An option has a value that is not allowed.</exception>
    public static IReadOnlyDictionary<string, IndexFieldOptions> Read(JsonElement fields)
    {
        var result = new Dictionary<string, IndexFieldOptions>(StringComparer.Ordinal);
        if (fields.ValueKind is JsonValueKind.Undefined or JsonValueKind.Null)
        {
            return result;
        }

        if (fields.ValueKind != JsonValueKind.Object)
        {
            throw new IndexDefinitionException("Fields of an index definition must be an object.");
        }

        foreach (JsonProperty field in fields.EnumerateObject())
        {
            result[field.Name] = ReadField(field.Value);
        }

        return result;
    }

    private static IndexFieldOptions ReadField(JsonElement json) => new()
    {
        Analyzer = IndexDefinitionReader.Text(json, "Analyzer"),
        Indexing = IndexDefinitionReader.Choice<FieldIndexingOption>(json, "Indexing"),
        IsStored = IndexDefinitionReader.Text(json, "Storage") switch
        {
            null => null,
            var yes when yes.Equals("Yes", StringComparison.OrdinalIgnoreCase) => true,
            var no when no.Equals("No", StringComparison.OrdinalIgnoreCase) => false,
            var other => throw new IndexDefinitionException($"'{other}' is not a value of Storage. It can be Yes, No."),
        },
        Suggestions = IndexDefinitionReader.Member(json, "Suggestions").ValueKind switch
        {
            JsonValueKind.True => true,
            JsonValueKind.False => false,
            _ => null,
        },
        TermVector = IndexDefinitionReader.Choice<FieldTermVectorOption>(json, "TermVector"),
        Spatial = ReadSpatial(IndexDefinitionReader.Member(json, "Spatial")),
        Vector = ReadVector(IndexDefinitionReader.Member(json, "Vector")),
    };

    private static SpatialOptions? ReadSpatial(JsonElement json)
    {
        if (json.ValueKind != JsonValueKind.Object)
        {
            return null;
        }

        SpatialFieldType type = IndexDefinitionReader.Choice<SpatialFieldType>(json, "Type") ?? SpatialFieldType.Geography;
        SpatialStrategy strategy = IndexDefinitionReader.Choice<SpatialStrategy>(json, "Strategy")
            ?? (type == SpatialFieldType.Geography ? SpatialStrategy.GeohashPrefixTree : SpatialStrategy.QuadPrefixTree);
        int level = strategy switch
        {
            SpatialStrategy.GeohashPrefixTree => 9,
            SpatialStrategy.QuadPrefixTree => 23,
            _ => 0,
        };
        var bounds = new SpatialOptions();
        return new SpatialOptions
        {
            Type = type,
            Strategy = strategy,
            MaxTreeLevel = (int)Number(json, "MaxTreeLevel", level),
            MinX = Number(json, "MinX", bounds.MinX),
            MaxX = Number(json, "MaxX", bounds.MaxX),
            MinY = Number(json, "MinY", bounds.MinY),
            MaxY = Number(json, "MaxY", bounds.MaxY),
            Units = IndexDefinitionReader.Choice<SpatialUnits>(json, "Units") ?? SpatialUnits.Kilometers,
        };
    }

    private static VectorOptions? ReadVector(JsonElement json) => json.ValueKind != JsonValueKind.Object ? null : new()
    {
        Dimensions = Whole(json, "Dimensions", Embedding.DimensionsMax),
        SourceEmbeddingType = Embeddings(json, "SourceEmbeddingType") ?? VectorEmbeddingType.Single,
        DestinationEmbeddingType = Embeddings(json, "DestinationEmbeddingType") ?? Embeddings(json, "SourceEmbeddingType") ?? VectorEmbeddingType.Single,
        NumberOfCandidatesForIndexing = Whole(json, "NumberOfCandidatesForIndexing", VectorNode.CandidatesMax),
        NumberOfEdges = Whole(json, "NumberOfEdges", VectorSettings.EdgesMax),
        TargetRecall = Recall(json),
    };

    private static VectorEmbeddingType? Embeddings(JsonElement json, string name) =>
        IndexDefinitionReader.Choice<VectorEmbeddingType>(json, name) is not VectorEmbeddingType.Text and var type ? type
            : throw new IndexDefinitionException(
                $"{name} Text needs an embedding model, which this server does not have: store the embeddings of the texts, and index these.");

    private static double Number(JsonElement json, string name, double fallback) =>
        IndexDefinitionReader.Member(json, name) is { ValueKind: JsonValueKind.Number } number
            ? number.GetDouble()
            : fallback;

    private static int? Whole(JsonElement json, string name, int max) => IndexDefinitionReader.Member(json, name) switch
    {
        { ValueKind: JsonValueKind.Undefined or JsonValueKind.Null } => null,
        { ValueKind: JsonValueKind.Number } number when number.TryGetInt32(out int value) && value >= 1 && value <= max => value,
        var other => throw new IndexDefinitionException($"{name} of a field of vectors must be a whole number from 1 to {max:N0}, not {other}."),
    };

    private static double? Recall(JsonElement json) => IndexDefinitionReader.Member(json, "TargetRecall") switch
    {
        { ValueKind: JsonValueKind.Undefined or JsonValueKind.Null } => null,
        { ValueKind: JsonValueKind.Number } number when number.GetDouble() is > 0.5 and < 1 => number.GetDouble(),
        var other => throw new IndexDefinitionException($"TargetRecall of a field of vectors must be a number above 0.5 and below 1, not {other}."),
    };
}
