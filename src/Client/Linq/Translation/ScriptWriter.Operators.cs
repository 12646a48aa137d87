using System.Linq.Expressions;
using Jackdaw.Client.ExpressionTrees;

namespace Jackdaw.Client.Linq.Translation;

/// <summary>Operators.</summary>
internal sealed partial class ScriptWriter
{
    private Script Binary(BinaryExpression binary)
    {
        switch (binary.NodeType)
        {
            case ExpressionType.Coalesce:
                return new Script($"({Write(binary.Left, Level.Sum)}??{Write(binary.Right, Level.Sum)})");
            case ExpressionType.ArrayIndex:
                return new Script($"{Write(binary.Left, Level.Call)}[{Write(binary.Right)}]");
            case ExpressionType.Add or ExpressionType.AddChecked when binary.Type == typeof(string):
                return new Script($"{TextPart(binary.Left)}+{TextPart(binary.Right)}", Level.Sum);
            case ExpressionType.Divide when Expressions.IsWhole(binary.Type) && !IsExact(binary.Type):
                return new Script($"Math.trunc({Write(binary.Left, Level.Product)}/{Write(binary.Right, Level.Unary)})");
            case ExpressionType.And or ExpressionType.Or when Expressions.Plain(binary.Type) != typeof(bool):
                return Refuse(binary);
        }

        if (IsExact(binary.Type) && SignOfExact(binary) is { } exact)
        {
            return new Script($"exact({Write(binary.Left, Level.Choice)}, \"{exact}\", {Write(binary.Right, Level.Choice)})");
        }

        if (SignOf(binary) is not { } sign)
        {
            return Refuse(binary);
        }

        (Expression left, Expression right) = (binary.Left, binary.Right);
        bool isNull = IsNull(left) || IsNull(right);
        if (IsTime(left) && IsTime(right) && !isNull)
        {
            return new Script($"{Time(left)}{sign.Text}{Time(right)}", sign.Level);
        }

        string text = isNull ? sign.Text[..2] : sign.Text;
        return new Script($"{Beside(left, right, sign.Level)}{text}{Beside(right, left, sign.Level + 1)}", sign.Level);
    }

    // Types with more digits than numbers of scripts have.
    private static bool IsExact(Type type) => Type.GetTypeCode(Expressions.Plain(type)) is TypeCode.Decimal or TypeCode.Int64 or TypeCode.UInt64
        && !Expressions.Plain(type).IsEnum;

    private static string? SignOfExact(BinaryExpression binary) => binary.NodeType switch
    {
        ExpressionType.Add or ExpressionType.AddChecked => "+",
        ExpressionType.Subtract or ExpressionType.SubtractChecked => "-",
        ExpressionType.Multiply or ExpressionType.MultiplyChecked => "*",
        ExpressionType.Divide => Expressions.IsWhole(binary.Type) ? "//" : "/",
        ExpressionType.Modulo => "%",
        _ => null,
    };

    private static (string Text, int Level)? SignOf(BinaryExpression binary) => binary.NodeType switch
    {
        ExpressionType.Add or ExpressionType.AddChecked => ("+", Level.Sum),
        ExpressionType.Subtract or ExpressionType.SubtractChecked => ("-", Level.Sum),
        ExpressionType.Multiply or ExpressionType.MultiplyChecked => ("*", Level.Product),
        ExpressionType.Divide => ("/", Level.Product),
        ExpressionType.Modulo => ("%", Level.Product),
        ExpressionType.AndAlso or ExpressionType.And => ("&&", Level.And),
        ExpressionType.OrElse or ExpressionType.Or => ("||", Level.Or),
        ExpressionType.Equal => ("===", Level.Equality),
        ExpressionType.NotEqual => ("!==", Level.Equality),
        ExpressionType.LessThan => ("<", Level.Relation),
        ExpressionType.LessThanOrEqual => ("<=", Level.Relation),
        ExpressionType.GreaterThan => (">", Level.Relation),
        ExpressionType.GreaterThanOrEqual => (">=", Level.Relation),
        _ => null,
    };

    private static bool IsNull(Expression expression) => Expressions.Strip(expression) is ConstantExpression { Value: null };

    private static bool IsTime(Expression expression) =>
        Expressions.Plain(expression.Type) is var type && (type == typeof(DateTime) || type == typeof(DateTimeOffset));

    private string Time(Expression expression) => $"new Date({Write(expression)}).getTime()";

    // C# adds nothing for null, while JavaScript adds its name. C# also writes truth values with a capital letter.
    private string TextPart(Expression expression)
    {
        Expression part = Expressions.Strip(expression);
        if (Expressions.Plain(part.Type) == typeof(bool))
        {
            return $"({Write(part, Level.Or)}?\"True\":\"False\")";
        }

        bool isNeverNull = part is ConstantExpression { Value: not null } || (part.Type.IsValueType && !Expressions.IsNullable(part.Type))
            || part is BinaryExpression { NodeType: ExpressionType.Add };
        return isNeverNull ? Write(part, Level.Sum) : $"({Write(part, Level.Sum)}??\"\")";
    }

    private Script Unary(UnaryExpression unary)
    {
        switch (unary.NodeType)
        {
            case ExpressionType.Not when Expressions.Plain(unary.Type) == typeof(bool):
                return new Script("!" + Write(unary.Operand, Level.Unary), Level.Unary);
            case ExpressionType.Negate or ExpressionType.NegateChecked when IsExact(unary.Type):
                return new Script($"exact(0, \"-\", {Write(unary.Operand, Level.Choice)})");
            case ExpressionType.Negate or ExpressionType.NegateChecked:
                return new Script($"-{Write(unary.Operand, Level.Call)}", Level.Unary);
            case ExpressionType.ArrayLength:
                return new Script(Write(unary.Operand, Level.Call) + ".length");
            case ExpressionType.Quote or ExpressionType.TypeAs:
                return WriteParts(unary.Operand);
            case ExpressionType.Convert or ExpressionType.ConvertChecked:
                bool isCut = Expressions.IsFraction(unary.Operand.Type) && Expressions.IsWhole(unary.Type);
                return isCut ? new Script($"Math.trunc({Write(unary.Operand)})") : WriteParts(unary.Operand);
            default:
                return Refuse(unary);
        }
    }
}
