namespace Jackdaw.Server.Queries.Execution;

/// <summary>What an index found for a query.</summary>
/// <param name="IndexName">Its name.</param>
/// <param name="Keys">Keys of the documents of the page that was asked for, in their order.</param>
/// <param name="Total">All documents that match; exact.</param>
/// <param name="IsStale">There are changes that the index had not read.</param>
/// <param name="LastIndexing">UTC; null before its first batch.</param>
internal sealed record IndexAnswer(string IndexName, IReadOnlyList<byte[]> Keys, long Total, bool IsStale, DateTime? LastIndexing);
