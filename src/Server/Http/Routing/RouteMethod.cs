using System.Diagnostics;
using Jackdaw.Documents.Callers;
using Jackdaw.Server.Http.Descriptions;

namespace Jackdaw.Server.Http.Routing;

/// <summary>One method of a path: the access that it needs, how it can be used, and its handler.</summary>
/// <remarks>The handler is reached only through <see cref="Run"/>, so that no request and no part of a multi_get gets past the check.</remarks>
internal sealed class RouteMethod
{
    private readonly RequestHandler _handler;

    public RouteMethod(Route route, string name, Access access, RouteTraits traits, RequestHandler handler)
    {
        Debug.Assert((traits & (RouteTraits.InMultiGet | RouteTraits.Streams)) != (RouteTraits.InMultiGet | RouteTraits.Streams));
        Route = route;
        Name = name;
        Access = access;
        Traits = traits;
        _handler = handler;
        Title = $"{name} {route.Template}";
        Description = new RouteDescription(Title);
    }

    public Route Route { get; }

    public string Name { get; }

    /// <summary>Method and template, for messages.</summary>
    public string Title { get; }

    public Access Access { get; }

    public RouteTraits Traits { get; }

    /// <summary>What it is for, takes and answers.</summary>
    public RouteDescription Description { get; }

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
        context.Query = context.Query.ReadBy(Description);
        return Has(RouteTraits.Audited | RouteTraits.AuditedWithDetails) && context.Server.Audit is { } log
            ? AuditedRequests.RunAsync(log, context, this, database.ToString())
            : RunUnaudited(context, database);
    }

    /// <summary>The rest of <see cref="Run"/>, after the check and the first line of the audit log.</summary>
    internal ValueTask RunUnaudited(RequestContext context, ReadOnlySpan<char> database)
    {
        return Route.IsOfDatabase && !context.HasDatabase
            ? RequestedDatabase.Run(context, database, _handler)
            : _handler(context);
    }

    /// <summary>Only the check of <see cref="Run"/>, for reads that a multi_get does together.</summary>
    /// <exception cref="AccessDeniedException">The caller does not have the access.</exception>
    public void Demand(RequestContext context, ReadOnlySpan<char> database) => context.Demand(Access, database, Title);
}

/// <summary>Serves one request. Throws <see cref="Problems.RequestRefusedException"/> for input that cannot be served.</summary>
internal delegate ValueTask RequestHandler(RequestContext context);
