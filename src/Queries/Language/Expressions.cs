
namespace Jackdaw.Queries.Language;

/// <summary>A value, a condition, or anything else that can be an argument. Immutable.</summary>
/// <param name="TextPosition">The offset in the query at which the expression begins.</param>
internal abstract record Expression(int TextPosition);

internal enum LiteralKind
{
    Null,
    False,
    True,
    Long,
    Double,
    String,
}

/// <param name="Kind">The kind of the literal.</param>
/// <param name="Text">A string's characters, or a number as written, without separators; empty for the others.</param>
internal sealed record LiteralExpression(int TextPosition, LiteralKind Kind, string Text) : Expression(TextPosition);

/// <param name="Name">Without the dollar sign; case counts.</param>
internal sealed record ParameterExpression(int TextPosition, string Name) : Expression(TextPosition);

internal sealed record FieldExpression(int TextPosition, FieldPath Path) : Expression(TextPosition);

/// <summary>A call: <c>search(Notes, $p0)</c>, <c>id()</c>, <c>spatial.within(...)</c>, a declared function.</summary>
/// <param name="Name">The name as written, with its dots.</param>
/// <param name="Arguments">The arguments in their order.</param>
/// <param name="Member">The member of the result that is used: <c>Prop</c> of <c>cmpxchg('k').Prop</c>; null for the whole result.</param>
internal sealed record MethodExpression(
    int TextPosition, string Name, IReadOnlyList<MethodArgument> Arguments, FieldPath? Member) : Expression(TextPosition)
{
    public bool Is(string name) => Name.Equals(name, StringComparison.OrdinalIgnoreCase);

    /// <summary>Whether this is <c>id()</c>, the id of the current document.</summary>
    public bool IsDocumentId => Is("id") && Arguments.Count == 0 && Member is null;
}

/// <param name="Alias">The alias of <c>max(Price) as Highest</c>; null when there is none.</param>
internal readonly record struct MethodArgument(Expression Value, string? Alias);

/// <summary>A star as an argument.</summary>
internal sealed record StarExpression(int TextPosition) : Expression(TextPosition);

/// <summary>A list that is written in the query, such as a vector: <c>[0.1, 0.2]</c>.</summary>
/// <param name="Items">Literals and lists.</param>
internal sealed record ListExpression(int TextPosition, IReadOnlyList<Expression> Items) : Expression(TextPosition);

/// <summary>The text of a time-series query within parentheses; it has a grammar of its own.</summary>
/// <param name="Text">Without the parentheses.</param>
internal sealed record TimeSeriesExpression(int TextPosition, string Text) : Expression(TextPosition);

/// <summary><c>A and B and C</c>, or the same with <c>or</c>.</summary>
/// <param name="Operands">Two or more operands. A long chain is one flat list, so that its length adds no depth.</param>
internal sealed record LogicalExpression(int TextPosition, bool IsAnd, IReadOnlyList<Expression> Operands)
    : Expression(TextPosition);

internal sealed record NotExpression(int TextPosition, Expression Operand) : Expression(TextPosition);

internal enum ComparisonOperator
{
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

/// <param name="Left">A field or a call.</param>
/// <param name="Right">A value, a call or a field.</param>
internal sealed record ComparisonExpression(
    int TextPosition, Expression Left, ComparisonOperator Operator, Expression Right) : Expression(TextPosition);

internal sealed record BetweenExpression(int TextPosition, Expression Left, Expression Low, Expression High)
    : Expression(TextPosition);

/// <param name="IsAll"><c>all in</c>: the field has all the values.</param>
internal sealed record InExpression(int TextPosition, Expression Left, bool IsAll, IReadOnlyList<Expression> Values)
    : Expression(TextPosition);
