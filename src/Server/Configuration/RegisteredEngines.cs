using Jackdaw.Search;
using Jackdaw.Search.Lucene;
using Jackdaw.Search.Segments;

namespace Jackdaw.Server.Configuration;

/// <summary>The search engines of the server. This is the one place that names them: a new one is an argument more. The first serves settings that name an
/// engine which is not here.</summary>
internal static class RegisteredEngines
{
    public static SearchEngines All { get; } = new(SegmentEngine.Instance, LuceneEngine.Instance);
}
