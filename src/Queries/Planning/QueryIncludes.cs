using Jackdaw.Documents.Includes;
using Jackdaw.Documents.Parsing;
using Jackdaw.Json;
using Jackdaw.Queries.Language;
using Jackdaw.Queries.Planning.Conditions;

namespace Jackdaw.Queries.Planning;

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
            if (include is MethodExpression other && (other.Is("highlight") || other.Is("counters") || other.Is(Values)))
            {
                continue; // the index has written the one; of the others see Counters and MakeValuePaths
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

    /// <summary>Counters that the answer includes: <c>counters()</c>, <c>counters('Likes')</c>, <c>counters(Employee, 'Likes')</c>.</summary>
    /// <exception cref="InvalidQueryException">A name is no text.</exception>
    public static List<CounterInclude> Counters(QuerySyntax query, ParameterValues parameters)
    {
        List<CounterInclude> includes = [];
        foreach (MethodExpression call in query.Includes.OfType<MethodExpression>().Where(call => call.Is("counters")))
        {
            Expression? first = call.Arguments.Count > 0 ? call.Arguments[0].Value : null;
            bool hasPath = first is FieldExpression || call.Arguments.Count > 1;
            Expression? names = hasPath ? call.Arguments.ElementAtOrDefault(1).Value : first;
            includes.Add(new CounterInclude(hasPath ? PathOf(query, first!) : null, names is null ? [] : NamesOf(query, names, parameters)));
        }

        return includes;
    }

    private static IncludePath? PathOf(QuerySyntax query, Expression where)
    {
        string text = where switch
        {
            FieldExpression { Path: { IsQuoted: false } path } when path.Name == query.From.Alias => "",
            FieldExpression field => WithoutAlias(query, field.Path.Name),
            LiteralExpression { Kind: LiteralKind.String } literal => WithoutAlias(query, literal.Text),
            _ => throw InvalidQueryException.At(query.Text, where.TextPosition,
                "counters() of other documents begins with the path of their ids: counters(Employee, 'Likes')."),
        };
        return IncludePath.TryParse(text, out IncludePath parsed) ? parsed : null;
    }

    private static List<string> NamesOf(QuerySyntax query, Expression names, ParameterValues parameters)
    {
        QueryValue value = parameters.Resolve(names);
        IReadOnlyList<QueryValue> all = value.Kind == QueryValueKind.List ? value.Items : [value];
        return all.All(name => name.Kind == QueryValueKind.String)
            ? [.. all.Select(name => name.Text).Distinct(StringComparer.OrdinalIgnoreCase)]
            : throw InvalidQueryException.At(query.Text, names.TextPosition, "counters() takes names of counters: counters('Likes').");
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
