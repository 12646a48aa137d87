using System.Text.Json;
using Jackdaw.Documents.Callers;
using Jackdaw.Security.Callers;
using Jackdaw.Security.Certificates;
using Jackdaw.Security.Sessions;
using Jackdaw.Server.Http.Routing;

namespace Jackdaw.Server.Http.Handlers.Certificates;

/// <summary>Tells callers who the server thinks they are, what they may do, and until when.</summary>
internal static class WhoAmIHandlers
{
    public static void Map(RouteTable routes) =>
        routes.Server("GET", "/certificates/whoami", Access.ValidUser, RouteTraits.None, WhoAmI)
            .Says("Tells the caller who it is and what it may do.")
            .Answers(200, "Name, clearance, permissions, and until when.");

    private static ValueTask WhoAmI(RequestContext context) => context.Json(200, context.Caller, static (json, caller) =>
    {
        json.WriteStartObject();
        switch (caller)
        {
            case CertificateCaller { Known: { } known } certificate:
                CertificateAnswers.WriteMembers(json, known, isMetadata: false);
                json.WriteString("Via"u8, "Certificate"u8);
                json.WriteString("Expires"u8, CertificateAnswers.Show(certificate.NotAfter));
                break;
            case SessionCaller { Session: var session }:
                WriteSession(json, caller.Name, session);
                break;
            default:
                // On an open server, the caller is everyone.
                CertificateAnswers.WriteGrants(
                    json, caller.Name, new Grants(caller.May(Access.ClusterAdmin, "") ? Clearance.ClusterAdmin : Clearance.ValidUser));
                json.WriteString("Via"u8, "OpenServer"u8);
                break;
        }

        json.WriteEndObject();
    });

    private static void WriteSession(Utf8JsonWriter json, string name, BrowserSession session)
    {
        CertificateAnswers.WriteGrants(json, name, session.Grant.Grants);
        json.WriteString("Via"u8, "Session"u8);
        json.WriteString("Session"u8, session.Mark);
        json.WriteString("GranterName"u8, session.Grant.GranterName);
        json.WriteString("GranterThumbprint"u8, session.Grant.GranterThumbprint);
        json.WriteString("Expires"u8, session.Expires);
    }
}
