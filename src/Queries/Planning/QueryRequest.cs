using Jackdaw.Queries.Planning.Projections;


namespace Jackdaw.Queries.Planning;

/// <summary>What a request brings for one query: text, parameters, and what stands beside them.</summary>
internal sealed class QueryRequest
{
    /// <summary>Longest body. Bytes: the longest text, and lists of some hundred thousand values beside it.</summary>
    public const int BodyBytesMax = 16 * 1024 * 1024;

    /// <summary>Of a request that waits and does not say how long; as official servers.</summary>
    public static readonly TimeSpan DefaultPatience = TimeSpan.FromSeconds(15);

    public required string Text { get; init; }

    /// <summary>JSON object; empty for none. Belongs to the request's body: valid until that is returned.</summary>
    public ReadOnlyMemory<byte> Parameters { get; init; }

    /// <summary>First row for texts without paging; null: the first.</summary>
    public long? Start { get; init; }

    /// <summary>Most rows; null: all.</summary>
    public long? PageSize { get; init; }

    public bool MetadataOnly { get; init; }

    /// <summary>Each entry of an index is a row, also when several are of one document.</summary>
    public bool SkipDuplicateChecking { get; init; }

    /// <summary>It changes what it finds by the script of its text.</summary>
    public bool TakesUpdate { get; init; }

    /// <summary>What is answered instead of its rows.</summary>
    public QueryDebug Debug { get; init; }

    /// <summary>Rows are entries as the index has them, instead of what the query selects.</summary>
    public bool ShowsEntries => Debug == QueryDebug.Entries;

    /// <summary>Where fields of a projection come from.</summary>
    public ProjectionSource ProjectionSource { get; init; }

    /// <summary>The index must have read its collections up to here, or the query waits, at most as long as <see cref="Patience"/>;
    /// null: not at all. A member of our own: a client reads its own writes without waiting for those of others.</summary>
    public long? WaitForEtag { get; init; }

    /// <summary>How long a query waits that waits for something.</summary>
    public TimeSpan Patience { get; init; } = DefaultPatience;

    /// <summary>Whether what it does and takes is wanted, beside or instead of its rows.</summary>
    public bool IsTraced { get; init; }

    /// <summary>The answer that the client has: a header of the request; null: none.</summary>
    public string? IfNoneMatch { get; set; }

    /// <summary>How long the query waits for an index that is behind; null: not at all.</summary>
    public TimeSpan? WaitForNonStale { get; init; }

    /// <summary>The same query with parameters of its own: it outlives the request.</summary>
    /// <param name="patience">How long it waits for an index that is behind.</param>
    /// <param name="takesUpdate">See <see cref="TakesUpdate"/>.</param>
    public QueryRequest Detach(TimeSpan patience, bool takesUpdate = false) => new()
    {
        TakesUpdate = takesUpdate,
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

/// <summary>What a query answers instead of its rows, for people who look for the cause of something.</summary>
internal enum QueryDebug
{
    None,

    /// <summary>Entries as the index has them.</summary>
    Entries,

    /// <summary>Which index is asked, and why none of the others.</summary>
    Explain,
}
