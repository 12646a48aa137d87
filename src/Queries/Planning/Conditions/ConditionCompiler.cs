using Jackdaw.Queries.Language;

namespace Jackdaw.Queries.Planning.Conditions;

/// <summary>Turns expressions into conditions: it resolves aliases and parameters, and checks what can be checked without documents.</summary>
/// <param name="query">The query of the expressions.</param>
/// <param name="parameters">The parameters of the query.</param>
internal sealed class ConditionCompiler(QuerySyntax query, ParameterValues parameters)
{
    private readonly GroupedFields? _groups = query.GroupBy.Count > 0 ? new GroupedFields(query) : null;

    private readonly HashSet<int> _keptSources = [];

    /// <summary>The documents of a row whose kept metadata is read, by their numbers.</summary>
    public IReadOnlySet<int> KeptSources => _keptSources;

    /// <summary>The fields of groups; null when the rows are documents.</summary>
    public GroupedFields? Groups => _groups;

    /// <summary>Makes a condition.</summary>
    /// <exception cref="InvalidQueryException">The expression needs an index, mixes types, or names an unknown parameter.</exception>
    public Condition Compile(Expression expression) => Compile(expression, isExact: false);

    /// <summary>The reader of a field. The alias decides to which document the field belongs.</summary>
    public FieldReader ReaderOf(FieldPath path)
    {
        if (_groups is not null)
        {
            return ReaderOf(_groups.Resolve(new FieldExpression(path.TextPosition, path)));
        }

        if (path.IsQuoted)
        {
            return Read(0, path);
        }

        if (path.FirstName == query.From.Alias)
        {
            return Read(0, path.WithoutFirst);
        }

        for (int i = 0; i < query.Loads.Count; i++)
        {
            if (query.Loads[i].Alias == path.FirstName)
            {
                return Read(i + 1, path.WithoutFirst);
            }
        }

        return Read(0, path);
    }

    /// <summary>Where the id of a loaded document is.</summary>
    /// <exception cref="InvalidQueryException">A parameter is neither a text nor null, or was not sent.</exception>
    public LoadedId LoadedIdOf(LoadedDocument load)
    {
        if (load.Id is FieldExpression field)
        {
            return new LoadedId(ReaderOf(field.Path), Text: null);
        }

        QueryValue value = parameters.Resolve(load.Id);
        return value.Kind switch
        {
            QueryValueKind.Null => default,
            QueryValueKind.String => new LoadedId(load.Path is { } path ? Read(0, path) : null, value.Text),
            _ => throw Fault(load.Id, $"'load' takes the id of a document, which is a text or null, not a value of the type {value.Kind}."),
        };
    }

    /// <summary>The reader of a field of a group.</summary>
    public FieldReader ReaderOf(GroupedField field) => ReaderOf(_groups!.RowNameOf(field));

    private FieldReader ReaderOf(string member) => Read(0, new FieldPath([new FieldSegment(member, null, IsQuoted: true)], 0));

    private FieldReader Read(int source, FieldPath? path)
    {
        var reader = new FieldReader(source, path);
        if (reader.ReadsKeptMetadata)
        {
            _keptSources.Add(source);
        }

        return reader;
    }

    private Condition Compile(Expression expression, bool isExact) => expression switch
    {
        LiteralExpression literal => new ConstantCondition(literal.Kind == LiteralKind.True),
        LogicalExpression { IsAnd: true } and => new AndCondition([.. and.Operands.Select(operand => Compile(operand, isExact))]),
        LogicalExpression or => new OrCondition([.. or.Operands.Select(operand => Compile(operand, isExact))]),
        NotExpression not => new NotCondition(Compile(not.Operand, isExact)),
        ComparisonExpression comparison => Compile(comparison, isExact),
        BetweenExpression between => Compile(between, isExact),
        InExpression list => Compile(list, isExact),
        MethodExpression method => Compile(method, isExact),
        _ => throw Fault(expression, "a condition is expected here."),
    };

    private Condition Compile(ComparisonExpression comparison, bool isExact)
    {
        if (_groups is null && comparison.Left is MethodExpression { IsDocumentId: true })
        {
            return CompileId(comparison);
        }

        FieldReader field = FieldOf(comparison.Left);
        if (comparison.Right is FieldExpression other)
        {
            return new FieldsCondition(field, comparison.Operator, ReaderOf(other.Path));
        }

        ComparedTerm term = TermOf(comparison.Right, isExact);
        bool isNull = term.Value.Kind == QueryValueKind.Null;
        return comparison.Operator switch
        {
            ComparisonOperator.Equal => new TermCondition(field, TermTest.Equal, term),
            ComparisonOperator.NotEqual when isNull => new TermCondition(field, TermTest.NotNull, term),
            ComparisonOperator.NotEqual => new NotCondition(new TermCondition(field, TermTest.Equal, term)),
            ComparisonOperator.Greater or ComparisonOperator.GreaterOrEqual when term.IsOpenLow =>
                new BetweenCondition(field, null, null),
            ComparisonOperator.Less or ComparisonOperator.LessOrEqual when term.IsOpenHigh =>
                new BetweenCondition(field, null, null),
            ComparisonOperator.Less => new TermCondition(field, TermTest.Less, term),
            ComparisonOperator.LessOrEqual => new TermCondition(field, TermTest.LessOrEqual, term),
            ComparisonOperator.Greater => new TermCondition(field, TermTest.Greater, term),
            _ => new TermCondition(field, TermTest.GreaterOrEqual, term),
        };
    }

    private Condition CompileId(ComparisonExpression comparison)
    {
        var equal = new IdCondition(TermOf(comparison.Right, isExact: false), isPrefix: false);
        return comparison.Operator switch
        {
            ComparisonOperator.Equal => equal,
            ComparisonOperator.NotEqual => new NotCondition(equal),
            _ => throw Fault(comparison, "id() can be compared with =, !=, in and startsWith only."),
        };
    }

    private BetweenCondition Compile(BetweenExpression between, bool isExact)
    {
        FieldReader field = FieldOf(between.Left);
        (QueryValue? low, QueryValue? high) = EndsOf(between);
        bool isText = low is not null && high is not null && (low.Ticks is null || high.Ticks is null);
        return new BetweenCondition(
            field,
            low is null ? null : new ComparedTerm(low, isExact, isText),
            high is null ? null : new ComparedTerm(high, isExact, isText));
    }

    /// <summary>The ends of a range; null for an open one.</summary>
    /// <exception cref="InvalidQueryException">The ends are of two kinds, or are not values.</exception>
    public (QueryValue? Low, QueryValue? High) EndsOf(BetweenExpression between)
    {
        var low = new ComparedTerm(ValueOf(between.Low), isExact: true);
        var high = new ComparedTerm(ValueOf(between.High), isExact: true);
        (QueryValue? Low, QueryValue? High) ends = (low.IsOpenLow ? null : low.Value, high.IsOpenHigh ? null : high.Value);
        if (ends.Low is not null && ends.High is not null)
        {
            CheckSameKind(between, [ends.Low, ends.High]);
        }

        return ends;
    }

    private Condition Compile(InExpression list, bool isExact)
    {
        IReadOnlyList<QueryValue> values = ValuesOf(list);
        bool isId = list.Left is MethodExpression { IsDocumentId: true };
        FieldReader? field = isId ? null : FieldOf(list.Left);
        List<Condition> conditions = [];
        foreach (QueryValue value in values)
        {
            var term = new ComparedTerm(value, isExact && !isId);
            conditions.Add(field is null
                ? new IdCondition(term, isPrefix: false)
                : new TermCondition(field, TermTest.Equal, term));
        }

        return list.IsAll ? new AndCondition(conditions) : new OrCondition(conditions);
    }

    /// <summary>The values of a list: an array among them stands for its items.</summary>
    /// <exception cref="InvalidQueryException">The values are of several kinds, or are not values.</exception>
    /// <param name="takesObjects">Whether objects may be among them.</param>
    public IReadOnlyList<QueryValue> ValuesOf(InExpression list, bool takesObjects = false)
    {
        List<QueryValue> values = [];
        foreach (Expression expression in list.Values)
        {
            QueryValue value = parameters.Resolve(expression);
            IReadOnlyList<QueryValue> items = value.Kind == QueryValueKind.List ? value.Items : [value];
            values.AddRange(items);
            if (items.Any(item => item.Kind is QueryValueKind.List || (item.Kind is QueryValueKind.Object && !takesObjects)))
            {
                throw Fault(expression, "'in' compares with strings, numbers, true, false and null only.");
            }
        }

        CheckSameKind(list, values);
        return values;
    }

    private Condition Compile(MethodExpression method, bool isExact)
    {
        switch (method.Name.ToUpperInvariant())
        {
            case "EXACT":
                return Compile(method.Arguments[0].Value, isExact: true);
            case "EXISTS":
                return method.Arguments[0].Value is MethodExpression { IsDocumentId: true }
                    ? new ConstantCondition(true)
                    : new ExistsCondition(FieldOf(method.Arguments[0].Value));
            case "STARTSWITH":
                var prefix = new ComparedTerm(TextOf(method.Arguments[1].Value), isExact);
                return method.Arguments[0].Value is MethodExpression { IsDocumentId: true }
                    ? new IdCondition(prefix, isPrefix: true)
                    : new TermCondition(FieldOf(method.Arguments[0].Value), TermTest.StartsWith, prefix);
            case "ENDSWITH":
                return new TermCondition(
                    FieldOf(method.Arguments[0].Value), TermTest.EndsWith, new ComparedTerm(TextOf(method.Arguments[1].Value), isExact));
            default:
                throw Fault(method, $"'{method.Name}' needs an index and cannot be used in a filter; use it in 'where'.");
        }
    }

    private FieldReader FieldOf(Expression expression) => expression switch
    {
        _ when _groups is not null => ReaderOf(_groups.Resolve(expression)),
        FieldExpression field => ReaderOf(field.Path),
        LiteralExpression { Kind: LiteralKind.String } quoted => Read(0, new FieldPath(
            [new FieldSegment(quoted.Text, null, IsQuoted: true)], quoted.TextPosition)),
        _ => throw Fault(expression, "a field of the document is expected here."),
    };

    /// <summary>A value to compare with.</summary>
    /// <exception cref="InvalidQueryException">The expression is not a value, or stands for several.</exception>
    public QueryValue ValueOf(Expression expression)
    {
        if (expression is MethodExpression method)
        {
            throw Fault(expression, $"'{method.Name}' cannot be used in a filter; send its value as a parameter.");
        }

        QueryValue value = parameters.Resolve(expression);
        return value.Kind is QueryValueKind.List or QueryValueKind.Object
            ? throw Fault(expression, "an array or object cannot be compared with a field; use 'in' for several values.")
            : value;
    }

    /// <summary>A text to compare with. Null stands for the empty text, with which every text begins.</summary>
    /// <exception cref="InvalidQueryException">The expression is not a text.</exception>
    public QueryValue TextOf(Expression expression) => ValueOf(expression) switch
    {
        { Kind: QueryValueKind.String } text => text,
        { Kind: QueryValueKind.Null } => QueryValue.Of(""),
        _ => throw Fault(expression, "a text is expected here."),
    };

    private ComparedTerm TermOf(Expression expression, bool isExact) => new(ValueOf(expression), isExact);

    private void CheckSameKind(Expression expression, IReadOnlyList<QueryValue> values)
    {
        QueryValue? first = null;
        foreach (QueryValue value in values)
        {
            if (value.Kind == QueryValueKind.Null)
            {
                continue;
            }

            first ??= value;
            if (first.IsNumber != value.IsNumber || (!value.IsNumber && first.Kind != value.Kind))
            {
                throw Fault(expression, $"values of one kind are expected here, not {first.Kind} and {value.Kind}.");
            }
        }
    }

    private InvalidQueryException Fault(Expression expression, string message) =>
        InvalidQueryException.At(query.Text, expression.TextPosition, message);
}
