using System.Linq.Expressions;

namespace Jackdaw.Client.Linq.Translation;

/// <summary>The collection or index that a query begins with.</summary>
/// <param name="Source">Name of the collection or of the index.</param>
/// <param name="IsIndex">An index of its own definition: fields have its names.</param>
/// <param name="DocumentType">Of the documents.</param>
internal sealed record QuerySource(string Source, bool IsIndex, Type DocumentType);

/// <summary>The beginning of each query's tree.</summary>
internal sealed class SourceExpression(QuerySource source, Type type) : Expression
{
    public QuerySource Source => source;

    public override ExpressionType NodeType => ExpressionType.Extension;

    public override Type Type => type;

    public override string ToString() => $"Query<{source.DocumentType.Name}>()";

    protected override Expression VisitChildren(ExpressionVisitor visitor) => this;
}

/// <summary>An operator that LINQ does not have, applied to the query before it.</summary>
internal sealed class StepExpression(Expression source, QueryStep step, Type type) : Expression
{
    public Expression Source => source;

    public QueryStep Step => step;

    public override ExpressionType NodeType => ExpressionType.Extension;

    public override Type Type => type;

    public override string ToString() => $"{source}.{step.GetType().Name.Replace("Step", "", StringComparison.Ordinal)}(...)";

    protected override Expression VisitChildren(ExpressionVisitor visitor) => this;
}
