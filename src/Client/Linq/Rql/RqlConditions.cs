using Jackdaw.Client.ExpressionTrees;

namespace Jackdaw.Client.Linq.Rql;

/// <summary>An operand of an operator or a call.</summary>
internal abstract record RqlOperand;

/// <summary>A field, a word or a literal that is not a value of the user. It is printed as it is.</summary>
internal sealed record TextOperand(string Text) : RqlOperand;

/// <summary>Rows that are left out, or that are wanted.</summary>
internal sealed record PageOrigin(bool IsTake) : ValueOrigin;

/// <summary>A value of the user, which is always a parameter.</summary>
internal sealed record ValueOperand(object? Value, ValueOrigin? Origin = null) : RqlOperand;

/// <summary>A call with operands.</summary>
internal sealed record CallOperand(string Name, IReadOnlyList<RqlOperand> Arguments, string? Alias = null) : RqlOperand;

/// <summary>A condition as an argument.</summary>
internal sealed record ConditionOperand(RqlCondition Condition) : RqlOperand;

/// <summary>What must hold for a row.</summary>
internal abstract record RqlCondition;

/// <summary>Holds always, or never.</summary>
internal sealed record FixedCondition(bool Value) : RqlCondition;

/// <summary>Stands for a part that could not be translated. Such a query is never sent.</summary>
internal sealed record RefusedCondition : RqlCondition;

/// <param name="HasOppositeOperator">False where the opposite is not another operator: a list that has no element that is not null may be
/// empty.</param>
internal sealed record OperatorCondition(RqlOperand Left, string Operator, RqlOperand Right, bool HasOppositeOperator = true) : RqlCondition;

internal sealed record RangeCondition(RqlOperand Left, ValueOperand Low, ValueOperand High) : RqlCondition;

internal sealed record ListCondition(RqlOperand Left, bool IsAll, IReadOnlyList<object?> Values, ValueOrigin? Origin = null) : RqlCondition;

internal sealed record CallCondition(CallOperand Call) : RqlCondition;

internal sealed record OppositeCondition(RqlCondition Operand) : RqlCondition;

/// <param name="Operands">Two or more; none of them of the same kind.</param>
internal sealed record ChainCondition(bool IsAnd, IReadOnlyList<RqlCondition> Operands) : RqlCondition;

/// <summary>Combines conditions, and leaves out what changes nothing.</summary>
internal static class RqlConditions
{
    public static CallCondition Call(string name, params IReadOnlyList<RqlOperand> arguments) => new(new CallOperand(name, arguments));

    public static RqlCondition All(IEnumerable<RqlCondition> conditions) => Chain(isAnd: true, conditions);

    public static RqlCondition Any(IEnumerable<RqlCondition> conditions) => Chain(isAnd: false, conditions);

    public static RqlCondition Not(RqlCondition condition) => condition switch
    {
        OppositeCondition not => not.Operand,
        FixedCondition constant => new FixedCondition(!constant.Value),
        RefusedCondition => condition,
        OperatorCondition { Operator: "=", HasOppositeOperator: true } equal => equal with { Operator = "!=" },
        OperatorCondition { Operator: "!=", HasOppositeOperator: true } unequal => unequal with { Operator = "=" },
        _ => new OppositeCondition(condition),
    };

    private static RqlCondition Chain(bool isAnd, IEnumerable<RqlCondition> conditions)
    {
        List<RqlCondition> operands = [];
        foreach (RqlCondition condition in conditions)
        {
            switch (condition)
            {
                case FixedCondition constant when constant.Value == isAnd:
                    break;
                case FixedCondition:
                    return condition;
                case ChainCondition inner when inner.IsAnd == isAnd:
                    operands.AddRange(inner.Operands);
                    break;
                default:
                    operands.Add(condition);
                    break;
            }
        }

        operands = isAnd ? [.. WithRanges(operands)] : operands;
        return operands.Count switch { 0 => new FixedCondition(isAnd), 1 => operands[0], _ => new ChainCondition(isAnd, operands) };
    }

    // x >= 1 and x <= 9: one walk over the terms instead of two.
    private static IEnumerable<RqlCondition> WithRanges(List<RqlCondition> operands)
    {
        for (int i = 0; i < operands.Count; i++)
        {
            if (i + 1 < operands.Count
                && operands[i] is OperatorCondition { Operator: ">=", Right: ValueOperand { Value: { } least } low } from
                && operands[i + 1] is OperatorCondition { Operator: "<=", Right: ValueOperand { Value: { } most } high } to
                && from.Left == to.Left && from.Left is TextOperand && least.GetType() == most.GetType())
            {
                yield return new RangeCondition(from.Left, low, high);
                i++;
            }
            else
            {
                yield return operands[i];
            }
        }
    }
}
