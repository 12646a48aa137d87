using System.Linq.Expressions;
using Jackdaw.Client.ExpressionTrees;
using Jackdaw.Client.Linq.Rql;

namespace Jackdaw.Client.Linq.Translation;

/// <summary>Operators that LINQ does not have.</summary>
internal sealed partial class LinqTranslator
{
    private void Apply(QueryStep step, bool isAfterSearch, StepExpression operation)
    {
        switch (step)
        {
            case WhereStep where:
                Where(operation, where.Predicate, where.IsExact);
                break;
            case OrderStep order:
                Order(operation, order);
                break;
            case ScoreStep score:
                AddOrder(new RqlOrder(new CallOperand("score", []), null, score.IsDescending), score.IsThen);
                break;
            case RandomStep random:
                IReadOnlyList<RqlOperand> seed = random.Seed is null ? [] : [new TextOperand(RqlNames.Quote(random.Seed))];
                AddOrder(new RqlOrder(new CallOperand("random", seed), null, IsDescending: false), random.IsThen);
                break;
            case SearchStep search:
                Search(operation, search, isAfterSearch);
                break;
            case FilterStep filter:
                Filter(operation, filter);
                break;
            case ProjectStep project:
                Project(operation, project);
                break;
            case GroupArrayStep array:
                GroupByArray(operation, array);
                break;
            case SpatialStep shape:
                RequireUnpaged(operation);
                _where.AddRange(Shape(shape) is { } condition ? [condition] : []);
                break;
            case VectorStep vector:
                RequireUnpaged(operation);
                _where.Add(Near(vector));
                break;
            case DistanceStep distance:
                RequireUnpaged(operation);
                Distance(distance);
                break;
            case ConditionsStep conditions:
                RequireUnpaged(operation);
                Conditions(conditions.Chain);
                break;
            default:
                ApplyPart(operation, step);
                break;
        }
    }

    private void Order(Expression call, OrderStep order)
    {
        RequireUnpaged(call);
        if (FieldOf(order.Key, Translatable.ComputedOrder.Reason, Translatable.ComputedOrder.Hint) is not { } field)
        {
            return;
        }

        if (order.Key.Lambda is { } lambda && order.Sorter is null && order.Type is null)
        {
            Refusal? refusal = null;
            ResolvedField? ordered = IsUnordered(lambda.Body) ? null : _operands.TryOrdered(BindField(lambda), out refusal);
            if (ordered is null)
            {
                _problems.Add(lambda, (refusal ?? Translatable.EnumOrder).Reason, (refusal ?? Translatable.EnumOrder).Hint);
                return;
            }

            field = ordered;
        }

        RqlOperand key = order.Sorter is { } sorter
            ? new CallOperand("custom", [field.Operand, new TextOperand(RqlNames.Quote(sorter))])
            : field.Operand;
        string? type = order.Type == "string" || order.Sorter is not null ? null : order.Type ?? OrderTypeOf(field.Type);
        AddOrder(new RqlOrder(key, type, order.IsDescending, order.Nulls), field.Type, order.IsThen);
    }

    // Doubles do not tell near numbers apart.
    private void AddOrder(RqlOrder order, Type type, bool isThen)
    {
        AddOrder(order, isThen);
        if (order.Type == "double" && Expressions.IsWide(type))
        {
            AddOrder(order with { Type = "long" }, isThen: true);
        }
    }

    // A later order comes first. The order before it applies among equal rows.
    private void AddOrder(RqlOrder order, bool isThen)
    {
        if (isThen)
        {
            _query.Orders.Insert(_thenAt, order);
            _thenAt++;
        }
        else
        {
            _query.Orders.Insert(0, order);
            _thenAt = 1;
        }
    }

    private string? OrderTypeOf(Type type) => Expressions.IsFraction(type) || Expressions.IsWide(type) ? "double"
        : Expressions.IsWhole(type) || (Expressions.Plain(type).IsEnum && _context.Enums.AreNumbers(Expressions.Plain(type))) ? "long"
        : null;

    // Texts of an enum seldom have the order of its values.
    private bool IsUnordered(Expression value)
    {
        Type type = Expressions.Plain(Expressions.Strip(value).Type);
        return type.IsEnum && !_context.Enums.AreInOrder(type);
    }

    private void Search(Expression call, SearchStep search, bool isAfterSearch)
    {
        RequireUnpaged(call);
        _isAfterSearch = search.Join == SearchJoin.Guess && !search.IsNegated;
        if (FieldOf(search.Field, "A search is of a field.", "Search in a field of the documents or of the index.") is not { } field)
        {
            return;
        }

        List<RqlOperand> arguments = [field.Operand, new ValueOperand(search.Terms, new StepOrigin(search))];
        if (search.Word is { } word)
        {
            arguments.Add(new TextOperand(word));
        }

        RqlCondition condition = RqlConditions.Call("search", arguments);
        if (search.IsNegated)
        {
            condition = RqlConditions.All([RqlConditions.Call("exists", field.Operand), RqlConditions.Not(condition)]);
        }

        if (search.Boost != 1)
        {
            condition = RqlConditions.Call("boost", new ConditionOperand(condition), new ValueOperand(search.Boost));
        }

        if (search.Join == SearchJoin.Or && _where.Count > 0)
        {
            RqlCondition before = RqlConditions.All(_where);
            _where.Clear();
            _where.Add(RqlConditions.Any([before, condition]));
        }
        else if (isAfterSearch && search.Join == SearchJoin.Guess && !search.IsNegated)
        {
            _where[^1] = RqlConditions.Any([_where[^1], condition]);
        }
        else
        {
            _where.Add(condition);
        }
    }

    private void Filter(Expression call, FilterStep filter)
    {
        RequireUnpaged(call);
        _operands.IsOfDocuments = true;
        RqlCondition condition = _conditions.Translate(Bind(filter.Predicate));
        _operands.IsOfDocuments = false;
        _query.Filter = RqlConditions.All([_query.Filter, condition]);
        _query.FilterLimit = filter.Limit == int.MaxValue ? _query.FilterLimit : Math.Min(filter.Limit, _query.FilterLimit ?? int.MaxValue);
    }

    private void Project(Expression call, ProjectStep project)
    {
        if (_element != _root || _group is not null || _query.IsDistinct || _projected is not null)
        {
            _problems.Add(call, "The members of the type are those of documents.", "Use ProjectInto without Select, GroupBy and Distinct before it.");
            return;
        }

        _projected = project;
    }
}
