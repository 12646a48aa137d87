using Jackdaw.Documents.Callers;
using Jackdaw.Documents.Databases;
using Jackdaw.Security.Certificates;
using Jackdaw.Security.Sessions;
using Jackdaw.Server.Http.Origins;
using Jackdaw.Server.Http.Problems;

namespace Jackdaw.Server.Http.Routing;

/// <summary>Finds the method of the route of a request, which checks the access and runs the handler.</summary>
internal sealed class Dispatcher(ServerState server, RouteTable routes)
{
    public ValueTask Dispatch(RequestContext context)
    {
        if (MessageLength.IsAmbiguous(context.Request))
        {
            return context.Send(MessageLength.Ambiguous);
        }

        string path = context.Request.Path.Value ?? "/";
        Route? route = routes.Find(path, out ReadOnlySpan<char> databaseName);
        context.Route = route;
        context.Caller = server.Callers(context);
        RouteMethod? method = route?.Find(context.Request.Method);
        if (server.Origins.FindProblem(context.Request, method?.Access, context.Caller is SessionCaller) is { } foreign)
        {
            AuditedRequests.RefusePage(context);
            return context.Send(foreign);
        }

        NoteUse(context); // not before: a page of another site must not keep a session alive
        if (server.Origins.FindAllowed(context.Request) is { } page)
        {
            AllowedPages.AddHeaders(context.Request.HttpContext, page);
            if (AllowedPages.IsQuestion(context.Request))
            {
                return context.Empty(204);
            }
        }

        if (server.Databases is null && route?.Has(RouteTraits.WhileStarting) != true)
        {
            return context.Send(server.NotReadyProblem());
        }

        if (route is null)
        {
            return context.Send(NoRoute(context, path, databaseName));
        }

        if (method is null)
        {
            return context.Send(new Problem(405, ProblemTypes.RouteNotFound,
                $"{context.Request.Method} is not a method of {route.Pattern}; it has {route.MethodNames}.")
            {
                Allow = route.MethodNames,
            });
        }

        if (!route.IsOfDatabase)
        {
            RefreshHints.AddOfCluster(context);
        }

        return method.Run(context, databaseName);
    }

    private static void NoteUse(RequestContext context)
    {
        switch (context.Caller)
        {
            case CertificateCaller certificate:
                certificate.Use();
                break;
            case SessionCaller browser:
                browser.Session.Use(context.Request.HttpContext.Connection.RemoteIpAddress);
                break;
        }
    }

    private Problem NoRoute(RequestContext context, string path, ReadOnlySpan<char> databaseName)
    {
        if (routes.FindLaterFeature(path) is not { } feature)
        {
            return new Problem(400, ProblemTypes.RouteNotFound,
                $"There is no route {context.Request.Method} {path}; check the path and the version of the client.");
        }

        // For callers who may open the database, it is more useful to know that it does not exist.
        bool isMissing = !databaseName.IsEmpty
            && context.Caller.May(Access.Read, databaseName)
            && server.Databases!.Find(databaseName).Status == DatabaseLookupStatus.Missing;
        return isMissing ? Problem.DatabaseMissing(databaseName.ToString()) : Problem.NotSupported(feature);
    }
}
