using Jackdaw.Search.Entries;
using Jackdaw.Server.Indexing.Auto;
using Jackdaw.Server.Indexing.Definitions.Model;

namespace Jackdaw.Server.Indexing.Mapping;

/// <summary>From the options of a definition to the settings of the fields of its index.</summary>
internal static class FieldSettings
{
    public static IndexFields Of(IndexDefinition definition)
    {
        IndexFieldOptions? all = definition.Fields.GetValueOrDefault(IndexDefinition.AllFields);
        return new IndexFields(
            definition.Fields
                .Where(field => field.Key != IndexDefinition.AllFields)
                .Select(field => ToField(field.Key, field.Value.Over(all))),
            all is null ? null : ToField("", all));
    }

    public static IndexFields Of(AutoDefinition definition) => new(definition.Fields.SelectMany(FieldsOf));

    public static IndexingMode ToIndexing(FieldIndexingOption option) => option switch
    {
        FieldIndexingOption.Exact => IndexingMode.Exact,
        FieldIndexingOption.Search or FieldIndexingOption.Highlighting => IndexingMode.Text,
        FieldIndexingOption.No => IndexingMode.None,
        _ => IndexingMode.Keyword,
    };

    private static IndexField ToField(string name, IndexFieldOptions options)
    {
        bool isHighlighted = options.Indexing == FieldIndexingOption.Highlighting;

        // An analyzer without another option means full text.
        IndexingMode indexing = options.Indexing is null && options.Analyzer is not null
            ? IndexingMode.Text
            : ToIndexing(options.Indexing ?? FieldIndexingOption.Default);
        return new IndexField(name)
        {
            Indexing = indexing,
            Analyzer = options.Analyzer,
            IsStored = options.IsStored == true || isHighlighted,
            Spatial = options.Spatial is { } spatial ? ToSettings(spatial) : null,
            HasTermVectors = isHighlighted || options.TermVector is not (null or FieldTermVectorOption.No),
        };
    }

    private static SpatialSettings ToSettings(SpatialOptions options) => new(
        options.Type == SpatialFieldType.Geography,
        options.Units == SpatialUnits.Miles ? DistanceUnit.Miles : DistanceUnit.Kilometers,
        options.MinX, options.MaxX, options.MinY, options.MaxY);

    private static IEnumerable<IndexField> FieldsOf(AutoField field)
    {
        if ((field.Search & (AutoFieldSearch.Search | AutoFieldSearch.Highlighting)) != 0)
        {
            bool isHighlighted = field.Search.HasFlag(AutoFieldSearch.Highlighting);
            yield return new IndexField(AutoFieldNames.Search(field.Name))
            {
                Indexing = IndexingMode.Text,
                IsStored = isHighlighted,
                HasTermVectors = isHighlighted,
            };
        }

        if (field.Search.HasFlag(AutoFieldSearch.Exact))
        {
            yield return new IndexField(AutoFieldNames.Exact(field.Name)) { Indexing = IndexingMode.Exact };
        }
    }
}
