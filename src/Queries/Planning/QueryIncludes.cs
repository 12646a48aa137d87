using Jackdaw.Documents.Includes;
using Jackdaw.Documents.Parsing;
using Jackdaw.Json;
using Jackdaw.Queries.Language;
using Jackdaw.Queries.Planning.Conditions;

namespace Jackdaw.Queries.Planning;

/// <summary>Revisions that an answer includes.</summary>
/// <param name="Paths">Members of the found documents that hold change vectors.</param>
/// <param name="Before">The time whose revisions are included; null for none.</param>
internal sealed record RevisionIncludes(IReadOnlyList<string> Paths, string? Before)
{
    /// <summary>What one run collects.</summary>
    public IncludedRevisions ForRun() => IncludedRevisions.Make(Paths, Before)!;
}

/// <summary>What a query includes in its answer.</summary>
internal static class QueryIncludes
{
    private const string Values = "cmpxchg";

    /// <summary>The paths of the included documents without aliases; the alias of a loaded document stands for its path.</summary>
    /// <exception cref="QueryNotSupportedException">The query includes something that this version cannot include.</exception>
    public static List<string> Make(QuerySyntax query)
    {
        List<string> paths = [];
        foreach (Expression include in query.Includes)
        {
            if (IsExplanation(include) || IsRevisions(include)
                || (include is MethodExpression other && (other.Is("highlight") || other.Is("counters") || other.Is(Values))))
            {
                continue; // these are not documents
            }

            string path = include switch
            {
                FieldExpression field => field.Path.Name,
                LiteralExpression text => text.Text,
                MethodExpression method => throw LaterFeatures.Refuse(method,
                    $"Includes by '{method.Name}' are not supported yet by this version of Jackdaw."),
                _ => "",
            };
            paths.Add(WithoutAlias(query, path));
        }

        return paths;
    }

    /// <summary>The paths of the compare exchange values that an answer includes: <c>include cmpxchg('EmailKey')</c>, without aliases.</summary>
    /// <exception cref="InvalidQueryException">The argument is not a path.</exception>
    public static List<string> MakeValuePaths(QuerySyntax query)
    {
        List<string> paths = [];
        foreach (MethodExpression include in CallsOf(query, Values))
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
    /// <exception cref="InvalidQueryException">A name is not a text.</exception>
    public static IReadOnlyList<CounterInclude> Counters(QuerySyntax query, ParameterValues parameters)
    {
        if (query.Includes.Count == 0)
        {
            return [];
        }

        List<CounterInclude> includes = [];
        foreach (MethodExpression call in CallsOf(query, "counters"))
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

    /// <summary>What <c>revisions('Path')</c> and <c>revisions('2024-05-01T10:00:00Z')</c> include; null when the query includes no
    /// revisions.</summary>
    /// <exception cref="InvalidQueryException">An argument is not a text, or there are several times.</exception>
    public static RevisionIncludes? MakeRevisions(QuerySyntax query, ParameterValues parameters)
    {
        if (query.Includes.Count == 0)
        {
            return null;
        }

        List<string> paths = [];
        string? before = null;
        foreach (MethodExpression include in CallsOf(query, "revisions"))
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

        // Made here too, so that a wrong path is refused before the query runs.
        return IncludedRevisions.Make(paths, before) is null ? null : new RevisionIncludes(paths, before);
    }

    /// <summary>Whether a query includes <c>timings</c> or <c>explanations</c>.</summary>
    public static bool Has(QuerySyntax query, string method) => query.Includes.Count > 0 && CallsOf(query, method).Any();

    /// <summary>Whether an include explains the query instead of adding documents.</summary>
    public static bool IsExplanation(Expression include) =>
        include is MethodExpression method && (method.Is("timings") || method.Is("explanations"));

    private static IEnumerable<MethodExpression> CallsOf(QuerySyntax query, string method) =>
        query.Includes.OfType<MethodExpression>().Where(call => call.Is(method));

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
