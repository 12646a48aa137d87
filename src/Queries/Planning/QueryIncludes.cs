using Jackdaw.Documents.Database;
using Jackdaw.Documents.Extensions;
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
    private const string Revisions = "revisions";

    private readonly List<string> _ids;
    private readonly List<string> _valuePaths;
    private readonly List<(IIncludedExtension Extension, ExtensionInclude[] Includes)> _extended;
    private readonly RevisionInclude? _revisions;

    private QueryIncludes(QuerySyntax query, ParameterValues parameters, DocumentExtensions extensions)
    {
        bool hasSome = query.Includes.Count > 0;
        _ids = hasSome ? IdsOf(query, parameters) : [];
        DocumentPaths = hasSome ? DocumentsOf(query, extensions) : [];
        _valuePaths = [.. CallsOf(query, Values).Select(call => ValuePathOf(query, call))];
        _extended = hasSome ? ExtendedOf(query, parameters, extensions) : [];
        _revisions = RevisionsOf(query, parameters);
    }

    /// <summary>Where documents name others, without aliases; that of a load for its alias.</summary>
    public IReadOnlyList<string> DocumentPaths { get; }

    /// <summary>Whether the answer depends on documents, extensions, revisions or values beside the documents that are found.</summary>
    public bool ReadOthers => !IsEmpty;

    public bool IsEmpty => DocumentPaths.Count == 0 && _ids.Count == 0 && _extended.Count == 0 && _revisions is null && _valuePaths.Count == 0;

    /// <summary>Reads what a query asks for.</summary>
    /// <param name="extensions">What documents can have besides their text.</param>
    /// <exception cref="QueryNotSupportedException">Something is included that this version cannot include.</exception>
    /// <exception cref="InvalidQueryException">An argument is wrong.</exception>
    public static QueryIncludes Make(QuerySyntax query, ParameterValues parameters, DocumentExtensions extensions) =>
        new(query, parameters, extensions);

    /// <summary>Begins to gather it for one answer.</summary>
    /// <param name="hasScript">A script projects the rows, and may include compare exchange values.</param>
    public AnswerIncludes Open(DocumentDatabase database, bool hasScript)
    {
        List<IInclude> others = [];
        IncludedValues? values = hasScript || _valuePaths.Count > 0 ? new IncludedValues(database.Replica, _valuePaths) : null;
        if (_valuePaths.Count > 0)
        {
            others.Add(values!);
        }

        others.AddRange(_extended.Select(one => one.Extension.Include(one.Includes)));

        if (_revisions is not null)
        {
            others.Add(new IncludedRevisions(database, _revisions));
        }

        return new AnswerIncludes(new IncludedDocuments(database, DocumentPaths, _ids), others) { Values = values };
    }

    /// <summary>Refuses includes by methods that do not exist, or that this version does not have.</summary>
    public static void Check(QuerySyntax query, DocumentExtensions extensions) => DocumentsOf(query, extensions);

    /// <summary>Whether something is included: <c>timings</c> or <c>explanations</c>.</summary>
    public static bool Has(QuerySyntax query, string method) =>
        query.Includes.Count > 0 && CallsOf(query, method).Any();

    /// <summary>Whether an include says something about the query, instead of adding documents.</summary>
    public static bool IsExplanation(Expression include) =>
        include is MethodExpression method && (method.Is("timings") || method.Is("explanations"));

    private static IEnumerable<MethodExpression> CallsOf(QuerySyntax query, string method) =>
        query.Includes.OfType<MethodExpression>().Where(include => include.Is(method));

    private static List<string> DocumentsOf(QuerySyntax query, DocumentExtensions extensions)
    {
        List<string> paths = [];
        foreach (Expression include in query.Includes.Where(include => !IsExplanation(include) && !IsOther(include, extensions)))
        {
            string path = include switch
            {
                FieldExpression field => field.Path.ToDocument().Text,
                LiteralExpression text => text.Text,
                MethodExpression method when !QueryMethods.IsKnown(method) && query.FindFunction(method.Name) is null =>
                    throw QueryMethods.Unknown(query, method),
                MethodExpression method => throw LaterFeatures.Refuse(method,
                    $"Includes by '{method.Name}' are not supported yet by this version of Jackdaw."),
                _ => "",
            };
            if (ConstantLoadOf(query, path) is null)
            {
                paths.Add(WithoutAlias(query, path));
            }
        }

        return paths;
    }

    // include config, when the query says "load $id as config"
    private static List<string> IdsOf(QuerySyntax query, ParameterValues parameters) =>
    [
        .. query.Includes.OfType<FieldExpression>().Select(include => ConstantLoadOf(query, include.Path.Name)).OfType<LoadedDocument>()
            .Select(load => parameters.Resolve(load.Id)).Where(id => id.Kind == QueryValueKind.String).Select(id => id.Text),
    ];

    private static LoadedDocument? ConstantLoadOf(QuerySyntax query, string path) =>
        query.Loads.FirstOrDefault(load => load.Alias == path && load.Id is not FieldExpression);

    // The index has written the highlights.
    private static bool IsOther(Expression include, DocumentExtensions extensions) => include is MethodExpression method
        && (method.Is("highlight") || method.Is(Values) || method.Is(Revisions)
            || Array.Exists(extensions.Of<IIncludedExtension>(), extension => method.Is(extension.QueryMethod)));

    // include cmpxchg('EmailKey')
    private static string ValuePathOf(QuerySyntax query, MethodExpression include)
    {
        string path = include.Arguments[0].Value switch
        {
            FieldExpression field => field.Path.ToDocument().Text,
            LiteralExpression text => text.Text,
            _ => "",
        };
        return path.Length > 0 ? WithoutAlias(query, path) : throw InvalidQueryException.At(query.Text, include.TextPosition,
            "cmpxchg() takes the path of the member that holds the key: cmpxchg('EmailKey').");
    }

    private static List<(IIncludedExtension Extension, ExtensionInclude[] Includes)> ExtendedOf(
        QuerySyntax query, ParameterValues parameters, DocumentExtensions extensions)
    {
        List<(IIncludedExtension, ExtensionInclude[])> extended = [];
        foreach (IIncludedExtension extension in extensions.Of<IIncludedExtension>())
        {
            ExtensionInclude[] includes = [.. CallsOf(query, extension.QueryMethod).Select(call => IncludeOf(query, call, parameters))];
            if (includes.Length > 0)
            {
                extended.Add((extension, includes));
            }
        }

        return extended;
    }

    // include counters(), counters('Likes'), counters(Employee, 'Likes')
    private static ExtensionInclude IncludeOf(QuerySyntax query, MethodExpression call, ParameterValues parameters)
    {
        QueryMethods.CheckCount(query, call, 0, 2);
        Expression? first = call.Arguments.Count > 0 ? call.Arguments[0].Value : null;
        bool hasPath = first is FieldExpression || call.Arguments.Count > 1;
        Expression? names = hasPath ? call.Arguments.ElementAtOrDefault(1).Value : first;
        return new ExtensionInclude(hasPath ? PathOf(query, call.Name, first!) : null, names is null ? [] : NamesOf(query, call.Name, names, parameters));
    }

    private static IncludePath? PathOf(QuerySyntax query, string method, Expression where)
    {
        string text = where switch
        {
            FieldExpression { Path: { IsQuoted: false } path } when path.Name == query.From.Alias => "",
            FieldExpression field => WithoutAlias(query, field.Path.ToDocument().Text),
            LiteralExpression { Kind: LiteralKind.String } literal => WithoutAlias(query, literal.Text),
            _ => throw InvalidQueryException.At(query.Text, where.TextPosition,
                $"{method}() of other documents begins with the path of their ids: {method}(Employee, 'Likes')."),
        };
        return IncludePath.TryParse(text, out IncludePath parsed) ? parsed : null;
    }

    private static List<string> NamesOf(QuerySyntax query, string method, Expression names, ParameterValues parameters)
    {
        QueryValue value = parameters.Resolve(names);
        IReadOnlyList<QueryValue> all = value.Kind == QueryValueKind.List ? value.Items : [value];
        return all.All(name => name.Kind == QueryValueKind.String)
            ? [.. all.Select(name => name.Text).Distinct(StringComparer.OrdinalIgnoreCase)]
            : throw InvalidQueryException.At(query.Text, names.TextPosition, $"{method}() takes names of {method}: {method}('Likes').");
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
            return field.Path.ToDocument().Text;
        }

        return parameters.Resolve(argument) is { Kind: QueryValueKind.String } text
            ? text.Text
            : throw InvalidQueryException.At(query.Text, argument.TextPosition,
                "revisions() takes texts: the path of a member with change vectors, or a time.");
    }

    private static string WithoutAlias(QuerySyntax query, string path)
    {
        if (query.Loads.FirstOrDefault(load => load.Alias == path) is { Path: { } loaded })
        {
            path = loaded.ToDocument().Text;
        }

        string? alias = query.From.Alias;
        return alias is not null && path.StartsWith(alias + ".", StringComparison.Ordinal) ? path[(alias.Length + 1)..] : path;
    }
}
