using System.Linq.Expressions;

namespace Jackdaw.Client.ExpressionTrees;

/// <summary>Operators between captured values, with the rules of C#.</summary>
internal static class CapturedOperators
{
    public static object? Read(BinaryExpression binary, Func<Expression, object?> read)
    {
        object? left = read(binary.Left);
        switch (binary.NodeType)
        {
            case ExpressionType.Coalesce:
                return left ?? read(binary.Right);
            case ExpressionType.AndAlso when left is bool flag:
                return flag ? read(binary.Right) : false;
            case ExpressionType.OrElse when left is bool flag:
                return flag ? true : read(binary.Right);
        }

        object? right = read(binary.Right);
        if (binary.Method is { } method)
        {
            return IsLiftedNull(binary, left, right) ? OfNull(binary, left, right) : method.Invoke(null, [left, right]);
        }

        return binary.NodeType switch
        {
            ExpressionType.ArrayIndex => ((Array)left!).GetValue(System.Convert.ToInt64(right)),
            ExpressionType.Equal => Equals(left, right),
            ExpressionType.NotEqual => !Equals(left, right),
            _ when left is null || right is null => OfNull(binary, left, right),
            ExpressionType.LessThan => Compare(left, right) < 0,
            ExpressionType.LessThanOrEqual => Compare(left, right) <= 0,
            ExpressionType.GreaterThan => Compare(left, right) > 0,
            ExpressionType.GreaterThanOrEqual => Compare(left, right) >= 0,
            _ => Compute(binary, left, right),
        };
    }

    public static object Negate(object value, Type type) => Expressions.IsFraction(type)
        ? To(-System.Convert.ToDouble(value), Expressions.Plain(type))
        : To(-System.Convert.ToInt64(value), Expressions.Plain(type));

    /// <summary>Converts a number to another type of number. What does not fit is cut off, as C# does by default.</summary>
    public static object To(object number, Type target)
    {
        object whole = number is char letter ? (long)letter : number is Enum constant ? System.Convert.ToInt64(constant) : number;
        if (target == typeof(char))
        {
            return (char)System.Convert.ToUInt16(whole);
        }

        object source = Expressions.IsWhole(target) && Expressions.IsFraction(whole.GetType()) ? Math.Truncate(System.Convert.ToDouble(whole)) : whole;
        return System.Convert.ChangeType(source, target);
    }

    /// <summary>The enum value or character that a number stands for, because the compiler compares them as numbers.</summary>
    public static object AsStored(object value, Type stored) =>
        stored.IsEnum && Expressions.IsWhole(value.GetType()) && Fits(value, Enum.GetUnderlyingType(stored)) ? Enum.ToObject(stored, value)
        : stored == typeof(char) && value is int and >= char.MinValue and <= char.MaxValue ? (char)(int)value
        : value;

    // Another number equals no value of the enum.
    private static bool Fits(object number, Type type)
    {
        try
        {
            System.Convert.ChangeType(number, type);
            return true;
        }
        catch (OverflowException)
        {
            return false;
        }
    }

    private static bool IsLiftedNull(BinaryExpression binary, object? left, object? right) =>
        binary.IsLifted && (left is null || right is null);

    private static object? OfNull(BinaryExpression binary, object? left, object? right) => binary.NodeType switch
    {
        ExpressionType.Equal => left is null && right is null,
        ExpressionType.NotEqual => left is not null || right is not null,
        ExpressionType.LessThan or ExpressionType.LessThanOrEqual or ExpressionType.GreaterThan or ExpressionType.GreaterThanOrEqual => false,
        _ => null,
    };

    private static int Compare(object left, object right) => ((IComparable)left).CompareTo(right);

    private static object Compute(BinaryExpression binary, object left, object right)
    {
        Type type = Expressions.Plain(binary.Type);
        if (type == typeof(bool))
        {
            return binary.NodeType switch
            {
                ExpressionType.And => (bool)left & (bool)right,
                ExpressionType.Or => (bool)left | (bool)right,
                _ => (bool)left ^ (bool)right,
            };
        }

        if (Expressions.IsFraction(type))
        {
            (double a, double b) = (System.Convert.ToDouble(left), System.Convert.ToDouble(right));
            return To(
                binary.NodeType switch
                {
                    ExpressionType.Add or ExpressionType.AddChecked => a + b,
                    ExpressionType.Subtract or ExpressionType.SubtractChecked => a - b,
                    ExpressionType.Multiply or ExpressionType.MultiplyChecked => a * b,
                    ExpressionType.Divide => a / b,
                    ExpressionType.Modulo => a % b,
                    _ => throw new NotSupportedException($"The operator {binary.NodeType} is not computed here."),
                },
                type);
        }

        (long first, long second) = (System.Convert.ToInt64(left), System.Convert.ToInt64(right));
        return To(
            checked(binary.NodeType switch
            {
                ExpressionType.Add or ExpressionType.AddChecked => first + second,
                ExpressionType.Subtract or ExpressionType.SubtractChecked => first - second,
                ExpressionType.Multiply or ExpressionType.MultiplyChecked => first * second,
                ExpressionType.Divide => first / second,
                ExpressionType.Modulo => first % second,
                ExpressionType.And => first & second,
                ExpressionType.Or => first | second,
                ExpressionType.ExclusiveOr => first ^ second,
                ExpressionType.LeftShift => first << (int)second,
                ExpressionType.RightShift => first >> (int)second,
                _ => throw new NotSupportedException($"The operator {binary.NodeType} is not computed here."),
            }),
            type);
    }
}
