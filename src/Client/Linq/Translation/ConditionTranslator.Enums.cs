using System.Linq.Expressions;
using Jackdaw.Client.ExpressionTrees;
using Jackdaw.Client.Linq.Rql;

namespace Jackdaw.Client.Linq.Translation;

/// <summary>Enums that are stored as texts: an order of their values is a list of those that have it.</summary>
internal sealed partial class ConditionTranslator
{
    private RqlCondition? TryOrderOfEnum(Expression left, ResolvedField field, string sign, Expression right, Expression comparison)
    {
        Type type = TypeOf(left)!;
        if (!type.IsEnum || sign is "=" or "!=" || Context.Enums.AreNumbers(type))
        {
            return null;
        }

        if (Expressions.UsesParameter(right))
        {
            return problems.Refuse(comparison, Translatable.EnumOrder);
        }

        if (!CapturedValues.TryRead(right, out object? value, out string problem))
        {
            return problems.Refuse(right, $"Its value cannot be read. {problem}", "Assign the value to a variable before the query.");
        }

        if (value is null)
        {
            return new FixedCondition(false);
        }

        decimal limit = StoredEnums.NumberOf(value);
        return OneOf(comparison, field, type, one => sign switch
        {
            "<" => one < limit,
            "<=" => one <= limit,
            ">" => one > limit,
            _ => one >= limit,
        });
    }

    // x.Rights.HasFlag(Rights.Write), (x.Rights & Rights.Write) != 0
    private RqlCondition HasFlag(MethodCallExpression call, Expression flags) =>
        operands.TryFind(flags) is { } field && call.Arguments is [var flag] && TryNumber(flag) is { } wanted
            ? OfFlags(call, flags, field, number => (number & wanted) == wanted)
            : problems.Refuse(call, Translatable.Computed);

    private RqlCondition? TryFlags(Expression left, string sign, Expression right, Expression comparison)
    {
        if (sign is not ("=" or "!=") || Expressions.Strip(left) is not BinaryExpression { NodeType: ExpressionType.And } and
            || operands.TryFind(and.Left) is not { } field || TryNumber(and.Right) is not { } mask || TryNumber(right) is not { } wanted)
        {
            return null;
        }

        return OfFlags(comparison, and.Left, field, number => (number & mask) == wanted == (sign == "="));
    }

    private RqlCondition OfFlags(Expression condition, Expression flags, ResolvedField field, Func<long, bool> holds)
    {
        Type type = TypeOf(flags)!;
        return !type.IsEnum || Context.Enums.AreNumbers(type)
            ? problems.Refuse(condition, Translatable.Computed)
            : OneOf(condition, field, type, number => number is >= long.MinValue and <= long.MaxValue && holds((long)number));
    }

    private long? TryNumber(Expression expression) =>
        !Expressions.UsesParameter(expression) && CapturedValues.TryRead(expression, out object? value, out _) && value is not null
        && (value is Enum || Expressions.IsWhole(value.GetType())) && StoredEnums.NumberOf(value) is >= long.MinValue and <= long.MaxValue and var number
            ? (long)number
            : null;

    private RqlCondition OneOf(Expression condition, ResolvedField field, Type type, Func<decimal, bool> holds)
    {
        if (Context.Enums.ValuesOf(type) is not { } values)
        {
            return problems.Refuse(condition, Translatable.ManyFlags);
        }

        List<object?> found = [.. values.Where(value => holds(value.Number)).Select(value => value.Stored)];
        return found.Count == 0 ? new FixedCondition(false) : new ListCondition(field.Operand, IsAll: false, found);
    }
}
