using System.Diagnostics.CodeAnalysis;
using System.Linq.Expressions;
using System.Runtime.CompilerServices;

namespace Jackdaw.Client.ExpressionTrees;

/// <summary>Questions about expressions that all translators ask.</summary>
internal static class Expressions
{
    /// <summary>The expression without conversions that do not change what is in a document.</summary>
    public static Expression Strip(Expression expression)
    {
        while (true)
        {
            switch (expression)
            {
                case UnaryExpression { NodeType: ExpressionType.Quote } quote:
                    expression = quote.Operand;
                    break;
                case UnaryExpression { NodeType: ExpressionType.Convert or ExpressionType.ConvertChecked or ExpressionType.TypeAs } convert
                    when !IsCutting(convert.Operand.Type, convert.Type):
                    expression = convert.Operand;
                    break;
                case LetExpression let:
                    expression = let.Value;
                    break;
                case MethodCallExpression { Method.Name: "op_Implicit", Arguments: [var inner] } call when IsSpan(call.Type):
                    expression = inner;
                    break;
                case MethodCallExpression { Method.Name: "AsSpan", Object: null, Arguments: [var inner] } call when IsSpan(call.Type):
                    expression = inner;
                    break;
                default:
                    return expression;
            }
        }
    }

    /// <summary>The lambda of an argument.</summary>
    public static LambdaExpression Lambda(Expression argument) => (LambdaExpression)Strip(argument);

    public static bool IsSpan(Type type) =>
        type.IsGenericType && (type.GetGenericTypeDefinition() == typeof(ReadOnlySpan<>) || type.GetGenericTypeDefinition() == typeof(Span<>));

    /// <summary>The type without <c>?</c>.</summary>
    public static Type Plain(Type type) => Nullable.GetUnderlyingType(type) ?? type;

    public static bool IsNullable(Type type) => Nullable.GetUnderlyingType(type) is not null;

    public static bool IsWhole(Type type) =>
        (Type.GetTypeCode(Plain(type)) is >= TypeCode.SByte and <= TypeCode.UInt64 && !Plain(type).IsEnum) || IsVeryWide(type);

    /// <summary>Whether it is a whole number that may have more bits than a number of the server has.</summary>
    public static bool IsWide(Type type) => Plain(type) == typeof(ulong) || IsVeryWide(type);

    public static bool IsFraction(Type type) =>
        Type.GetTypeCode(Plain(type)) is TypeCode.Single or TypeCode.Double or TypeCode.Decimal || Plain(type) == typeof(Half);

    /// <summary>Whether it is a list of values in documents. A text is not a list, and bytes are one text.</summary>
    public static bool IsSequence(Type type) =>
        type != typeof(string) && type != typeof(byte[]) && typeof(System.Collections.IEnumerable).IsAssignableFrom(type);

    /// <summary>Whether it is an object in documents, whose members are the entries.</summary>
    [UnconditionalSuppressMessage("Trimming", "IL2070", Justification = "The interfaces of dictionaries are kept: code that uses a dictionary calls them.")]
    public static bool IsMap(Type type) => typeof(System.Collections.IDictionary).IsAssignableFrom(type)
        || type.GetInterfaces().Append(type).Any(one => one.IsGenericType && (one.GetGenericTypeDefinition() == typeof(IReadOnlyDictionary<,>)
            || one.GetGenericTypeDefinition() == typeof(IDictionary<,>)));

    /// <summary>Whether it is a value without properties in documents.</summary>
    public static bool IsLeaf(Type type)
    {
        Type plain = Plain(type);
        return plain.IsPrimitive || plain.IsEnum || plain == typeof(string) || plain == typeof(decimal) || plain == typeof(DateTime)
            || plain == typeof(DateTimeOffset) || plain == typeof(TimeSpan) || plain == typeof(DateOnly) || plain == typeof(TimeOnly)
            || plain == typeof(Guid) || plain == typeof(Uri) || plain == typeof(Version) || plain == typeof(byte[])
            || plain == typeof(Half) || IsVeryWide(plain);
    }

    /// <summary>Whether the value depends on a row: on a parameter of a lambda.</summary>
    public static bool UsesParameter(Expression expression)
    {
        var finder = new ParameterFinder();
        finder.Visit(expression);
        return finder.IsFound;
    }

    /// <summary>The expression as C# shows it, without the names of the compiler.</summary>
    public static string Describe(Expression expression)
    {
        if (!RuntimeHelpers.TryEnsureSufficientExecutionStack())
        {
            return expression.NodeType.ToString();
        }

        string text = System.Text.RegularExpressions.Regex.Replace(expression.ToString(), @"value\([^()]*\)\.?", "");
        return text.Length <= 300 ? text : text[..300] + "...";
    }

    private static bool IsVeryWide(Type type) => Plain(type) is var plain
        && (plain == typeof(Int128) || plain == typeof(UInt128) || plain == typeof(System.Numerics.BigInteger));

    // (int)x.Price leaves something out; (long)x.Age, (object)x.Name and (int)x.Role do not.
    private static bool IsCutting(Type from, Type to) => IsFraction(from) && IsWhole(to);

    private sealed class ParameterFinder : ExpressionVisitor
    {
        private readonly HashSet<ParameterExpression> _own = [];

        public bool IsFound { get; private set; }

        public override Expression? Visit(Expression? node) =>
            IsFound || node is null || !RuntimeHelpers.TryEnsureSufficientExecutionStack() ? node : base.Visit(node);

        protected override Expression VisitLambda<T>(Expression<T> node)
        {
            _own.UnionWith(node.Parameters);
            return base.VisitLambda(node);
        }

        protected override Expression VisitParameter(ParameterExpression node)
        {
            IsFound |= !_own.Contains(node);
            return node;
        }
    }
}
