using System.Linq.Expressions;
using Jackdaw.Client.Exceptions;
using Jackdaw.Client.ExpressionTrees;
using Jackdaw.Client.Linq.Conditions;
using Jackdaw.Client.Linq.Rql;

namespace Jackdaw.Client.Linq.Translation;

/// <summary>Translates the tree of a LINQ query, operator by operator from its source on.</summary>
/// <remarks>
/// The current element of the query (<see cref="_element"/>) is an expression over the document. Each lambda gets it in the place of its parameter,
/// so that operators after a projection, and the hidden objects of <c>let</c>, need no special rules. Problems are collected and reported together
/// at the end.
/// </remarks>
internal sealed partial class LinqTranslator
{
    private readonly TranslationContext _context;
    private readonly TranslationProblems _problems = new();
    private readonly QuerySource _source;
    private readonly RqlQuery _query;
    private readonly FieldResolver _fields;
    private readonly OperandResolver _operands;
    private readonly ConditionTranslator _conditions;
    private readonly List<RqlCondition> _where = [];
    private readonly List<string> _includes = [];
    private readonly List<(bool IsTake, CapturedRead? Count)> _pageSteps = [];
    private ParameterExpression _root;
    private Expression _element;
    private string? _rootName;
    private int _thenAt;
    private GroupScope? _group;
    private ProjectStep? _projected;
    private bool _isAfterSearch;
    private SelectFieldsStep? _selected;
    private bool _isSpecial; // rows are neither documents nor what a lambda makes of them
    private Terminal _terminal;

    private LinqTranslator(QuerySource source, TranslationContext context, Terminal terminal)
    {
        (_source, _context, _terminal) = (source, context, terminal);
        _query = new RqlQuery { Source = source.Source, IsIndex = source.IsIndex };
        _fields = new FieldResolver(context);
        _operands = new OperandResolver(_fields, source.IsIndex);
        _conditions = new ConditionTranslator(_operands, _problems);
        _root = Expression.Parameter(source.DocumentType, "document");
        _element = _root;
        _fields.Bind(_root, new RqlPath([], source.DocumentType));
    }

    /// <summary>Translates a query.</summary>
    /// <param name="terminal">What is wanted, when the tree itself does not say it at its end.</param>
    /// <exception cref="QueryTranslationException">The query cannot be translated.</exception>
    public static TranslatedQuery Translate(Expression expression, TranslationContext context, Terminal terminal)
    {
        List<Expression> operators = [];
        Expression rest = Unwrap(expression);
        while (rest is not SourceExpression)
        {
            operators.Add(rest);
            Expression? before = rest is StepExpression step ? step.Source
                : rest is MethodCallExpression { Object: null, Arguments: [var first, ..] } call && call.Method.DeclaringType == typeof(Queryable) ? first
                : null;
            rest = before is not null ? Unwrap(before) : throw new QueryTranslationException(
                expression, [new TranslationProblem(Expressions.Describe(rest), "It is not a query of a session.", "Begin with session.Query<T>().")], "");
        }

        operators.Reverse();
        return new LinqTranslator(((SourceExpression)rest).Source, context, terminal).Run(expression, operators);
    }

    private static Expression Unwrap(Expression expression) =>
        Expressions.Strip(expression) switch
        {
            ConstantExpression { Value: IQueryable query } constant when query.Expression != constant => query.Expression,
            var other => other,
        };

    private TranslatedQuery Run(Expression whole, List<Expression> operators)
    {
        try
        {
            foreach (Expression operation in operators)
            {
                Apply(operation);
            }

            return Finish(whole);
        }
        catch (InsufficientExecutionStackException)
        {
            throw new QueryTranslationException(
                whole, [new TranslationProblem("the query", "It is nested too deeply.", "Split its conditions into several calls of Where.")], "");
        }
    }

    private void Apply(Expression operation)
    {
        bool wasAfterSearch = _isAfterSearch;
        _isAfterSearch = false;
        if (operation is StepExpression own)
        {
            Apply(own.Step, wasAfterSearch, own);
            return;
        }

        var call = (MethodCallExpression)operation;
        if (!Translatable.IsOperator(call.Method.Name))
        {
            RefuseOperator(call);
            return;
        }

        switch (call.Method.Name)
        {
            case "Where":
                Where(call, call.Arguments[1], isExact: false);
                break;
            case "OrderBy" or "OrderByDescending" or "ThenBy" or "ThenByDescending" when call.Arguments.Count == 2:
                bool isDescending = call.Method.Name.EndsWith("Descending", StringComparison.Ordinal);
                Order(call, new OrderStep(QueryField.Of(Expressions.Lambda(call.Arguments[1])), null, null, isDescending, call.Method.Name[0] == 'T'));
                break;
            case "Skip" or "Take" when call.Arguments[1].Type == typeof(int):
                Page(call);
                break;
            case "Select" when Expressions.Lambda(call.Arguments[1]) is { Parameters.Count: 1 } lambda:
                Select(call, lambda);
                break;
            case "Distinct" when call.Arguments.Count == 1:
                RequireUnpaged(call);
                _query.IsDistinct = true;
                break;
            case "GroupBy":
                GroupBy(call);
                break;
            case "Cast" or "OfType":
                ReadAs(call, call.Type.GetGenericArguments()[0]);
                break;
            default:
                End(call);
                break;
        }
    }

    // First, Count and the like: the last operator of a tree.
    private void End(MethodCallExpression call)
    {
        Terminal? terminal = call.Method.Name switch
        {
            "First" => Terminal.First,
            "FirstOrDefault" => Terminal.FirstOrDefault,
            "Single" => Terminal.Single,
            "SingleOrDefault" => Terminal.SingleOrDefault,
            "Any" => Terminal.Any,
            "Count" or "LongCount" => Terminal.Count,
            "Min" => Terminal.Min,
            "Max" => Terminal.Max,
            "All" => Terminal.All,
            "Sum" => Terminal.Sum,
            "Average" => Terminal.Average,
            _ => null,
        };
        if (terminal is null || call.Arguments.Count > 2)
        {
            RefuseOperator(call);
            return;
        }

        _terminal = terminal.Value;
        if (call.Arguments.Count == 2 && Expressions.Strip(call.Arguments[1]) is LambdaExpression lambda)
        {
            if (terminal is Terminal.Min or Terminal.Max or Terminal.Sum or Terminal.Average)
            {
                Select(call, lambda);
            }
            else if (terminal is Terminal.All)
            {
                Where(call, Expression.Lambda(lambda.Type, Expression.Not(lambda.Body), lambda.Parameters), isExact: false);
            }
            else
            {
                Where(call, lambda, isExact: false);
            }
        }
        else if (call.Arguments.Count == 2)
        {
            _problems.Add(call, "It has an argument that the server does not know.", "Use the form without it.");
        }
    }

    private void RefuseOperator(MethodCallExpression call)
    {
        bool hasComparer = call.Method.GetParameters().Any(parameter => parameter.ParameterType.Name is "IComparer`1" or "IEqualityComparer`1");
        Refusal refusal = hasComparer ? Translatable.Comparer : Translatable.Operator(call.Method.Name);
        _problems.Add(call.Method.Name + "(...)", refusal.Reason, refusal.Hint);
    }

    private void Where(Expression call, Expression predicate, bool isExact)
    {
        LambdaExpression lambda = Expressions.Lambda(predicate);
        if (lambda.Parameters.Count != 1)
        {
            _problems.Add(call, Translatable.Position.Reason, Translatable.Position.Hint);
            return;
        }

        RequireUnpaged(call);
        _conditions.IsExact = isExact;
        RqlCondition condition = _conditions.Translate(Bind(lambda));
        _conditions.IsExact = false;
        Add(isExact && condition is not FixedCondition ? RqlConditions.Call("exact", new ConditionOperand(condition)) : condition);
    }

    private void Add(RqlCondition condition)
    {
        if (condition is not FixedCondition { Value: true })
        {
            _where.Add(condition);
        }
    }

    /// <summary>The body of a lambda, over the document.</summary>
    private Expression Bind(LambdaExpression lambda)
    {
        ParameterExpression parameter = lambda.Parameters[0];
        if (_element == _root && _rootName is null && parameter.Name is { } name && !name.StartsWith('<') && parameter.Type == _root.Type)
        {
            // Problems and scripts use the name that the program first gives to a document.
            (_rootName, _root, _element) = (name, parameter, parameter);
            _fields.Bind(parameter, new RqlPath([], parameter.Type));
        }

        return ParameterBinding.Apply(lambda, _element);
    }

    /// <summary>The body of a lambda that only names a field. Document queries name fields of the documents also by types that rows get
    /// later.</summary>
    private Expression BindField(LambdaExpression lambda)
    {
        ParameterExpression parameter = lambda.Parameters[0];
        if (_element != _root || parameter.Type == _root.Type)
        {
            return Bind(lambda);
        }

        _fields.Bind(parameter, new RqlPath([], parameter.Type));
        return lambda.Body;
    }

    // The page is taken last, so an operator that would change the rows after Skip or Take comes too late.
    private void RequireUnpaged(Expression call)
    {
        if (_query.Page != default)
        {
            _problems.Add(call, Translatable.Paged.Reason, Translatable.Paged.Hint);
        }
    }

    private void Page(MethodCallExpression call)
    {
        if (Expressions.UsesParameter(call.Arguments[1]) || !CapturedValues.TryRead(call.Arguments[1], out object? value, out _) || value is not int number)
        {
            _problems.Add(call.Method.Name, "The number of rows must be known.", "Give a number.");
            return;
        }

        bool isTake = call.Method.Name == "Take";
        _pageSteps.Add((isTake, CapturedReads.Last(ReadUse.Page)));
        _query.Page = PageOf(_query.Page, isTake, number);
    }

    /// <summary>The page after one more Skip or Take.</summary>
    public static (long? Skip, long? Take) PageOf((long? Skip, long? Take) before, bool isTake, int number)
    {
        long count = Math.Max(0, number);
        return isTake
            ? (before.Skip, Math.Min(before.Take ?? long.MaxValue, count))
            : ((before.Skip ?? 0) + count, before.Take is null ? null : Math.Max(0, before.Take.Value - count));
    }

    private void Select(Expression call, LambdaExpression lambda)
    {
        if (_query.IsDistinct || _projected is not null)
        {
            _problems.Add(call, "The rows are chosen by what they consist of.", "Select once, before Distinct or ProjectInto.");
        }

        Expression body = Bind(lambda);
        if (lambda.Body is NewExpression { Members: { } members } hidden && IsLet(hidden, lambda.Parameters[0]))
        {
            var made = (NewExpression)body;
            body = made.Update(made.Arguments.Select((value, i) =>
                hidden.Arguments[i] == lambda.Parameters[0] ? value : new LetExpression(members[i].Name, value)));
        }

        _element = body;
    }

    // Documents are read as another type: its members are paths as well.
    private void ReadAs(Expression call, Type type)
    {
        if (_element != _root || _group is not null)
        {
            _problems.Add(call, "Only documents can be read as another type.", "Put it before Select and GroupBy.");
            return;
        }

        if (type.IsAssignableFrom(_root.Type))
        {
            return; // the same objects, seen as their base type
        }

        _root = Expression.Parameter(type, _root.Name);
        _element = _root;
        _fields.Bind(_root, new RqlPath([], type));
    }

    // let c = ... : the compiler selects new { x, c = ... }.
    private static bool IsLet(NewExpression made, ParameterExpression parameter) =>
        made.Arguments.Count == 2 && made.Arguments[0] == parameter && made.Members![0].Name == parameter.Name;

    private TranslatedQuery Finish(Expression whole)
    {
        Expression result = Expressions.Strip(_element);
        bool isWhole = result == _root && _projected is null;
        bool isProjected = !isWhole || _group is not null || _isSpecial;
        string? property = null;
        if (_terminal is Terminal.Min or Terminal.Max)
        {
            OrderByResult();
        }

        string alias = RqlNames.Alias(_rootName);
        if (_projected is { } members)
        {
            new ProjectionTranslator(_fields, _query, _problems, alias).Select(members.Members);
        }
        else if (_selected is { } selected)
        {
            property = new ProjectionTranslator(_fields, _query, _problems, alias).Select(selected.Fields, IsIdentity, selected.IsValue);
        }
        else if (result == _group?.Parameter && _terminal is Terminal.Count or Terminal.Any)
        {
            _query.Selected.AddRange(_group.Keys.Select(key => key.Member is { } member
                ? new RqlSelected(key.Operand, member) : new RqlSelected(new TextOperand("key()"), "Key")));
        }
        else if (result == _group?.Parameter)
        {
            _problems.Add("GroupBy(...)", Translatable.Groups.Reason, Translatable.Groups.Hint);
        }
        else if (isProjected && !_isSpecial)
        {
            property = new ProjectionTranslator(_fields, _query, _problems, alias).Translate(_element, _root, _group);
        }

        if (_terminal == Terminal.Count && _query.IsDistinct)
        {
            _problems.Add("Distinct().Count()", Translatable.CountOfDistinct.Reason, Translatable.CountOfDistinct.Hint);
        }

        if (_terminal is Terminal.Sum or Terminal.Average && property is null)
        {
            _problems.Add($"{_terminal}(...)", "A row is not a number.", "Give the field: SumAsync(x => x.Total).");
        }

        _query.Where = RqlConditions.All(_where);
        (long?, long?) page = _query.Page;
        _query.Page = _query.IsDistinct && _terminal is Terminal.Min or Terminal.Max ? _query.Page : LimitOf(_terminal, _query.Page);
        (string text, IReadOnlyDictionary<string, object?> parameters, IReadOnlyList<ValueOrigin?> origins) = RqlPrinter.Print(_query);
        return _problems.All.Count > 0 ? throw new QueryTranslationException(whole, _problems.All, text) : new TranslatedQuery
        {
            Text = text,
            Parameters = parameters,
            Origins = origins,
            PageSteps = _pageSteps,
            Source = _source,
            Terminal = _terminal,
            IsProjected = isProjected,
            Property = property,
            Includes = _includes,
            Page = page,
        };
    }

    /// <summary>The page that a query requests to get the rows that are wanted.</summary>
    public static (long? Skip, long? Take) LimitOf(Terminal terminal, (long? Skip, long? Take) page) => terminal switch
    {
        Terminal.First or Terminal.FirstOrDefault or Terminal.Min or Terminal.Max => (page.Skip, Math.Min(page.Take ?? 1, 1)),
        Terminal.Single or Terminal.SingleOrDefault => (page.Skip, Math.Min(page.Take ?? 2, 2)),
        Terminal.Any or Terminal.All or Terminal.Count => (0, 0),
        _ => page,
    };

    // Min and Max: the first of the ordered values.
    private void OrderByResult()
    {
        Refusal? refusal = null;
        if (_query.Page != default || _query.IsDistinct || _operands.TryOrdered(_element, out refusal) is not { } field)
        {
            _problems.Add($"{_terminal}(...)", refusal?.Reason ?? "The server finds the least and the greatest value of a field.",
                refusal?.Hint ?? "Use it on a field, without Skip and Take.");
            return;
        }

        Add(new OperatorCondition(field.Operand, "!=", new ValueOperand(null)));
        _query.Orders.Clear();
        if (IsUnordered(_element))
        {
            _query.IsDistinct = true; // There are few values; the client finds the least and the greatest.
            return;
        }

        AddOrder(new RqlOrder(field.Operand, OrderTypeOf(field.Type), _terminal == Terminal.Max), field.Type, isThen: false);
    }
}
