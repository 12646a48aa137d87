using Jackdaw.Search.Analysis;
using Jackdaw.Search.Entries;
using Jackdaw.Server.Configuration;
using Jackdaw.Server.Indexing.Auto;
using Jackdaw.Server.Indexing.Definitions.Model;

namespace Jackdaw.Server.Indexing.Mapping;

/// <summary>From the options of a definition to the settings of the fields of its index.</summary>
internal static class FieldSettings
{
    /// <exception cref="IndexDefinitionException">An analyzer is not there.</exception>
    /// <param name="settings">What holds where the definition says nothing.</param>
    public static IndexFields Of(IndexDefinition definition, IndexingSettings settings)
    {
        IndexFieldOptions all = definition.Fields.GetValueOrDefault(IndexDefinition.AllFields) ?? new IndexFieldOptions();
        return new IndexFields(
            definition.Fields
                .Where(field => field.Key is not (IndexDefinition.AllFields or AutoDefinition.DocumentId))
                .Select(field => ToField(field.Key, field.Value.Over(all), settings))
                .Prepend(new IndexField(AutoDefinition.DocumentId)),
            ToField("", all, settings));
    }

    /// <summary>Checks that there are all analyzers that a definition names.</summary>
    /// <param name="settings">Those of the definition alone.</param>
    /// <exception cref="IndexDefinitionException">One is not there.</exception>
    public static void Check(IndexDefinition definition, IndexingSettings settings)
    {
        RequireAnalyzer(settings.DefaultAnalyzer);
        RequireAnalyzer(settings.ExactAnalyzer);
        RequireAnalyzer(settings.SearchAnalyzer);
        foreach ((string name, IndexFieldOptions options) in definition.Fields)
        {
            if (options.Analyzer is { } analyzer && !TextAnalyzers.TryGet(analyzer, out _))
            {
                throw new IndexCompilationException(
                    definition.Name, "Fields", file: null, name, $"Cannot find analyzer type '{analyzer}' for field: {name}");
            }
        }
    }

    public static IndexFields Of(AutoDefinition definition) => new(definition.Fields.SelectMany(FieldsOf));

    public static IndexingMode ToIndexing(FieldIndexingOption option) => option switch
    {
        FieldIndexingOption.Exact => IndexingMode.Exact,
        FieldIndexingOption.Search or FieldIndexingOption.Highlighting => IndexingMode.Text,
        FieldIndexingOption.No => IndexingMode.None,
        _ => IndexingMode.Keyword,
    };

    private static void RequireAnalyzer(string? name)
    {
        if (name is not null && !TextAnalyzers.TryGet(name, out _))
        {
            throw new IndexDefinitionException(
                $"There is no analyzer '{name}', which the definition or a setting Indexing.Analyzers names; use StandardAnalyzer or another built-in one.");
        }
    }

    /// <summary>The settings of one field.</summary>
    public static IndexField ToField(string name, IndexFieldOptions options, IndexingSettings settings)
    {
        bool isHighlighted = options.Indexing == FieldIndexingOption.Highlighting;

        // An analyzer without another option means full text.
        IndexingMode indexing = options.Indexing is null && options.Analyzer is not null
            ? IndexingMode.Text
            : ToIndexing(options.Indexing ?? FieldIndexingOption.Default);
        string? analyzer = options.Analyzer ?? indexing switch
        {
            IndexingMode.Text => settings.SearchAnalyzer,
            IndexingMode.Exact => settings.ExactAnalyzer,
            IndexingMode.Keyword => settings.DefaultAnalyzer,
            _ => null,
        };
        RequireAnalyzer(analyzer);
        return new IndexField(name)
        {
            // Only full text has a choice of analyzers.
            Indexing = analyzer is not null && options.Analyzer is null && indexing != IndexingMode.None ? IndexingMode.Text : indexing,
            Analyzer = analyzer,
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
