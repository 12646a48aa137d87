
namespace Jackdaw.Queries.Language;

/// <summary>What queries may ask for and this version cannot do yet. Such a query is refused and never answered with a wrong
/// success.</summary>
internal static class LaterFeatures
{
    private static readonly (string Prefix, string Message)[] s_methods =
    [
        ("vector.", "Vector searches are only possible in 'where', in this version of Jackdaw."),
        ("embedding.", "Vector searches are only possible in 'where', in this version of Jackdaw."),
        ("spatial.", "Spatial queries are not supported yet by this version of Jackdaw."),
        ("counter", "Counters are not supported yet by this version of Jackdaw."),
        ("timeseries", "Time series are not supported yet by this version of Jackdaw."),
        ("revisions", "Revisions are not supported yet by this version of Jackdaw."),
        ("cmpxchg", "Compare exchange values in queries are not supported yet by this version of Jackdaw."),
        ("facet", "Facets are not supported yet by this version of Jackdaw."),
        ("suggest", "Suggestions are not supported yet by this version of Jackdaw."),
        ("moreLikeThis", "More-like-this queries are not supported yet by this version of Jackdaw."),
        ("timings", "Timings are not supported yet by this version of Jackdaw."),
        ("explanations", "Explanations are not supported yet by this version of Jackdaw."),
        ("highlight", "Highlighting is not supported yet by this version of Jackdaw."),
        ("random", "Random order is not supported yet by this version of Jackdaw."),
        ("score", "Order by score is not supported yet by this version of Jackdaw."),
        ("lucene", "Lucene queries are not supported yet by this version of Jackdaw."),
        ("search", "Full-text searches are not supported yet by this version of Jackdaw."),
    ];

    /// <summary>The refusal of a method that stands in the wrong place.</summary>
    /// <param name="method">The call.</param>
    /// <param name="otherwise">The message for a method that belongs to no feature of the list.</param>
    public static QueryNotSupportedException Refuse(MethodExpression method, string otherwise)
    {
        foreach ((string prefix, string message) in s_methods)
        {
            if (method.Name.StartsWith(prefix, StringComparison.OrdinalIgnoreCase))
            {
                return new QueryNotSupportedException(message);
            }
        }

        return new QueryNotSupportedException(otherwise);
    }

    /// <summary>The refusal of a condition: it names the feature of the first method in it.</summary>
    public static QueryNotSupportedException RefuseCondition(Expression condition)
    {
        const string otherwise = "Conditions on other fields than id() are not supported yet by this version of Jackdaw.";
        return FirstMethod(condition) is { } method ? Refuse(method, otherwise) : new QueryNotSupportedException(otherwise);
    }

    private static MethodExpression? FirstMethod(Expression expression) => expression switch
    {
        MethodExpression method when method.Is("exact") || method.Is("boost") || method.Is("when") =>
            method.Arguments.Select(argument => FirstMethod(argument.Value)).FirstOrDefault(first => first is not null),
        MethodExpression method => method,
        LogicalExpression logical => logical.Operands.Select(FirstMethod).FirstOrDefault(first => first is not null),
        NotExpression not => FirstMethod(not.Operand),
        ComparisonExpression comparison => FirstMethod(comparison.Right) ?? FirstMethod(comparison.Left),
        _ => null,
    };
}
