using System.Linq.Expressions;
using Jackdaw.Client.ExpressionTrees;
using Jackdaw.Client.Linq.Rql;

namespace Jackdaw.Client.Linq.Translation;

/// <summary>Operators and members.</summary>
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
            case ExpressionType.And or ExpressionType.Or when binary.Type != typeof(bool):
                return Refuse(binary);
        }

        if (RefusalOf(binary) is { } refusal)
        {
            return Refuse(binary, refusal.Hint);
        }

        // C# computes null from null, and nothing is less or greater than null. JavaScript takes null for 0.
        string[] nullable = IsExact(binary.Type)
            ? []
            : [.. new[] { binary.Left, binary.Right }.Where(IsComputedFromNull).Select(operand => Write(operand, Level.Equality + 1))];
        Script computed = Operation(binary);
        return nullable.Length == 0 || binary.NodeType is ExpressionType.Equal or ExpressionType.NotEqual ? computed
            : Expressions.IsNullable(binary.Type)
                ? new Script($"({string.Join("||", nullable.Select(operand => operand + "==null"))}?null:{computed.Text})")
            : new Script($"{string.Concat(nullable.Select(operand => operand + "!=null&&"))}{computed.Text}", Level.And);
    }

    private static bool IsComputedFromNull(Expression operand) =>
        Expressions.IsNullable(operand.Type) && Expressions.IsNullable(Expressions.Strip(operand).Type) && Expressions.UsesParameter(operand);

    // Texts are not computed as what they stand for.
    private Refusal? RefusalOf(BinaryExpression binary)
    {
        bool isEquality = binary.NodeType is ExpressionType.Equal or ExpressionType.NotEqual;
        bool isOrder = binary.NodeType is ExpressionType.LessThan or ExpressionType.LessThanOrEqual or ExpressionType.GreaterThan
            or ExpressionType.GreaterThanOrEqual;
        foreach (Expression operand in new[] { binary.Left, binary.Right })
        {
            Expression stored = Expressions.Strip(operand);
            Type type = Expressions.Plain(stored.Type);
            bool isComputed = stored is BinaryExpression;
            if ((type == typeof(TimeSpan) && (!isEquality || isComputed)) || (type == typeof(Version) && !isEquality) || type == typeof(byte[]))
            {
                return Translatable.Computed;
            }

            if (type.IsEnum && !isEquality && !Context.Enums.AreNumbers(type))
            {
                return Translatable.EnumOrder;
            }

            if (type == typeof(char) && !isEquality && !isOrder)
            {
                return Translatable.Computed;
            }
        }

        return null;
    }

    private Script Operation(BinaryExpression binary)
    {
        if (binary.NodeType == ExpressionType.Divide && Expressions.IsWhole(binary.Type) && !IsExact(binary.Type))
        {
            return new Script($"Math.trunc({Write(binary.Left, Level.Product)}/{Write(binary.Right, Level.Unary)})");
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
    private static bool IsExact(Type type) => (Type.GetTypeCode(Expressions.Plain(type)) is TypeCode.Decimal or TypeCode.Int64 or TypeCode.UInt64
        && !Expressions.Plain(type).IsEnum) || Expressions.IsWide(type);

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
            case ExpressionType.Not or ExpressionType.Negate or ExpressionType.NegateChecked when IsComputedFromNull(unary.Operand):
                string operand = Write(unary.Operand, Level.Unary);
                return new Script($"({operand}==null?null:{(unary.NodeType == ExpressionType.Not ? "!" + operand
                    : IsExact(unary.Type) ? $"exact(0, \"-\", {operand})" : "-" + operand)})");
            case ExpressionType.Not when Expressions.Plain(unary.Type) == typeof(bool):
                return new Script("!" + Write(unary.Operand, Level.Unary), Level.Unary);
            case ExpressionType.Negate or ExpressionType.NegateChecked when IsExact(unary.Type):
                return new Script($"exact(0, \"-\", {Write(unary.Operand, Level.Choice)})");
            case ExpressionType.Negate or ExpressionType.NegateChecked:
                return new Script($"-{Write(unary.Operand, Level.Call)}", Level.Unary);
            case ExpressionType.ArrayLength when Expressions.IsSequence(unary.Operand.Type):
                return new Script(Write(unary.Operand, Level.Call) + ".length");
            case ExpressionType.Quote or ExpressionType.TypeAs:
                return WriteParts(unary.Operand);
            case ExpressionType.Convert or ExpressionType.ConvertChecked when Context.IsNumberOnlyHere(unary):
                return Refuse(unary, "Select the value itself, and convert it in the program.");
            case ExpressionType.Convert or ExpressionType.ConvertChecked:
                bool isCut = Expressions.IsFraction(unary.Operand.Type) && Expressions.IsWhole(unary.Type);
                return isCut ? new Script($"Math.trunc({Write(unary.Operand)})") : WriteParts(unary.Operand);
            default:
                return Refuse(unary);
        }
    }

    private Script Member(MemberExpression member)
    {
        if (member.Expression is not { } owner)
        {
            return Refuse(member);
        }

        Type type = Expressions.Plain(owner.Type);
        string name = member.Member.Name;
        if (Expressions.IsNullable(owner.Type) && name is "Value" or "HasValue")
        {
            return name == "Value" ? WriteParts(owner) : new Script(Write(owner, Level.Equality) + "!=null", Level.Equality);
        }

        if (type == typeof(DateTime) || type == typeof(DateTimeOffset) || type == typeof(TimeSpan))
        {
            return MemberOfTime(member, owner);
        }

        bool isMap = Expressions.IsMap(type);
        if (isMap && name is "Keys" or "Values")
        {
            return new Script($"Object.{(name == "Keys" ? "keys" : "values")}({Write(owner)})");
        }

        if (name is "Count" or "Length" && (type == typeof(string) || Expressions.IsSequence(type)))
        {
            return isMap ? new Script($"Object.keys({Write(owner)}).length") : new Script(Write(owner, Level.Call) + ".length");
        }

        return Context.IsTypeOfIds(type) ? WriteParts(owner)
            : Context.IsStoredAsValue(type) ? Refuse(member)
            : IsDocument(owner) && Context.IsIdentity(member.Member) ? new Script($"id({Write(owner)})")
            : new Script(Write(owner, Level.Call) + RqlNames.ScriptMember(Context.NameOf(member.Member)));
    }

    private Script MemberOfTime(MemberExpression member, Expression owner)
    {
        string? part = member.Member.Name switch
        {
            "Year" => "getFullYear()",
            "Month" => "getMonth()+1",
            "Day" => "getDate()",
            "Hour" => "getHours()",
            "Minute" => "getMinutes()",
            "Second" => "getSeconds()",
            "Millisecond" => "getMilliseconds()",
            "DayOfWeek" => "getDay()",
            _ => null,
        };
        if (part is not null && Expressions.Plain(owner.Type) == typeof(DateTimeOffset))
        {
            return PartOfText(member, owner);
        }

        if (part is not null && Expressions.Plain(owner.Type) != typeof(TimeSpan))
        {
            return new Script($"new Date({Write(owner)}).{part}", part.EndsWith('1') ? Level.Sum : Level.Call);
        }

        long? milliseconds = member.Member.Name switch
        {
            "TotalMilliseconds" => 1,
            "TotalSeconds" => 1_000,
            "TotalMinutes" => 60_000,
            "TotalHours" => 3_600_000,
            "TotalDays" => 86_400_000,
            _ => null,
        };
        return milliseconds is { } unit && Expressions.Strip(owner) is BinaryExpression
            ? new Script($"{Write(owner, Level.Product)}/{unit}", Level.Product)
            : Refuse(member);
    }

    // A date of a script is in UTC. The text of a time with an offset begins with the local time, and ends with the offset.
    private Script PartOfText(MemberExpression member, Expression owner)
    {
        (int Start, int End)? part = member.Member.Name switch
        {
            "Year" => (0, 4),
            "Month" => (5, 7),
            "Day" => (8, 10),
            "Hour" => (11, 13),
            "Minute" => (14, 16),
            "Second" => (17, 19),
            _ => null,
        };
        return part is { } place && Expressions.Strip(owner) is MemberExpression or ParameterExpression
            ? new Script($"Number(String({Write(owner)}).substring({place.Start}, {place.End}))")
            : Refuse(member);
    }
}
