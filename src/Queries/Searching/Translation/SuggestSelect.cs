using Jackdaw.Queries.Language;
using Jackdaw.Queries.Planning.Conditions;
using Jackdaw.Search.Queries;

namespace Jackdaw.Queries.Searching.Translation;

/// <summary>One item of a query that selects suggestions.</summary>
/// <param name="Name">The name in the answer.</param>
internal sealed record Suggestion(string Name, SuggestionRequest Request);

/// <summary>Reads the suggestions that a query selects.</summary>
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
        return new Suggestion(item.Alias ?? conditions.ShownName(method.Arguments[0].Value), request);
    }
}
