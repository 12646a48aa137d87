using Jackdaw.Indexing.Auto;
using Jackdaw.Queries.Language;
using Jackdaw.Queries.Planning.Conditions;
using Jackdaw.Queries.Planning.Projections;

namespace Jackdaw.Queries.Planning;

/// <summary>Finds out which auto index answers a query on a collection, from the fields that the query names and from how it searches them.</summary>
internal sealed class NeededIndex
{
    private readonly QuerySyntax _query;
    private readonly List<AutoField> _fields = [];

    private NeededIndex(QuerySyntax query) => _query = query;

    /// <summary>The definition of an index that holds what a query needs, and nothing else.</summary>
    /// <exception cref="InvalidQueryException">The query names fields where none can be indexed.</exception>
    /// <exception cref="QueryNotSupportedException">The query needs what cannot be indexed yet.</exception>
    public static AutoDefinition Of(QuerySyntax query)
    {
        var needed = new NeededIndex(query);
        return query.GroupBy.Count > 0 ? needed.MakeGrouped() : needed.MakePlain();
    }

    private AutoDefinition MakePlain()
    {
        AddCondition(_query.Where, isExact: false);
        foreach (OrderKey key in _query.OrderBy)
        {
            AddOrder(key.Key);
        }

        foreach (SelectItem item in _query.Select?.Items ?? [])
        {
            AddSelected(item.Value);
        }

        foreach (Expression include in _query.Includes)
        {
            if (include is MethodExpression highlight && highlight.Is("highlight"))
            {
                Add(highlight.Arguments[0].Value, AutoFieldSearch.Search | AutoFieldSearch.Highlighting);
            }
        }

        return new AutoDefinition(_query.From.Source, _fields.Count > 0 ? _fields : [new AutoField(AutoDefinition.DocumentId)]);
    }

    private AutoDefinition MakeGrouped()
    {
        var groups = new GroupedFields(_query);
        IEnumerable<Expression> named =
        [
            .. _query.Select?.Items.Select(item => item.Value) ?? [], .. _query.OrderBy.Select(key => key.Key), .. OperandsOf(_query.Where),
            .. OperandsOf(_query.Filter),
        ];
        foreach (Expression expression in named.Where(groups.IsField))
        {
            GroupedField field = groups.Resolve(expression);
            if (field.Kind == GroupedKind.Sum)
            {
                _fields.Add(new AutoField(field.Path) { Aggregation = AutoAggregation.Sum });
            }
            else if (field.Kind == GroupedKind.Count)
            {
                _fields.Add(new AutoField(AutoDefinition.Count) { Aggregation = AutoAggregation.Count });
            }
        }

        if (GroupedScript.Of(_query) is { } script)
        {
            _fields.Add(new AutoField(AutoDefinition.Count) { Aggregation = AutoAggregation.Count });
            _fields.AddRange(script.Sums.Select(path => new AutoField(path) { Aggregation = AutoAggregation.Sum }));
        }

        if (_fields.DistinctBy(field => (field.Name, field.Aggregation)).Count(field => field.Name == AutoDefinition.Count) > 1)
        {
            throw new QueryNotSupportedException(
                "Groups with count() and the sum of a field 'Count' are not supported yet by this version of Jackdaw.");
        }

        return new AutoDefinition(
            _query.From.Source, _fields.Count > 0 ? _fields : [new AutoField(AutoDefinition.Count) { Aggregation = AutoAggregation.Count }],
            _query.GroupBy.Select((key, i) => new AutoGroupKey(groups.Keys[i], key.IsArray)));
    }

    private static IEnumerable<Expression> OperandsOf(Expression? condition) => condition switch
    {
        LogicalExpression logical => logical.Operands.SelectMany(OperandsOf),
        NotExpression not => OperandsOf(not.Operand),
        ComparisonExpression comparison => [comparison.Left],
        BetweenExpression between => [between.Left],
        InExpression list => [list.Left],
        MethodExpression { Arguments: [_, { Value: var predicate }] } choice when choice.Is("when") => OperandsOf(predicate),
        MethodExpression { Arguments: [{ Value: var first }, ..] } method => method.Is("exact") || method.Is("boost") ? OperandsOf(first) : [first],
        _ => [],
    };

    private void AddCondition(Expression? condition, bool isExact)
    {
        AutoFieldSearch search = isExact ? AutoFieldSearch.Exact : AutoFieldSearch.Default;
        switch (condition)
        {
            case LogicalExpression logical:
                foreach (Expression operand in logical.Operands)
                {
                    AddCondition(operand, isExact);
                }

                break;
            case NotExpression not:
                AddCondition(not.Operand, isExact);
                break;
            case ComparisonExpression comparison:
                Add(comparison.Left, search);
                break;
            case BetweenExpression between:
                Add(between.Left, search);
                break;
            case InExpression list:
                Add(list.Left, search);
                break;
            case MethodExpression method:
                AddMethod(method, search);
                break;
        }
    }

    private void AddMethod(MethodExpression method, AutoFieldSearch search)
    {
        bool isExact = search == AutoFieldSearch.Exact;
        switch (method.Name.ToLowerInvariant())
        {
            case "exact":
                AddCondition(method.Arguments[0].Value, isExact: true);
                break;
            case "boost" or "fuzzy" or "proximity":
                AddCondition(method.Arguments[0].Value, isExact);
                break;
            case "intersect":
                foreach (MethodArgument argument in method.Arguments)
                {
                    AddCondition(argument.Value, isExact);
                }

                break;
            case "when":
                AddCondition(method.Arguments[1].Value, isExact);
                break;
            case "search":
                Add(method.Arguments[0].Value, AutoFieldSearch.Search);
                break;
            case "startswith" or "endswith" or "contains" or "regex" or "lucene" or "exists":
                Add(method.Arguments[0].Value, search);
                break;
            case "spatial.within" or "spatial.contains" or "spatial.intersects" or "spatial.disjoint":
                AddSpatial(method.Arguments[0].Value);
                break;
            case "vector.search":
                (string name, AutoVector vector) = DynamicVectorField.Read(_query, method.Arguments[0].Value);
                _fields.Add(new AutoField(name) { Vector = vector });
                break;
            case "morelikethis":
                throw new QueryNotSupportedException(
                    "moreLikeThis on a collection (ask an index that you define: from index 'Name' where moreLikeThis(...)) " +
                    "is not supported yet by this version of Jackdaw.");
            default:
                throw InvalidQueryException.At(_query.Text, method.TextPosition, $"'{method.Name}' is not a condition.");
        }
    }

    private void AddOrder(Expression key)
    {
        switch (key)
        {
            case MethodExpression method when method.Is("score") || method.Is("random"):
                break;
            case MethodExpression method when method.Is("spatial.distance"):
                AddSpatial(method.Arguments[0].Value);
                break;
            case MethodExpression method when method.Is("custom"):
                Add(method.Arguments[0].Value, AutoFieldSearch.Default);
                break;
            default:
                Add(key, AutoFieldSearch.Default);
                break;
        }
    }

    private void AddSelected(Expression selected)
    {
        if (selected is not MethodExpression method)
        {
            return;
        }

        if (method.Is("suggest"))
        {
            _fields.Add(new AutoField(NameOf(method.Arguments[0].Value)) { HasSuggestions = true });
        }
        else if (method.Is("facet"))
        {
            foreach (MethodArgument argument in method.Arguments)
            {
                AddFacet(argument.Value);
            }
        }
    }

    // The argument is a field, a range of one, or an aggregation of another.
    private void AddFacet(Expression argument)
    {
        switch (argument)
        {
            case { } field when QueryOptions.IsField(field):
                Add(argument, AutoFieldSearch.Default);
                break;
            case MethodExpression { Arguments: [{ Value: (FieldExpression or LiteralExpression { Kind: LiteralKind.String }) and var field }] } aggregation
                when !aggregation.Is("id"):
                Add(field, AutoFieldSearch.Default);
                break;
            case LogicalExpression or ComparisonExpression or BetweenExpression:
                AddCondition(argument, isExact: false);
                break;
        }
    }

    private void AddSpatial(Expression field)
    {
        (string name, AutoSpatial spatial) = DynamicSpatialField.Read(_query, field);
        _fields.Add(new AutoField(name) { Spatial = spatial });
    }

    private void Add(Expression field, AutoFieldSearch search) => _fields.Add(new AutoField(NameOf(field))
    {
        Search = search,
        IsQuoted = field is FieldExpression { Path: { IsQuoted: true, Parts.Count: 1 } },
    });

    private string NameOf(Expression field) => _query.PathOf(field)?.Text ?? (field is MethodExpression id && id.Is("id")
        ? AutoDefinition.DocumentId
        : throw InvalidQueryException.At(_query.Text, field.TextPosition, "a field of the documents is expected here."));
}
