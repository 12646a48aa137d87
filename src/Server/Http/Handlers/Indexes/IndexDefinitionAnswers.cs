using System.Text.Json;
using Jackdaw.Indexing;
using Jackdaw.Indexing.Auto;
using Jackdaw.Indexing.Catalog;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Indexing.Records;

namespace Jackdaw.Server.Http.Handlers.Indexes;

/// <summary>Writes definitions of indexes as clients read them.</summary>
internal static class IndexDefinitionAnswers
{
    public static void Write(Utf8JsonWriter json, DatabaseIndex index) => IndexDefinitionWriter.Write(json, Of(index));

    /// <summary>The members Indexes and AutoIndexes of a database record.</summary>
    public static void WriteOfRecord(Utf8JsonWriter json, IndexCatalog indexes)
    {
        json.WriteStartObject("Indexes"u8);
        foreach (DatabaseIndex index in indexes.All.Where(index => index.Auto is null && index.Record.Replaces is null))
        {
            json.WritePropertyName(index.Name);
            Write(json, index);
        }

        json.WriteEndObject();
        json.WriteStartObject("AutoIndexes"u8);
        foreach (DatabaseIndex index in indexes.All.Where(index => index.Auto is not null))
        {
            json.WritePropertyName(index.Name);
            json.WriteRawValue(index.Record.Definition.Span);
        }

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
            Name = auto.Name,
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
    };
}
