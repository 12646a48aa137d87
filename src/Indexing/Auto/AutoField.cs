namespace Jackdaw.Indexing.Auto;

/// <summary>How values of a field of an auto index can be searched, beside the comparison without regard to case that all have.</summary>
[Flags]
public enum AutoFieldSearch
{
    /// <summary>Compared without regard to case, sorted, ranges.</summary>
    Default = 0,

    /// <summary>Full text.</summary>
    Search = 1,

    /// <summary>Compared with regard to case.</summary>
    Exact = 2,

    /// <summary>Full text, stored with positions.</summary>
    Highlighting = 4,
}

/// <summary>What a group of documents gives for a field.</summary>
public enum AutoAggregation
{
    None,
    Count,
    Sum,
}

/// <summary>One field of an auto index.</summary>
/// <param name="Name">As in the query: a path, or the text of a spatial field such as <c>spatial.point(Lat, Lng)</c>.</param>
public sealed record AutoField(string Name)
{
    public AutoFieldSearch Search { get; init; }

    /// <summary>Whether the name stood in quotes: a field whose name is no path.</summary>
    public bool IsQuoted { get; init; }

    public AutoAggregation Aggregation { get; init; }

    /// <summary>Whether terms are suggested from it.</summary>
    public bool HasSuggestions { get; init; }

    /// <summary>What a spatial field is made of; null for all others.</summary>
    public AutoSpatial? Spatial { get; init; }

    /// <summary>Whether an index with this field answers a query that needs the other one of the same name.</summary>
    public bool Covers(AutoField needed) =>
        (Search & needed.Search) == needed.Search
        && (HasSuggestions || !needed.HasSuggestions)
        && Aggregation == needed.Aggregation
        && Spatial == needed.Spatial;

    /// <summary>The field that answers what both answer.</summary>
    public AutoField Merge(AutoField other) =>
        this with { Search = Search | other.Search, HasSuggestions = HasSuggestions || other.HasSuggestions };
}

/// <summary>The paths of a dynamic spatial field.</summary>
/// <param name="Latitude">Of a point; null for well-known text.</param>
/// <param name="Longitude">Of a point; null for well-known text.</param>
/// <param name="WellKnownText">Path of a shape's text; null for a point.</param>
public sealed record AutoSpatial(string? Latitude, string? Longitude, string? WellKnownText);

/// <summary>One key of a dynamic group by.</summary>
/// <param name="Path">As in the query.</param>
/// <param name="IsWholeArray">Whether an array is one key, with its elements in order, instead of a key for each element.</param>
public sealed record AutoGroupKey(string Path, bool IsWholeArray)
{
    /// <summary>As it stands in names of indexes.</summary>
    public string Text => IsWholeArray ? $"array({Path})" : Path;
}
