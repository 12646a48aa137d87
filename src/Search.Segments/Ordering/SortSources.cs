using Jackdaw.Search.Analysis;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Queries;
using Jackdaw.Search.Segments.Fields;
using SortKey = Jackdaw.Search.Queries.SortKey;

namespace Jackdaw.Search.Segments.Ordering;

/// <summary>Makes the sources of the keys of an order.</summary>
internal static class SortSources
{
    private static readonly SpatialSettings s_earth = new();

    /// <exception cref="InvalidSearchException">The index cannot be ordered so.</exception>
    public static SortSource[] Make(IReadOnlyList<SortKey> keys, FieldTable table, IndexFields fields) =>
        [.. keys.Select(key => Make(key, table.Find(key.Field), fields))];

    private static SortSource Make(SortKey key, FieldRecord? field, IndexFields fields) => key.By switch
    {
        SortBy.Score => new ScoreSource(key),
        SortBy.Id => new IdSource(key),
        SortBy.Random => new RandomSource(key),
        SortBy.Long or SortBy.Double => new NumberSource(key, field),
        SortBy.Text => new TermSource(key, field, AnalyzerOf(key, fields)),
        SortBy.AlphaNumeric => new NaturalSource(key, field, AnalyzerOf(key, fields)),
        SortBy.Custom => new CustomSource(key, field, AnalyzerOf(key, fields)),
        SortBy.Distance => new DistanceSource(key, field, fields.Find(key.Field).Spatial ?? s_earth),
        _ => throw new InvalidSearchException($"This engine does not sort by '{key.By}' yet."),
    };

    private static TextAnalyzer AnalyzerOf(SortKey key, IndexFields fields) => TextAnalyzers.Of(fields.Find(key.Field));
}
