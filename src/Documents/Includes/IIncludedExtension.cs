using Jackdaw.Documents.Parsing;

namespace Jackdaw.Documents.Includes;

/// <summary>An extension that answers can bring along with their documents.</summary>
internal interface IIncludedExtension
{
    /// <summary>Parameter of a load whose values name what it brings along: <c>counter</c>.</summary>
    string LoadParameter { get; }

    /// <summary>Value of the parameter that stands for all: <c>@all_counters</c>.</summary>
    string AllName { get; }

    /// <summary>Method of the includes of a query, and what messages call the things: <c>counters</c>.</summary>
    string QueryMethod { get; }

    /// <summary>Begins to gather it for one answer.</summary>
    /// <param name="includes">What the request asks for; not empty.</param>
    IInclude Include(IReadOnlyList<ExtensionInclude> includes);
}

/// <summary>What a request includes of an extension.</summary>
/// <param name="Path">Where the documents are named whose things they are; null: the found documents themselves.</param>
/// <param name="Names">Empty: all.</param>
internal sealed record ExtensionInclude(IncludePath? Path, IReadOnlyList<string> Names)
{
    /// <summary>What a load asks for.</summary>
    /// <param name="names">As sent.</param>
    public static ExtensionInclude OfLoad(IIncludedExtension extension, List<string> names) =>
        new(null, names.Contains(extension.AllName) ? [] : [.. names.Distinct(StringComparer.OrdinalIgnoreCase)]);
}
