using System.Linq.Expressions;
using Jackdaw.Client.Serialization;

namespace Jackdaw.Client.Sessions;

/// <summary>Paths of ids, as <c>order => order.Lines.Select(line => line.Product)</c>: <c>Lines[].Product</c>.</summary>
internal static class IncludePath
{
    /// <exception cref="ArgumentException">It is no path of properties.</exception>
    public static string Of(LambdaExpression path, DocumentSerializer serializer) => Of(path.Body, path, serializer);

    private static string Of(Expression expression, LambdaExpression whole, DocumentSerializer serializer) => expression switch
    {
        UnaryExpression { NodeType: ExpressionType.Convert or ExpressionType.TypeAs, Operand: var inner } => Of(inner, whole, serializer),
        MemberExpression { Expression: ParameterExpression, Member: var member } => serializer.NameOf(member),
        MemberExpression { Expression: { } inner, Member: var member } => $"{Of(inner, whole, serializer)}.{serializer.NameOf(member)}",
        MethodCallExpression { Method.Name: "Select" or "SelectMany", Arguments: [var source, LambdaExpression { Body: var selected }] }
            => $"{Of(source, whole, serializer)}[].{Of(selected, whole, serializer)}",
        _ => throw new ArgumentException(
            $"'{expression}' in '{whole}' is no path of properties: use order => order.Company or order => order.Lines.Select(line => line.Product)."),
    };
}
