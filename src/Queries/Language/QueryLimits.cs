namespace Jackdaw.Queries.Language;

/// <summary>Bounds of a query's text.</summary>
internal static class QueryLimits
{
    /// <summary>The longest text, in characters. A generated query with thousands of conditions and a long script are shorter; values of a
    /// longer text belong into parameters, which this does not bound.</summary>
    public const int TextCharactersMax = 256 * 1024;

    /// <summary>The most parentheses and methods within one another; each takes a few hundred bytes of stack while it is read and run.
    /// Official servers have the same bound.</summary>
    public const int DepthMax = 128;

    /// <summary>The most parts of a path, such as 3 in <c>Lines[].Product.Name</c>. Documents are at most 256 levels deep.</summary>
    public const int PathPartsMax = 128;
}
