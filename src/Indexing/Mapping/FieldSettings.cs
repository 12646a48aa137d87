using Jackdaw.Indexing.Auto;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Indexing.Settings;
using Jackdaw.Search.Analysis;
using Jackdaw.Search.Entries;

namespace Jackdaw.Indexing.Mapping;

/// <summary>Turns the options of a definition into the settings of the fields of its index.</summary>
internal static class FieldSettings
{
    /// <summary>Finds no analyzer.</summary>
    public static readonly FindAnalyzer NoAnalyzers = _ => null;

    /// <summary>The settings of all fields.</summary>
    /// <param name="settings">They apply where the definition says nothing.</param>
    /// <param name="analyzers">Finds the analyzers that users wrote.</param>
    /// <exception cref="IndexDefinitionException">An analyzer does not exist.</exception>
    public static IndexFields Of(IndexDefinition definition, IndexingSettings settings, FindAnalyzer analyzers)
    {
        IndexFieldOptions all = definition.Fields.GetValueOrDefault(IndexDefinition.AllFields) ?? new IndexFieldOptions();
        return new IndexFields(
            definition.Fields
                .Where(field => field.Key is not (IndexDefinition.AllFields or AutoDefinition.DocumentId))
                .Select(field => ToField(field.Key, field.Value.Over(all), settings, analyzers))
                .Prepend(new IndexField(AutoDefinition.DocumentId)),
            ToField("", all, settings, analyzers));
    }

    /// <summary>Checks that all analyzers that a definition names exist.</summary>
    /// <param name="settings">The settings of the definition alone.</param>
    /// <param name="custom">Names of the analyzers that users wrote.</param>
    /// <exception cref="IndexDefinitionException">An analyzer does not exist.</exception>
    public static void Check(IndexDefinition definition, IndexingSettings settings, IReadOnlyList<string> custom)
    {
        foreach (string name in SettingsOf(settings))
        {
            if (!IsThere(name, custom))
            {
                throw new IndexDefinitionException(Unknown(name, "", custom));
            }
        }

        foreach ((string name, IndexFieldOptions options) in definition.Fields)
        {
            if (options.Analyzer is { } analyzer && !IsThere(analyzer, custom))
            {
                throw new IndexCompilationException(definition.Name, "Fields", file: null, name, Unknown(analyzer, $" for field: {name}", custom));
            }
        }
    }

    /// <summary>Whether an index uses an analyzer, as far as its definition says.</summary>
    public static bool Uses(IndexDefinition definition, IndexingSettings settings, string analyzer) =>
        SettingsOf(settings).Concat(definition.Fields.Values.Select(options => options.Analyzer ?? ""))
            .Any(name => TypeNameOf(name).Equals(analyzer, StringComparison.OrdinalIgnoreCase));

    /// <summary>The name of a class without namespace and assembly.</summary>
    public static string TypeNameOf(string name)
    {
        string type = name.Split(',')[0].Trim();
        return type[(type.LastIndexOf('.') + 1)..];
    }

    public static IndexFields Of(AutoDefinition definition, IndexingSettings settings) =>
        new(definition.Fields.SelectMany(field => FieldsOf(field, settings)));

    public static IndexingMode ToIndexing(FieldIndexingOption option) => option switch
    {
        FieldIndexingOption.Exact => IndexingMode.Exact,
        FieldIndexingOption.Search or FieldIndexingOption.Highlighting => IndexingMode.Text,
        FieldIndexingOption.No => IndexingMode.None,
        _ => IndexingMode.Keyword,
    };

    /// <summary>An analyzer that a user wrote, or a built-in one with unusual settings; null for a built-in analyzer with its usual settings, or
    /// when no analyzer is named.</summary>
    /// <exception cref="IndexDefinitionException">There is no such analyzer.</exception>
    public static ITextAnalyzer? Resolve(string? name, IndexingSettings settings, FindAnalyzer analyzers)
    {
        if (name is null)
        {
            return null;
        }

        if (TextAnalyzers.TryGet(name, out TextAnalyzer? known))
        {
            return known == TextAnalyzers.NGram && (settings.NGramMin, settings.NGramMax) != (TextAnalyzers.NGramMin, TextAnalyzers.NGramMax)
                ? TextAnalyzers.MakeNGram(settings.NGramMin, settings.NGramMax)
                : null;
        }

        return analyzers(TypeNameOf(name)) ?? throw new IndexDefinitionException(Unknown(name, "", []));
    }

    private static IEnumerable<string> SettingsOf(IndexingSettings settings) =>
        new[] { settings.DefaultAnalyzer, settings.ExactAnalyzer, settings.SearchAnalyzer }.OfType<string>();

    private static bool IsThere(string name, IReadOnlyList<string> custom) =>
        TextAnalyzers.TryGet(name, out _) || custom.Contains(TypeNameOf(name), StringComparer.OrdinalIgnoreCase);

    private static string Unknown(string name, string place, IReadOnlyList<string> custom) =>
        $"Cannot find analyzer type '{name}'{place}" + (NearestName.Find(TypeNameOf(name), [.. custom, .. TextAnalyzers.Names]) is { } nearest
            ? $"; the nearest name is '{nearest}'."
            : ". Put it with PUT /admin/analyzers, or name one of the server, such as StandardAnalyzer.");

    /// <summary>The settings of one field.</summary>
    public static IndexField ToField(string name, IndexFieldOptions options, IndexingSettings settings, FindAnalyzer analyzers)
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
        return new IndexField(name)
        {
            CustomAnalyzer = Resolve(analyzer, settings, analyzers),
            // Only full text has a choice of analyzers.
            Indexing = analyzer is not null && options.Analyzer is null && indexing != IndexingMode.None ? IndexingMode.Text : indexing,
            Analyzer = analyzer,
            IsStored = options.IsStored == true || isHighlighted,
            Spatial = options.Spatial is { } spatial ? ToSettings(spatial) : null,
            Vector = options.Vector is { } vector ? ToSettings(vector, settings) : null,
            HasSuggestions = options.Suggestions == true,
            HasTermVectors = isHighlighted || options.TermVector is not (null or FieldTermVectorOption.No),
        };
    }

    /// <summary>The settings of a field of vectors.</summary>
    public static VectorSettings ToSettings(VectorOptions options, IndexingSettings settings) => new()
    {
        Dimensions = options.Dimensions,
        Source = options.SourceEmbeddingType,
        Destination = options.DestinationEmbeddingType,
        Edges = options.NumberOfEdges ?? settings.VectorEdges,
        CandidatesForIndexing = options.NumberOfCandidatesForIndexing ?? settings.VectorCandidatesForIndexing,
        TargetRecall = options.TargetRecall ?? new VectorSettings().TargetRecall,
    };

    private static SpatialSettings ToSettings(SpatialOptions options) => new(
        options.Type == SpatialFieldType.Geography,
        options.Units == SpatialUnits.Miles ? DistanceUnit.Miles : DistanceUnit.Kilometers,
        options.MinX, options.MaxX, options.MinY, options.MaxY)
    {
        KeepsBoxes = options.Strategy == SpatialStrategy.BoundingBox,
    };

    private static IEnumerable<IndexField> FieldsOf(AutoField field, IndexingSettings settings)
    {
        if (field.Vector is { } vector)
        {
            var options = new VectorOptions { SourceEmbeddingType = vector.Source, DestinationEmbeddingType = vector.Destination };
            yield return new IndexField(field.Name) { Vector = ToSettings(options, settings) };
        }

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

/// <summary>Finds an analyzer that a user wrote, by its name in any casing; null when there is none.</summary>
internal delegate TextAnalyzer? FindAnalyzer(string name);
