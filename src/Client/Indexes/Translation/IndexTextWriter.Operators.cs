using System.Linq.Expressions;
using Jackdaw.Client.ExpressionTrees;

namespace Jackdaw.Client.Indexes.Translation;

/// <summary>Operators.</summary>
internal sealed partial class IndexTextWriter
{
    private CodeText Binary(BinaryExpression binary)
    {
        switch (binary.NodeType)
        {
            case ExpressionType.AndAlso:
                return Operator(binary, "&&", Tightness.AndAlso);
            case ExpressionType.OrElse:
                return Operator(binary, "||", Tightness.OrElse);
            case ExpressionType.Equal:
                return Compare(binary, "==", Tightness.Equality);
            case ExpressionType.NotEqual:
                return Compare(binary, "!=", Tightness.Equality);
            case ExpressionType.LessThan:
                return Compare(binary, "<", Tightness.Relation);
            case ExpressionType.LessThanOrEqual:
                return Compare(binary, "<=", Tightness.Relation);
            case ExpressionType.GreaterThan:
                return Compare(binary, ">", Tightness.Relation);
            case ExpressionType.GreaterThanOrEqual:
                return Compare(binary, ">=", Tightness.Relation);
            case ExpressionType.Coalesce:
                return Coalesce(Write(binary.Left), Write(binary.Right));
            case ExpressionType.ArrayIndex:
                return Item(binary.Left, binary.Right);
            case ExpressionType.Add or ExpressionType.AddChecked:
                return binary.Type == typeof(string) ? Concatenation(Parts(binary)) : Arithmetic(binary, "+", Tightness.Sum);
            case ExpressionType.Subtract or ExpressionType.SubtractChecked:
                return Arithmetic(binary, "-", Tightness.Sum);
            case ExpressionType.Multiply or ExpressionType.MultiplyChecked:
                return Arithmetic(binary, "*", Tightness.Product);
            case ExpressionType.Divide:
                return Arithmetic(binary, "/", Tightness.Product);
            case ExpressionType.Modulo:
                return Arithmetic(binary, "%", Tightness.Product);
            default:
                return Bits(binary);
        }
    }

    private CodeText Operator(BinaryExpression binary, string sign, Tightness level)
    {
        CodeText left = Write(binary.Left);
        CodeText right = Write(binary.Right);
        CodeKind kind = left.IsValue || right.IsValue ? CodeKind.Value : CodeKind.Native;
        return new CodeText($"{left.As(level)} {sign} {right.As(level + 1)}", level, kind);
    }

    private static CodeText Coalesce(CodeText left, CodeText right) => new(
        $"{left.As(Tightness.OrElse)} ?? {right.As(Tightness.Coalesce)}", Tightness.Coalesce, left.IsExact && right.IsExact ? CodeKind.Exact : CodeKind.Value);

    private CodeText Compare(BinaryExpression binary, string sign, Tightness level)
    {
        bool isOrder = level == Tightness.Relation;
        Type stored = Expressions.Plain(Stored(binary.Left).Type);
        if (isOrder && stored.IsEnum && !IsWrittenAsNumber(stored))
        {
            return Refuse(binary, "Documents hold this enum as a text, which has another order.",
                "Compare with ==, or set SaveEnumsAsIntegers of the conventions.");
        }

        CodeText left = Beside(binary.Left, binary.Right);
        CodeText right = Beside(binary.Right, binary.Left);
        Type type = Expressions.Plain(binary.Left.Type);
        if (left.IsValue && right.IsValue && left.Text != "null" && right.Text != "null" && IsTime(type) && (isOrder || type != typeof(TimeSpan)))
        {
            left = Timed(left, binary.Left.Type);
        }

        return new CodeText($"{left.As(level)} {sign} {right.As(level + 1)}", level, CodeKind.Native);
    }

    // The compiler compares enums and letters as numbers: documents hold texts.
    private CodeText Beside(Expression operand, Expression other)
    {
        Expression stored = Stored(operand);
        if (stored != operand)
        {
            return Write(stored);
        }

        Type type = Expressions.Plain(Stored(other).Type);
        if ((!type.IsEnum && type != typeof(char)) || Expressions.UsesParameter(operand)
            || !CapturedValues.TryRead(operand, out object? value, out _) || value is null)
        {
            return Write(operand);
        }

        object typed = CapturedOperators.AsStored(value, type);
        return typed is DayOfWeek day ? new CodeText(CSharpText.Text(day.ToString()), Kind: CodeKind.Text) : Literal(typed, type) ?? Write(operand);
    }

    private static Expression Stored(Expression operand)
    {
        Expression inner = operand;
        while (inner is UnaryExpression { NodeType: ExpressionType.Convert or ExpressionType.ConvertChecked } convert)
        {
            inner = convert.Operand;
        }

        Type type = Expressions.Plain(inner.Type);
        return (type.IsEnum || type == typeof(char)) && Expressions.UsesParameter(inner) ? inner : operand;
    }

    private bool IsWrittenAsNumber(Type type) =>
        type != typeof(DayOfWeek) && CapturedValues.TryRead(Expression.Default(type), out object? value, out _)
            && _context.Names.ToParameter(value) is not string;

    private CodeText Arithmetic(BinaryExpression binary, string sign, Tightness level)
    {
        CodeText left = Write(binary.Left);
        CodeText right = Write(binary.Right);
        Type type = Expressions.Plain(binary.Type);
        if (IsTime(Expressions.Plain(binary.Left.Type)) || IsTime(Expressions.Plain(binary.Right.Type)))
        {
            // Texts that are times are joined by '+', not added.
            bool isOfDates = sign == "-" && Expressions.Plain(binary.Left.Type) != typeof(TimeSpan);
            left = IsTime(Expressions.Plain(binary.Left.Type)) && !isOfDates ? Timed(left, binary.Left.Type) : left;
            right = IsTime(Expressions.Plain(binary.Right.Type)) && !isOfDates ? Timed(right, binary.Right.Type) : right;
        }
        else if (type == typeof(float))
        {
            left = Timed(left, binary.Left.Type);
            right = Timed(right, binary.Right.Type);
        }
        else if (!left.IsExact && !right.IsExact && (type == typeof(decimal) || (type == typeof(double) && sign == "/")))
        {
            left = Timed(left, binary.Left.Type);
        }

        CodeKind kind = !left.IsValue && !right.IsValue ? CodeKind.Native
            : Expressions.IsFraction(type) && (left.IsExact || right.IsExact) ? CodeKind.Exact
            : CodeKind.Value;
        return new CodeText($"{left.As(level)} {sign} {right.As(level + 1)}", level, kind);
    }

    private CodeText Bits(BinaryExpression binary)
    {
        bool isLogical = Expressions.Plain(binary.Type) == typeof(bool);
        (string sign, Tightness level) = binary.NodeType switch
        {
            ExpressionType.And => ("&", Tightness.And),
            ExpressionType.Or => ("|", Tightness.Or),
            ExpressionType.ExclusiveOr when isLogical => ("!=", Tightness.Equality),
            ExpressionType.ExclusiveOr => ("^", Tightness.Xor),
            ExpressionType.LeftShift => ("<<", Tightness.Shift),
            ExpressionType.RightShift => (">>", Tightness.Shift),
            _ => ("", Tightness.Primary),
        };
        if (sign.Length == 0)
        {
            return Refuse(binary, $"The server has no operator {binary.NodeType}.", "Use an additional source.");
        }

        if (isLogical && binary.NodeType != ExpressionType.ExclusiveOr)
        {
            return Operator(binary, sign, level);
        }

        CodeText left = Native(binary.Left, binary.Left.Type);
        CodeText right = Native(binary.Right, binary.Right.Type);
        return new CodeText($"{left.As(level)} {sign} {right.As(level + 1)}", level, left.IsValue ? CodeKind.Value : CodeKind.Native);
    }

    private CodeText Unary(UnaryExpression unary)
    {
        switch (unary.NodeType)
        {
            case ExpressionType.Convert or ExpressionType.ConvertChecked:
                return Convert(unary);
            case ExpressionType.TypeAs:
                CodeText value = Write(unary.Operand);
                return Expressions.IsLeaf(unary.Type) && !Expressions.Plain(unary.Type).IsEnum
                    ? new CodeText($"{value.As(Tightness.Relation)} as {TypeName(unary.Type)}", Tightness.Relation) : value;
            case ExpressionType.Not when Expressions.Plain(unary.Type) == typeof(bool):
                return new CodeText("!" + Write(unary.Operand, Tightness.Unary), Tightness.Unary, CodeKind.Native);
            case ExpressionType.Not or ExpressionType.OnesComplement:
                return new CodeText("~" + Native(unary.Operand, unary.Operand.Type).As(Tightness.Unary), Tightness.Unary, CodeKind.Native);
            case ExpressionType.Negate or ExpressionType.NegateChecked:
                CodeText operand = Write(unary.Operand);
                operand = Expressions.Plain(unary.Type) == typeof(TimeSpan) ? Timed(operand, unary.Type) : operand;
                string text = operand.As(Tightness.Unary);
                return new CodeText(text[0] == '-' ? $"-({text})" : "-" + text, Tightness.Unary, operand.Kind);
            case ExpressionType.UnaryPlus:
                return Write(unary.Operand);
            case ExpressionType.ArrayLength:
                return new CodeText(Write(unary.Operand, Tightness.Primary) + ".Count()", Kind: CodeKind.Native);
            default:
                return Refuse(unary, $"The server has no operator {unary.NodeType}.", "Use an additional source.");
        }
    }

    private CodeText Is(TypeBinaryExpression test) => Expressions.IsLeaf(test.TypeOperand)
        ? new CodeText($"{Write(test.Expression, Tightness.Relation)} is {TypeName(test.TypeOperand)}", Tightness.Relation, CodeKind.Native)
        : Refuse(test, "The server does not know the types of the program.", "Store what distinguishes them in a property.");

    // If one part is a .NET string, so is the result. Otherwise two nulls would give null.
    private CodeText Concatenation(IReadOnlyList<Expression> parts)
    {
        CodeText[] written = [.. parts.Select(Write)];
        bool isText = written.Take(2).Any(part => part.Kind == CodeKind.Text) && parts.All(part => !IsTime(Expressions.Plain(Expressions.Strip(part).Type)));
        CodeKind kind = written.All(part => !part.IsValue) ? CodeKind.Text : CodeKind.Value;
        return isText
            ? new CodeText(string.Join(" + ", written.Select((part, i) => part.As(i == 0 ? Tightness.Sum : Tightness.Product))), Tightness.Sum, kind)
            : written.Length == 1 ? new CodeText($"{written[0].As(Tightness.Primary)}.ToString()", Kind: CodeKind.Text)
            : new CodeText($"string.Concat({Listed(written)})");
    }

    private static List<Expression> Parts(Expression sum)
    {
        List<Expression> parts = [];
        if (sum is BinaryExpression { NodeType: ExpressionType.Add } add && add.Type == typeof(string))
        {
            parts.AddRange(Parts(add.Left));
            parts.AddRange(Parts(add.Right));
        }
        else
        {
            parts.Add(sum);
        }

        return parts;
    }

    private static bool IsTime(Type type) => type == typeof(DateTime) || type == typeof(DateTimeOffset) || type == typeof(TimeSpan);
}
