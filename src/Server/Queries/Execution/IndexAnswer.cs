namespace Jackdaw.Server.Queries.Execution;

/// <summary>What an index found for a query.</summary>
/// <param name="IndexName">Its name.</param>
/// <param name="Keys">Keys of the documents of the page that was asked for, in their order; of a reduce, one empty key for each row.</param>
/// <param name="Total">All entries that match; exact.</param>
/// <param name="IsStale">There are changes that the index had not read.</param>
/// <param name="LastIndexing">UTC; null before its first batch.</param>
internal sealed record IndexAnswer(string IndexName, IReadOnlyList<byte[]> Keys, long Total, bool IsStale, DateTime? LastIndexing)
{
    /// <summary>What each entry stores, in the order of the keys; empty when nothing of it is wanted.</summary>
    public IReadOnlyList<StoredEntry> Stored { get; init; } = [];

    /// <summary>The rows are those of a reduce, not documents.</summary>
    public bool IsReduced { get; init; }

    /// <summary>The rows are those of the answer as they are: facets, suggestions. Nothing of them is projected, loaded or included.</summary>
    public bool IsComplete { get; init; }

    /// <summary>A JSON object with the highlighted pieces of the page; null: none were asked for.</summary>
    public byte[]? Highlightings { get; init; }

    /// <summary>Entries that were left out because another one of the same document is on the page.</summary>
    public long Skipped { get; init; }

    /// <summary>UTC, of the query before this one; null: this is the first.</summary>
    public DateTime? LastQuery { get; init; }
}
