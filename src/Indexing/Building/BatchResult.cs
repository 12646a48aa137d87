namespace Jackdaw.Indexing.Building;

/// <summary>What a batch did.</summary>
/// <param name="IsMore">There was more to read than a batch takes.</param>
/// <param name="Documents">Changes that were read.</param>
/// <param name="Failures">The first failures; <paramref name="Counts"/> has the number of all.</param>
/// <param name="Counts">What the batch added to the totals.</param>
internal sealed record BatchResult(bool IsMore, int Documents, IReadOnlyList<MappingFailure> Failures, IndexTotals Counts);

/// <summary>A document that could not be mapped, or a group that could not be reduced.</summary>
/// <param name="DocumentId">Its id; null for a group.</param>
/// <param name="Action">Map or Reduce.</param>
/// <param name="Message">What happened, for the author of the definition.</param>
internal sealed record MappingFailure(string? DocumentId, string Action, string Message);
