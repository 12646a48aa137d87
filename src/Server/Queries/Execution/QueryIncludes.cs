using Jackdaw.Server.Http.Reading;
using Jackdaw.Server.Json;
using Jackdaw.Server.Queries.Evaluation;
using Jackdaw.Server.Queries.Language;

namespace Jackdaw.Server.Queries.Execution;

/// <summary>Paths of the documents that an answer includes.</summary>
internal static class QueryIncludes
{
    /// <summary>The paths without aliases; that of a load for its alias.</summary>
    /// <exception cref="QueryNotSupportedException">Something else than documents is included.</exception>
    public static List<string> Make(QuerySyntax query)
    {
        List<string> paths = [];
        foreach (Expression include in query.Includes.Where(include => !IsExplanation(include)))
        {
            if (include is MethodExpression highlight && highlight.Is("highlight"))
            {
                continue; // the index has written them
            }

            if (IsRevisions(include))
            {
                continue;
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

    /// <summary>What <c>revisions('Path')</c> and <c>revisions('2024-05-01T10:00:00Z')</c> ask for; null: nothing.</summary>
    /// <exception cref="InvalidQueryException">An argument is no text, or there are several times.</exception>
    public static IncludedRevisions? MakeRevisions(QuerySyntax query, ParameterValues parameters)
    {
        List<string> paths = [];
        string? before = null;
        foreach (MethodExpression include in query.Includes.Where(IsRevisions).Cast<MethodExpression>())
        {
            Expression argument = include.Arguments[0].Value;
            string text = ToRevisionText(query, argument, parameters);
            bool isTime = IsoDate.TryRead(text, out _);
            if (isTime && before is not null)
            {
                throw InvalidQueryException.At(query.Text, argument.TextPosition, "one query includes revisions of one time only.");
            }

            before = isTime ? text : before;
            if (!isTime)
            {
                paths.Add(WithoutAlias(query, text));
            }
        }

        return IncludedRevisions.Make(paths, before);
    }

    /// <summary>Whether something is included: <c>timings</c> or <c>explanations</c>.</summary>
    public static bool Has(QuerySyntax query, string method) =>
        query.Includes.Any(include => include is MethodExpression call && call.Is(method));

    /// <summary>Whether an include says something about the query, instead of adding documents.</summary>
    public static bool IsExplanation(Expression include) =>
        include is MethodExpression method && (method.Is("timings") || method.Is("explanations"));

    private static bool IsRevisions(Expression include) => include is MethodExpression method && method.Is("revisions");

    private static string ToRevisionText(QuerySyntax query, Expression argument, ParameterValues parameters)
    {
        if (argument is FieldExpression field)
        {
            return field.Path.Name;
        }

        return parameters.Resolve(argument) is { Kind: QueryValueKind.String } text
            ? text.Text
            : throw InvalidQueryException.At(query.Text, argument.TextPosition,
                "revisions() takes texts: the path of a member with change vectors, or a time.");
    }

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
