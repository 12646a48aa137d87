using System.Linq.Expressions;

namespace Jackdaw.Client.ExpressionTrees;

/// <summary>The value that <c>let</c> of a query has named, with its name.</summary>
internal sealed class LetExpression(string name, Expression value) : Expression
{
    public string Name => name;

    public Expression Value => value;

    public override ExpressionType NodeType => ExpressionType.Extension;

    public override Type Type => value.Type;

    public override string ToString() => name;

    protected override Expression VisitChildren(ExpressionVisitor visitor)
    {
        Expression visited = visitor.Visit(value);
        return visited == value ? this : new LetExpression(name, visited);
    }
}
