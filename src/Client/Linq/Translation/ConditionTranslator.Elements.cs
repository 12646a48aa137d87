using System.Linq.Expressions;
using Jackdaw.Client.ExpressionTrees;
using Jackdaw.Client.Linq.Rql;

namespace Jackdaw.Client.Linq.Translation;

/// <summary>Conditions on the elements of a list. A single condition is one of the whole list; several must hold for one element together, which
/// the server checks on the documents.</summary>
internal sealed partial class ConditionTranslator
{
    /// <summary>How many lists within lists the server checks element by element.</summary>
    private const int ElementDepthMax = 2;

    private int _elementDepth;

    // x.Tags.Any(), x.Lines.Any(l => l.Product == "p"), x.Lines.All(l => l.Quantity > 0)
    private RqlCondition OfElements(MethodCallExpression call)
    {
        Type type = Expressions.Strip(call.Arguments[0]).Type;
        if (Expressions.IsMap(type) || !Expressions.IsSequence(type))
        {
            return problems.Refuse(call, Expressions.IsMap(type) ? Translatable.Entries : Translatable.Computed);
        }

        switch (call.Arguments.Count)
        {
            case 1 when call.Method.Name == "Any" && operands.TryFind(call.Arguments[0]) is { } list:
                return IsNotEmpty(list);
            case 2 when operands.Fields.TryFind(call.Arguments[0]) is { IsId: false } path:
                LambdaExpression predicate = Expressions.Lambda(call.Arguments[1]);
                return call.Method.Name == "Any"
                    ? Any(call, path, predicate)
                    : RqlConditions.Not(EachElement(call, path, Expression.Lambda(predicate.Type, Expression.Not(predicate.Body), predicate.Parameters)));
            default:
                return problems.Refuse(call, Translatable.Computed);
        }
    }

    // An empty list exists, too. A list with a value is not null.
    private static OperatorCondition IsNotEmpty(ResolvedField list) =>
        new(list.Operand, "!=", new ValueOperand(null), HasOppositeOperator: false);

    private RqlCondition Any(Expression call, RqlPath list, LambdaExpression predicate)
    {
        ParameterExpression element = predicate.Parameters[0];
        operands.Fields.Bind(element, list.Each(element.Type));
        RqlCondition ofAll = new ConditionTranslator(operands, new TranslationProblems()) { IsExact = IsExact }.Translate(predicate.Body);
        return ofAll is FixedCondition constant
                ? constant.Value ? IsNotEmpty(new ResolvedField(operands.Operand(list), list.Type, list.IsOfEach)) : constant
            : IsOfOneValue(ofAll) ? ofAll
            : EachElement(call, list, predicate);
    }

    // any(Lines as line, line.Product = $p0 and line.Quantity > $p1)
    private RqlCondition EachElement(Expression call, RqlPath list, LambdaExpression predicate)
    {
        if (operands.IsIndex && !operands.IsOfDocuments)
        {
            return problems.Refuse(call, Translatable.EachElement);
        }

        if (_elementDepth == ElementDepthMax)
        {
            return problems.Refuse(call, Translatable.NestedElements);
        }

        ParameterExpression element = predicate.Parameters[0];
        string name = RqlNames.Alias(element.Name);
        operands.Fields.Bind(element, new RqlPath([new PathSegment(name, null)], element.Type));
        _elementDepth++;
        RqlCondition condition = Translate(predicate.Body);
        _elementDepth--;
        return condition is RefusedCondition
            ? condition
            : RqlConditions.Call("any", new TextOperand($"{operands.Operand(list).Text} as {name}"), new ConditionOperand(condition));
    }

    /// <summary>Whether a condition on the values of all elements holds only if it holds for one element.</summary>
    private static bool IsOfOneValue(RqlCondition condition) => condition switch
    {
        OperatorCondition comparison => comparison.Operator != "!=" || !comparison.HasOppositeOperator,
        RangeCondition => true,
        ListCondition list => !list.IsAll,
        CallCondition { Call: { Name: "exact", Arguments: [ConditionOperand inner] } } => IsOfOneValue(inner.Condition),
        CallCondition call => call.Call.Name != "any",
        ChainCondition chain => !chain.IsAnd && chain.Operands.All(IsOfOneValue),
        _ => false,
    };

    // x.Lines.Count > 0, x.Lines.Count(l => l.Quantity > 1) == 0: whether there is any.
    private RqlCondition? TryCounted(Expression left, string sign, Expression right)
    {
        return Expressions.Strip(right) is not ConstantExpression number || Translatable.AsksForSome(sign, number.Value) is not { } isSome
                || Counted(Expressions.Strip(left)) is not { } condition ? null
            : isSome ? condition
            : RqlConditions.Not(condition);
    }

    private RqlCondition? Counted(Expression count)
    {
        switch (count)
        {
            case MemberExpression { Member.Name: var name, Expression: { } list } when Translatable.IsLength(name) && IsList(list):
                return operands.TryFind(list) is { } field ? IsNotEmpty(field) : null;
            case UnaryExpression { NodeType: ExpressionType.ArrayLength } length when IsList(length.Operand):
                return operands.TryFind(length.Operand) is { } array ? IsNotEmpty(array) : null;
            case MethodCallExpression { Method.Name: "Count" or "LongCount", Arguments: [var list, ..] } call
                when call.Method.DeclaringType == typeof(Enumerable) && IsList(Expressions.Strip(list)):
                return call.Arguments.Count == 1 ? operands.TryFind(list) is { } counted ? IsNotEmpty(counted) : null
                    : operands.Fields.TryFind(list) is { IsId: false } path ? Any(call, path, Expressions.Lambda(call.Arguments[1]))
                    : null;
            default:
                return null;
        }
    }

    private static bool IsList(Expression list) => Expressions.IsSequence(list.Type) && !Expressions.IsMap(list.Type);
}
