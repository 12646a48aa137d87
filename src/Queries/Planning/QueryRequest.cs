using Jackdaw.Queries.Planning.Projections;


namespace Jackdaw.Queries.Planning;

/// <summary>One query as a request sends it: text, parameters and options.</summary>
internal sealed class QueryRequest
{
    /// <summary>The longest body, in bytes: room for the longest text and for lists of some hundred thousand values.</summary>
    public const int BodyBytesMax = 16 * 1024 * 1024;

    /// <summary>The patience of a request that waits and does not say how long; the same as in official servers.</summary>
    public static readonly TimeSpan DefaultPatience = TimeSpan.FromSeconds(15);

    public required string Text { get; init; }

    /// <summary>A JSON object; empty for none. It belongs to the body of the request and is valid until the body is returned.</summary>
    public ReadOnlyMemory<byte> Parameters { get; init; }

    /// <summary>The index of the first row, for texts without paging; null for the first.</summary>
    public long? Start { get; init; }

    /// <summary>The most rows; null for all.</summary>
    public long? PageSize { get; init; }

    public bool MetadataOnly { get; init; }

    /// <summary>Whether each entry of an index is a row, even when several entries belong to one document.</summary>
    public bool SkipDuplicateChecking { get; init; }

    /// <summary>Whether the query changes the documents that it finds by the script of its text.</summary>
    public bool TakesUpdate { get; init; }

    /// <summary>Whether the query changes or deletes the documents that it finds, even if its index has rows in their place.</summary>
    public bool ChangesDocuments { get; init; }

    /// <summary>What is answered instead of the rows.</summary>
    public QueryDebug Debug { get; init; }

    /// <summary>Whether rows are entries as the index has them, instead of what the query selects.</summary>
    public bool ShowsEntries => Debug == QueryDebug.Entries;

    /// <summary>Where the fields of a projection come from.</summary>
    public ProjectionSource ProjectionSource { get; init; }

    /// <summary>The query waits until the index has read its collections up to this etag, at most as long as <see cref="Patience"/>; null:
    /// it does not wait. Official servers have no such member: with it a client reads its own writes without waiting for those of
    /// others.</summary>
    public long? WaitForEtag { get; init; }

    /// <summary>How long the query waits for <see cref="WaitForEtag"/>.</summary>
    public TimeSpan Patience { get; init; } = DefaultPatience;

    /// <summary>Whether the steps of the query and their times are wanted, beside or instead of its rows.</summary>
    public bool IsTraced { get; init; }

    /// <summary>The version of the answer that the client has, from a header of the request; null when it has none.</summary>
    public string? IfNoneMatch { get; set; }

    /// <summary>How long the query waits for an index that is stale; null: it does not wait.</summary>
    public TimeSpan? WaitForNonStale { get; init; }

    /// <summary>The same query as a change of what it finds, with a copy of the parameters, so that it may outlive the request.</summary>
    /// <param name="patience">How long the query waits for an index that is stale.</param>
    /// <param name="takesUpdate">See <see cref="TakesUpdate"/>.</param>
    public QueryRequest Detach(TimeSpan patience, bool takesUpdate = false) => new()
    {
        TakesUpdate = takesUpdate,
        ChangesDocuments = true,
        Text = Text,
        Parameters = Parameters.ToArray(),
        Start = Start,
        PageSize = PageSize,
        MetadataOnly = MetadataOnly,
        SkipDuplicateChecking = SkipDuplicateChecking,
        ProjectionSource = ProjectionSource,
        WaitForNonStale = patience,
    };
}

/// <summary>What a query answers instead of its rows, for people who look for the cause of a problem.</summary>
internal enum QueryDebug
{
    None,

    /// <summary>Entries as the index has them.</summary>
    Entries,

    /// <summary>The index that is asked, and why the others are not.</summary>
    Explain,
}
