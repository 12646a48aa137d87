namespace Jackdaw.Client.Linq.Conditions;

/// <summary>A condition as the calls of a document query give it, before it is known what its fields are in the documents.</summary>
internal abstract record DocumentCondition;

/// <param name="Operator">The operator of RQL.</param>
internal sealed record FieldComparison(QueryField Field, string Operator, object? Value) : DocumentCondition;

/// <summary>A range that includes both ends; null for an end that is open.</summary>
internal sealed record FieldRange(QueryField Field, object? Low, object? High) : DocumentCondition;

/// <param name="IsAll">Whether all values are required; otherwise one of them.</param>
internal sealed record FieldList(QueryField Field, bool IsAll, IReadOnlyList<object?> Values) : DocumentCondition;

/// <param name="Name">Name of a method whose first argument is a field.</param>
/// <param name="Values">Its other arguments.</param>
/// <param name="Word">A last argument that is not a value of the user; null for none.</param>
internal sealed record FieldCall(string Name, QueryField Field, IReadOnlyList<object?> Values, string? Word = null) : DocumentCondition;

internal sealed record NotCondition(DocumentCondition Operand) : DocumentCondition;

/// <summary>A condition in which texts are compared with regard to case.</summary>
internal sealed record ExactCondition(DocumentCondition Operand) : DocumentCondition;

/// <param name="Function"><c>boost</c>, <c>fuzzy</c> or <c>proximity</c>.</param>
internal sealed record ScoredCondition(DocumentCondition Operand, string Function, object Factor) : DocumentCondition;

/// <summary>A condition, and the operator before it. The first condition of a query comes after those of LINQ, if there are any.</summary>
internal readonly record struct ConditionLink(bool IsOr, DocumentCondition Condition);

/// <summary>Consecutive conditions; <c>and</c> binds tighter than <c>or</c>.</summary>
internal sealed record ConditionChain(IReadOnlyList<ConditionLink> Links) : DocumentCondition;

/// <summary>Each part holds for an entry of the document, but they need not hold for the same entry.</summary>
internal sealed record IntersectCondition(IReadOnlyList<DocumentCondition> Parts) : DocumentCondition;
