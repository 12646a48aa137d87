using System.Text.Json;

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
            result[field.Name] = ReadField(field.Name, field.Value);
        }

        return result;
    }

    private static IndexFieldOptions ReadField(string field, JsonElement json) => new()
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
        Vector = VectorOptionsReader.Read(field, IndexDefinitionReader.Member(json, "Vector")),
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

    private static double Number(JsonElement json, string name, double fallback) =>
        IndexDefinitionReader.Member(json, name) is { ValueKind: JsonValueKind.Number } number
            ? number.GetDouble()
            : fallback;
}
