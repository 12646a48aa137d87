using System.Linq.Expressions;
using System.Reflection;
using Jackdaw.Client.ExpressionTrees;

namespace Jackdaw.Client.Indexes.Translation;

/// <summary>Casts: those that change a number or a time are written, those that only please the compiler of the program are not.</summary>
internal sealed partial class IndexTextWriter
{
    private CodeText Convert(UnaryExpression convert)
    {
        Type from = Expressions.Plain(convert.Operand.Type);
        Type to = Expressions.Plain(convert.Type);
        CodeText value = Write(convert.Operand);
        if (from == to || !to.IsValueType || Expressions.IsSpan(to))
        {
            return value;
        }

        if (from.IsEnum || to.IsEnum)
        {
            return ConvertEnum(convert, value, from, to);
        }

        if (from == typeof(char) || to == typeof(char))
        {
            // A character is a text in documents. Its number is its code.
            string inner = value.IsValue ? $"({(from == typeof(char) ? "char" : "int")}){value.As(Tightness.Unary)}" : value.As(Tightness.Unary);
            return new CodeText($"({TypeName(to)}){inner}", Tightness.Unary, CodeKind.Native);
        }

        if (from == typeof(DateTime) && to == typeof(DateTimeOffset))
        {
            return value;
        }

        bool isUnboxed = !convert.Operand.Type.IsValueType;
        bool isWidened = Expressions.IsWhole(from) && Expressions.IsWhole(to) && SizeOf(to) > SizeOf(from);
        bool isPrecise = from == typeof(float) && to == typeof(double);
        return isWidened || isPrecise || TypeName(to).Length == 0 || (isUnboxed && Expressions.IsNullable(convert.Type)) ? value
            : Cast(value, Expressions.IsNullable(convert.Operand.Type) || Expressions.IsNullable(convert.Type), to);
    }

    private CodeText ConvertEnum(UnaryExpression convert, CodeText value, Type from, Type to)
    {
        Type type = from.IsEnum ? from : to;
        if (from == typeof(DayOfWeek) && value.IsValue)
        {
            return new CodeText($"({TypeName(to)})(DayOfWeek){value.As(Tightness.Unary)}", Tightness.Unary, CodeKind.Native);
        }

        return from == typeof(object) || from == typeof(Enum) || IsWrittenAsNumber(type) ? value : Refuse(
            convert, $"Documents hold {type.Name} as a text, which has no number.", "Compare it with ==, or set SaveEnumsAsIntegers of the conventions.");
    }

    private static CodeText Cast(CodeText value, bool isNullable, Type plain) => isNullable
        ? new CodeText($"(dynamic)({TypeName(plain)}?){value.As(Tightness.Unary)}", Tightness.Unary, CodeKind.Exact)
        : new CodeText($"({TypeName(plain)}){value.As(Tightness.Unary)}", Tightness.Unary, CodeKind.Native);

    // Converts what comes from a document to a time or a number of its type, where the text or the digits of JSON would mean something else.
    private static CodeText Timed(CodeText value, Type type)
    {
        Type plain = Expressions.Plain(type);
        return value.Kind == CodeKind.Value && value.Text != "null" && (IsTime(plain) || Expressions.IsFraction(plain))
            ? Cast(value, Expressions.IsNullable(type), plain == typeof(DateTimeOffset) ? typeof(DateTime) : plain)
            : value;
    }

    /// <summary>As an argument of a method of .NET.</summary>
    private CodeText Native(Expression expression, Type type)
    {
        CodeText value = Write(expression);
        string name = TypeName(Expressions.Plain(type));
        return value.IsValue && name.Length > 0 ? new CodeText($"({name}){value.As(Tightness.Unary)}", Tightness.Unary, CodeKind.Native) : value;
    }

    private string Natives(IEnumerable<Expression> arguments, MethodBase method) =>
        Listed([.. arguments.Zip(method.GetParameters(), (argument, parameter) => Native(argument, parameter.ParameterType))]);

    private static int SizeOf(Type type) => Type.GetTypeCode(type) switch
    {
        TypeCode.SByte or TypeCode.Byte => 1,
        TypeCode.Int16 or TypeCode.UInt16 => 2,
        TypeCode.Int32 or TypeCode.UInt32 => 4,
        _ => 8,
    };

    // The name of the type that a value of the server can be cast to; empty if there is none.
    private static string TypeName(Type type)
    {
        Type plain = Expressions.Plain(type);
        return Type.GetTypeCode(plain) switch
        {
            _ when plain.IsEnum => plain == typeof(DayOfWeek) ? "DayOfWeek" : "",
            TypeCode.Boolean => "bool",
            TypeCode.Char => "char",
            TypeCode.SByte or TypeCode.UInt16 or TypeCode.Int32 => "int",
            TypeCode.Byte => "byte",
            TypeCode.Int16 => "short",
            TypeCode.UInt32 => "uint",
            TypeCode.Int64 => "long",
            TypeCode.UInt64 => "ulong",
            TypeCode.Single => "float",
            TypeCode.Double => "double",
            TypeCode.Decimal => "decimal",
            TypeCode.String => "string",
            TypeCode.DateTime => "DateTime",
            _ when plain == typeof(DateTimeOffset) || plain == typeof(TimeSpan) || plain == typeof(DateOnly) || plain == typeof(TimeOnly)
                || plain == typeof(Guid) => plain.Name,
            _ => "",
        };
    }
}
