using System.Globalization;
using System.Text;
using Jackdaw.Json;
using Jackdaw.Json.Tape;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Queries;

namespace Jackdaw.Server.Queries.Execution;

/// <summary>What a request brings for one query: text, parameters, and what stands beside them.</summary>
internal sealed class QueryRequest
{
    /// <summary>Longest body. Bytes: the longest text, and lists of some hundred thousand values beside it.</summary>
    public const int BodyBytesMax = 16 * 1024 * 1024;

    /// <summary>Of a request that waits and does not say how long; as official servers.</summary>
    private static readonly TimeSpan s_defaultPatience = TimeSpan.FromSeconds(15);

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
    public TimeSpan Patience { get; init; } = s_defaultPatience;

    /// <summary>Whether what it does and takes is wanted, beside or instead of its rows.</summary>
    public bool IsTraced { get; init; }

    /// <summary>The answer that the client has: a header of the request; null: none.</summary>
    public string? IfNoneMatch { get; set; }

    /// <summary>How long the query waits for an index that is behind; null: not at all.</summary>
    public TimeSpan? WaitForNonStale { get; init; }

    /// <summary>Reads the body of a POST. Unknown members are ignored, null is as missing, casing of names does not
    /// count.</summary>
    /// <exception cref="RequestRefusedException">It is no such object.</exception>
    /// <exception cref="DocumentFormatException">It is no JSON.</exception>
    public static QueryRequest Read(ReadOnlyMemory<byte> body, QueryParameters url)
    {
        using var tape = new JsonTape();
        TapeValue root = tape.Read(body.Span);
        if (root.Kind != JsonKind.Object)
        {
            throw Refuse("The body of a query must be a JSON object with a member 'Query'.");
        }

        string? text = null;
        TapeValue parameters = default;
        (long? start, long? pageSize) = (null, null);
        bool isWaiting = false;
        long? waitForEtag = null;
        bool isEachEntry = false;
        var source = ProjectionSource.Either;
        TimeSpan patience = s_defaultPatience;
        foreach (TapeMember member in root.Members)
        {
            switch (NameOf(member))
            {
                case "QUERY":
                    text = member.Value.ToText();
                    break;
                case "QUERYPARAMETERS":
                    parameters = member.Value;
                    break;
                case "START":
                    start = ToCount(member.Value, "Start");
                    break;
                case "PAGESIZE":
                    pageSize = ToCount(member.Value, "PageSize");
                    break;
                case "WAITFORNONSTALERESULTS":
                    isWaiting = member.Value.Kind == JsonKind.True;
                    break;
                case "SKIPDUPLICATECHECKING":
                    isEachEntry = member.Value.Kind == JsonKind.True;
                    break;
                case "PROJECTIONBEHAVIOR":
                    source = ToSource(member.Value.ToText());
                    break;
                case "WAITFORETAG":
                    waitForEtag = ToCount(member.Value, "WaitForEtag");
                    break;
                case "WAITFORNONSTALERESULTSTIMEOUT":
                    patience = ToPatience(member.Value);
                    break;
            }
        }

        return new QueryRequest
        {
            Text = Require(text),
            Parameters = ObjectOf(body, parameters),
            Start = start,
            PageSize = pageSize,
            MetadataOnly = url.GetFlag("metadataOnly"),
            SkipDuplicateChecking = isEachEntry,
            Debug = ReadDebug(url),
            ProjectionSource = source,
            WaitForNonStale = isWaiting ? patience : null,
            WaitForEtag = waitForEtag,
            Patience = patience,
        };
    }

    private static TimeSpan ToPatience(TapeValue value) =>
        value.TryGetInt64(out long milliseconds) ? TimeSpan.FromMilliseconds(Math.Clamp(milliseconds, 0, int.MaxValue))
        : ToPatience(value.Kind == JsonKind.String ? value.ToText() : null);

    /// <summary>How long to wait: a number of milliseconds, or a text such as 00:00:15; anything else is the default.</summary>
    public static TimeSpan ToPatience(string? text) =>
        long.TryParse(text, CultureInfo.InvariantCulture, out long milliseconds) ? TimeSpan.FromMilliseconds(Math.Clamp(milliseconds, 0, int.MaxValue))
        : TimeSpan.TryParse(text, CultureInfo.InvariantCulture, out TimeSpan span) && span >= TimeSpan.Zero ? span
        : s_defaultPatience;

    /// <summary>Reads a GET: <c>?query=...&amp;parameters={...}</c>.</summary>
    /// <param name="isTraced">What it does and takes is wanted.</param>
    public static QueryRequest Read(QueryParameters url, bool isTraced = false)
    {
        byte[] json = Encoding.UTF8.GetBytes(url.GetText("parameters") ?? "");
        TimeSpan patience = ToPatience(url.GetText("waitForNonStaleResultsTimeoutInMs"));
        using var tape = new JsonTape();
        TapeValue parameters = json.Length > 0 ? tape.Read(json) : default;
        return new QueryRequest
        {
            Text = Require(url.GetText("query")),
            Parameters = ObjectOf(json, parameters),
            Start = url.Has("start") ? url.GetCount("start", 0) : null,
            PageSize = url.Has("pageSize") ? url.GetCount("pageSize", long.MaxValue) : null,
            MetadataOnly = url.GetFlag("metadataOnly"),
            SkipDuplicateChecking = url.GetFlag("skipDuplicateChecking"),
            Debug = ReadDebug(url),
            ProjectionSource = ToSource(url.GetText("projectionBehavior")),
            IsTraced = isTraced,
            WaitForNonStale = url.GetFlag("waitForNonStaleResults") ? patience : null,
            WaitForEtag = url.Has("waitForEtag") ? url.GetCount("waitForEtag", 0) : null,
            Patience = patience,
        };
    }

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

    private static QueryDebug ReadDebug(QueryParameters url) => url.GetText("debug")?.ToUpperInvariant() switch
    {
        null or "" => QueryDebug.None,
        "ENTRIES" => QueryDebug.Entries,
        "EXPLAIN" => QueryDebug.Explain,
        _ => throw Refuse($"'{url.GetText("debug")}' is no value of 'debug' that this version knows; it can be 'entries' or 'explain'."),
    };

    private static ProjectionSource ToSource(string? behavior) => behavior?.ToUpperInvariant() switch
    {
        null or "" or "DEFAULT" => ProjectionSource.Either,
        "FROMINDEX" => ProjectionSource.Index,
        "FROMINDEXORTHROW" => ProjectionSource.IndexOrThrow,
        "FROMDOCUMENT" => ProjectionSource.Document,
        "FROMDOCUMENTORTHROW" => ProjectionSource.DocumentOrThrow,
        _ => throw Refuse($"'{behavior}' is no ProjectionBehavior; it can be Default, FromIndex, FromIndexOrThrow, FromDocument, FromDocumentOrThrow."),
    };

    private static string NameOf(TapeMember member)
    {
        const int longest = 32;
        ReadOnlySpan<byte> source = member.NameSource;
        if (source.Length > longest)
        {
            return "";
        }

        Span<byte> name = stackalloc byte[longest];
        return Encoding.UTF8.GetString(name[..member.CopyName(name)]).ToUpperInvariant();
    }

    private static long? ToCount(TapeValue value, string name) => value.Kind switch
    {
        JsonKind.Null => null,
        _ when value.TryGetInt64(out long count) && count >= 0 => count,
        _ => throw Refuse($"The member '{name}' must be a whole number of 0 or more."),
    };

    private static ReadOnlyMemory<byte> ObjectOf(ReadOnlyMemory<byte> json, TapeValue value)
    {
        if (value.Kind is JsonKind.Missing or JsonKind.Null)
        {
            return default;
        }

        if (value.Kind != JsonKind.Object)
        {
            throw Refuse("The parameters of a query must be a JSON object: {\"name\": value}.");
        }

        json.Span.Overlaps(value.Source, out int offset);
        return json.Slice(offset, value.Source.Length);
    }

    private static string Require(string? text) => !string.IsNullOrWhiteSpace(text)
        ? text
        : throw new RequestRefusedException(new Problem(
            400, ProblemTypes.InvalidOperation, "The request has no query; send its text in the member 'Query' (POST) or ?query= (GET)."));

    private static RequestRefusedException Refuse(string message) => new(Problem.BadRequest(message));
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

/// <summary>Where the fields of a projection come from.</summary>
internal enum ProjectionSource
{
    /// <summary>From the index when it stores them, otherwise from the document.</summary>
    Either,

    /// <summary>From the index; null when it does not store them.</summary>
    Index,

    /// <summary>From the index; not stored is a mistake.</summary>
    IndexOrThrow,

    /// <summary>From the document.</summary>
    Document,

    /// <summary>From the document; not there is a mistake.</summary>
    DocumentOrThrow,
}
