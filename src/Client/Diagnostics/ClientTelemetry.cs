using System.Diagnostics;
using System.Diagnostics.Metrics;

namespace Jackdaw.Client.Diagnostics;

/// <summary>Activities and measurements of requests, named by OpenTelemetry's conventions for clients of databases. Without a listener nothing is
/// done and nothing is allocated.</summary>
internal static class ClientTelemetry
{
    public const string Name = "Jackdaw.Client";

    // Boundaries that the conventions advise for this measurement, in seconds.
    private static readonly double[] s_boundaries = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10];

    private static readonly string? s_version = typeof(ClientTelemetry).Assembly.GetName().Version?.ToString(3);

    private static readonly ActivitySource s_source = new(Name, s_version);

    private static readonly Meter s_meter = new(Name, s_version);

    private static readonly Histogram<double> s_duration = s_meter.CreateHistogram(
        "db.client.operation.duration", "s", "Duration of database client operations.", advice: new InstrumentAdvice<double>
        {
            HistogramBucketBoundaries = s_boundaries,
        });

    private static readonly Counter<long> s_reads = s_meter.CreateCounter<long>(
        "jackdaw.client.cache.reads", "{read}", "Reads that asked the cache, by what the cache knew.");

    private static readonly Counter<long> s_failovers = s_meter.CreateCounter<long>(
        "jackdaw.client.failovers", "{failover}", "Requests that were answered by another server than the previous one.");

    /// <summary>Whether anybody listens to requests.</summary>
    public static bool IsListened => s_source.HasListeners() || s_duration.Enabled;

    /// <summary>Begins a request. Its activity is the current one until the caller's method ends.</summary>
    /// <param name="path">The path below the database, with parameters.</param>
    /// <param name="collection">Null if it is not known, or if there are several.</param>
    /// <param name="queryText">The text without values, which are parameters; null if this is not a query.</param>
    public static RequestTrace Begin(string method, string path, string? database, string? collection, string? queryText)
    {
        string operation = OperationOf(method, path);
        Activity? activity = s_source.HasListeners()
            ? s_source.StartActivity(collection is null ? $"{operation} {database}" : $"{operation} {collection}", ActivityKind.Client)
            : null;
        if (activity is { IsAllDataRequested: true })
        {
            activity.SetTag("db.system.name", "jackdaw");
            activity.SetTag("db.operation.name", operation);
            activity.SetTag("db.namespace", database);
            activity.SetTag("db.collection.name", collection);
            activity.SetTag("db.query.text", queryText);
        }

        return new RequestTrace(activity, operation, database, collection);
    }

    /// <summary>Counts a read.</summary>
    /// <param name="state"><c>hit</c>, <c>stale</c> (used, and renewed in the background), <c>not_modified</c> or <c>miss</c>.</param>
    public static void CountRead(string state)
    {
        if (s_reads.Enabled)
        {
            s_reads.Add(1, new KeyValuePair<string, object?>("jackdaw.cache.state", state));
        }
    }

    /// <summary>Counts a request that another server had to answer.</summary>
    public static void CountFailover() => s_failovers.Add(1);

    /// <summary>Records how long a request took.</summary>
    public static void Record(TimeSpan duration, in TagList tags) => s_duration.Record(duration.TotalSeconds, tags);

    // The first part of a path is a word of the protocol and never a name of the user, so there are only a few.
    private static string OperationOf(string method, string path)
    {
        int end = path.AsSpan().IndexOfAny('?', '/');
        string resource = end < 0 ? path : path[..end];
        return (resource, method) switch
        {
            ("docs", "GET" or "POST") => "load",
            ("docs", "HEAD") => "exists",
            ("docs", _) => method.ToLowerInvariant(),
            ("queries", "PATCH") => "patch_by_query",
            ("queries", "DELETE") => "delete_by_query",
            ("queries", _) => "query",
            ("streams", _) => "stream",
            ("bulk_docs", _) => "save",
            _ => resource,
        };
    }
}
