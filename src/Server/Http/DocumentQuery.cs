using Jackdaw.Server.Documents;
using Jackdaw.Server.Documents.Json;

namespace Jackdaw.Server.Http;

/// <summary>What one request for documents asks, apart from ids.</summary>
internal sealed class DocumentQuery
{
    // Parameters whose silent absence from the answer would be a wrong success.
    private static readonly (string Name, string Feature)[] s_later =
    [
        ("counter", "Counters are"), ("timeseries", "Time series are"), ("timeseriestime", "Time series are"),
        ("timeseriescount", "Time series are"), ("revisions", "Revisions are"), ("revisionsBefore", "Revisions are"),
        ("cmpxchg", "Compare exchange values are"),
    ];

    private DocumentQuery(QueryParameters query)
    {
        MetadataOnly = query.GetFlag("metadataOnly");
        Start = query.GetCount("start", 0);
        PageSize = query.GetCount("pageSize", long.MaxValue);
        StartsWith = query.GetText("startsWith");
        Prefix = DocumentKey.Make(StartsWith);
        After = DocumentKey.Make(query.GetText("startAfter"));
        Matches = new WildcardMatcher(query.GetText("matches"));
        Excludes = new WildcardMatcher(query.GetText("exclude") ?? query.GetText("excludes"));
        FirstEtag = query.Has("etag") ? new Etag(query.GetCount("etag", 0)) : null;
    }

    public bool MetadataOnly { get; }

    public long Start { get; }

    public long PageSize { get; }

    /// <summary>Null when the request is not by prefix; empty asks for all documents ordered by id.</summary>
    public string? StartsWith { get; }

    public byte[] Prefix { get; }

    public byte[] After { get; }

    public WildcardMatcher Matches { get; }

    public WildcardMatcher Excludes { get; }

    /// <summary>Not null: documents from this etag on, oldest first.</summary>
    public Etag? FirstEtag { get; }

    /// <exception cref="RequestRefusedException">A value is malformed, or asks for what this version cannot
    /// do.</exception>
    public static DocumentQuery Read(QueryParameters query)
    {
        RefuseLaterFeatures(query);
        return new DocumentQuery(query);
    }

    public static void RefuseLaterFeatures(QueryParameters query)
    {
        foreach (QueryParameter parameter in query)
        {
            foreach ((string name, string feature) in s_later)
            {
                if (parameter.Is(name))
                {
                    throw new RequestRefusedException(Problem.NotSupported(feature));
                }
            }

            if (parameter.Is("txMode") && parameter.Value.Equals("ClusterWide", StringComparison.OrdinalIgnoreCase))
            {
                throw new RequestRefusedException(Problem.NotSupported("Cluster-wide transactions are"));
            }
        }
    }

    /// <summary>Whether a key that has the prefix passes the filters.</summary>
    public bool Passes(ReadOnlySpan<byte> key)
    {
        ReadOnlySpan<byte> rest = key[Prefix.Length..];
        return (Matches.IsEmpty || Matches.Matches(rest)) && (Excludes.IsEmpty || !Excludes.Matches(rest));
    }

    /// <summary>The walk this request asks for, in its order.</summary>
    public DocumentCursor Open(DocumentReadScope read)
    {
        if (StartsWith is not null || After.Length > 0)
        {
            return read.OpenByIdPrefix(Prefix, After);
        }

        return FirstEtag is { } first
            ? read.OpenByEtag(default, EtagOrder.Ascending, first)
            : read.OpenByEtag(default, EtagOrder.Descending, Etag.Maximum);
    }
}
