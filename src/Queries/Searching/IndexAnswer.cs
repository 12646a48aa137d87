using Jackdaw.Documents.Identity;
using Jackdaw.Json.Paths;
using Jackdaw.Queries.Planning.Conditions;

namespace Jackdaw.Queries.Searching;

/// <summary>The answer of an index to a query.</summary>
/// <param name="IndexName">The name of the index.</param>
/// <param name="IsStale">There are changes that the index had not read.</param>
/// <param name="LastIndexing">UTC; null before the first batch of the index.</param>
internal sealed record IndexAnswer(string IndexName, bool IsStale, DateTime? LastIndexing) : IDisposable
{
    /// <summary>The first page of the hits.</summary>
    public HitPage FirstPage { get; init; } = HitPage.Empty;

    /// <summary>The number of all entries that match; exact.</summary>
    public long Total { get; init; }

    /// <summary>The rows are what the index has for its groups, or for items of documents such as counters; they are not documents.</summary>
    public bool HasRows { get; init; }

    /// <summary>The index made the rows of the answer, such as facets and suggestions. They are not projected, and nothing is loaded for them.</summary>
    public bool IsComplete { get; init; }

    /// <summary>Values in such rows that may name documents to be included, each with its field.</summary>
    public IReadOnlyList<(DocumentPath Path, string Value)> Named { get; init; } = [];

    /// <summary>Highlights pieces of the rows; null when the query highlights nothing.</summary>
    public HitHighlights? Highlights { get; init; }

    /// <summary>The time of the query before this one, in UTC; null for the first query.</summary>
    public DateTime? LastQuery { get; init; }

    /// <summary>The version of the answer: it is another number whenever the answer can be another one.</summary>
    public required long Version { get; init; }

    /// <summary>How long the query waited for the index.</summary>
    public TimeSpan Waited { get; init; }

    /// <summary>The client already has this answer, so that nothing was searched.</summary>
    public bool IsKnown { get; init; }

    /// <summary>The etag of the last write of the database before the index was asked. A document with a higher etag was written
    /// since, so that the index may have found another version of it.</summary>
    public Etag LastEtag { get; init; } = Etag.Maximum;

    /// <summary>The hits, for the pages after the first one; null when there are none.</summary>
    public IndexHits? Hits { get; init; }

    public void Dispose() => Hits?.Dispose();
}

/// <summary>One page of the hits of an index. Pages are bounded, so that no answer needs memory for all keys.</summary>
/// <param name="Keys">The keys of the documents, in the order of the hits; one empty key for each row of a reduce.</param>
/// <param name="Stored">What each entry stores, in the order of the keys; empty when none of it is wanted.</param>
/// <param name="Metadata">What the metadata of each row says about its hit, in the order of the keys; may be empty.</param>
/// <param name="Explanations">Why entries have their scores, in the order of the keys and at most as many; empty when the query does not
/// ask for it.</param>
/// <param name="Skipped">Entries that were left out on this page and the pages before, because the document of the entry was there
/// already.</param>
internal sealed record HitPage(
    IReadOnlyList<byte[]> Keys, IReadOnlyList<StoredEntry> Stored, IReadOnlyList<HitMetadata> Metadata,
    IReadOnlyList<EntryExplanation> Explanations, long Skipped)
{
    /// <summary>A page without hits.</summary>
    public static HitPage Empty { get; } = new([], [], [], [], 0);
}

/// <summary>Why an entry has its score.</summary>
/// <param name="EntryId">The id of the entry.</param>
/// <param name="Text">Lines of numbers, and what each of them is.</param>
internal readonly record struct EntryExplanation(string EntryId, string Text);
