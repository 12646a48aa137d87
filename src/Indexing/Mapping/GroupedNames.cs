namespace Jackdaw.Indexing.Mapping;

/// <summary>Names of aggregates in the rows of groups.</summary>
internal static class GroupedNames
{
    private const string PlainCount = "Count";

    /// <summary>Of the number of rows. A key may have the plain name.</summary>
    public static string Count(IEnumerable<string> keys) => keys.Contains(PlainCount, StringComparer.Ordinal) ? "count()" : PlainCount;

    /// <summary>Of a sum: the summed field, but where a key or the count has that name.</summary>
    public static string Sum(string path, IEnumerable<string> keys) =>
        path == PlainCount || keys.Contains(path, StringComparer.Ordinal) ? $"sum({path})" : path;
}
