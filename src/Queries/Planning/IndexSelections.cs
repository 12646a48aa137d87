using Jackdaw.Queries.Language;

namespace Jackdaw.Queries.Planning;

/// <summary>Selections that the index itself answers: facets and suggestions.</summary>
internal static class IndexSelections
{
    /// <summary>Whether a query selects facets.</summary>
    /// <exception cref="InvalidQueryException">The query also selects something else.</exception>
    public static bool AreFacets(QuerySyntax query)
    {
        int facets = Count(query, "facet");
        return facets > 0 && (facets < query.Select!.Items.Count || query.Select.IsDistinct || query.GroupBy.Count > 0 || query.Filter is not null)
            ? throw InvalidQueryException.At(query.Text, query.Select.TextPosition,
                "facets cannot be selected together with other things, 'distinct', 'group by', 'filter', or 'any' in 'where'.")
            : facets > 0;
    }

    /// <summary>Whether a query selects suggestions.</summary>
    /// <exception cref="InvalidQueryException">The query also selects something else.</exception>
    public static bool AreSuggestions(QuerySyntax query)
    {
        int suggestions = Count(query, "suggest");
        return suggestions > 0 && (suggestions < query.Select!.Items.Count || query.Select.IsDistinct || query.Filter is not null || query.Where is not null)
            ? throw InvalidQueryException.At(query.Text, query.Select.TextPosition,
                "suggestions cannot be selected together with other things, 'where', 'distinct' or 'filter'.")
            : suggestions > 0;
    }

    private static int Count(QuerySyntax query, string method) =>
        query.Select is { } select && select.Items.Count > 0 ? select.Items.Count(item => item.Value is MethodExpression call && call.Is(method)) : 0;
}
