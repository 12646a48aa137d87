using System.Diagnostics;
using Jackdaw.Documents.Callers;

namespace Jackdaw.Server.Http.Routing;

/// <summary>One method of a path: the access that it needs, how it can be used, and its handler.</summary>
/// <remarks>The handler is reached only through <see cref="Run"/>, so that no request and no part of a multi_get gets past the check.</remarks>
internal sealed class RouteMethod
{
    private readonly RequestHandler _handler;
    private readonly string _title; // for messages

    public RouteMethod(Route route, string name, Access access, RouteTraits traits, RequestHandler handler)
    {
        Debug.Assert((traits & (RouteTraits.InMultiGet | RouteTraits.Streams)) != (RouteTraits.InMultiGet | RouteTraits.Streams));
        Route = route;
        Name = name;
        Access = access;
        Traits = traits;
        _handler = handler;
        _title = $"{name} {route.Template}";
    }

    public Route Route { get; }

    public string Name { get; }

    public Access Access { get; }

    public RouteTraits Traits { get; }

    public bool Has(RouteTraits trait) => (Traits & trait) != 0;

    /// <summary>Runs the handler. First the access is checked, then the database is found, so that a caller without access learns nothing about a
    /// database.</summary>
    /// <param name="context">The request; it already has its database when it is part of another request.</param>
    /// <param name="database">The name in the path; empty for a route of the server.</param>
    /// <exception cref="AccessDeniedException">The caller does not have the access.</exception>
    public ValueTask Run(RequestContext context, ReadOnlySpan<char> database)
    {
        Demand(context, database);
        context.Access = Access;
        return Route.IsOfDatabase && !context.HasDatabase
            ? RequestedDatabase.Run(context, database, _handler)
            : _handler(context);
    }

    /// <summary>Only the check of <see cref="Run"/>, for reads that a multi_get does together.</summary>
    /// <exception cref="AccessDeniedException">The caller does not have the access.</exception>
    public void Demand(RequestContext context, ReadOnlySpan<char> database) => context.Caller.Demand(Access, database, _title);
}

/// <summary>Serves one request. Throws <see cref="Problems.RequestRefusedException"/> for input that cannot be served.</summary>
internal delegate ValueTask RequestHandler(RequestContext context);
