using Jackdaw.Documents.Counters;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Includes;
using Jackdaw.Documents.Parsing;
using Jackdaw.Json;
using Jackdaw.Queries.Language;
using Jackdaw.Queries.Planning.Conditions;

namespace Jackdaw.Queries.Planning;

/// <summary>What the answer to a query brings along with its documents. Immutable.</summary>
internal sealed class QueryIncludes
{
    private const string Values = "cmpxchg";
    private const string Counters = "counters";
    private const string Revisions = "revisions";

    private readonly List<string> _valuePaths;
    private readonly List<CounterInclude> _counters;
    private readonly RevisionInclude? _revisions;

    private QueryIncludes(QuerySyntax query, ParameterValues parameters)
    {
        DocumentPaths = DocumentsOf(query);
        _valuePaths = [.. CallsOf(query, Values).Select(call => ValuePathOf(query, call))];
        _counters = [.. CallsOf(query, Counters).Select(call => CountersOf(query, call, parameters))];
        _revisions = RevisionsOf(query, parameters);
    }

    /// <summary>Where documents name others, without aliases; that of a load for its alias.</summary>
    public IReadOnlyList<string> DocumentPaths { get; }

    /// <summary>Whether compare exchange values come along.</summary>
    public bool HaveValues => _valuePaths.Count > 0;

    /// <summary>Whether the answer depends on documents, counters or revisions beside the documents that are found.</summary>
    public bool ReadOthers => DocumentPaths.Count > 0 || _counters.Count > 0 || _revisions is not null;

    public bool IsEmpty => !ReadOthers && !HaveValues;

    /// <summary>Reads what a query asks for.</summary>
    /// <exception cref="QueryNotSupportedException">Something is included that this version cannot include.</exception>
    /// <exception cref="InvalidQueryException">An argument is wrong.</exception>
    public static QueryIncludes Make(QuerySyntax query, ParameterValues parameters) => new(query, parameters);

    /// <summary>Begins to gather it for one answer.</summary>
    public AnswerIncludes Open(DocumentDatabase database)
    {
        List<IInclude> others = [];
        if (HaveValues)
        {
            others.Add(new IncludedValues(database.Replica, _valuePaths));
        }

        if (_counters.Count > 0)
        {
            others.Add(new IncludedCounters(_counters));
        }

        if (_revisions is not null)
        {
            others.Add(new IncludedRevisions(database, _revisions));
        }

        return new AnswerIncludes(new IncludedDocuments(database, DocumentPaths), others);
    }

    /// <summary>Whether something is included: <c>timings</c> or <c>explanations</c>.</summary>
    public static bool Has(QuerySyntax query, string method) =>
        query.Includes.Count > 0 && CallsOf(query, method).Any();

    /// <summary>Whether an include says something about the query, instead of adding documents.</summary>
    public static bool IsExplanation(Expression include) =>
        include is MethodExpression method && (method.Is("timings") || method.Is("explanations"));

    private static IEnumerable<MethodExpression> CallsOf(QuerySyntax query, string method) =>
        query.Includes.OfType<MethodExpression>().Where(include => include.Is(method));

    private static List<string> DocumentsOf(QuerySyntax query)
    {
        List<string> paths = [];
        foreach (Expression include in query.Includes.Where(include => !IsExplanation(include) && !IsOther(include)))
        {
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

    // The index has written the highlights.
    private static bool IsOther(Expression include) => include is MethodExpression method
        && (method.Is("highlight") || method.Is(Counters) || method.Is(Values) || method.Is(Revisions));

    // include cmpxchg('EmailKey')
    private static string ValuePathOf(QuerySyntax query, MethodExpression include)
    {
        string path = include.Arguments[0].Value switch
        {
            FieldExpression field => field.Path.Name,
            LiteralExpression text => text.Text,
            _ => "",
        };
        return path.Length > 0 ? WithoutAlias(query, path) : throw InvalidQueryException.At(query.Text, include.TextPosition,
            "cmpxchg() takes the path of the member that holds the key: cmpxchg('EmailKey').");
    }

    // include counters(), counters('Likes'), counters(Employee, 'Likes')
    private static CounterInclude CountersOf(QuerySyntax query, MethodExpression call, ParameterValues parameters)
    {
        Expression? first = call.Arguments.Count > 0 ? call.Arguments[0].Value : null;
        bool hasPath = first is FieldExpression || call.Arguments.Count > 1;
        Expression? names = hasPath ? call.Arguments.ElementAtOrDefault(1).Value : first;
        return new CounterInclude(hasPath ? PathOf(query, first!) : null, names is null ? [] : NamesOf(query, names, parameters));
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

    // include revisions('Path') and revisions('2024-05-01T10:00:00Z')
    private static RevisionInclude? RevisionsOf(QuerySyntax query, ParameterValues parameters)
    {
        if (query.Includes.Count == 0)
        {
            return null;
        }

        List<string> paths = [];
        string? before = null;
        foreach (MethodExpression include in CallsOf(query, Revisions))
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

        return RevisionInclude.Make(paths, before);
    }

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
