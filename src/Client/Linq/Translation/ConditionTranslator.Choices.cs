using System.Linq.Expressions;
using Jackdaw.Client.ExpressionTrees;
using Jackdaw.Client.Linq.Rql;

namespace Jackdaw.Client.Linq.Translation;

/// <summary>Conditions that become several: <c>? :</c>, <c>??</c>, days of times, and orders of enums that are stored as texts, which
/// are lists of the values that fit.</summary>
internal sealed partial class ConditionTranslator
{
    private RqlCondition Choose(ConditionalExpression choice)
    {
        if (!Expressions.UsesParameter(choice.Test))
        {
            return TryValue(choice.Test, out object? test) ? Translate(test is true ? choice.IfTrue : choice.IfFalse) : new RefusedCondition();
        }

        RqlCondition condition = Translate(choice.Test);
        return RqlConditions.Any([
            RqlConditions.All([condition, Translate(choice.IfTrue)]),
            RqlConditions.All([RqlConditions.Not(condition), Translate(choice.IfFalse)]),
        ]);
    }

    // x.Flag ?? false
    private RqlCondition Coalesce(BinaryExpression coalesce)
    {
        if (operands.TryFind(coalesce.Left) is not { } flag)
        {
            return problems.Refuse(coalesce, Translatable.Computed);
        }

        if (Expressions.UsesParameter(coalesce.Right) || !TryValue(coalesce.Right, out object? value) || value is not bool truth)
        {
            return RqlConditions.Any([
                new OperatorCondition(flag.Operand, "=", new ValueOperand(true)),
                RqlConditions.All([RqlConditions.Not(new OperatorCondition(flag.Operand, "!=", new ValueOperand(null))), Translate(coalesce.Right)]),
            ]);
        }

        return truth
            ? new OperatorCondition(flag.Operand, "!=", new ValueOperand(false))
            : new OperatorCondition(flag.Operand, "=", new ValueOperand(true));
    }

    // (x.Score ?? 0) > 5, (x.IsNew ? x.Price : x.OldPrice) > 5: the comparison is one of each branch.
    private RqlCondition? TryChosen(BinaryExpression comparison, Expression side)
    {
        List<UnaryExpression> conversions = [];
        Expression inner = side;
        while (inner is UnaryExpression { NodeType: ExpressionType.Convert or ExpressionType.ConvertChecked } conversion)
        {
            conversions.Add(conversion);
            inner = conversion.Operand;
        }

        (Expression Test, Expression IfTrue, Expression IfFalse)? choice = inner switch
        {
            ConditionalExpression chosen => (chosen.Test, chosen.IfTrue, chosen.IfFalse),
            BinaryExpression { NodeType: ExpressionType.Coalesce, Conversion: null } coalesce => (NotNull(coalesce.Left), coalesce.Left, coalesce.Right),
            MethodCallExpression { Method.Name: "GetValueOrDefault", Object: { } value } call when Expressions.IsNullable(value.Type) =>
                (NotNull(value), value, call.Arguments.Count == 1 ? call.Arguments[0] : Expression.Default(call.Type)),
            _ => null,
        };
        if (choice is not { } found)
        {
            return null;
        }

        return Choose(Expression.Condition(found.Test, Branch(found.IfTrue), Branch(found.IfFalse)));

        BinaryExpression Branch(Expression value)
        {
            Expression operand = value.Type == inner.Type ? value : Expression.Convert(value, inner.Type);
            for (int i = conversions.Count - 1; i >= 0; i--)
            {
                operand = Expression.MakeUnary(conversions[i].NodeType, operand, conversions[i].Type, conversions[i].Method);
            }

            bool isLeft = side == comparison.Left;
            return Expression.MakeBinary(
                comparison.NodeType, isLeft ? operand : comparison.Left, isLeft ? comparison.Right : operand, comparison.IsLiftedToNull, comparison.Method);
        }
    }

    private static BinaryExpression NotNull(Expression value) => Expression.NotEqual(value, Expression.Constant(null, value.Type));

    // x.At.Date == day: from its first moment to that of the next day.
    private RqlCondition? TryDay(Expression left, string sign, Expression right)
    {
        if (Expressions.Strip(left) is not MemberExpression { Member.Name: "Date", Expression: { } time } || Expressions.Plain(time.Type) != typeof(DateTime)
            || operands.TryFind(time) is not { IsOfEach: false } field || Expressions.UsesParameter(right)
            || !CapturedValues.TryRead(right, out object? value, out _) || value is not DateTime moment || moment.Date == DateTime.MaxValue.Date)
        {
            return null;
        }

        DateTime day = DateTime.SpecifyKind(moment.Date, DateTimeKind.Unspecified);
        bool isWhole = moment == moment.Date;
        RqlCondition sinceDay = At(">=", day);
        RqlCondition beforeDay = At("<", day);
        RqlCondition sinceNext = At(">=", day.AddDays(1));
        RqlCondition beforeNext = At("<", day.AddDays(1));
        RqlCondition ofDay = isWhole ? RqlConditions.All([sinceDay, beforeNext]) : new FixedCondition(false);
        return sign switch
        {
            "=" => ofDay,
            "!=" => RqlConditions.Not(ofDay),
            "<" => isWhole ? beforeDay : beforeNext,
            "<=" => beforeNext,
            ">" => sinceNext,
            _ => isWhole ? sinceDay : sinceNext,
        };

        OperatorCondition At(string operation, DateTime bound) => new(field.Operand, operation, new ValueOperand(Context.ToParameter(bound)));
    }

    // Whole numbers that an enum equals are stored as its names; for its order, and for fractions, the names are listed.
    private RqlCondition? TryOrderOfEnum(Expression left, ResolvedField field, string sign, Expression right, Expression comparison)
    {
        Type type = TypeOf(left)!;
        bool isEquality = sign is "=" or "!=";
        if (!type.IsEnum || (isEquality && !Expressions.IsFraction(right.Type)) || Context.Enums.AreNumbers(type))
        {
            return null;
        }

        if (Expressions.UsesParameter(right))
        {
            return problems.Refuse(comparison, Translatable.EnumOrder);
        }

        if (!TryRead(right, out object? value))
        {
            return new RefusedCondition();
        }

        if (value is null)
        {
            return isEquality ? null : new FixedCondition(false);
        }

        if (StoredEnums.BoundOf(value) is not { } limit)
        {
            return new FixedCondition(sign == "!=");
        }

        RqlCondition found = OneOf(comparison, field, type, one => sign switch
        {
            "<" => one < limit,
            "<=" => one <= limit,
            ">" => one > limit,
            ">=" => one >= limit,
            _ => one == limit,
        });
        return sign == "!=" ? RqlConditions.Not(found) : found;
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

    private static long? TryNumber(Expression expression) =>
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
