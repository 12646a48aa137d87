using System.Collections.Frozen;

namespace Jackdaw.Queries.Language;

/// <summary>The methods that a query may call, and the numbers of their arguments.</summary>
/// <remarks>Planning decides where a method may stand, because that depends on the index and the engine.</remarks>
internal static class QueryMethods
{
    /// <summary>For methods with a list of any length.</summary>
    private const int Any = int.MaxValue;

    private static readonly FrozenDictionary<string, (int Least, int Most)> s_known = MakeKnown(
    [
        (0, 1, "id now random count explanations"),
        (1, 1, "exact exists cmpxchg ai.task embedding.f32 embedding.f32_i8 embedding.f32_i1 embedding.i8 embedding.i1 embedding.forDoc"),
        (1, 1, "sum min max avg average array getMetadata lastModified revisions"),
        (2, 3, "search spatial.within spatial.contains spatial.intersects spatial.disjoint spatial.distance suggest"),
        (2, 2, "startsWith endsWith contains any regex lucene boost fuzzy proximity when spatial.point custom"),
        (2, Any, "intersect"),
        (1, 2, "moreLikeThis spatial.wkt embedding.text embedding.text_i8 embedding.text_i1 last counter counterRaw"),
        (0, 0, "today score key timings"),
        (3, 4, "spatial.circle highlight"),
        (2, 4, "vector.search"),
        (1, 5, "timeseries"),
        (1, Any, "facet"),
        (0, 2, "counters"),
    ]);

    // Editors offer a method where the table places it. A method that needs an index with certain fields is offered for every source.
    private static readonly (QueryClause Clauses, string[] Names)[] s_places =
    [
        (QueryClause.Where, Split("exact exists search startsWith endsWith contains any regex lucene boost fuzzy proximity when intersect moreLikeThis")),
        (QueryClause.Where, Split("spatial.within spatial.contains spatial.intersects spatial.disjoint vector.search")),
        (QueryClause.Filter, Split("exact exists startsWith endsWith contains any when")),
        (QueryClause.Where | QueryClause.Filter | QueryClause.OrderBy | QueryClause.Select | QueryClause.GroupBy, ["id"]),
        (QueryClause.OrderBy, Split("random score spatial.distance custom")),
        (QueryClause.GroupBy, ["array"]),
        (QueryClause.Grouped, Split("count sum key suggest")),
        (QueryClause.Select, Split("facet suggest counter counterRaw cmpxchg")),
        (QueryClause.Include, Split("counters revisions cmpxchg highlight explanations timings")),
        (QueryClause.Value, Split("now today cmpxchg")),
        (QueryClause.Argument, Split("spatial.point spatial.circle spatial.wkt embedding.text embedding.text_i8 embedding.text_i1 embedding.forDoc")),
        (QueryClause.Argument, Split("embedding.f32 embedding.f32_i8 embedding.f32_i1 embedding.i8 embedding.i1 min max sum avg average")),
    ];

    private static string[] Split(string names) => names.Split(' ');

    /// <summary>All methods.</summary>
    public static IEnumerable<string> Names => s_known.Keys;

    /// <summary>The methods that may stand at certain places.</summary>
    public static IEnumerable<string> NamesIn(QueryClause clauses) =>
        s_places.Where(place => (place.Clauses & clauses) != 0).SelectMany(place => place.Names).Distinct();

    /// <summary>The numbers of arguments that a method takes, in words.</summary>
    public static string? DescribeArguments(string name) =>
        s_known.TryGetValue(name, out (int Least, int Most) arguments) ? Describe(arguments.Least, arguments.Most) : null;

    private static FrozenDictionary<string, (int Least, int Most)> MakeKnown(
        ReadOnlySpan<(int Least, int Most, string Names)> groups)
    {
        Dictionary<string, (int, int)> known = [];
        foreach ((int least, int most, string names) in groups)
        {
            foreach (string name in names.Split(' '))
            {
                known.Add(name, (least, most));
            }
        }

        return known.ToFrozenDictionary(StringComparer.OrdinalIgnoreCase);
    }

    /// <summary>Refuses calls of methods that do not exist, and calls with too few or too many arguments. Includes may call others, which the
    /// extensions of documents have: planning knows them.</summary>
    /// <exception cref="InvalidQueryException">The query has such a call.</exception>
    public static void Check(QuerySyntax query)
    {
        IEnumerable<Expression?> expressions =
        [
            query.Where, query.Filter, .. query.OrderBy.Select(key => key.Key), .. query.GroupBy.Select(key => key.Key),
            .. query.Select?.Items.Select(item => item.Value) ?? [],
            .. query.Includes.SelectMany(include => IsKnown(include) ? [include] : PartsOf(include)),
        ];
        foreach (Expression? expression in expressions)
        {
            Check(query, expression);
        }
    }

    private static void Check(QuerySyntax query, Expression? expression)
    {
        if (expression is MethodExpression method)
        {
            CheckCall(query, method);
        }

        foreach (Expression inner in PartsOf(expression))
        {
            Check(query, inner);
        }
    }

    // Recursion is as deep as the query, which is bounded.
    private static IEnumerable<Expression> PartsOf(Expression? expression) => expression switch
    {
        MethodExpression method => method.Arguments.Select(argument => argument.Value),
        LogicalExpression logical => logical.Operands,
        NotExpression not => [not.Operand],
        ComparisonExpression comparison => [comparison.Left, comparison.Right],
        BetweenExpression between => [between.Left, between.Low, between.High],
        InExpression list => [list.Left, .. list.Values],
        _ => [],
    };

    /// <summary>The refusal of a method that does not exist.</summary>
    public static InvalidQueryException Unknown(QuerySyntax query, MethodExpression method) => InvalidQueryException.At(
        query.Text, method.TextPosition, $"there is no method '{method.Name}', and the query declares no function of that name.");

    /// <summary>Refuses a call with too few or too many arguments.</summary>
    /// <exception cref="InvalidQueryException">It is one.</exception>
    public static void CheckCount(QuerySyntax query, MethodExpression method, int least, int most)
    {
        if (method.Arguments.Count < least || method.Arguments.Count > most)
        {
            throw InvalidQueryException.At(query.Text, method.TextPosition,
                $"the method '{method.Name}' takes {Describe(least, most)}, not {method.Arguments.Count}.");
        }
    }

    /// <summary>Whether an expression is not the call of a method that the language does not have.</summary>
    public static bool IsKnown(Expression expression) => expression is not MethodExpression method || s_known.ContainsKey(method.Name);

    private static void CheckCall(QuerySyntax query, MethodExpression method)
    {
        if (query.FindFunction(method.Name) is not null)
        {
            return;
        }

        if (!s_known.TryGetValue(method.Name, out (int Least, int Most) arguments))
        {
            throw Unknown(query, method);
        }

        CheckCount(query, method, arguments.Least, arguments.Most);
    }

    private static string Describe(int least, int most) =>
        most == Any ? $"{least} or more arguments"
        : least == most ? $"{least} argument{(least == 1 ? "" : "s")}"
        : $"{least} to {most} arguments";
}
