using System.Buffers;
using System.Text.Json;
using Jackdaw.Json.Paths;
using Jackdaw.Search.Entries;

namespace Jackdaw.Indexing.Auto;

/// <summary>Writes and reads definitions of auto indexes as JSON. They are stored in this form, and clients see it in the record of a database.</summary>
internal static class AutoDefinitionJson
{
    /// <summary>What paths mean: 1 since their parts may be quoted, positions count, and members are computed. Earlier definitions have no number.</summary>
    private const int PathForm = 1;

    public static byte[] Write(AutoDefinition definition)
    {
        var buffer = new ArrayBufferWriter<byte>();
        using var json = new Utf8JsonWriter(buffer);
        json.WriteStartObject();
        json.WriteString("Name"u8, definition.Name);
        json.WriteString("Type"u8, definition.GroupBy.Count == 0 ? "AutoMap"u8 : "AutoMapReduce"u8);
        json.WriteString("Collection"u8, definition.Collection);
        json.WriteNumber("PathForm"u8, PathForm);
        json.WriteStartObject("MapFields"u8);
        foreach (AutoField field in definition.Fields)
        {
            Write(json, field);
        }

        json.WriteEndObject();
        json.WriteStartObject("GroupByFields"u8);
        foreach (AutoGroupKey key in definition.GroupBy)
        {
            json.WriteStartObject(key.Path);
            json.WriteString("GroupByArrayBehavior"u8, key.IsWholeArray ? "ByContent"u8 : "ByIndividualValues"u8);
            json.WriteEndObject();
        }

        json.WriteEndObject();
        json.WriteStartArray("GroupByFieldNames"u8);
        foreach (AutoGroupKey key in definition.GroupBy)
        {
            json.WriteStringValue(key.Path);
        }

        json.WriteEndArray();
        json.WriteEndObject();
        json.Flush();
        return buffer.WrittenSpan.ToArray();
    }

    /// <summary>Reads what <see cref="Write(AutoDefinition)"/> wrote.</summary>
    public static AutoDefinition Read(ReadOnlyMemory<byte> stored)
    {
        using var document = JsonDocument.Parse(stored);
        JsonElement root = document.RootElement;
        return new AutoDefinition(
            root.GetProperty("Collection"u8).GetString()!,
            [.. root.GetProperty("MapFields"u8).EnumerateObject().Select(ReadField)],
            [.. root.GetProperty("GroupByFields"u8).EnumerateObject().Select(key => new AutoGroupKey(
                key.Name, key.Value.GetProperty("GroupByArrayBehavior"u8).ValueEquals("ByContent"u8)))])
        {
            IsOutdated = !root.TryGetProperty("PathForm"u8, out _) && HasChangedPaths(root),
        };
    }

    // Earlier versions split the text of a path at dots, left positions out, and computed no members.
    private static bool HasChangedPaths(JsonElement root) => root.GetProperty("MapFields"u8).EnumerateObject()
        .Where(field => field.Value.GetProperty("Vector"u8).ValueKind == JsonValueKind.Null)
        .SelectMany(field => field.Value.GetProperty("Spatial"u8) is { ValueKind: JsonValueKind.Object } spatial
            ? spatial.GetProperty("MethodArguments"u8).EnumerateArray().Select(path => path.GetString()!)
            : [field.Name])
        .Concat(root.GetProperty("GroupByFields"u8).EnumerateObject().Select(key => key.Name))
        .Any(path => path != AutoDefinition.DocumentId && !IsUnchanged(path));

    private static bool IsUnchanged(string text) => DocumentPath.TryParse(text, out DocumentPath? path) && path.Text == text
        && path.Parts.All(part => part.Position is null)
        && !path.Parts.Skip(1).Any(part => part.Name is { } name && ComputedMembers.IsKnown(name)) && !path.ReadsKeptMetadata;

    private static void Write(Utf8JsonWriter json, AutoField field)
    {
        json.WriteStartObject(field.Name);
        json.WriteString("Storage"u8, "No"u8);
        json.WriteString("Indexing"u8, field.Search.ToString());
        json.WriteString("Aggregation"u8, field.Aggregation.ToString());
        if (field.Spatial is { } spatial)
        {
            json.WriteStartObject("Spatial"u8);
            json.WriteString("MethodType"u8, spatial.WellKnownText is null ? "Point"u8 : "Wkt"u8);
            json.WriteStartArray("MethodArguments"u8);
            foreach (string? path in (ReadOnlySpan<string?>)[spatial.WellKnownText, spatial.Latitude, spatial.Longitude])
            {
                if (path is not null)
                {
                    json.WriteStringValue(path);
                }
            }

            json.WriteEndArray();
            json.WriteEndObject();
        }
        else
        {
            json.WriteNull("Spatial"u8);
        }

        json.WriteString("GroupByArrayBehavior"u8, "NotApplicable"u8);
        json.WriteBoolean("Suggestions"u8, field.HasSuggestions);
        json.WriteBoolean("IsNameQuoted"u8, field.IsQuoted);
        WriteVector(json, field.Vector);
        json.WriteEndObject();
    }

    private static void WriteVector(Utf8JsonWriter json, AutoVector? vector)
    {
        if (vector is null)
        {
            json.WriteNull("Vector"u8);
            return;
        }

        json.WriteStartObject("Vector"u8);
        json.WriteString("SourceFieldName"u8, vector.Path);
        json.WriteString("SourceEmbeddingType"u8, vector.Source.ToString());
        json.WriteString("DestinationEmbeddingType"u8, vector.Destination.ToString());
        json.WriteEndObject();
    }

    private static AutoField ReadField(JsonProperty property)
    {
        JsonElement field = property.Value;
        return new AutoField(property.Name)
        {
            Search = Enum.Parse<AutoFieldSearch>(field.GetProperty("Indexing"u8).GetString()!),
            Aggregation = Enum.Parse<AutoAggregation>(field.GetProperty("Aggregation"u8).GetString()!),
            HasSuggestions = field.GetProperty("Suggestions"u8).GetBoolean(),
            IsQuoted = field.GetProperty("IsNameQuoted"u8).GetBoolean(),
            Spatial = field.GetProperty("Spatial"u8) is { ValueKind: JsonValueKind.Object } spatial ? ReadSpatial(spatial) : null,
            Vector = field.GetProperty("Vector"u8) is { ValueKind: JsonValueKind.Object } vector ? ReadVector(vector) : null,
        };
    }

    private static AutoVector ReadVector(JsonElement vector) => new(
        vector.GetProperty("SourceFieldName"u8).GetString()!,
        Enum.Parse<EmbeddingType>(vector.GetProperty("SourceEmbeddingType"u8).GetString()!),
        Enum.Parse<EmbeddingType>(vector.GetProperty("DestinationEmbeddingType"u8).GetString()!));

    private static AutoSpatial ReadSpatial(JsonElement spatial)
    {
        JsonElement paths = spatial.GetProperty("MethodArguments"u8);
        return paths.GetArrayLength() == 1
            ? new AutoSpatial(null, null, paths[0].GetString())
            : new AutoSpatial(paths[0].GetString(), paths[1].GetString(), null);
    }
}
