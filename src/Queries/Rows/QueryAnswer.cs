
namespace Jackdaw.Queries.Rows;

/// <summary>What became of a query.</summary>
/// <param name="Tag">Names the version of the answer, in quotes; null: it has none.</param>
/// <param name="IsKnown">The caller has this answer already, and nothing was written.</param>
internal readonly record struct QueryAnswer(string? Tag, bool IsKnown);
