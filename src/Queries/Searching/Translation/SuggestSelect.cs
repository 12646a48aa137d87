using System.Text.Json;
using Jackdaw.Indexing.Auto;
using Jackdaw.Indexing.Mapping;
using Jackdaw.Queries.Language;
using Jackdaw.Queries.Planning.Conditions;
using Jackdaw.Search;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Queries;

namespace Jackdaw.Queries.Searching.Translation;

/// <summary>One item of a query that selects suggestions.</summary>
/// <param name="Name">The name in the answer.</param>
internal sealed record Suggestion(string Name, SuggestionRequest Request);

/// <summary>Reads the suggestions that a query selects, finds them and writes them as clients read them.</summary>
internal sealed class SuggestSelect(QuerySyntax query, ParameterValues parameters, SearchConditions conditions)
{
    private const int CountDefault = 15;
    private const double AccuracyDefault = 0.5;

    private enum Distance
    {
        Levenshtein,
        None,
        JaroWinkler,
        NGram,
    }

    private enum SortMode
    {
        Popularity,
        None,
    }

    public List<Suggestion> Read() => [.. query.Select!.Items.Select(Read)];

    /// <param name="auto">The definition of an index that a query made; null for an index that a user defined.</param>
    /// <returns>A JSON object for each item.</returns>
    public static List<byte[]> Find(Searcher searcher, IEnumerable<Suggestion> items, AutoDefinition? auto, CancellationToken cancellation) =>
        [.. items.Select(item => JsonSerializer.SerializeToUtf8Bytes(new { item.Name, Suggestions = Find(searcher, item.Request, auto, cancellation) }))];

    /// <summary>Checks that an index of a user suggests terms of the fields.</summary>
    /// <exception cref="InvalidQueryException">The index does not suggest terms of a field.</exception>
    public static void Check(IEnumerable<Suggestion> items, string index, IndexFields fields)
    {
        if (items.FirstOrDefault(item => !fields.Find(item.Request.Field).HasSuggestions) is { } refused)
        {
            throw new InvalidQueryException(
                $"Index '{index}' does not suggest terms of the field '{refused.Request.Field}': set Suggestions to true for it in the definition.");
        }
    }

    // Whole values come first. A field that is also searched as full text suggests words, because people seldom type its whole values.
    private static IReadOnlyList<string> Find(Searcher searcher, SuggestionRequest request, AutoDefinition? auto, CancellationToken cancellation)
    {
        IReadOnlyList<string> values = searcher.Suggest(request, cancellation);
        bool hasWords = auto?.Fields.Any(field => field.Name == request.Field && field.Search.HasFlag(AutoFieldSearch.Search)) == true;
        return values.Count == 0 && hasWords
            ? searcher.Suggest(request with { Field = AutoFieldNames.Search(request.Field) }, cancellation)
            : values;
    }

    private Suggestion Read(SelectItem item)
    {
        var method = (MethodExpression)item.Value;
        string field = conditions.FieldOf(method.Arguments[0].Value);
        QueryValue terms = parameters.Resolve(method.Arguments[1].Value);
        QueryOptions options = method.Arguments.Count < 3 ? QueryOptions.None : QueryOptions.Read(query, parameters, method.Arguments[2].Value);
        var request = new SuggestionRequest(
            field,
            terms.Kind == QueryValueKind.List ? [.. terms.Items.Select(term => term.Text)] : [terms.Text],
            Math.Max(0, options.Int("PageSize", CountDefault)),
            options.Choice("Distance", Distance.Levenshtein) switch
            {
                Distance.JaroWinkler => SimilarityMeasure.JaroWinkler,
                Distance.NGram => SimilarityMeasure.NGram,
                _ => SimilarityMeasure.Levenshtein,
            },
            options.Double("Accuracy", AccuracyDefault),
            options.Choice("SortMode", SortMode.Popularity) == SortMode.Popularity);
        return new Suggestion(item.Alias ?? field, request);
    }
}
