using System.Text.Json;
using Jackdaw.Documents.Callers;
using Jackdaw.Security;
using Jackdaw.Security.Auditing;
using Jackdaw.Security.Sessions;
using Jackdaw.Server.Http.Descriptions;
using Jackdaw.Server.Http.Handlers.Certificates;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Routing;

namespace Jackdaw.Server.Http.Handlers.Sessions;

/// <summary>Shows the sessions of browsers and ends them. Nobody sees their secrets.</summary>
internal static class SessionHandlers
{
    private const string Path = "/admin/sessions";

    public static void Map(RouteTable routes)
    {
        routes.Server("GET", Path, Access.ClusterAdmin, RouteTraits.None, Get)
            .Says("Lists the sessions of browsers.")
            .Answers(200, "Results has their marks, who let them in, what they may do, and when they were used last.");
        routes.Server("DELETE", Path, Access.ClusterAdmin, RouteTraits.AuditedWithDetails, Delete)
            .Says("Ends a session.")
            .Takes(Input.Text("id", "The mark of the session.", "none").Required())
            .AnswersEmpty(204, "It has ended.")
            .Answers(404, "There is no such session.");
    }

    /// <summary>Writes who gave something, and what it opens.</summary>
    public static void WriteGrant(Utf8JsonWriter json, SessionGrant grant)
    {
        CertificateAnswers.WriteGrants(json, grant.GranterName, grant.Grants);
        json.WriteString("Thumbprint"u8, grant.GranterThumbprint);
    }

    private static ValueTask Get(RequestContext context)
    {
        ServerSecurity security = LoginHandlers.RequireSecurity(context);
        return context.Json(StatusCodes.Status200OK, security.Sessions.All, static (json, all) =>
        {
            json.WriteStartObject();
            json.WriteStartArray("Results"u8);
            foreach (BrowserSession session in all)
            {
                Write(json, session);
            }

            json.WriteEndArray();
            json.WriteEndObject();
        });
    }

    // The session may be that of the caller, whom this logs out.
    private static ValueTask Delete(RequestContext context)
    {
        ServerSecurity security = LoginHandlers.RequireSecurity(context);
        string id = context.Query.GetRequiredText("id");
        BrowserSession? session = security.Sessions.All.FirstOrDefault(one => one.Mark == id);
        context.Audited?.Begin(new("session", id), new("certificate", session?.Grant.GranterName ?? ""));
        return session?.End() == true
            ? context.Empty(StatusCodes.Status204NoContent)
            : throw new RequestRefusedException(new Problem(404, ProblemTypes.InvalidOperation,
                $"There is no session '{id}' (any more); GET {Path} shows those that there are."));
    }

    private static void Write(Utf8JsonWriter json, BrowserSession session)
    {
        (DateTimeOffset used, System.Net.IPAddress? address) = session.LastUse;
        json.WriteStartObject();
        json.WriteString("Id"u8, session.Mark);
        WriteGrant(json, session.Grant);
        json.WriteString("Created"u8, session.Created);
        json.WriteString("Expires"u8, session.Expires);
        json.WriteString("LastUsed"u8, used);
        json.WriteString("From"u8, AuditSender.Show(address));
        json.WriteEndObject();
    }
}
