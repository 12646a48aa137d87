
namespace Jackdaw.Queries.Language;

/// <summary>Reads the text of a query into a <see cref="QuerySyntax"/>, by recursive descent: one method for each rule
/// of the grammar.</summary>
/// <remarks>
/// <code>
/// query  = { declare } from [ group by ] [ where ] [ order by ] [ load ] [ filter ] ( select-part | update )
/// select-part = [ select ] { include | limit | offset | filter_limit }, each at most once
/// </code>
/// The parser checks the form and the names of methods, but not whether a collection, an index, a field or a parameter exists. Nesting is
/// bounded by <see cref="QueryLimits.DepthMax"/>.
/// </remarks>
internal sealed partial class QueryParser
{
    /// <summary>Words that begin what can follow a source without an alias.</summary>
    public static readonly string[] Reserved =
    [
        "as", "select", "where", "load", "group", "order", "include", "update", "offset", "limit", "scale", "filter",
        "filter_limit",
    ];

    private static readonly string[] s_clauses = ["group by", "where", "order by", "load", "filter", "update", "select"];

    private readonly QueryScanner _scanner;
    private Expression? _skip;
    private Expression? _take;
    private Expression? _filterLimit;
    private List<Expression>? _includes;
    private bool _hasPaging;
    private QueryClause _clause;
    private FieldPath? _compared; // the left side of the comparison whose right side is read
    private List<DeclaredFunction> _functions = [];
    private int _arguments; // calls that the current place lies in
    private int _depth;

    private QueryParser(string text, QueryRecorder? recorder) => _scanner = new QueryScanner(text, recorder);

    /// <summary>Reads a query.</summary>
    /// <param name="text">The query.</param>
    /// <param name="recorder">Collects tokens and expectations for an editor, up to the first mistake; null otherwise.</param>
    /// <exception cref="InvalidQueryException">The text is not a query, or is too long or too deep.</exception>
    public static QuerySyntax Parse(string text, QueryRecorder? recorder = null)
    {
        if (text.Length > QueryLimits.TextCharactersMax)
        {
            throw InvalidQueryException.At(text, 0,
                $"the query has {text.Length} characters, and the longest that is read has {QueryLimits.TextCharactersMax}; " +
                "put its values into parameters.");
        }

        QuerySyntax query = new QueryParser(text, recorder).ParseQuery();
        QueryMethods.Check(query);
        return query;
    }

    private QuerySyntax ParseQuery()
    {
        _functions = ParseDeclarations();
        FromClause from = ParseFrom();
        List<GroupByKey> groupBy = TryClause(QueryClause.GroupBy, "group", "by") ? ParseList(ParseGroupKey) : [];
        Expression? where = TryClause(QueryClause.Where, "where") ? ParseCondition() : null;
        List<OrderKey> orderBy = TryClause(QueryClause.OrderBy, "order", "by") ? ParseList(ParseOrderKey) : [];
        List<LoadedDocument> loads = TryClause(QueryClause.Load, "load") ? ParseList(ParseLoad) : [];
        Expression? filter = TryClause(QueryClause.Filter, "filter") ? ParseCondition() : null;
        QueryScript? update = _scanner.TryKeyword("update") ? ParseBraces("the script") : null;
        SelectClause? select = update is null ? ParseSelect() : null;
        while (TryPaging() || (update is null && TryInclude()))
        {
        }

        if (!_scanner.IsAtEnd)
        {
            throw FindMisplaced(mayBeGroups: where is not null && groupBy.Count == 0) ?? _scanner.Expected("the end of the query or another clause");
        }

        return new QuerySyntax
        {
            Text = _scanner.Text,
            Functions = _functions,
            From = from,
            GroupBy = groupBy,
            Where = where,
            OrderBy = orderBy,
            Loads = loads,
            Filter = filter,
            Select = select,
            Update = update,
            Includes = _includes ?? [],
            Paging = new PagingClause(_skip, _take, _filterLimit),
        };
    }

    private bool TryClause(QueryClause clause, params ReadOnlySpan<string> words)
    {
        bool isThere = _scanner.TryKeyword(words);
        bool isGrouped = _clause is QueryClause.GroupBy or QueryClause.Grouped && clause is not (QueryClause.Include or QueryClause.Paging);
        _clause = !isThere ? _clause : isGrouped ? QueryClause.Grouped : clause;
        return isThere;
    }

    /// <param name="mayBeGroups">Whether the query has conditions, and could have groups before them.</param>
    private InvalidQueryException? FindMisplaced(bool mayBeGroups)
    {
        int start = _scanner.Next;
        if (mayBeGroups && _scanner.IsKeyword("group"))
        {
            return _scanner.Fault(start, "'where' stands behind 'group by', and its conditions are about the groups: " +
                "from Orders group by Company where count() > 5. To leave out documents, define an index with a reduce whose map has the condition.");
        }

        foreach (string clause in s_clauses)
        {
            if (_scanner.TryKeyword(clause.Split(' ')))
            {
                return _scanner.Fault(start, $"'{clause}' comes too late or for the second time. The clauses of a query stand in this order: " +
                    "from, group by, where, order by, load, filter, then update or select, and last include and limit.");
            }
        }

        return null;
    }

    private List<DeclaredFunction> ParseDeclarations()
    {
        List<DeclaredFunction> functions = [];
        for (int start = _scanner.Next; _scanner.TryKeyword("declare"); start = _scanner.Next)
        {
            bool isTimeSeries = _scanner.TryKeyword("timeseries");
            if (!isTimeSeries && !_scanner.TryKeyword("function"))
            {
                throw _scanner.Expected("'function' or 'timeseries'");
            }

            string name = RequireName("the name of the function");
            if (functions.Any(function => function.Name.Equals(name, StringComparison.OrdinalIgnoreCase)))
            {
                throw _scanner.Fault(start, $"the function '{name}' is declared twice; rename one of the two.");
            }

            _scanner.Require("(");
            List<string> parameters = _scanner.TrySymbol(")")
                ? []
                : ParseList(() => RequireName("the name of a parameter"), close: ")");
            functions.Add(new DeclaredFunction(start, name, isTimeSeries, parameters, ParseBraces("the function")));
        }

        return functions;
    }

    private FromClause ParseFrom()
    {
        if (!_scanner.TryKeyword("from"))
        {
            throw _scanner.Expected("'from'");
        }

        int start = _scanner.Next;
        bool isIndex = TryIndexKeyword();
        int nameStart = _scanner.Next;
        _scanner.Expect(isIndex ? ExpectedKind.Index : ExpectedKind.Collection);
        if (!_scanner.TryString(out string source) && !_scanner.TryIdentifier(out source, QueryTokenKind.Source))
        {
            throw _scanner.Expected(isIndex ? "the name of an index" : "the name of a collection");
        }

        _scanner.Record(nameStart, QueryTokenKind.Source);
        string? alias = TryAlias(allowsBare: true);
        var from = new FromClause(start, source, isIndex, alias, alias is not null && TryBrackets());
        _scanner.Recorder?.From = from;
        return from;
    }

    // A collection may have the name "index": the word is a keyword only when a name follows.
    private bool TryIndexKeyword()
    {
        int start = _scanner.Position;
        if (!_scanner.TryKeyword("index"))
        {
            return false;
        }

        int behind = _scanner.Position;
        _scanner.Expect(ExpectedKind.Index);
        bool isNamed = _scanner.TryString(out _) || (_scanner.TryIdentifier(out string name, QueryTokenKind.Source) && !IsReserved(name));
        _scanner.Position = isNamed ? behind : start;
        return isNamed;
    }

    private GroupByKey ParseGroupKey()
    {
        Expression key = ParseOperand();
        if (key is MethodExpression { Arguments: [{ Value: FieldExpression field, Alias: null }] } array && array.Is("array"))
        {
            return new GroupByKey(field, IsArray: true);
        }

        return key switch
        {
            LiteralExpression { Kind: LiteralKind.String } quoted => new GroupByKey(ToField(quoted), IsArray: false),
            FieldExpression or LiteralExpression or ParameterExpression => new GroupByKey(key, IsArray: false),
            MethodExpression { IsDocumentId: true } => new GroupByKey(key, IsArray: false),
            _ => throw _scanner.Fault(key.TextPosition, "a key of 'group by' must be a field, array(field), id() or a value."),
        };
    }

    private OrderKey ParseOrderKey()
    {
        Expression key = ParseOperand();
        key = key is LiteralExpression { Kind: LiteralKind.String } quoted ? ToField(quoted) : key;
        if (key is not (FieldExpression or MethodExpression))
        {
            throw _scanner.Fault(key.TextPosition, "a key of 'order by' must be a field or a method.");
        }

        OrderType type = _scanner.TryKeyword("as") ? ParseOrderType() : OrderType.Implicit;
        bool isDescending = _scanner.TryKeyword("desc") || _scanner.TryKeyword("descending");
        bool hasDirection = isDescending || _scanner.TryKeyword("asc") || _scanner.TryKeyword("ascending");
        NullPlacement nulls = NullPlacement.Implicit;
        if (_scanner.TryKeyword("nulls"))
        {
            nulls = _scanner.TryKeyword("first") ? NullPlacement.First
                : _scanner.TryKeyword("last") ? NullPlacement.Last
                : throw _scanner.Expected("'first' or 'last'");
        }

        return new OrderKey(key, type, isDescending, hasDirection, nulls);
    }

    private OrderType ParseOrderType() =>
        _scanner.TryKeyword("string") ? OrderType.String
        : _scanner.TryKeyword("long") ? OrderType.Long
        : _scanner.TryKeyword("double") ? OrderType.Double
        : _scanner.TryKeyword("alphaNumeric") ? OrderType.AlphaNumeric
        : throw _scanner.Expected("'string', 'long', 'double' or 'alphaNumeric'");

    private LoadedDocument ParseLoad()
    {
        Expression id = ParseOperand();
        if (id is not (FieldExpression or ParameterExpression or LiteralExpression { Kind: LiteralKind.String or LiteralKind.Null }))
        {
            throw _scanner.Fault(id.TextPosition,
                "'load' takes the id of a document: the path of a field, a parameter such as $id, or a text in quotes.");
        }

        string alias = TryAlias(allowsBare: true) ?? throw _scanner.Expected("'as' and an alias");
        return new LoadedDocument(id, alias, TryBrackets());
    }

    private SelectClause? ParseSelect()
    {
        int start = _scanner.Next;
        if (!TryClause(QueryClause.Select, "select"))
        {
            return null;
        }

        bool isDistinct = _scanner.TryKeyword("distinct");
        if (_scanner.TrySymbol("*"))
        {
            return new SelectClause(start, isDistinct, [], Script: null);
        }

        return _scanner.Peek == '{'
            ? new SelectClause(start, isDistinct, [], ParseBraces("the object"))
            : new SelectClause(start, isDistinct, ParseList(ParseSelectItem), Script: null);
    }

    private SelectItem ParseSelectItem()
    {
        Expression value = ParseOperand();
        string? alias = TryAlias(allowsBare: false);

        // Clients quote the names of fields that are words of the language. A text that is meant as a constant has an alias.
        bool isField = alias is null && value is LiteralExpression { Kind: LiteralKind.String };
        return new SelectItem(isField ? ToField((LiteralExpression)value) : value, alias);
    }

    private bool TryInclude()
    {
        int start = _scanner.Next;
        if (!TryClause(QueryClause.Include, "include"))
        {
            return false;
        }

        _includes = _includes is null
            ? ParseList(ParseOperand)
            : throw _scanner.Fault(start, "there are two 'include' clauses; write their paths into one, separated by commas.");
        foreach (Expression include in _includes)
        {
            if (include is not (FieldExpression or MethodExpression or LiteralExpression { Kind: LiteralKind.String }))
            {
                throw _scanner.Fault(include.TextPosition, "an include must be a path or a method such as counters('Likes').");
            }
        }

        return true;
    }

    private QueryScript ParseBraces(string what) =>
        _scanner.Peek == '{' ? _scanner.ReadScript(what) : throw _scanner.Expected("'{'");

    private List<T> ParseList<T>(Func<T> parseOne, string? close = null)
    {
        List<T> items = [];
        do
        {
            items.Add(parseOne());
        }
        while (_scanner.TrySymbol(","));
        if (close is not null && !_scanner.TrySymbol(close))
        {
            throw _scanner.Expected($"',' or '{close}'");
        }

        return items;
    }

    // "as name", "as 'name'"; the bare name where the grammar allows it.
    private string? TryAlias(bool allowsBare)
    {
        if (_scanner.TryKeyword("as"))
        {
            return _scanner.TryString(out string quoted) ? quoted : RequireName("an alias");
        }

        int start = _scanner.Position;
        if (!allowsBare || !_scanner.TryIdentifier(out string name, QueryTokenKind.Name))
        {
            return null;
        }

        if (!IsReserved(name))
        {
            return name;
        }

        _scanner.Position = start;
        return null;
    }

    private bool TryBrackets() => _scanner.TrySymbol("[]");

    private string RequireName(string what) =>
        _scanner.TryIdentifier(out string name, QueryTokenKind.Name) ? name : throw _scanner.Expected(what);

    private static bool IsReserved(string word) => Reserved.Contains(word, StringComparer.OrdinalIgnoreCase);
}
