using Jackdaw.Search;
using Jackdaw.Search.Lucene;

namespace Jackdaw.Server.Configuration;

/// <summary>The search engines of the server. This is the one place that names them.</summary>
internal static class RegisteredEngines
{
    public static SearchEngines All { get; } = new(LuceneEngine.Instance);
}
