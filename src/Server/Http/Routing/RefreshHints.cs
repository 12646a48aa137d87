using Jackdaw.Documents.Answers;
using Jackdaw.Documents.Database;
using Microsoft.Extensions.Primitives;

namespace Jackdaw.Server.Http.Routing;

/// <summary>Headers that tell clients that their configuration or topology is outdated.</summary>
/// <remarks>Their presence is what counts for clients: they are left out when nothing has to be refreshed.</remarks>
internal static class RefreshHints
{
    public static void AddOfCluster(RequestContext context)
    {
        if (context.Request.Headers.TryGetValue("Cluster-Topology-Etag", out StringValues known)
            && IsOutdated(known, ServerState.ClusterTopologyEtag))
        {
            context.Response.Headers["Refresh-Topology"] = "true";
        }
    }

    public static void AddOfDatabase(RequestContext context, DocumentDatabase database)
    {
        IHeaderDictionary headers = context.Request.Headers;
        if (headers.TryGetValue("Topology-Etag", out StringValues topology)
            && IsOutdated(topology, database.TopologyEtag))
        {
            context.Response.Headers["Refresh-Topology"] = "true";
        }

        if (headers.TryGetValue("Client-Configuration-Etag", out StringValues configuration)
            && long.TryParse(VersionTag.Unquote(configuration.ToString()), out long known)
            && known < database.ClientConfigurationEtag)
        {
            context.Response.Headers["Refresh-Client-Configuration"] = "true";
        }
    }

    // 0 and below mean "unknown": such a client will ask anyway.
    private static bool IsOutdated(StringValues known, long current) =>
        long.TryParse(VersionTag.Unquote(known.ToString()), out long etag) && etag > 0 && etag != current;
}
