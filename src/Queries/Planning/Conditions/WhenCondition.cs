using Jackdaw.Queries.Language;

namespace Jackdaw.Queries.Planning.Conditions;

/// <summary>The condition of <c>when(condition, predicate)</c>. It tests parameters only, so that one text serves many filters.</summary>
/// <param name="query">The query of the condition, for messages.</param>
/// <param name="parameters">A parameter that was not sent is null here.</param>
internal sealed class WhenCondition(QuerySyntax query, ParameterValues parameters)
{
    /// <exception cref="InvalidQueryException">The condition tests something other than parameters, or compares values of two kinds.</exception>
    public bool IsMet(Expression condition) => condition switch
    {
        LiteralExpression { Kind: LiteralKind.True or LiteralKind.False } constant => constant.Kind == LiteralKind.True,
        LogicalExpression { IsAnd: true } and => and.Operands.All(IsMet),
        LogicalExpression or => or.Operands.Any(IsMet),
        NotExpression not => !IsMet(not.Operand),
        ComparisonExpression { Left: ParameterExpression } comparison => Compare(comparison),
        InExpression { Left: ParameterExpression } list => IsIn(list),
        _ => throw Fault(condition, "the condition of 'when' compares parameters with values: $name != null, $tags in ('a', 'b')."),
    };

    private bool Compare(ComparisonExpression comparison)
    {
        QueryValue left = parameters.ResolveOrNull(comparison.Left);
        QueryValue right = parameters.ResolveOrNull(comparison.Right);
        bool isEquality = comparison.Operator is ComparisonOperator.Equal or ComparisonOperator.NotEqual;
        if (left.Kind == QueryValueKind.Null || right.Kind == QueryValueKind.Null)
        {
            return isEquality && left.Kind == right.Kind == (comparison.Operator == ComparisonOperator.Equal);
        }

        int order = OrderOf(left, right)
            ?? throw Fault(comparison, $"'when' cannot compare a value of the kind {left.Kind} with one of the kind {right.Kind}.");
        if (left.Kind == QueryValueKind.Boolean && !isEquality)
        {
            throw Fault(comparison, "true and false are compared with = and != only.");
        }

        return comparison.Operator switch
        {
            ComparisonOperator.Equal => order == 0,
            ComparisonOperator.NotEqual => order != 0,
            ComparisonOperator.Less => order < 0,
            ComparisonOperator.LessOrEqual => order <= 0,
            ComparisonOperator.Greater => order > 0,
            _ => order >= 0,
        };
    }

    private bool IsIn(InExpression list)
    {
        IReadOnlyList<QueryValue> left = ItemsOf(parameters.ResolveOrNull(list.Left));
        IEnumerable<QueryValue> values = list.Values.SelectMany(value => ItemsOf(parameters.ResolveOrNull(value)));
        return list.IsAll
            ? values.All(value => left.Any(item => AreEqual(item, value)))
            : values.Any(value => left.Any(item => AreEqual(item, value)));
    }

    private static IReadOnlyList<QueryValue> ItemsOf(QueryValue value) => value.Kind == QueryValueKind.List ? value.Items : [value];

    private static bool AreEqual(QueryValue left, QueryValue right) =>
        left.Kind == QueryValueKind.Null ? right.Kind == QueryValueKind.Null : OrderOf(left, right) == 0;

    // Null when the values have no order. True and false are only compared for equality.
    private static int? OrderOf(QueryValue left, QueryValue right) => (left.Kind, right.Kind) switch
    {
        (QueryValueKind.Long, QueryValueKind.Long) => left.Long.CompareTo(right.Long),
        _ when left.IsNumber && right.IsNumber => left.Double.CompareTo(right.Double),
        (QueryValueKind.String, QueryValueKind.String) => string.Compare(left.Text, right.Text, StringComparison.OrdinalIgnoreCase),
        (QueryValueKind.Boolean, QueryValueKind.Boolean) => left.Boolean.CompareTo(right.Boolean),
        _ => null,
    };

    private InvalidQueryException Fault(Expression expression, string message) =>
        InvalidQueryException.At(query.Text, expression.TextPosition, message);
}
