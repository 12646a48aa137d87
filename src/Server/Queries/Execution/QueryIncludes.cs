using Jackdaw.Server.Queries.Language;

namespace Jackdaw.Server.Queries.Execution;

/// <summary>Paths of the documents that an answer includes.</summary>
internal static class QueryIncludes
{
    private const string Values = "cmpxchg";

    /// <summary>The paths without aliases; that of a load for its alias.</summary>
    /// <exception cref="QueryNotSupportedException">Something else than documents is included.</exception>
    public static List<string> Make(QuerySyntax query)
    {
        List<string> paths = [];
        foreach (Expression include in query.Includes.Where(include => !IsExplanation(include)))
        {
            if (include is MethodExpression other && (other.Is("highlight") || other.Is(Values)))
            {
                continue; // the index has written them; values are not documents
            }

            string path = include switch
            {
                FieldExpression field => field.Path.Name,
                LiteralExpression text => text.Text,
                MethodExpression method => throw LaterFeatures.Refuse(method, $"Includes by '{method.Name}' are"),
                _ => "",
            };
            paths.Add(WithoutAlias(query, path));
        }

        return paths;
    }

    /// <summary>The paths of the compare exchange values that an answer includes: <c>include cmpxchg('EmailKey')</c>, without aliases.</summary>
    /// <exception cref="InvalidQueryException">It names no path.</exception>
    public static List<string> MakeValuePaths(QuerySyntax query)
    {
        List<string> paths = [];
        foreach (MethodExpression include in query.Includes.OfType<MethodExpression>().Where(include => include.Is(Values)))
        {
            string path = include.Arguments[0].Value switch
            {
                FieldExpression field => field.Path.Name,
                LiteralExpression text => text.Text,
                _ => "",
            };
            if (path.Length == 0)
            {
                throw InvalidQueryException.At(query.Text, include.TextPosition,
                    "cmpxchg() takes the path of the member that holds the key: cmpxchg('EmailKey').");
            }

            paths.Add(WithoutAlias(query, path));
        }

        return paths;
    }

    /// <summary>Whether something is included: <c>timings</c> or <c>explanations</c>.</summary>
    public static bool Has(QuerySyntax query, string method) =>
        query.Includes.Any(include => include is MethodExpression call && call.Is(method));

    /// <summary>Whether an include says something about the query, instead of adding documents.</summary>
    public static bool IsExplanation(Expression include) =>
        include is MethodExpression method && (method.Is("timings") || method.Is("explanations"));

    private static string WithoutAlias(QuerySyntax query, string path)
    {
        if (query.Loads.FirstOrDefault(load => load.Alias == path) is { } loaded)
        {
            path = loaded.Path.Name;
        }

        string? alias = query.From.Alias;
        return alias is not null && path.StartsWith(alias + ".", StringComparison.Ordinal) ? path[(alias.Length + 1)..] : path;
    }
}
