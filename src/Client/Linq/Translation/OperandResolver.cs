using System.Linq.Expressions;
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

    public ResolvedField? TryFind(Expression expression)
    {
        if (Group?.TryFind(expression) is { } grouped)
        {
            return grouped;
        }

        return fields.TryFind(expression) is { IsDocument: false } path ? new ResolvedField(Operand(path), expression.Type, path.IsOfEach) : null;
    }

    public TextOperand Operand(RqlPath path) => new(NameOf(path));

    /// <summary>The name of a field in the index, or its path.</summary>
    public string NameOf(RqlPath path) => isIndex && !IsOfDocuments && !path.IsId
        ? RqlNames.FirstName(fields.Context.Conventions.GetIndexFieldName(path.Name))
        : path.Text;
}
