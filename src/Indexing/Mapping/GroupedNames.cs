namespace Jackdaw.Indexing.Mapping;

/// <summary>Names of aggregates in the rows of groups.</summary>
internal static class GroupedNames
{
    private const string PlainCount = "Count";

    /// <summary>The name of the number of rows. A key may have the plain name.</summary>
    public static string Count(IEnumerable<string> keys) => keys.Contains(PlainCount, StringComparer.Ordinal) ? "count()" : PlainCount;

    /// <summary>The name of a sum: that of the summed field, unless a key or the count has it.</summary>
    public static string Sum(string path, IEnumerable<string> keys) =>
        path == PlainCount || keys.Contains(path, StringComparer.Ordinal) ? $"sum({path})" : path;
}
