using System.Text;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Includes;
using Jackdaw.Server.Http.Descriptions;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Queries;

namespace Jackdaw.Server.Http.Reading;

/// <summary>The parameters of a request for documents, except the ids.</summary>
internal sealed class DocumentQuery
{
    // Parameters that must not be ignored silently: the answer would be wrong.
    private static readonly (string Name, string Feature)[] s_later =
    [
        ("timeseries", "Time series are"), ("timeseriestime", "Time series are"),
        ("timeseriescount", "Time series are"),
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
        ValuePaths = query.GetAll("cmpxchg");
        IsClusterWide = "ClusterWide".Equals(query.GetText("txMode"), StringComparison.OrdinalIgnoreCase);
        Collection = [];
        Revisions = RevisionInclude.Make(query.GetAll("revisions"), query.GetText("revisionsBefore"));
    }

    private DocumentQuery(string collection, long start, long pageSize)
    {
        Collection = Encoding.UTF8.GetBytes(collection);
        Start = start;
        PageSize = pageSize;
        Prefix = [];
        After = [];
        Matches = new WildcardMatcher(null);
        Excludes = new WildcardMatcher(null);
        ValuePaths = [];
    }

    /// <summary>What <see cref="Read"/> reads for any list of documents.</summary>
    public static IReadOnlyList<Input> Inputs { get; } =
    [
        Descriptions.Inputs.MetadataOnly,
        Descriptions.Inputs.Start,
        Descriptions.Inputs.PageSize,
        Input.Text("startsWith", "Without ids: only documents whose ids begin so, ordered by id.", "orders/1"),
        Input.Text("startAfter", "Without ids: only documents after this id, ordered by id.", "orders/1-A"),
        Input.Text("matches", "With startsWith: only ids whose rest is one of these patterns, with * and ?, divided by |.", "*-A"),
        Input.Text("exclude", "With startsWith: no ids whose rest is one of these patterns.", "*-B"),
        Input.Text("excludes", "Another name of exclude.", "*-B"),
        Input.Count("etag", "Without ids: only documents from this etag on, oldest first.", "1"),
        Input.Text("cmpxchg", "The path of a member with keys of compare exchange values that come along.", "Key").Repeated(),
        Input.OneOf("txMode", "Whether a cluster-wide session asks, which gets the guards of documents.", "SingleNode", "ClusterWide").Or("SingleNode"),
        .. s_later.Select(later => Input.Later(later.Name, later.Feature, "x")),
    ];

    /// <summary>What else comes along with documents that are named by their ids.</summary>
    public static IReadOnlyList<Input> LoadInputs { get; } =
    [
        Input.Text("include", "The path of a member with ids of documents that come along.", "Company").Repeated(),
        Input.Text("counter", "The name of a counter that comes along; @all_counters for all of them.", "Likes").Repeated(),
        Input.Text("revisions", "The path of a member with change vectors of revisions that come along.", "Contract.RevisionVector").Repeated(),
        Input.Time("revisionsBefore", "The time whose revisions of the documents come along."),
    ];

    /// <summary>What <see cref="ReadOfCollection"/> reads.</summary>
    public static IReadOnlyList<Input> CollectionInputs { get; } =
        [Input.Text("name", "The name of the collection.", "Orders").Required(), .. Descriptions.Inputs.Page];

    /// <summary>The paths in documents that name compare exchange values, which the answer includes.</summary>
    public List<string> ValuePaths { get; }

    /// <summary>Whether the request comes from a cluster-wide session, so that the answer has the guards of documents.</summary>
    public bool IsClusterWide { get; }

    /// <summary>UTF-8; empty means all collections.</summary>
    public byte[] Collection { get; }

    /// <summary>Whether documents are ordered by id; otherwise they are ordered by etag.</summary>
    public bool IsById => StartsWith is not null || After.Length > 0;

    public bool MetadataOnly { get; }

    public long Start { get; }

    public long PageSize { get; }

    /// <summary>Null when the request is not by prefix; empty asks for all documents ordered by id.</summary>
    public string? StartsWith { get; }

    public byte[] Prefix { get; }

    public byte[] After { get; }

    public WildcardMatcher Matches { get; }

    public WildcardMatcher Excludes { get; }

    /// <summary>The revisions that are included with documents by id; null for none.</summary>
    public RevisionInclude? Revisions { get; }

    /// <summary>If it is not null, the answer has documents from this etag on, oldest first.</summary>
    public Etag? FirstEtag { get; }

    /// <exception cref="RequestRefusedException">A value is malformed, or asks for something that this version cannot do.</exception>
    public static DocumentQuery Read(QueryParameters query)
    {
        RefuseLaterFeatures(query);
        return new DocumentQuery(query);
    }

    /// <summary>Reads a request for documents of a collection, newest first.</summary>
    /// <exception cref="RequestRefusedException">A value is missing or malformed.</exception>
    public static DocumentQuery ReadOfCollection(QueryParameters query) => new(
        query.GetRequiredText("name"), query.GetCount("start", 0), query.GetCount("pageSize", long.MaxValue));

    /// <summary>The parameters in which to look for what an extension brings along. The routes describe the extensions of the program, and cannot know
    /// others.</summary>
    public static QueryParameters Of(IIncludedExtension extension, QueryParameters query) =>
        LoadInputs.Any(input => input.Name == extension.LoadParameter) ? query : query.ReadBy(null);

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
        }
    }

    /// <exception cref="RequestRefusedException">Revisions are asked for, and documents are not named by their ids.</exception>
    public void RefuseRevisions()
    {
        if (Revisions is not null)
        {
            throw new RequestRefusedException(Problem.Argument(
                "Revisions come along with documents by id only; name the documents by 'id', or leave 'revisions' and 'revisionsBefore' out."));
        }
    }

    /// <summary>Whether a key that has the prefix passes the filters.</summary>
    public bool Passes(ReadOnlySpan<byte> key)
    {
        ReadOnlySpan<byte> rest = key[Prefix.Length..];
        return (Matches.IsEmpty || Matches.Matches(rest)) && (Excludes.IsEmpty || !Excludes.Matches(rest));
    }
}
