using Jackdaw.Json.Paths;
using Jackdaw.Search.Entries;

namespace Jackdaw.Indexing.Auto;

/// <summary>How the values of a field of an auto index can be searched. All fields can be compared without regard to case.</summary>
[Flags]
public enum AutoFieldSearch
{
    /// <summary>Comparison without regard to case, ranges, order.</summary>
    Default = 0,

    /// <summary>Full-text search.</summary>
    Search = 1,

    /// <summary>Comparison with regard to case.</summary>
    Exact = 2,

    /// <summary>Full-text search with positions, so that matches can be highlighted.</summary>
    Highlighting = 4,
}

/// <summary>How the value of a field is computed for a group of documents.</summary>
public enum AutoAggregation
{
    None,
    Count,
    Sum,
}

/// <summary>One field of an auto index.</summary>
/// <param name="Name">The text of a path (<see cref="PathText"/>), so that no two paths have the same field; or a name with parentheses, which
/// no path has, such as <c>id()</c>, <c>spatial.point(Lat, Lng)</c> and <c>vector.search(Embedding)</c>.</param>
public sealed record AutoField(string Name)
{
    /// <summary>The path of its values; for a field whose name is one.</summary>
    internal DocumentPath Path => DocumentPath.Parse(Name);

    /// <summary>The paths that are read for it; none for the id.</summary>
    internal IEnumerable<DocumentPath> Paths => Vector is not null ? [DocumentPath.Parse(Vector.Path)]
        : Spatial is null ? Name == AutoDefinition.DocumentId ? [] : [Path]
        : ((string?[])[Spatial.Latitude, Spatial.Longitude, Spatial.WellKnownText]).OfType<string>().Select(DocumentPath.Parse);

    public AutoFieldSearch Search { get; init; }

    /// <summary>Whether the query has the name in quotes, which the name of the index shows.</summary>
    public bool IsQuoted { get; init; }

    public AutoAggregation Aggregation { get; init; }

    /// <summary>Whether queries ask for suggestions from its terms.</summary>
    public bool HasSuggestions { get; init; }

    /// <summary>The paths from which a spatial field is made; null for all other fields.</summary>
    public AutoSpatial? Spatial { get; init; }

    /// <summary>The path from which a field of vectors is made; null for all other fields.</summary>
    public AutoVector? Vector { get; init; }

    /// <summary>Whether an index with this field answers a query that needs another field of the same name.</summary>
    public bool Covers(AutoField needed) =>
        (Search & needed.Search) == needed.Search
        && (HasSuggestions || !needed.HasSuggestions)
        && Aggregation == needed.Aggregation
        && Spatial == needed.Spatial
        && Vector == needed.Vector;

    /// <summary>A field that answers the queries of both fields.</summary>
    public AutoField Merge(AutoField other) =>
        this with { Search = Search | other.Search, HasSuggestions = HasSuggestions || other.HasSuggestions };
}

/// <summary>The paths of a dynamic spatial field.</summary>
/// <param name="Latitude">The text of the path of a point's latitude; null for well-known text.</param>
/// <param name="Longitude">The text of the path of a point's longitude; null for well-known text.</param>
/// <param name="WellKnownText">The text of the path of a shape's text; null for a point.</param>
public sealed record AutoSpatial(string? Latitude, string? Longitude, string? WellKnownText);

/// <summary>What a dynamic field of vectors is made of.</summary>
/// <param name="Path">The text of the path.</param>
/// <param name="Source">What the documents have.</param>
/// <param name="Destination">What the index keeps.</param>
public sealed record AutoVector(string Path, EmbeddingType Source, EmbeddingType Destination);

/// <summary>One key of a dynamic group by.</summary>
/// <param name="Path">The text of the path (<see cref="PathText"/>), or <c>id()</c>.</param>
/// <param name="IsWholeArray">True: a whole array with its elements in order is one key. False: each element is a key.</param>
public sealed record AutoGroupKey(string Path, bool IsWholeArray)
{
    /// <summary>The key in names of indexes.</summary>
    public string Text => IsWholeArray ? $"array({Path})" : Path;
}
