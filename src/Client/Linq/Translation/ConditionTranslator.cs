using System.Linq.Expressions;
using System.Runtime.CompilerServices;
using Jackdaw.Client.ExpressionTrees;
using Jackdaw.Client.Linq.Rql;

namespace Jackdaw.Client.Linq.Translation;

/// <summary>Predicates to conditions.</summary>
internal sealed partial class ConditionTranslator(OperandResolver operands, TranslationProblems problems)
{
    private TranslationContext Context => operands.Fields.Context;

    /// <summary>Whether texts are compared with their casing.</summary>
    public bool IsExact { get; set; }

    /// <summary>The condition of a predicate's body.</summary>
    public RqlCondition Translate(Expression predicate)
    {
        if (!RuntimeHelpers.TryEnsureSufficientExecutionStack())
        {
            return problems.Refuse(predicate, "It is nested too deeply.", "Split it into several calls of Where.");
        }

        Expression expression = Expressions.Strip(predicate);
        if (!Expressions.UsesParameter(expression))
        {
            return Constant(expression);
        }

        switch (expression)
        {
            case BinaryExpression { NodeType: ExpressionType.AndAlso or ExpressionType.And } both when IsTruth(both):
                return RqlConditions.All(Operands(both).Select(Translate).ToList());
            case BinaryExpression { NodeType: ExpressionType.OrElse or ExpressionType.Or } either when IsTruth(either):
                return RqlConditions.Any(Operands(either).Select(Translate).ToList());
            case UnaryExpression { NodeType: ExpressionType.Not } not when operands.TryFind(not.Operand) is { } truth:
                return new OperatorCondition(truth.Operand, "=", new ValueOperand(false));
            case UnaryExpression { NodeType: ExpressionType.Not } not:
                return RqlConditions.Not(Translate(not.Operand));
            case BinaryExpression comparison when OperatorOf(comparison.NodeType) is { } sign:
                return Compare(comparison, sign);
            case BinaryExpression { NodeType: ExpressionType.Coalesce } coalesce:
                return Coalesce(coalesce);
            case ConditionalExpression choice:
                return Choose(choice);
            case MethodCallExpression call:
                return Call(call);
            case MemberExpression { Member.Name: "HasValue", Expression: { } nullable } when Expressions.IsNullable(nullable.Type)
                && operands.TryFind(nullable) is { } field:
                return new OperatorCondition(field.Operand, "!=", new ValueOperand(null));
        }

        return expression.Type == typeof(bool) && operands.TryFind(expression) is { } stored
            ? new OperatorCondition(stored.Operand, "=", new ValueOperand(true))
            : problems.Refuse(expression, Translatable.Computed);
    }

    private RqlCondition Constant(Expression expression) => !TryValue(expression, out object? value) ? new RefusedCondition()
        : value is bool truth ? new FixedCondition(truth)
        : problems.Refuse(expression, "It is not a condition.", "Compare a field with it.");

    private static bool IsTruth(BinaryExpression binary) => Expressions.Plain(binary.Type) == typeof(bool);

    // A long chain is a tree that is as deep as it has operands, so it is walked without recursion.
    private static List<Expression> Operands(BinaryExpression chain)
    {
        List<Expression> found = [];
        Expression rest = chain;
        while (Expressions.Strip(rest) is BinaryExpression inner && inner.NodeType == chain.NodeType && IsTruth(inner))
        {
            found.Add(inner.Right);
            rest = inner.Left;
        }

        found.Add(rest);
        found.Reverse();
        return found;
    }

    private RqlCondition Compare(BinaryExpression comparison, string sign)
    {
        (Expression left, Expression right) = (comparison.Left, comparison.Right);
        if (!Expressions.UsesParameter(left) || MarkerOf(left) == Marker.CompareExchange)
        {
            (left, right, sign) = (right, left, Mirrored(sign));
        }

        if (TryOrderOfTexts(left, right) is { } texts)
        {
            (left, right) = texts;
        }

        if (TryCounted(left, sign, right) is { } counted)
        {
            return counted;
        }

        if (operands.TryFind(left) is not { } field)
        {
            return Truth(left, right, sign) ?? TryFlags(left, sign, right, comparison)
                ?? TryDay(left, sign, right) ?? TryChosen(comparison, left) ?? TryChosen(comparison, right) ?? RefuseOperand(comparison, left);
        }

        if (TryOrderOfEnum(left, field, sign, right, comparison) is { } ordered)
        {
            return ordered;
        }

        if (sign is not ("=" or "!=") && TryOrderOfLengths(left, sign, right, comparison) is { } lengths)
        {
            return lengths;
        }

        if (MarkerOf(right) == Marker.CompareExchange)
        {
            return TryOperand(((MethodCallExpression)Expressions.Strip(right)).Arguments[0]) is { } key
                ? new OperatorCondition(field.Operand, sign, new CallOperand("cmpxchg", [key])) : new RefusedCondition();
        }

        if (Expressions.UsesParameter(right))
        {
            return operands.TryFind(right) is not { } other ? RefuseOperand(comparison, right)
                : operands.IsOfDocuments || _elementDepth > 0 ? new OperatorCondition(field.Operand, sign, other.Operand)
                : problems.Refuse(comparison, Translatable.TwoFields);
        }

        return TryOperand(right, left) is { } value ? Compare(field, sign, value, comparison) : new RefusedCondition();
    }

    private RqlCondition Compare(ResolvedField field, string sign, ValueOperand value, Expression comparison)
    {
        if (field.IsOfEach && sign == "!=")
        {
            return problems.Refuse(comparison, Translatable.EachElement); // Any then asks for each element.
        }

        if (value.Value is null && sign is not ("=" or "!="))
        {
            return new FixedCondition(false);
        }

        var condition = new OperatorCondition(field.Operand, sign, value);
        bool mayBeNull = sign is "<" or "<=" && Expressions.IsNullable(field.Type) && !field.IsOfEach && !operands.IsOfDocuments;
        return mayBeNull
            ? RqlConditions.All([condition, new OperatorCondition(field.Operand, "!=", new ValueOperand(null))])
            : condition;
    }

    // x.Duration > time: the server compares lengths. Texts of other types have no order at all.
    private RqlCondition? TryOrderOfLengths(Expression left, string sign, Expression right, Expression comparison)
    {
        if (operands.TryOrdered(left, out Refusal? refusal) is not { } field)
        {
            return refusal is null ? null : problems.Refuse(comparison, refusal);
        }

        if (TypeOf(left) != typeof(TimeSpan))
        {
            return null;
        }

        if (Expressions.UsesParameter(right))
        {
            return !operands.IsOfDocuments && _elementDepth == 0 ? problems.Refuse(comparison, Translatable.TwoFields)
                : operands.TryOrdered(right, out _) is { } other ? new OperatorCondition(field.Operand, sign, other.Operand)
                : problems.Refuse(comparison, Translatable.Computed);
        }

        return !TryRead(right, out object? value) ? new RefusedCondition()
            : value is not TimeSpan duration ? new FixedCondition(false)
            : Compare(field with { Type = left.Type }, sign, new ValueOperand(duration.TotalSeconds), comparison);
    }

    // condition == true, condition != flag
    private RqlCondition? Truth(Expression left, Expression right, string sign)
    {
        if (Expressions.Plain(left.Type) != typeof(bool) || Expressions.UsesParameter(right) || sign is not ("=" or "!=")
            || !CapturedValues.TryRead(right, out object? value, out _) || value is not bool truth)
        {
            return null;
        }

        RqlCondition condition = Translate(left);
        return truth == (sign == "=") ? condition : RqlConditions.Not(condition);
    }

    // string.Compare(x.Name, "m") > 0, x.Name.CompareTo("m") > 0
    private static (Expression Field, Expression Value)? TryOrderOfTexts(Expression left, Expression right)
    {
        if (Expressions.Strip(left) is not MethodCallExpression call || right is not ConstantExpression { Value: 0 })
        {
            return null;
        }

        return call switch
        {
            { Method.Name: "Compare", Object: null, Arguments: [var field, var value] } when call.Method.DeclaringType == typeof(string) => (field, value),
            { Method.Name: "CompareTo", Object: { } field, Arguments: [var value] } => (field, value),
            _ => null,
        };
    }

    private RqlCondition RefuseOperand(Expression comparison, Expression operand)
    {
        Expression inner = Expressions.Strip(operand);
        if (inner is MethodCallExpression casing && Translatable.IsCasing(casing.Method.Name))
        {
            return problems.Refuse(comparison, Translatable.Casing);
        }

        if (inner is MemberExpression { Member.Name: "Count" or "Length" } or MethodCallExpression { Method.Name: "Count" or "LongCount" }
            or UnaryExpression { NodeType: ExpressionType.ArrayLength })
        {
            return problems.Refuse(comparison, Translatable.Counted);
        }

        return problems.Refuse(comparison, Translatable.Computed);
    }

    /// <summary>A value that is compared with a field; null if it cannot be read, which is noted as a problem.</summary>
    private ValueOperand? TryOperand(Expression expression, Expression? comparedWith = null) => TryValue(expression, out object? value, comparedWith)
        ? new ValueOperand(value, CapturedValues.Origin(ReadUse.Parameter, TypeOf(comparedWith)))
        : null;

    /// <summary>A value that the text depends on.</summary>
    private bool TryValue(Expression expression, out object? value, Expression? comparedWith = null)
    {
        if (!TryRead(expression, out value))
        {
            return false;
        }

        try
        {
            value = Context.ToParameter(value, TypeOf(comparedWith));
            return true;
        }
        catch (NotSupportedException unknown)
        {
            problems.AddValue(Expressions.Describe(expression), unknown);
            return false;
        }
    }

    // False: the problem is noted.
    private bool TryRead(Expression expression, out object? value)
    {
        bool isRead = CapturedValues.TryRead(expression, out value, out string problem);
        if (!isRead)
        {
            problems.Add(expression, $"Its value cannot be read. {problem}", "Assign the value to a variable before the query.");
        }

        return isRead;
    }

    private static Type? TypeOf(Expression? comparedWith) => comparedWith is null ? null : Expressions.Plain(Expressions.Strip(comparedWith).Type);

    private static Marker? MarkerOf(Expression expression) => Expressions.Strip(expression) is MethodCallExpression call ? MarkerOf(call) : null;

    private static string? OperatorOf(ExpressionType type) => type switch
    {
        ExpressionType.Equal => "=",
        ExpressionType.NotEqual => "!=",
        ExpressionType.LessThan => "<",
        ExpressionType.LessThanOrEqual => "<=",
        ExpressionType.GreaterThan => ">",
        ExpressionType.GreaterThanOrEqual => ">=",
        _ => null,
    };

    private static string Mirrored(string sign) => sign switch { "<" => ">", "<=" => ">=", ">" => "<", ">=" => "<=", _ => sign };
}
