
namespace Jackdaw.Queries.Rows;

/// <summary>The outcome of answering a query.</summary>
/// <param name="Tag">The version of the answer, in quotes; null when the answer must not be cached.</param>
/// <param name="IsKnown">The caller already has this answer, so that nothing was written.</param>
internal readonly record struct QueryAnswer(string? Tag, bool IsKnown);
