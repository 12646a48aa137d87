using System.Globalization;
using System.Text.Json;
using Jackdaw.Indexing;
using Jackdaw.Indexing.Auto;
using Jackdaw.Indexing.Catalog;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Indexing.Records;
using Jackdaw.Server.Http.Bodies;

namespace Jackdaw.Server.Http.Handlers.Indexes;

/// <summary>Writes definitions of indexes as clients read them.</summary>
internal static class IndexDefinitionAnswers
{
    public static void Write(Utf8JsonWriter json, DatabaseIndex index) => IndexDefinitionWriter.Write(json, Of(index));

    /// <summary>Writes a definition with the search engine that serves it.</summary>
    public static void WriteListed(Utf8JsonWriter json, DatabaseIndex index) => IndexDefinitionWriter.Write(json, Of(index), index.Record.Engine);

    /// <summary>The members of a database record about its indexes.</summary>
    /// <returns>The names of the members.</returns>
    public static IReadOnlyList<string> WriteOfRecord(Utf8JsonWriter json, DatabaseIndexes indexes)
    {
        DatabaseIndex[] all = [.. indexes.Catalog.All];
        DatabaseIndex[] defined = Array.FindAll(all, index => index.Auto is null && index.Record.Replaces is null);
        WriteMap(json, "Indexes", defined, index => Write(json, index));
        WriteMap(json, "IndexesHistory", defined, index => WriteHistory(json, index));
        WriteMap(json, "AutoIndexes", Array.FindAll(all, index => index.Auto is not null && index.Record.Replaces is null), index => WriteAuto(json, index));
        WriteCodes(json, "Analyzers", indexes.Analyzers.List());
        WriteCodes(json, "Sorters", indexes.Sorters.List());
        return ["Indexes", "IndexesHistory", "AutoIndexes", "Analyzers", "Sorters"];
    }

    private static void WriteCodes(Utf8JsonWriter json, string name, IReadOnlyList<UserCode> codes)
    {
        json.WriteStartObject(name);
        foreach (UserCode code in codes)
        {
            json.WriteStartObject(code.Name);
            json.WriteString("Name"u8, code.Name);
            json.WriteString("Code"u8, code.Code);
            json.WriteEndObject();
        }

        json.WriteEndObject();
    }

    private static void WriteMap(Utf8JsonWriter json, string name, IEnumerable<DatabaseIndex> indexes, Action<DatabaseIndex> write)
    {
        json.WriteStartObject(name);
        foreach (DatabaseIndex index in indexes)
        {
            json.WritePropertyName(index.Name);
            write(index);
        }

        json.WriteEndObject();
    }

    // From the present definition to the oldest.
    private static void WriteHistory(Utf8JsonWriter json, DatabaseIndex index)
    {
        json.WriteStartArray();
        WriteVersion(json, () => Write(json, index), new DateTime(index.Record.CreatedTicks, DateTimeKind.Utc).ToString("o", CultureInfo.InvariantCulture));
        foreach (JsonElement earlier in IndexHistory.Read(index.Record))
        {
            WriteVersion(json, () => earlier.GetProperty("Definition").WriteTo(json), earlier.GetProperty("CreatedAt").GetString()!);
        }

        json.WriteEndArray();
    }

    private static void WriteVersion(Utf8JsonWriter json, Action writeDefinition, string createdAt)
    {
        json.WriteStartObject();
        json.WritePropertyName("Definition"u8);
        writeDefinition();
        json.WriteString("Source"u8, "Client"u8);
        json.WriteString("CreatedAt"u8, createdAt);
        json.WriteStartObject("RollingDeployment"u8);
        json.WriteEndObject();
        json.WriteEndObject();
    }

    private static void WriteAuto(Utf8JsonWriter json, DatabaseIndex index)
    {
        using var definition = JsonDocument.Parse(index.Record.Definition);
        json.WriteStartObject();
        definition.RootElement.CopyMembers(json, "Priority", "State", "LockMode", "DeploymentMode");
        json.WriteString("Priority"u8, index.Record.Priority.ToString());
        json.WriteString("State"u8, index.Record.State.ToString());
        json.WriteString("LockMode"u8, index.Record.LockMode.ToString());
        json.WriteString("DeploymentMode"u8, "Parallel"u8);
        json.WriteEndObject();
    }

    /// <summary>The definition of an index under the name that it has now.</summary>
    public static IndexDefinition Of(DatabaseIndex index) => index.Auto is { } auto
        ? OfAuto(auto, index.Record)
        : IndexDefinitions.Read(index.Record) with { Name = index.Name };

    // An index that a query made has no text; the answer describes its map in words.
    private static IndexDefinition OfAuto(AutoDefinition auto, IndexRecord record)
    {
        string fields = string.Join(",", auto.Fields.Select(field => $$"""{"Name":"{{field.Name}}","Operation":"{{field.Aggregation}}"}"""));
        string groups = string.Join(",", auto.GroupBy.Select(key => key.Text));
        return new IndexDefinition
        {
            Name = record.Name,
            Type = auto.GroupBy.Count == 0 ? IndexType.AutoMap : IndexType.AutoMapReduce,
            SourceType = IndexSourceType.Documents,
            Maps = [$"{auto.Collection}:[{fields}]"],
            Reduce = auto.GroupBy.Count == 0 ? null : $"[{groups}]",
            Fields = auto.Fields.ToDictionary(field => field.Name, ToOptions),
            LockMode = record.LockMode,
            Priority = record.Priority,
            State = record.State,
        };
    }

    private static IndexFieldOptions ToOptions(AutoField field) => new()
    {
        Indexing = field.Search.HasFlag(AutoFieldSearch.Highlighting) ? FieldIndexingOption.Highlighting
            : field.Search.HasFlag(AutoFieldSearch.Search) ? FieldIndexingOption.Search
            : field.Search.HasFlag(AutoFieldSearch.Exact) ? FieldIndexingOption.Exact
            : FieldIndexingOption.Default,
        IsStored = false,
        Suggestions = field.HasSuggestions ? true : null,
        Spatial = field.Spatial is null ? null : new SpatialOptions(),
        Vector = field.Vector is { } vector
            ? new VectorOptions { SourceEmbeddingType = vector.Source, DestinationEmbeddingType = vector.Destination }
            : null,
    };
}
