namespace Jackdaw.Client.Linq.Conditions;

/// <summary>A condition as the calls of a document query say it, before anybody knows what its fields are in the documents.</summary>
internal abstract record DocumentCondition;

/// <param name="Operator">As the language has it.</param>
internal sealed record FieldComparison(QueryField Field, string Operator, object? Value) : DocumentCondition;

/// <summary>Both ends are in it; null: it has no end there.</summary>
internal sealed record FieldRange(QueryField Field, object? Low, object? High) : DocumentCondition;

/// <param name="IsAll">All the values are wanted; otherwise one of them.</param>
internal sealed record FieldList(QueryField Field, bool IsAll, IReadOnlyList<object?> Values) : DocumentCondition;

/// <param name="Name">Of a method whose first argument is a field.</param>
/// <param name="Values">Its other arguments.</param>
/// <param name="Word">A last argument that is no value of the user; null: none.</param>
internal sealed record FieldCall(string Name, QueryField Field, IReadOnlyList<object?> Values, string? Word = null) : DocumentCondition;

internal sealed record NotCondition(DocumentCondition Operand) : DocumentCondition;

/// <summary>Texts are compared with casing.</summary>
internal sealed record ExactCondition(DocumentCondition Operand) : DocumentCondition;

/// <param name="Function"><c>boost</c>, <c>fuzzy</c> or <c>proximity</c>.</param>
internal sealed record ScoredCondition(DocumentCondition Operand, string Function, object Factor) : DocumentCondition;

/// <summary>A condition, and what stands before it. Before the first one of a query stands what LINQ has said, if anything.</summary>
internal readonly record struct ConditionLink(bool IsOr, DocumentCondition Condition);

/// <summary>Conditions in a row; <c>and</c> binds tighter than <c>or</c>.</summary>
internal sealed record ConditionChain(IReadOnlyList<ConditionLink> Links) : DocumentCondition;

/// <summary>Each part holds for an entry of the document, and not all of them for the same one.</summary>
internal sealed record IntersectCondition(IReadOnlyList<DocumentCondition> Parts) : DocumentCondition;
