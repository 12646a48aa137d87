using System.Text.Json;
using Jackdaw.Client.Linq;
using Jackdaw.Client.Serialization;
using Jackdaw.Client.Vectors;

namespace Jackdaw.Client.Indexes;

/// <summary>Definitions on the wire.</summary>
internal static class IndexDefinitionJson
{
    public static void Write(Utf8JsonWriter json, IndexDefinition definition)
    {
        json.WriteStartObject();
        json.WriteString("Name"u8, definition.Name);
        WriteChoice(json, "LockMode", definition.LockMode);
        WriteChoice(json, "ArchivedDataProcessingBehavior", definition.ArchivedDataProcessingBehavior);
        WriteChoice(json, "Priority", definition.Priority);
        WriteChoice(json, "State", definition.State);
        WriteChoice(json, "DeploymentMode", definition.DeploymentMode);
        WriteText(json, "OutputReduceToCollection", definition.OutputReduceToCollection);
        WriteText(json, "PatternForOutputReduceToCollectionReferences", definition.PatternForOutputReduceToCollectionReferences);
        WriteText(json, "PatternReferencesCollectionName", definition.PatternReferencesCollectionName);
        WriteTexts(json, "Configuration", definition.Configuration);
        WriteCompoundFields(json, definition);
        WriteTexts(json, "AdditionalSources", definition.AdditionalSources);
        WriteAssemblies(json, definition);
        json.WriteString("Reduce"u8, definition.Reduce);
        WriteList(json, "Maps", definition.Maps);
        json.WriteStartObject("Fields"u8);
        foreach ((string name, IndexFieldOptions options) in definition.Fields)
        {
            json.WritePropertyName(name);
            WriteField(json, options);
        }

        json.WriteEndObject();
        json.WriteEndObject();
    }

    public static IndexDefinition Read(JsonElement json) => new()
    {
        Name = json.Text("Name"u8),
        Maps = new HashSet<string>(json.Texts("Maps"u8)),
        Reduce = json.Text("Reduce"u8),
        Type = Choice<IndexType>(json, "Type"u8) ?? IndexType.None,
        SourceType = Choice<IndexSourceType>(json, "SourceType"u8) ?? IndexSourceType.None,
        LockMode = Choice<IndexLockMode>(json, "LockMode"u8),
        Priority = Choice<IndexPriority>(json, "Priority"u8),
        State = Choice<IndexState>(json, "State"u8),
        DeploymentMode = Choice<IndexDeploymentMode>(json, "DeploymentMode"u8),
        ArchivedDataProcessingBehavior = Choice<ArchivedDataProcessingBehavior>(json, "ArchivedDataProcessingBehavior"u8),
        OutputReduceToCollection = json.Text("OutputReduceToCollection"u8),
        PatternForOutputReduceToCollectionReferences = json.Text("PatternForOutputReduceToCollectionReferences"u8),
        PatternReferencesCollectionName = json.Text("PatternReferencesCollectionName"u8),
        Configuration = json.Members("Configuration"u8).ByName(value => value.ValueKind == JsonValueKind.Null ? null : value.RequiredText()),
        AdditionalSources = json.Members("AdditionalSources"u8).ByName(AnswerJson.RequiredText),
        AdditionalAssemblies = [.. json.Elements("AdditionalAssemblies"u8).Select(ReadAssembly)],
        CompoundFields = [.. json.Elements("CompoundFields"u8).Select(AnswerJson.Texts)],
        Fields = json.Members("Fields"u8).ByName(ReadField),
    };

    /// <summary>A value of an enum; null if it is missing, or if this client does not know it.</summary>
    public static T? Choice<T>(JsonElement json, ReadOnlySpan<byte> name) where T : struct, Enum =>
        Enum.TryParse(json.Text(name), ignoreCase: true, out T value) && Enum.IsDefined(value) ? value : null;

    private static void WriteField(Utf8JsonWriter json, IndexFieldOptions options)
    {
        json.WriteStartObject();
        WriteText(json, "Analyzer", options.Analyzer);
        WriteChoice(json, "Indexing", options.Indexing);
        WriteChoice(json, "Storage", options.Storage);
        WriteChoice(json, "TermVector", options.TermVector);
        if (options.Suggestions is { } suggestions)
        {
            json.WriteBoolean("Suggestions"u8, suggestions);
        }

        if (options.Spatial is { } spatial)
        {
            WriteSpatial(json, spatial);
        }

        if (options.Vector is { } vector)
        {
            WriteVector(json, vector);
        }

        json.WriteEndObject();
    }

    private static void WriteSpatial(Utf8JsonWriter json, SpatialOptions spatial)
    {
        json.WriteStartObject("Spatial"u8);
        json.WriteString("Type"u8, spatial.Type.ToString());
        json.WriteString("Strategy"u8, spatial.Strategy.ToString());
        json.WriteNumber("MaxTreeLevel"u8, spatial.MaxTreeLevel);
        json.WriteNumber("MinX"u8, spatial.MinX);
        json.WriteNumber("MaxX"u8, spatial.MaxX);
        json.WriteNumber("MinY"u8, spatial.MinY);
        json.WriteNumber("MaxY"u8, spatial.MaxY);
        json.WriteString("Units"u8, spatial.Units.ToString());
        json.WriteEndObject();
    }

    private static void WriteVector(Utf8JsonWriter json, VectorOptions vector)
    {
        json.WriteStartObject("Vector"u8);
        WriteNumber(json, "Dimensions", vector.Dimensions);
        WriteChoice(json, "SourceEmbeddingType", vector.SourceEmbeddingType);
        WriteChoice(json, "DestinationEmbeddingType", vector.DestinationEmbeddingType);
        WriteNumber(json, "NumberOfCandidatesForIndexing", vector.NumberOfCandidatesForIndexing);
        WriteNumber(json, "NumberOfEdges", vector.NumberOfEdges);
        WriteNumber(json, "TargetRecall", vector.TargetRecall);
        json.WriteEndObject();
    }

    private static IndexFieldOptions ReadField(JsonElement json) => new()
    {
        Analyzer = json.Text("Analyzer"u8),
        Indexing = Choice<FieldIndexing>(json, "Indexing"u8),
        Storage = Choice<FieldStorage>(json, "Storage"u8),
        TermVector = Choice<FieldTermVector>(json, "TermVector"u8),
        Suggestions = json.TryFind("Suggestions"u8, JsonValueKind.True, out _) ? true
            : json.TryFind("Suggestions"u8, JsonValueKind.False, out _) ? false
            : null,
        Spatial = json.TryFind("Spatial"u8, JsonValueKind.Object, out JsonElement spatial) ? ReadSpatial(spatial) : null,
        Vector = json.TryFind("Vector"u8, JsonValueKind.Object, out JsonElement vector) ? ReadVector(vector) : null,
    };

    private static VectorOptions ReadVector(JsonElement json) => new()
    {
        Dimensions = (int?)json.Number("Dimensions"u8),
        SourceEmbeddingType = Choice<EmbeddingType>(json, "SourceEmbeddingType"u8),
        DestinationEmbeddingType = Choice<EmbeddingType>(json, "DestinationEmbeddingType"u8),
        NumberOfCandidatesForIndexing = (int?)json.Number("NumberOfCandidatesForIndexing"u8),
        NumberOfEdges = (int?)json.Number("NumberOfEdges"u8),
        TargetRecall = json.Fraction("TargetRecall"u8),
    };

    private static SpatialOptions ReadSpatial(JsonElement json)
    {
        var options = new SpatialOptions();
        options.Type = Choice<SpatialFieldType>(json, "Type"u8) ?? options.Type;
        options.Strategy = Choice<SpatialIndexingStrategy>(json, "Strategy"u8) ?? options.Strategy;
        options.MaxTreeLevel = (int)(json.Number("MaxTreeLevel"u8) ?? options.MaxTreeLevel);
        options.MinX = json.Fraction("MinX"u8) ?? options.MinX;
        options.MaxX = json.Fraction("MaxX"u8) ?? options.MaxX;
        options.MinY = json.Fraction("MinY"u8) ?? options.MinY;
        options.MaxY = json.Fraction("MaxY"u8) ?? options.MaxY;
        options.Units = Choice<SpatialUnits>(json, "Units"u8) ?? options.Units;
        return options;
    }

    private static AdditionalAssembly ReadAssembly(JsonElement json) => new()
    {
        AssemblyName = json.Text("AssemblyName"u8),
        AssemblyPath = json.Text("AssemblyPath"u8),
        PackageName = json.Text("PackageName"u8),
        PackageVersion = json.Text("PackageVersion"u8),
        PackageSourceUrl = json.Text("PackageSourceUrl"u8),
        Usings = json.Texts("Usings"u8),
    };

    private static void WriteAssemblies(Utf8JsonWriter json, IndexDefinition definition)
    {
        json.WriteStartArray("AdditionalAssemblies"u8);
        foreach (AdditionalAssembly assembly in definition.AdditionalAssemblies)
        {
            json.WriteStartObject();
            WriteText(json, "AssemblyName", assembly.AssemblyName);
            WriteText(json, "AssemblyPath", assembly.AssemblyPath);
            WriteText(json, "PackageName", assembly.PackageName);
            WriteText(json, "PackageVersion", assembly.PackageVersion);
            WriteText(json, "PackageSourceUrl", assembly.PackageSourceUrl);
            WriteList(json, "Usings", assembly.Usings);
            json.WriteEndObject();
        }

        json.WriteEndArray();
    }

    private static void WriteCompoundFields(Utf8JsonWriter json, IndexDefinition definition)
    {
        json.WriteStartArray("CompoundFields"u8);
        foreach (string[] names in definition.CompoundFields)
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

    // A member that is left out has the server's default.
    private static void WriteChoice<T>(Utf8JsonWriter json, string name, T? value) where T : struct, Enum => WriteText(json, name, value?.ToString());

    private static void WriteNumber(Utf8JsonWriter json, string name, double? number)
    {
        if (number is { } given)
        {
            json.WriteNumber(name, given);
        }
    }

    private static void WriteText(Utf8JsonWriter json, string name, string? text)
    {
        if (text is not null)
        {
            json.WriteString(name, text);
        }
    }

    private static void WriteTexts<T>(Utf8JsonWriter json, string name, IEnumerable<KeyValuePair<string, T>> texts)
    {
        json.WriteStartObject(name);
        foreach ((string key, T text) in texts)
        {
            json.WriteString(key, text as string);
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
}
