using System.Text.Json;

namespace Jackdaw.Indexing.Definitions.Model;

/// <summary>Writes definitions as clients read them, members in the protocol's order.</summary>
internal static class IndexDefinitionWriter
{
    /// <param name="engine">The search engine that serves the index, which is not a part of the definition; null where nobody asks.</param>
    public static void Write(Utf8JsonWriter json, IndexDefinition definition, string? engine = null)
    {
        json.WriteStartObject();
        json.WriteString("Name", definition.Name);
        json.WriteString("SourceType", definition.SourceType.ToString());
        json.WriteString("Type", definition.Type.ToString());
        if (engine is not null)
        {
            json.WriteString("SearchEngineType", engine);
        }

        json.WriteString("LockMode", definition.LockMode.ToString());
        json.WriteString("ArchivedDataProcessingBehavior", definition.ArchivedDataProcessingBehavior?.ToString());
        json.WriteString("Priority", definition.Priority.ToString());
        json.WriteString("State", definition.State?.ToString());
        json.WriteString("OutputReduceToCollection", definition.OutputReduceToCollection);
        json.WriteString("DeploymentMode", definition.DeploymentMode.ToString());
        WriteNumber(json, "ReduceOutputIndex", definition.ReduceOutputIndex);
        json.WriteString("PatternForOutputReduceToCollectionReferences",
            definition.PatternForOutputReduceToCollectionReferences);
        json.WriteString("PatternReferencesCollectionName", definition.PatternReferencesCollectionName);
        WriteTexts(json, "Configuration", definition.Configuration);
        WriteCompoundFields(json, definition);
        WriteTexts(json, "AdditionalSources", definition.AdditionalSources.ToDictionary(s => s.Key, s => (string?)s.Value));
        WriteAssemblies(json, definition);
        json.WriteString("Reduce", definition.Reduce);
        WriteList(json, "Maps", definition.Maps);
        WriteFields(json, definition);
        json.WriteEndObject();
    }

    private static void WriteCompoundFields(Utf8JsonWriter json, IndexDefinition definition)
    {
        json.WriteStartArray("CompoundFields");
        foreach (IReadOnlyList<string> names in definition.CompoundFields)
        {
            json.WriteStartArray();
            foreach (string name in names)
            {
                json.WriteStringValue(name);
            }

            json.WriteEndArray();
        }

        json.WriteEndArray();
    }

    private static void WriteAssemblies(Utf8JsonWriter json, IndexDefinition definition)
    {
        json.WriteStartArray("AdditionalAssemblies");
        foreach (AdditionalAssembly assembly in definition.AdditionalAssemblies)
        {
            json.WriteStartObject();
            json.WriteString("AssemblyName", assembly.AssemblyName);
            json.WriteString("AssemblyPath", assembly.AssemblyPath);
            json.WriteString("PackageName", assembly.PackageName);
            json.WriteString("PackageVersion", assembly.PackageVersion);
            json.WriteString("PackageSourceUrl", assembly.PackageSourceUrl);
            WriteList(json, "Usings", assembly.Usings);
            json.WriteEndObject();
        }

        json.WriteEndArray();
    }

    private static void WriteFields(Utf8JsonWriter json, IndexDefinition definition)
    {
        json.WriteStartObject("Fields");
        foreach ((string name, IndexFieldOptions field) in definition.Fields)
        {
            json.WriteStartObject(name);
            json.WriteString("Analyzer", field.Analyzer);
            json.WriteString("Indexing", field.Indexing?.ToString());
            json.WriteString("Storage", field.IsStored switch { null => null, true => "Yes", false => "No" });
            WriteFlag(json, "Suggestions", field.Suggestions);
            json.WriteString("TermVector", field.TermVector?.ToString());
            WriteSpatial(json, field.Spatial);
            WriteVector(json, field.Vector);
            json.WriteEndObject();
        }

        json.WriteEndObject();
    }

    private static void WriteSpatial(Utf8JsonWriter json, SpatialOptions? spatial)
    {
        if (spatial is null)
        {
            json.WriteNull("Spatial");
            return;
        }

        json.WriteStartObject("Spatial");
        json.WriteString("Type", spatial.Type.ToString());
        json.WriteString("Strategy", spatial.Strategy.ToString());
        json.WriteNumber("MaxTreeLevel", spatial.MaxTreeLevel);
        json.WriteNumber("MinX", spatial.MinX);
        json.WriteNumber("MaxX", spatial.MaxX);
        json.WriteNumber("MinY", spatial.MinY);
        json.WriteNumber("MaxY", spatial.MaxY);
        json.WriteString("Units", spatial.Units.ToString());
        json.WriteEndObject();
    }

    private static void WriteVector(Utf8JsonWriter json, VectorOptions? vector)
    {
        if (vector is null)
        {
            json.WriteNull("Vector");
            return;
        }

        json.WriteStartObject("Vector");
        WriteNumber(json, "Dimensions", vector.Dimensions);
        json.WriteString("SourceEmbeddingType", vector.SourceEmbeddingType.ToString());
        json.WriteString("DestinationEmbeddingType", vector.DestinationEmbeddingType.ToString());
        WriteNumber(json, "NumberOfCandidatesForIndexing", vector.NumberOfCandidatesForIndexing);
        WriteNumber(json, "NumberOfEdges", vector.NumberOfEdges);
        if (vector.TargetRecall is { } recall)
        {
            json.WriteNumber("TargetRecall", recall);
        }

        json.WriteEndObject();
    }

    private static void WriteTexts(Utf8JsonWriter json, string name, IReadOnlyDictionary<string, string?> texts)
    {
        json.WriteStartObject(name);
        foreach ((string key, string? text) in texts)
        {
            json.WriteString(key, text);
        }

        json.WriteEndObject();
    }

    private static void WriteList(Utf8JsonWriter json, string name, IEnumerable<string> texts)
    {
        json.WriteStartArray(name);
        foreach (string text in texts)
        {
            json.WriteStringValue(text);
        }

        json.WriteEndArray();
    }

    private static void WriteNumber(Utf8JsonWriter json, string name, long? number)
    {
        if (number is { } value)
        {
            json.WriteNumber(name, value);
        }
        else
        {
            json.WriteNull(name);
        }
    }

    private static void WriteFlag(Utf8JsonWriter json, string name, bool? flag)
    {
        if (flag is { } value)
        {
            json.WriteBoolean(name, value);
        }
        else
        {
            json.WriteNull(name);
        }
    }
}
