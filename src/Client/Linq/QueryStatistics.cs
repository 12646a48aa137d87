using System.Text.Json;
using Jackdaw.Client.Serialization;

namespace Jackdaw.Client.Linq;

/// <summary>What the server says about a query. It is filled when the query has run; each run fills it anew.</summary>
public sealed class QueryStatistics
{
    /// <summary>Whether the index has not read everything that was written.</summary>
    public bool IsStale { get; set; }

    /// <summary>Milliseconds on the server; -1 when a cache answered.</summary>
    public long DurationInMs { get; set; }

    /// <summary>How long the server waited until the index had read what the query must see: the session's own writes, or all of them. Zero also
    /// for
    /// an answer of a cache or of one request with several queries.</summary>
    public TimeSpan IndexWait { get; set; }

    /// <summary>All results, before paging; -1 for a stream that counts them while it runs.</summary>
    public long TotalResults { get; set; }

    /// <summary>Rows that were left out as duplicates: add it to the next page's <c>Skip</c>.</summary>
    public long SkippedResults { get; set; }

    /// <summary>Documents that a filter has checked; null without a filter.</summary>
    public long? ScannedResults { get; set; }

    /// <summary>When the answer came.</summary>
    public DateTime Timestamp { get; set; }

    /// <summary>The index, or <c>collection/Name</c>.</summary>
    public string? IndexName { get; set; }

    /// <summary>When the index read last; the least time of all for collections.</summary>
    public DateTime IndexTimestamp { get; set; }

    /// <summary>When the index was queried the time before.</summary>
    public DateTime LastQueryTime { get; set; }

    /// <summary>A value that changes with the results.</summary>
    public long? ResultEtag { get; set; }

    /// <summary>Name of the server that answered.</summary>
    public string? NodeTag { get; set; }

    /// <summary>Whether a cache answered, or the server said that nothing has changed.</summary>
    public bool CacheHit { get; set; }

    internal void CopyFrom(QueryStatistics other)
    {
        (IsStale, DurationInMs, TotalResults, SkippedResults) = (other.IsStale, other.DurationInMs, other.TotalResults, other.SkippedResults);
        (ScannedResults, Timestamp, IndexName, IndexTimestamp) = (other.ScannedResults, other.Timestamp, other.IndexName, other.IndexTimestamp);
        (LastQueryTime, ResultEtag, NodeTag, CacheHit) = (other.LastQueryTime, other.ResultEtag, other.NodeTag, other.CacheHit);
        IndexWait = other.IndexWait;
    }
}

/// <summary>How long the steps of a query took on the server. Filled when the query has run.</summary>
public sealed class QueryTimings
{
    /// <summary>Milliseconds of the whole.</summary>
    public long DurationInMs { get; private set; }

    /// <summary>The steps by their names; empty for a step without parts.</summary>
    public IReadOnlyDictionary<string, QueryTimings> Timings { get; private set; } = new Dictionary<string, QueryTimings>();

    internal void Read(JsonElement json)
    {
        DurationInMs = json.Number("DurationInMs"u8) ?? 0;
        var steps = new Dictionary<string, QueryTimings>();
        foreach ((string name, JsonElement part) in json.Members("Timings"u8))
        {
            steps[name] = new QueryTimings();
            steps[name].Read(part);
        }

        Timings = steps;
    }
}
