namespace Jackdaw.Queries.Language;

/// <summary>Bounds of a query's text.</summary>
internal static class QueryLimits
{
    /// <summary>Longest text. Characters: a generated query with thousands of conditions, or a long script, stays below; above it
    /// the values belong into parameters, which this does not bound.</summary>
    public const int TextCharactersMax = 256 * 1024;

    /// <summary>Parentheses and methods within one another; each takes a few hundred bytes of stack while it is read
    /// and run. Official servers have the same bound.</summary>
    public const int DepthMax = 128;

    /// <summary>Parts of a path, such as 3 in <c>Lines[].Product.Name</c>: documents are 256 deep.</summary>
    public const int PathPartsMax = 128;
}
