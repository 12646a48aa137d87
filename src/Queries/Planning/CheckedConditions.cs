using Jackdaw.Queries.Language;

namespace Jackdaw.Queries.Planning;

/// <summary>The condition of <c>where</c> that an index cannot decide alone: <c>any</c>, because an index does not know which values belong to one
/// element. The index finds candidates, and the documents decide, as with <c>filter</c>.</summary>
/// <remarks>A query of an index that users define is left as it is: its fields need not be those of documents. Recursion is as deep as the query,
/// which is bounded.</remarks>
internal static class CheckedConditions
{
    private static readonly HashSet<string> s_ofDocuments =
        new(StringComparer.OrdinalIgnoreCase) { "any", "contains", "startsWith", "endsWith", "exists" };

    /// <summary>The same query, in which <c>where</c> finds candidates, and <c>filter</c> checks them.</summary>
    /// <exception cref="InvalidQueryException">A checked condition is an alternative to one that only an index can decide.</exception>
    public static QuerySyntax Split(QuerySyntax query)
    {
        if (query.Where is not { } where || query.From.IsIndex || !IsChecked(where))
        {
            return query;
        }

        IReadOnlyList<Expression> conditions = where is LogicalExpression { IsAnd: true } and ? and.Operands : [where];
        List<Expression> kept = [.. conditions.Where(condition => !IsChecked(condition))];
        List<Expression> checks = query.Filter is { } filter ? [filter] : [];
        foreach (Expression condition in conditions.Where(IsChecked))
        {
            RequireDocuments(query, condition);
            kept.AddRange(Candidates(condition) is { } candidates ? [candidates] : []);
            checks.Add(condition);
        }

        return query with { Where = Join(kept, isAnd: true), Filter = Join(checks, isAnd: true) };
    }

    private static bool IsChecked(Expression condition) => condition switch
    {
        LogicalExpression logical => logical.Operands.Any(IsChecked),
        NotExpression not => IsChecked(not.Operand),
        MethodExpression method when method.Is("any") => true,
        MethodExpression method => method.Arguments.Any(argument => IsChecked(argument.Value)),
        _ => false,
    };

    // What only an index decides cannot be asked of the documents.
    private static void RequireDocuments(QuerySyntax query, Expression condition)
    {
        switch (condition)
        {
            case LogicalExpression logical:
                foreach (Expression operand in logical.Operands)
                {
                    RequireDocuments(query, operand);
                }

                break;
            case NotExpression not:
                RequireDocuments(query, not.Operand);
                break;
            case MethodExpression method when method.Is("exact") || method.Is("when"):
                RequireDocuments(query, method.Arguments[^1].Value);
                break;
            case MethodExpression method when !s_ofDocuments.Contains(method.Name):
                throw InvalidQueryException.At(query.Text, method.TextPosition,
                    $"'{method.Name}' asks the index, while 'any' is checked on documents; join them with 'and', not with 'or' or 'not'.");
        }
    }

    /// <summary>A condition that finds at least what another one finds; null for all documents.</summary>
    private static Expression? Candidates(Expression condition)
    {
        switch (condition)
        {
            case LogicalExpression logical:
                List<Expression?> operands = [.. logical.Operands.Select(Candidates)];
                return !logical.IsAnd && operands.Contains(null) ? null : Join([.. operands.OfType<Expression>()], logical.IsAnd);
            case NotExpression not:
                return Certain(not.Operand) is { } certain ? not with { Operand = certain } : null;
            case MethodExpression method when method.Is("any"):
                return ElementConditions.Flatten(method) is { } flat ? Candidates(flat) : null;
            case MethodExpression method when method.Is("exact") || method.Is("when"):
                return Within(method, Candidates(method.Arguments[^1].Value));
            default:
                return condition;
        }
    }

    /// <summary>A condition that finds nothing that another one does not find; null for no document.</summary>
    private static Expression? Certain(Expression condition)
    {
        switch (condition)
        {
            case LogicalExpression logical:
                List<Expression?> operands = [.. logical.Operands.Select(Certain)];
                return logical.IsAnd && operands.Contains(null) ? null : Join([.. operands.OfType<Expression>()], logical.IsAnd);
            case NotExpression not:
                return Candidates(not.Operand) is { } candidates ? not with { Operand = candidates } : null;
            case MethodExpression method when method.Is("any"):
                return null;
            case MethodExpression method when method.Is("exact") || method.Is("when"):
                return Within(method, Certain(method.Arguments[^1].Value));
            default:
                return condition;
        }
    }

    private static MethodExpression? Within(MethodExpression method, Expression? inner) => inner is null
        ? null
        : method with { Arguments = [.. method.Arguments.SkipLast(1), new MethodArgument(inner, null)] };

    private static Expression? Join(List<Expression> conditions, bool isAnd) => conditions.Count switch
    {
        0 => null,
        1 => conditions[0],
        _ => new LogicalExpression(conditions[0].TextPosition, isAnd, conditions),
    };
}
