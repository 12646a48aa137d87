namespace Jackdaw.Indexing.Auto;

/// <summary>Which index a query asks.</summary>
/// <param name="IndexName">Of one that is there, or of the one that the query would make.</param>
/// <param name="Others">All others, and why it is none of them.</param>
internal sealed record IndexChoice(string IndexName, IReadOnlyList<(string Index, string Reason)> Others);
