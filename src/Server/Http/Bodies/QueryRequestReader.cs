using System.Globalization;
using System.Text;
using Jackdaw.Json;
using Jackdaw.Json.Tape;
using Jackdaw.Queries.Planning;
using Jackdaw.Queries.Planning.Projections;
using Jackdaw.Server.Http.Descriptions;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Queries;

namespace Jackdaw.Server.Http.Bodies;

/// <summary>Reads a query from a request: from the body of a POST, or from the parameters of a GET.</summary>
internal static class QueryRequestReader
{
    private static readonly string[] s_behaviors = ["Default", "FromIndex", "FromIndexOrThrow", "FromDocument", "FromDocumentOrThrow"];

    /// <summary>What <see cref="Read(ReadOnlyMemory{byte}, QueryParameters, bool)"/> reads of the address.</summary>
    public static IReadOnlyList<Input> Inputs { get; } =
    [
        Descriptions.Inputs.MetadataOnly,
        Input.OneOf("debug", "What is answered instead of the results: entries of the index, or why the index was chosen.", "entries", "explain"),
    ];

    /// <summary>What it reads of the body.</summary>
    public static Body Body { get; } = Body.Object(
        "The query.",
        Input.Text("Query", "The query in RQL.", "from Orders where Company = $company").Required(),
        Input.Json("QueryParameters", "The values of its parameters by their names.", """{"company":"companies/1-A"}"""),
        Input.Count("Start", "How many results are skipped.", "0").Or("0"),
        Input.Count("PageSize", "The most results of the answer.", "10"),
        Input.Json("WaitForNonStaleResults", "Whether the answer waits until the index has read all documents.", "true"),
        Input.Span("WaitForNonStaleResultsTimeout", "How long it waits.").Or("00:00:15"),
        Input.Count("WaitForEtag", "The etag up to which the index must have read.", "1"),
        Input.Json("SkipDuplicateChecking", "Whether a document is answered for each of its entries.", "false"),
        Input.OneOf("ProjectionBehavior", "Where selected members are taken from.", s_behaviors));

    /// <summary>What <see cref="Read(QueryParameters, bool)"/> reads.</summary>
    public static IReadOnlyList<Input> UrlInputs { get; } =
    [
        Input.Text("query", "The query in RQL.", "from Orders").Required(),
        Input.Json("parameters", "The values of its parameters by their names, as a JSON object.", """{"company":"companies/1-A"}"""),
        Descriptions.Inputs.Start,
        Descriptions.Inputs.PageSize,
        Input.Flag("waitForNonStaleResults", "Whether the answer waits until the index has read all documents."),
        Input.Span("waitForNonStaleResultsTimeoutInMs", "How long it waits.", "15000").Or("15000"),
        Input.Count("waitForEtag", "The etag up to which the index must have read.", "1"),
        Input.Flag("skipDuplicateChecking", "Whether a document is answered for each of its entries."),
        Input.OneOf("projectionBehavior", "Where selected members are taken from.", s_behaviors).Or("Default"),
        .. Inputs,
    ];

    /// <summary>Reads the body of a POST. Unknown members are ignored, null is the same as a missing member, and the casing of names does not count.</summary>
    /// <param name="body">The body.</param>
    /// <param name="url">The parameters of the address.</param>
    /// <param name="isTraced">Whether the steps of the query and their times are wanted.</param>
    /// <exception cref="RequestRefusedException">The body is not such an object.</exception>
    /// <exception cref="DocumentFormatException">The body is not JSON.</exception>
    public static QueryRequest Read(ReadOnlyMemory<byte> body, QueryParameters url, bool isTraced = false)
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
        TimeSpan patience = QueryRequest.DefaultPatience;
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
            IsTraced = isTraced,
        };
    }

    private static TimeSpan ToPatience(TapeValue value) =>
        value.TryGetInt64(out long milliseconds) ? TimeSpan.FromMilliseconds(Math.Clamp(milliseconds, 0, int.MaxValue))
        : ToPatience(value.Kind == JsonKind.String ? value.ToText() : null);

    /// <summary>How long to wait: a number of milliseconds, or a text such as 00:00:15; anything else is the default.</summary>
    public static TimeSpan ToPatience(string? text) =>
        long.TryParse(text, CultureInfo.InvariantCulture, out long milliseconds) ? TimeSpan.FromMilliseconds(Math.Clamp(milliseconds, 0, int.MaxValue))
        : TimeSpan.TryParse(text, CultureInfo.InvariantCulture, out TimeSpan span) && span >= TimeSpan.Zero ? span
        : QueryRequest.DefaultPatience;

    /// <summary>Reads a GET: <c>?query=...&amp;parameters={...}</c>.</summary>
    /// <param name="isTraced">Whether the steps of the query and their times are wanted.</param>
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

    private static QueryDebug ReadDebug(QueryParameters url) => url.GetText("debug")?.ToUpperInvariant() switch
    {
        null or "" => QueryDebug.None,
        "ENTRIES" => QueryDebug.Entries,
        "EXPLAIN" => QueryDebug.Explain,
        _ => throw Refuse($"'{url.GetText("debug")}' is not a value of 'debug' that this version knows; it can be 'entries' or 'explain'."),
    };

    private static ProjectionSource ToSource(string? behavior) => behavior?.ToUpperInvariant() switch
    {
        null or "" or "DEFAULT" => ProjectionSource.Either,
        "FROMINDEX" => ProjectionSource.Index,
        "FROMINDEXORTHROW" => ProjectionSource.IndexOrThrow,
        "FROMDOCUMENT" => ProjectionSource.Document,
        "FROMDOCUMENTORTHROW" => ProjectionSource.DocumentOrThrow,
        _ => throw Refuse($"'{behavior}' is not a ProjectionBehavior; it can be {string.Join(", ", s_behaviors)}."),
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
