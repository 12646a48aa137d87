namespace Jackdaw.Search.Segments.Storing;

/// <summary>Numbers of deleted entries in a part of a segment that has an order. Immutable.</summary>
/// <param name="Deleted">The deleted entries of the segment that were counted: each state has more than the one before.</param>
/// <param name="Before">Those before each block of the order; null while only one search has asked for them.</param>
internal sealed record DeletedCounts(int Deleted, int[]? Before);
