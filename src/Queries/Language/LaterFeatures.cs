using Jackdaw.Queries.Language;

namespace Jackdaw.Queries.Language;

/// <summary>Names what a query asks for and this version cannot do yet, so that it is refused and never answered with a
/// wrong success.</summary>
internal static class LaterFeatures
{
    private static readonly (string Prefix, string Feature)[] s_methods =
    [
        ("vector.", "Vector searches are"), ("embedding.", "Vector searches are"), ("spatial.", "Spatial queries are"),
        ("counter", "Counters are"), ("timeseries", "Time series are"), ("revisions", "Revisions are"),
        ("cmpxchg", "Compare exchange values in queries are"), ("custom", "Custom sorters are"), ("facet", "Facets are"),
        ("suggest", "Suggestions are"), ("moreLikeThis", "More-like-this queries are"), ("timings", "Timings are"),
        ("explanations", "Explanations are"), ("highlight", "Highlighting is"), ("random", "Random order is"),
        ("score", "Order by score is"), ("lucene", "Lucene queries are"), ("search", "Full-text searches are"),
    ];

    /// <summary>The refusal of a method that cannot stand where it stands.</summary>
    /// <param name="method">The call.</param>
    /// <param name="otherwise">Subject and verb when the method has no feature of its own.</param>
    public static QueryNotSupportedException Refuse(MethodExpression method, string otherwise)
    {
        foreach ((string prefix, string feature) in s_methods)
        {
            if (method.Name.StartsWith(prefix, StringComparison.OrdinalIgnoreCase))
            {
                return new QueryNotSupportedException(feature);
            }
        }

        return new QueryNotSupportedException(otherwise);
    }

    /// <summary>The refusal of a condition: by the first method in it that has a feature of its own.</summary>
    public static QueryNotSupportedException RefuseCondition(Expression condition)
    {
        const string otherwise = "Conditions on other fields than id() are";
        return FirstMethod(condition) is { } method ? Refuse(method, otherwise) : new QueryNotSupportedException(otherwise);
    }

    private static MethodExpression? FirstMethod(Expression expression) => expression switch
    {
        MethodExpression method when method.Is("exact") || method.Is("boost") || method.Is("when") =>
            method.Arguments.Select(argument => FirstMethod(argument.Value)).FirstOrDefault(found => found is not null),
        MethodExpression method => method,
        LogicalExpression logical => logical.Operands.Select(FirstMethod).FirstOrDefault(found => found is not null),
        NotExpression not => FirstMethod(not.Operand),
        ComparisonExpression comparison => FirstMethod(comparison.Right) ?? FirstMethod(comparison.Left),
        _ => null,
    };
}
