using Jackdaw.Documents.Callers;
using Jackdaw.Security.Auditing;
using Jackdaw.Security.Callers;
using Jackdaw.Security.Certificates;
using Jackdaw.Security.Sessions;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Queries;

namespace Jackdaw.Server.Http.Routing;

/// <summary>Writes the audit log about requests: those of audited routes, and refusals of all.</summary>
internal static class AuditedRequests
{
    /// <summary>Parameters of the URL that say what an audited route changes, and hold no data of users.</summary>
    private static readonly string[] s_tellingParameters = ["name", "thumbprint", "operationId", "finish"];

    /// <summary>Runs an audited method between its two lines.</summary>
    public static async ValueTask RunAsync(AuditLog log, RequestContext context, RouteMethod method, string database)
    {
        AuditedAction action = Describe(log, context, method, database);
        context.Audited = action;
        if (method.Has(RouteTraits.Audited))
        {
            action.Begin();
        }

        try
        {
            await method.RunUnaudited(context, database).ConfigureAwait(false);
        }
        catch (Exception failure)
        {
            action.End(ProblemMapping.ToProblem(failure).Status);
            throw;
        }

        action.End(context.Response.StatusCode);
    }

    /// <summary>Records that a caller was refused.</summary>
    /// <param name="subject">What was refused.</param>
    /// <param name="access">The access that was missing.</param>
    public static void Refuse(RequestContext context, ReadOnlySpan<char> database, string subject, Access access)
    {
        if (context.Server.Audit is { } log)
        {
            log.Refuse(
                RefusalOf(context, subject) with { Database = database.IsEmpty ? null : database.ToString(), Details = [new("needs", access.ToString())] },
                IsStranger(context.Caller));
        }
    }

    /// <summary>Records that a caller has lost the access of something that ran.</summary>
    /// <param name="sender">As it was known when it began.</param>
    public static void Refuse(AuditLog? log, in AuditSender sender, string database, string subject, Access access) => log?.Refuse(
        new AuditRecord
        {
            Kind = AuditKinds.Refusal,
            Outcome = AuditOutcomes.Refused,
            Sender = sender,
            Route = subject,
            Database = database,
            Status = StatusCodes.Status403Forbidden,
            Details = [new("needs", access.ToString())],
        },
        isStranger: false);

    /// <summary>Records that a page of another site was refused.</summary>
    public static void RefusePage(RequestContext context)
    {
        if (context.Server.Audit is { } log)
        {
            KeyValuePair<string, string>[] details = [new("host", context.Request.Host.Value ?? ""), new("origin", context.Request.Headers.Origin.ToString())];
            string? title = context.Route is null ? null : context.Title;
            log.Refuse(RefusalOf(context, title) with { Details = details }, isStranger: true);
        }
    }

    /// <summary>Records that a secret that was sent opens nothing.</summary>
    public static void RefuseSecret(RequestContext context, string route) => context.Server.Audit?.Refuse(RefusalOf(context, route), isStranger: true);

    /// <summary>Who sent a request.</summary>
    public static AuditSender SenderOf(RequestContext context)
    {
        string? address = AuditSender.Show(context.Request.HttpContext.Connection.RemoteIpAddress);
        return context.Caller switch
        {
            CertificateCaller { Known: { } known } caller => new AuditSender(known.Name, caller.Thumbprint, null, address),
            SessionCaller { Session: var session } => new AuditSender(session.Grant.GranterName, session.Grant.GranterThumbprint, session.Mark, address),
            CertificateCaller unknown => new AuditSender("unknown certificate", unknown.Thumbprint, null, address),
            var caller => new AuditSender(caller.Name, null, null, address),
        };
    }

    private static AuditedAction Describe(AuditLog log, RequestContext context, RouteMethod method, string database)
    {
        string kind = KindOf(method.Route);
        QueryParameters sent = context.Query.ReadBy(null); // what the log looks for is nothing that the route takes
        string? named = kind == AuditKinds.Database && database.Length == 0 ? sent.GetText("name") : null;
        var line = new AuditRecord
        {
            Kind = kind,
            Outcome = AuditOutcomes.Begun,
            Sender = SenderOf(context),
            Route = method.Title,
            Database = database.Length > 0 ? database : named,
            Action = log.NextAction(),
        };
        var action = new AuditedAction(log, line, isDurable: method.Access >= Access.Admin);
        foreach (string parameter in s_tellingParameters)
        {
            if (sent.GetText(parameter) is { Length: > 0 } value && value != named && !method.Has(RouteTraits.AuditedWithDetails))
            {
                action.Describe(parameter, value);
            }
        }

        return action;
    }

    private static string KindOf(Route route)
    {
        ReadOnlySpan<char> path = route.Pattern;
        return path switch
        {
            _ when path.Contains("certificate", StringComparison.Ordinal) || path.Contains("rotate-ca", StringComparison.Ordinal) => AuditKinds.Certificate,
            "/admin/metrics-tokens" => AuditKinds.Certificate,
            "/admin/login-links" or "/admin/sessions" => AuditKinds.Session,
            _ when path.Contains("/indexes", StringComparison.Ordinal) => AuditKinds.Index,
            "/queries" => AuditKinds.ChangeByQuery,
            _ when path.StartsWith("/admin/databases", StringComparison.Ordinal) || path is "/admin/compact" or "/queries/kill" => AuditKinds.Database,
            _ => AuditKinds.Setting,
        };
    }

    private static AuditRecord RefusalOf(RequestContext context, string? route) => new()
    {
        Kind = AuditKinds.Refusal,
        Outcome = AuditOutcomes.Refused,
        Sender = SenderOf(context),
        Route = route,
        Status = StatusCodes.Status403Forbidden,
    };

    private static bool IsStranger(Caller caller) => caller is StrangerCaller or EndedSessionCaller or CertificateCaller { Known: null };
}
