using System.Linq.Expressions;
using Jackdaw.Client.ExpressionTrees;
using Jackdaw.Client.Linq.Rql;

namespace Jackdaw.Client.Linq.Translation;

/// <summary>A field in a condition or an order.</summary>
/// <param name="Operand">The field as the query names it.</param>
/// <param name="Type">Type of its values.</param>
/// <param name="IsOfEach">Whether it stands for all elements of an array.</param>
internal sealed record ResolvedField(RqlOperand Operand, Type Type, bool IsOfEach);

/// <summary>Finds the field that an expression reads, by the name that the clause must use: the path in documents, the name in a static index, the
/// key or sum of a group.</summary>
internal sealed class OperandResolver(FieldResolver fields, bool isIndex)
{
    public FieldResolver Fields => fields;

    /// <summary>Whether the query is one of an index that users define.</summary>
    public bool IsIndex => isIndex;

    /// <summary>Keys and sums; null if the rows are not groups.</summary>
    public GroupScope? Group { get; set; }

    /// <summary>Whether the clause reads documents, also after an index has answered: <c>filter</c>.</summary>
    public bool IsOfDocuments { get; set; }

    /// <summary>The field by which the values of an expression are compared and ordered. A duration is stored as a text, and the server computes its
    /// length.</summary>
    /// <param name="refusal">Why the server cannot order by the field; null if it can, or if the operand is not a field.</param>
    public ResolvedField? TryOrdered(Expression expression, out Refusal? refusal)
    {
        refusal = null;
        if (TryFind(expression) is not { } field)
        {
            return null;
        }

        Type type = Expressions.Plain(Expressions.Strip(expression).Type);
        if (type == typeof(TimeSpan))
        {
            refusal = Group is not null ? Translatable.OtherOrder
                : isIndex && !IsOfDocuments ? Translatable.Duration
                : field.IsOfEach ? Translatable.EachElement
                : null;
            return refusal is null
                ? new ResolvedField(Operand(fields.TryFind(expression)!.Member(nameof(TimeSpan.TotalSeconds), typeof(double))), typeof(double), IsOfEach: false)
                : null;
        }

        refusal = type == typeof(Version) || type == typeof(byte[]) ? Translatable.OtherOrder : null;
        return refusal is null ? field : null;
    }

    public ResolvedField? TryFind(Expression expression)
    {
        if (Group?.TryFind(expression) is { } grouped)
        {
            return grouped;
        }

        return TryPath(expression) is { IsDocument: false } path ? new ResolvedField(Operand(path), expression.Type, path.IsOfEach) : null;
    }

    /// <summary>The place that an expression reads: what is stored, or one of the members that the server computes of it.</summary>
    public RqlPath? TryPath(Expression expression) => fields.TryFind(expression) ?? TryComputed(Expressions.Strip(expression));

    // x.Tags.Count, x.Name.Length, x.At.Year. An index of its own definition has its own fields only.
    private RqlPath? TryComputed(Expression expression)
    {
        (Expression Owner, string Name)? member = expression switch
        {
            MemberExpression { Expression: { } inner, Member.Name: var name } when IsComputed(inner.Type, name) => (inner, name),
            UnaryExpression { NodeType: ExpressionType.ArrayLength } length when Expressions.IsSequence(length.Operand.Type) => (length.Operand, "Length"),
            MethodCallExpression { Method.Name: "Count" or "LongCount", Arguments: [var list] } call when call.Method.DeclaringType == typeof(Enumerable)
                && IsComputed(Expressions.Strip(list).Type, "Count") => (list, "Count"),
            _ => null,
        };
        return member is { } read && (!isIndex || IsOfDocuments) && fields.TryFind(read.Owner) is { IsDocument: false, IsId: false, IsOfEach: false } path
            ? path.Member(read.Name, expression.Type)
            : null;
    }

    private static bool IsComputed(Type type, string member) => Translatable.IsPartOf(Expressions.Plain(type).Name, member)
        || (Translatable.IsLength(member) && (type == typeof(string)
            || (Expressions.IsSequence(type) && !Expressions.IsMap(type))));

    public TextOperand Operand(RqlPath path) => new(NameOf(path));

    /// <summary>The name of a field in the index, or its path.</summary>
    public string NameOf(RqlPath path) => isIndex && !IsOfDocuments && !path.IsId
        ? RqlNames.FirstName(fields.Context.Conventions.GetIndexFieldName(path.Name))
        : path.Text;
}
