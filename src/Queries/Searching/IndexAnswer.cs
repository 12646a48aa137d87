using Jackdaw.Documents.Identity;
using Jackdaw.Queries.Planning.Conditions;
using Jackdaw.Queries.Planning.Projections;

namespace Jackdaw.Queries.Searching;

/// <summary>What an index found for a query.</summary>
/// <param name="IndexName">Its name.</param>
/// <param name="IsStale">There are changes that the index had not read.</param>
/// <param name="LastIndexing">UTC; null before its first batch.</param>
internal sealed record IndexAnswer(string IndexName, bool IsStale, DateTime? LastIndexing) : IDisposable
{
    /// <summary>Keys of the documents of the first page, in their order; of a reduce, one empty key for each row.</summary>
    public IReadOnlyList<byte[]> Keys { get; init; } = [];

    /// <summary>All entries that match; exact.</summary>
    public long Total { get; init; }

    /// <summary>What each entry stores, in the order of the keys; empty when nothing of it is wanted.</summary>
    public IReadOnlyList<StoredEntry> Stored { get; init; } = [];

    /// <summary>Members of the metadata of each row, in the order of the keys, each with a comma before it; empty when there are none.</summary>
    public IReadOnlyList<byte[]> Metadata { get; init; } = [];

    /// <summary>The rows are those of a reduce, not documents.</summary>
    public bool IsReduced { get; init; }

    /// <summary>The rows are those of the answer as they are: facets, suggestions. Nothing of them is projected, loaded or included.</summary>
    public bool IsComplete { get; init; }

    /// <summary>Highlights pieces of the rows; null: none are asked for.</summary>
    public IFoundHighlights? Highlights { get; init; }

    /// <summary>Entries that were left out because another one of the same document is on the page.</summary>
    public long Skipped { get; init; }

    /// <summary>UTC, of the query before this one; null: this is the first.</summary>
    public DateTime? LastQuery { get; init; }

    /// <summary>Of the answer: another number whenever the answer can be another one.</summary>
    public required long Version { get; init; }

    /// <summary>How long the query waited for the index.</summary>
    public TimeSpan Waited { get; init; }

    /// <summary>The client has this answer already: nothing was searched.</summary>
    public bool IsKnown { get; init; }

    /// <summary>Of the last write of the database before the index was asked: a document with a higher one was written since, and
    /// need not be what the index found.</summary>
    public Etag LastEtag { get; init; } = Etag.Maximum;

    /// <summary>Why entries have their scores, in the order of the keys and at most as many; empty when nobody asks.</summary>
    public IReadOnlyList<EntryExplanation> Explanations { get; init; } = [];

    /// <summary>The pages behind; null: there are none.</summary>
    public IFoundPages? More { get; init; }

    public void Dispose() => More?.Dispose();
}

/// <summary>One page of what an index found: bounded, so that no answer needs memory for all keys.</summary>
/// <param name="Keys">As those of the first page.</param>
/// <param name="Stored">As those of the first page.</param>
/// <param name="Skipped">Entries that were left out so far, on all pages.</param>
/// <param name="Metadata">As that of the first page.</param>
/// <param name="Explanations">As those of the first page.</param>
internal sealed record HitPage(
    IReadOnlyList<byte[]> Keys, IReadOnlyList<StoredEntry> Stored, IReadOnlyList<byte[]> Metadata,
    IReadOnlyList<EntryExplanation> Explanations, long Skipped);

/// <summary>Pieces of the texts of entries, for those that become rows of the answer.</summary>
internal interface IFoundHighlights
{
    /// <summary>An entry of the page of now became a row.</summary>
    /// <param name="position">Its index among the keys.</param>
    void Add(int position);

    /// <summary>A JSON object with the pieces of the rows so far.</summary>
    byte[] Write();
}

/// <summary>The pages behind the first one, all of one state of the index. One thread at a time.</summary>
internal interface IFoundPages : IDisposable
{
    /// <summary>Several entries may be of one document, each on the pages: whoever walks over them leaves out all but the first that it
    /// takes. Null: each document is there once, or each entry is wanted.</summary>
    SeenDocuments? Repeating { get; }

    /// <summary>The next page; null: there are no more.</summary>
    HitPage? Next();
}

/// <summary>What a query asks of an index: checked and ready.</summary>
internal interface IIndexSearch
{
    /// <summary>Asks the index; made if there is none that can answer.</summary>
    /// <param name="firstPatience">How long it waits for an index that is made for it now.</param>
    /// <param name="ended">Also ends the search of later pages.</param>
    /// <returns>What it found; the caller disposes it.</returns>
    ValueTask<IndexAnswer> RunAsync(TimeSpan firstPatience, CancellationToken ended);
}
