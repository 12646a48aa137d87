using Jackdaw.Documents.Answers;
using Jackdaw.Documents.Databases;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Store;
using Jackdaw.Server.Http.Answers;
using Jackdaw.Server.Http.Problems;
using Microsoft.Extensions.Primitives;

namespace Jackdaw.Server.Http.Routing;

/// <summary>From a request to its handler: route, availability, database, refresh hints.</summary>
internal sealed class Dispatcher(ServerState server, RouteTable routes)
{
    /// <summary>How long a request waits for its database to be opened before it is answered with 503: shorter than
    /// clients' own timeouts, longer than opening takes without a large journal.</summary>
    private static readonly TimeSpan s_openingPatience = TimeSpan.FromSeconds(5);

    public ValueTask Dispatch(RequestContext context)
    {
        if (MessageLength.IsAmbiguous(context.Request))
        {
            return context.Send(MessageLength.Ambiguous);
        }

        string path = context.Request.Path.Value ?? "/";
        Route? route = routes.Find(path, out ReadOnlySpan<char> databaseName);
        context.Route = route;
        if (server.Store is null && route is not { AlwaysAvailable: true })
        {
            return context.Send(server.NotReadyProblem());
        }

        if (route is null)
        {
            return context.Send(NoRoute(context, path, databaseName));
        }

        if (route.Find(context.Request.Method) is not { } handler)
        {
            return context.Send(new Problem(405, ProblemTypes.RouteNotFound,
                $"{context.Request.Method} is not a method of {route.Pattern}; it has {route.Methods}.")
            {
                Allow = route.Methods,
            });
        }

        if (!route.IsOfDatabase)
        {
            AddClusterRefreshHint(context);
            return handler(context);
        }

        DatabaseLookup lookup = server.Store!.Find(databaseName);
        return lookup.Status is DatabaseLookupStatus.Idle or DatabaseLookupStatus.Loading
            ? OpenAndHandleAsync(context, handler, databaseName.ToString())
            : Handle(context, handler, lookup, databaseName);
    }

    private static ValueTask Handle(RequestContext context, RequestHandler handler, in DatabaseLookup lookup, ReadOnlySpan<char> name)
    {
        if (ToProblem(lookup, name) is { } problem)
        {
            return context.Send(problem);
        }

        context.Database = lookup.Database!;
        AddRefreshHints(context, context.Database);
        return handler(context);
    }

    private async ValueTask OpenAndHandleAsync(RequestContext context, RequestHandler handler, string name)
    {
        DatabaseLookup lookup = await server.Store!.FindOpenAsync(name, s_openingPatience, context.Aborted).ConfigureAwait(false);
        await Handle(context, handler, lookup, name).ConfigureAwait(false);
    }

    /// <summary>Resolves a database's name, or says why it cannot be used.</summary>
    public static Problem? ToProblem(in DatabaseLookup lookup, ReadOnlySpan<char> name) => lookup.Status switch
    {
        DatabaseLookupStatus.Open => null,
        DatabaseLookupStatus.Missing => Problem.DatabaseMissing(name.ToString()),
        DatabaseLookupStatus.Disabled => new Problem(503, ProblemTypes.DatabaseDisabled,
            $"Database '{name}' is disabled; enable it with POST /admin/databases/enable."),
        DatabaseLookupStatus.Idle when lookup.IsUnusable => Problem.Unavailable(ProblemTypes.DatabaseLoading,
            $"Database '{name}' could not be opened now ({lookup.Reason}); it is tried again, so repeat the request in a moment."),
        DatabaseLookupStatus.Idle or DatabaseLookupStatus.Loading => Problem.Unavailable(ProblemTypes.DatabaseLoading,
            $"Database '{name}' is being opened ({lookup.Reason}); try again in a moment."),
        _ => new Problem(500, ProblemTypes.Server, $"Database '{name}' cannot be used: {lookup.Reason}"),
    };

    private Problem NoRoute(RequestContext context, string path, ReadOnlySpan<char> databaseName)
    {
        if (routes.FindLaterFeature(path) is { } feature)
        {
            // That a database does not exist is the more useful answer.
            bool isMissing = !databaseName.IsEmpty && server.Store!.Find(databaseName).Status == DatabaseLookupStatus.Missing;
            return isMissing ? Problem.DatabaseMissing(databaseName.ToString()) : Problem.NotSupported(feature);
        }

        return new Problem(400, ProblemTypes.RouteNotFound,
            $"There is no route {context.Request.Method} {path}; check the path and the version of the client.");
    }

    private static void AddClusterRefreshHint(RequestContext context)
    {
        if (context.Request.Headers.TryGetValue("Cluster-Topology-Etag", out StringValues known)
            && IsOutdated(known, ServerState.ClusterTopologyEtag))
        {
            context.Response.Headers["Refresh-Topology"] = "true";
        }
    }

    // The presence of these headers is what counts for clients: they are left out when nothing has to be refreshed.
    private static void AddRefreshHints(RequestContext context, DocumentDatabase database)
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

    // 0 and below mean "unknown": such a client is about to ask anyway.
    private static bool IsOutdated(StringValues known, long current) =>
        long.TryParse(VersionTag.Unquote(known.ToString()), out long etag) && etag > 0 && etag != current;
}
