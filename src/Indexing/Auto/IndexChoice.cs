namespace Jackdaw.Indexing.Auto;

/// <summary>Which index answers a query.</summary>
/// <param name="IndexName">The name of the index, which may be one that the query would make.</param>
/// <param name="Others">All other indexes, and why each does not answer the query.</param>
internal sealed record IndexChoice(string IndexName, IReadOnlyList<(string Index, string Reason)> Others);
