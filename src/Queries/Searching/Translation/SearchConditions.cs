using System.Text.Json;
using Jackdaw.Indexing.Auto;
using Jackdaw.Indexing.Mapping;
using Jackdaw.Json.Paths;
using Jackdaw.Queries.Language;
using Jackdaw.Queries.Planning.Conditions;
using Jackdaw.Search.Queries;

namespace Jackdaw.Queries.Searching.Translation;

/// <summary>Turns the condition of a query into a search of an index.</summary>
/// <param name="isAuto">The index was made by a query. Such an index has separate fields for exact and full-text searches.</param>
internal sealed class SearchConditions(QuerySyntax query, ParameterValues parameters, bool isAuto)
{
    private readonly ConditionCompiler _values = new(query, parameters);
    private readonly HashSet<string> _fields = new(StringComparer.Ordinal);
    private readonly GroupedFields? _groups = query.GroupBy.Count > 0 ? new GroupedFields(query) : null;

    /// <summary>The fields that the conditions and orders have named so far, without the id.</summary>
    public IReadOnlyCollection<string> Fields => _fields;

    /// <summary>Reads documents that conditions name, such as setups of facets and stop words; null when no documents can be read.</summary>
    public Func<string, JsonDocument?>? Documents { get; init; }

    /// <summary>Whether a condition on vectors waits for an open index, as an <see cref="AskedVectorNode"/>.</summary>
    public bool AsksForVectors { get; private set; }

    /// <summary>A stored document; null when it does not exist.</summary>
    public JsonDocument? LoadDocument(string id) => Documents?.Invoke(id);

    /// <summary>The translation of spatial conditions and orders.</summary>
    public SpatialConditions Spatial => new(query, parameters, isAuto, this);

    /// <summary>Remembers a field that the query names.</summary>
    public string NoteField(string name)
    {
        _fields.Add(name);
        return name;
    }

    /// <summary>The search of a condition; null stands for all documents.</summary>
    /// <exception cref="InvalidQueryException">The query cannot be run as it is written.</exception>
    /// <exception cref="QueryNotSupportedException">The query asks for what this version cannot do.</exception>
    public SearchNode Translate(Expression? condition, bool isExact = false) => condition switch
    {
        null or LiteralExpression { Kind: LiteralKind.True } => new AllNode(),
        LiteralExpression { Kind: LiteralKind.False } => new NoneNode(),
        LogicalExpression { IsAnd: true } and => new AndNode([.. and.Operands.Select(operand => Translate(operand, isExact))]),
        LogicalExpression or => new OrNode([.. or.Operands.Select(operand => Translate(operand, isExact))]),
        NotExpression not => new NotNode(Translate(not.Operand, isExact)),
        ComparisonExpression comparison => Compare(comparison, isExact),
        BetweenExpression between => Between(between, isExact),
        InExpression list => In(list, isExact),
        MethodExpression method => Method(method, isExact),
        _ => throw InvalidQueryException.At(query.Text, condition.TextPosition, "a condition is expected here."),
    };

    /// <summary>The name of the index field that an expression stands for.</summary>
    public string FieldOf(Expression expression, bool isExact = false)
    {
        if (_groups is not null)
        {
            return !isExact ? _groups.RowNameOf(_groups.Resolve(expression))
                : throw new QueryNotSupportedException(
                    "Exact conditions on the keys of groups are not supported yet by this version of Jackdaw.");
        }

        string name = expression is MethodExpression { IsDocumentId: true } ? AutoDefinition.DocumentId
            : query.PathOf(expression) is { } path ? FieldOf(path)
            : throw InvalidQueryException.At(query.Text, expression.TextPosition, "a field of the documents is expected here.");
        if (name != AutoDefinition.DocumentId)
        {
            _fields.Add(name);
        }

        return isAuto && isExact && name != AutoDefinition.DocumentId ? AutoFieldNames.Exact(name) : name;
    }

    /// <summary>Whether the entries are groups of a query.</summary>
    public bool IsOfGroups => _groups is not null;

    /// <summary>Whether an expression is a count or a sum of groups, which is ordered as a number.</summary>
    public bool IsAggregate(Expression expression) => _groups is not null && _groups.Resolve(expression).Kind != GroupedKind.Key;

    /// <summary>The name of the index field that a text names, as in a setup of facets.</summary>
    public string FieldOf(string text) => NoteField(isAuto ? FieldOf(DocumentPath.Parse(text)) : text);

    /// <summary>The name of a field in answers.</summary>
    public string ShownName(Expression field) => query.PathOf(field)?.PlainText ?? FieldOf(field);

    // A definition gives its fields names of its own; those of an automatic index are texts of paths.
    private string FieldOf(DocumentPath path) => isAuto ? path.Text : path.PlainText;

    private SearchNode Compare(ComparisonExpression comparison, bool isExact)
    {
        if (comparison.Right is not (LiteralExpression or ParameterExpression))
        {
            throw comparison.Right is MethodExpression method
                ? new QueryNotSupportedException(
                    $"Comparisons with '{method.Name}' are not supported yet by this version of Jackdaw.")
                : InvalidQueryException.At(query.Text, comparison.Right.TextPosition,
                    "'where' compares a field with a value; to compare two fields use 'filter'.");
        }

        string field = FieldOf(comparison.Left, isExact);
        QueryValue value = ComparedValueOf(comparison);
        return comparison.Operator switch
        {
            ComparisonOperator.Equal => new TermNode(field, ToSearch(value)),
            ComparisonOperator.NotEqual when value.Kind == QueryValueKind.Null => HasValue(FieldOf(comparison.Left)),
            ComparisonOperator.NotEqual => new NotNode(new TermNode(field, ToSearch(value))),
            ComparisonOperator.Less => Range(field, null, false, value, false),
            ComparisonOperator.LessOrEqual => Range(field, null, false, value, true),
            ComparisonOperator.Greater => Range(field, value, false, null, false),
            _ => Range(field, value, true, null, false),
        };
    }

    // An index that a user defined has an object as its JSON text.
    private QueryValue ComparedValueOf(ComparisonExpression comparison) =>
        !isAuto && comparison.Operator is ComparisonOperator.Equal or ComparisonOperator.NotEqual
            && parameters.Resolve(comparison.Right) is { Kind: QueryValueKind.Object } found ? found
        : _values.ValueOf(comparison.Right);

    // All values except objects have a text.
    private static OrNode HasValue(string field) => new(
        [new RangeNode(field, RangeKind.Text, null, false, null, false), new ExistsNode(AutoFieldNames.Objects(field))]);

    private RangeNode Between(BetweenExpression between, bool isExact)
    {
        (QueryValue? low, QueryValue? high) = _values.EndsOf(between);
        return Range(FieldOf(between.Left, isExact), low, true, high, true);
    }

    private static RangeNode Range(string field, QueryValue? low, bool includesLow, QueryValue? high, bool includesHigh)
    {
        low = IsOpen(low, ComparedTerm.OpenLow) ? null : low;
        high = IsOpen(high, ComparedTerm.OpenHigh) ? null : high;
        bool isText = (low is not null && low.Ticks is null) || (high is not null && high.Ticks is null);
        RangeKind range = low?.Kind == QueryValueKind.Double || high?.Kind == QueryValueKind.Double ? RangeKind.Double
            : low?.IsNumber == true || high?.IsNumber == true ? RangeKind.Long
            : isText || (low ?? high) is null ? RangeKind.Text
            : RangeKind.Long;
        return new RangeNode(field, range, ToEnd(low, range), includesLow, ToEnd(high, range), includesHigh);
    }

    private static SearchValue? ToEnd(QueryValue? end, RangeKind range) =>
        end is null ? null : range == RangeKind.Text ? new TextValue(end.Text) : ToSearch(end);

    private static bool IsOpen(QueryValue? value, string mark) =>
        value is null or { Kind: QueryValueKind.Null } || (value.Kind == QueryValueKind.String && value.Text == mark);

    private SearchNode In(InExpression list, bool isExact)
    {
        string field = FieldOf(list.Left, isExact);
        List<SearchValue> values = [.. _values.ValuesOf(list, takesObjects: !isAuto).Select(ToSearch)];
        return list.IsAll ? new AllInNode(field, values) : values.Count == 0 ? new NoneNode() : new InNode(field, values);
    }

    private SearchNode Method(MethodExpression method, bool isExact)
    {
        switch (method.Name.ToLowerInvariant())
        {
            case "exact":
                return Translate(method.Arguments[0].Value, isExact: true);
            case "boost":
                return new BoostNode(Translate(method.Arguments[0].Value, isExact), BoostOf(method.Arguments[1].Value));
            case "exists":
                return new ExistsNode(FieldOf(method.Arguments[0].Value));
            case "startswith":
                return new PrefixNode(FieldOf(method.Arguments[0].Value, isExact), TextOf(method));
            case "endswith":
                return new SuffixNode(FieldOf(method.Arguments[0].Value, isExact), TextOf(method));
            case "contains":
                return new ContainsNode(FieldOf(method.Arguments[0].Value, isExact), TextOf(method));
            case "any":
                throw AnyCondition.InWhere(query.Text, method);
            case "search" when _groups is not null:
                throw new QueryNotSupportedException(
                    "Full-text searches in groups are not supported yet by this version of Jackdaw.");
            case "search":
                return new FullTextNode(FullTextFieldOf(method.Arguments[0].Value), TextOf(method), OperatorOf(method));
            case "regex":
                return new RegexNode(FieldOf(method.Arguments[0].Value, isExact), TextOf(method));
            case "lucene":
                return new ClassicQueryNode(FieldOf(method.Arguments[0].Value, isExact), TextOf(method));
            case "fuzzy":
                return Fuzzy(method, isExact);
            case "proximity":
                return Proximity(method);
            case "vector.search" when _groups is not null:
                throw new QueryNotSupportedException(
                    "Vector searches in groups are not supported yet by this version of Jackdaw.");
            case "vector.search":
                AsksForVectors |= !isAuto;
                return new VectorConditions(query, parameters, isAuto, this).Translate(method, isExact);
            case "morelikethis":
                return new SimilarConditions(query, parameters, this).Translate(method);
            case "intersect":
                return new IntersectNode([.. method.Arguments.Select(argument => Translate(argument.Value, isExact))]);
            default:
                return Spatial.TryTranslate(method)
                    ?? throw new QueryNotSupportedException(
                        $"Conditions with '{method.Name}' are not supported yet by this version of Jackdaw.");
        }
    }

    private FuzzyNode Fuzzy(MethodExpression method, bool isExact)
    {
        if (method.Arguments[0].Value is not ComparisonExpression { Operator: ComparisonOperator.Equal, Right: LiteralExpression or ParameterExpression } equal)
        {
            throw InvalidQueryException.At(query.Text, method.TextPosition, "'fuzzy' is for a comparison: fuzzy(Name = 'value', 0.8).");
        }

        return parameters.Resolve(method.Arguments[1].Value) is { IsNumber: true, Double: > 0 and <= 1 } similarity
            ? new FuzzyNode(FieldOf(equal.Left, isExact), parameters.Resolve(equal.Right).Text, (float)similarity.Double)
            : throw InvalidQueryException.At(
                query.Text, method.Arguments[1].Value.TextPosition, "the similarity of 'fuzzy' is a number above 0, up to 1.");
    }

    private FullTextNode Proximity(MethodExpression method)
    {
        if (method.Arguments[0].Value is not MethodExpression search || !search.Is("search"))
        {
            throw InvalidQueryException.At(query.Text, method.TextPosition, "'proximity' is for a search: proximity(search(Notes, 'quick fox'), 3).");
        }

        string text = TextOf(search);
        if (text.Contains('*', StringComparison.Ordinal))
        {
            throw InvalidQueryException.At(query.Text, search.TextPosition,
                "Proximity search works only on words without wildcards: leave '*' out, or search without 'proximity'.");
        }

        if (text.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries).Length < 2)
        {
            throw InvalidQueryException.At(query.Text, search.TextPosition,
                "Proximity search works only on multiple search terms: give two words or more, as in proximity(search(Notes, 'quick fox'), 3).");
        }

        return parameters.Resolve(method.Arguments[1].Value) is { Kind: QueryValueKind.Long, Long: >= 0 and <= int.MaxValue } positions
            ? new FullTextNode(FullTextFieldOf(search.Arguments[0].Value), text, WordOperator.And, (int)positions.Long)
            : throw InvalidQueryException.At(
                query.Text, method.Arguments[1].Value.TextPosition, "the distance of 'proximity' is a whole number of 0 or more.");
    }

    private string FullTextFieldOf(Expression field) => isAuto ? AutoFieldNames.Search(FieldOf(field)) : FieldOf(field);

    private string TextOf(MethodExpression method) => _values.TextOf(method.Arguments[1].Value).Text;

    private float BoostOf(Expression factor) => parameters.Resolve(factor) is { IsNumber: true, Double: >= 0 } number
        ? (float)number.Double
        : throw InvalidQueryException.At(query.Text, factor.TextPosition, "the factor of a boost is a number of 0 or more.");

    // The third argument is a bare word or a text.
    private WordOperator OperatorOf(MethodExpression method)
    {
        string? word = method.Arguments.Count < 3 ? null : method.Arguments[2].Value switch
        {
            FieldExpression bare => bare.Path.Name,
            Expression value => parameters.Resolve(value).Text,
        };
        return word?.ToLowerInvariant() switch
        {
            null or "or" => WordOperator.Or,
            "and" => WordOperator.And,
            _ => throw InvalidQueryException.At(query.Text, method.Arguments[2].Value.TextPosition, "'and' or 'or' is expected here."),
        };
    }

    private static SearchValue ToSearch(QueryValue value) => value.Kind switch
    {
        QueryValueKind.Null => new NullValue(),
        QueryValueKind.Boolean => new BooleanValue(value.Boolean),
        QueryValueKind.Long => new LongValue(value.Long, value.Text),
        QueryValueKind.Double => new DoubleValue(value.Double, value.Text),
        QueryValueKind.Object => new TextValue(ObjectTerm.Of(value.Text)),
        _ when value.Ticks is { } ticks => new DateValue(value.Text, ticks),
        _ => new TextValue(value.Text),
    };
}
