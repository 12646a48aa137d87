using System.Text.Json;

namespace Jackdaw.Indexing.Definitions.Model;

/// <summary>Reads definitions as clients send them.</summary>
internal static class IndexDefinitionReader
{
    private static readonly string[] s_reservedPrefixes = ["Auto/", "ReplacementOf/"];

    /// <summary>Reads and checks a definition; its texts are not compiled.</summary>
    /// <exception cref="IndexDefinitionException">Something is missing or contradictory.</exception>
    public static IndexDefinition Read(JsonElement json)
    {
        if (json.ValueKind != JsonValueKind.Object)
        {
            throw new IndexDefinitionException("An index definition must be a JSON object.");
        }

        string name = CheckedName(Text(json, "Name"));
        string? reduce = Text(json, "Reduce") is { } text && !string.IsNullOrWhiteSpace(text) ? text : null;
        string[] maps = CheckedMaps(name, Texts(json, "Maps"));
        (IndexType type, IndexSourceType source) = IndexTypeDetection.Detect(maps, reduce);
        return Checked(new IndexDefinition
        {
            Name = name,
            Maps = maps,
            Reduce = reduce,
            Type = type,
            SourceType = source,
            Fields = FieldOptionsReader.Read(Member(json, "Fields")),
            Configuration = Members(json, "Configuration").ToDictionary(
                m => m.Name, m => m.Value.ValueKind == JsonValueKind.Null ? null : m.Value.ToString()),
            AdditionalSources = Members(json, "AdditionalSources")
                .Where(m => m.Value.ValueKind != JsonValueKind.Null)
                .ToDictionary(m => m.Name, m => m.Value.ToString()),
            AdditionalAssemblies = [.. Elements(json, "AdditionalAssemblies").Select(ReadAssembly)],
            CompoundFields = [.. Elements(json, "CompoundFields")
                .Select(pair => (IReadOnlyList<string>)[.. pair.EnumerateArray().Select(f => f.ToString())])],
            LockMode = Choice<IndexLockMode>(json, "LockMode") ?? IndexLockMode.Unlock,
            Priority = Choice<IndexPriority>(json, "Priority") ?? IndexPriority.Normal,
            State = Choice<IndexState>(json, "State"),
            DeploymentMode = Choice<IndexDeploymentMode>(json, "DeploymentMode") ?? IndexDeploymentMode.Parallel,
            ArchivedDataProcessingBehavior = Choice<ArchivedDataProcessing>(json, "ArchivedDataProcessingBehavior"),
            OutputReduceToCollection = Filled(json, "OutputReduceToCollection"),
            ReduceOutputIndex = Member(json, "ReduceOutputIndex") is { ValueKind: JsonValueKind.Number } number
                ? number.GetInt64()
                : null,
            PatternForOutputReduceToCollectionReferences = Filled(json, "PatternForOutputReduceToCollectionReferences"),
            PatternReferencesCollectionName = Filled(json, "PatternReferencesCollectionName"),
        });
    }

    internal static JsonElement Member(JsonElement json, string name) =>
        json.ValueKind == JsonValueKind.Object && json.TryGetProperty(name, out JsonElement member) ? member : default;

    /// <summary>A value of an enumeration, in any letter case; null if there is no text.</summary>
    internal static T? Choice<T>(JsonElement json, string name) where T : struct, Enum
    {
        JsonElement member = Member(json, name);
        return member.ValueKind is JsonValueKind.Undefined or JsonValueKind.Null ? null
            : member.ValueKind == JsonValueKind.String && !int.TryParse(member.GetString(), out _)
                && Enum.TryParse(member.GetString(), ignoreCase: true, out T value) ? value
            : throw new IndexDefinitionException($"'{member}' is not a value of {name}. It can be " +
                $"{string.Join(", ", Enum.GetNames<T>())}.");
    }

    internal static string? Text(JsonElement json, string name)
    {
        JsonElement member = Member(json, name);
        return member.ValueKind switch
        {
            JsonValueKind.Undefined or JsonValueKind.Null => null,
            JsonValueKind.String => member.GetString(),
            _ => throw new IndexDefinitionException($"{name} of an index definition must be a text."),
        };
    }

    private static string CheckedName(string? name)
    {
        string trimmed = name?.Trim() ?? "";
        if (trimmed.Length == 0)
        {
            throw new IndexDefinitionException("An index needs a name: set Name.");
        }

        string? prefix = s_reservedPrefixes.FirstOrDefault(p => trimmed.StartsWith(p, StringComparison.OrdinalIgnoreCase));
        return prefix is null
            ? trimmed
            : throw new IndexDefinitionException(
                $"The name '{trimmed}' is reserved: names of indexes must not begin with '{prefix}'.");
    }

    private static string[] CheckedMaps(string name, IEnumerable<string> maps)
    {
        string[] all = [.. maps.Where(map => !string.IsNullOrWhiteSpace(map)).Distinct()];
        return all.Length > 0
            ? all
            : throw new IndexDefinitionException($"The index '{name}' has no map: set Maps to at least one text.");
    }

    private static IndexDefinition Checked(IndexDefinition definition)
    {
        if (definition.OutputReduceToCollection is not null && definition.Reduce is null)
        {
            throw new IndexDefinitionException($"The index '{definition.Name}' has OutputReduceToCollection, but no " +
                "Reduce: only rows of a reduce become documents.");
        }

        if (definition.SourceType != IndexSourceType.Documents
            && definition.ArchivedDataProcessingBehavior is not (null or ArchivedDataProcessing.IncludeArchived))
        {
            throw new IndexDefinitionException($"The index '{definition.Name}' reads {definition.SourceType}: its " +
                "ArchivedDataProcessingBehavior can only be IncludeArchived.");
        }

        return definition;
    }

    private static AdditionalAssembly ReadAssembly(JsonElement json) => new()
    {
        AssemblyName = Text(json, "AssemblyName"),
        AssemblyPath = Text(json, "AssemblyPath"),
        PackageName = Text(json, "PackageName"),
        PackageVersion = Text(json, "PackageVersion"),
        PackageSourceUrl = Text(json, "PackageSourceUrl"),
        Usings = [.. Elements(json, "Usings").Select(u => u.ToString())],
    };

    private static string? Filled(JsonElement json, string name) =>
        Text(json, name) is { } text && !string.IsNullOrWhiteSpace(text) ? text : null;

    private static IEnumerable<string> Texts(JsonElement json, string name)
    {
        JsonElement member = Member(json, name);
        return member.ValueKind == JsonValueKind.String
            ? [member.GetString()!]
            : Elements(json, name).Where(e => e.ValueKind == JsonValueKind.String).Select(e => e.GetString()!);
    }

    private static JsonElement[] Elements(JsonElement json, string name)
    {
        JsonElement member = Member(json, name);
        return member.ValueKind switch
        {
            JsonValueKind.Array => [.. member.EnumerateArray()],
            JsonValueKind.Undefined or JsonValueKind.Null => [],
            _ => throw new IndexDefinitionException($"{name} of an index definition must be an array."),
        };
    }

    private static JsonProperty[] Members(JsonElement json, string name)
    {
        JsonElement member = Member(json, name);
        return member.ValueKind switch
        {
            JsonValueKind.Object => [.. member.EnumerateObject()],
            JsonValueKind.Undefined or JsonValueKind.Null => [],
            _ => throw new IndexDefinitionException($"{name} of an index definition must be an object."),
        };
    }
}
