using System.Security.Cryptography;
using System.Text;
using Jackdaw.Documents.Answers;
using Jackdaw.Documents.Callers;
using Jackdaw.Security;
using Jackdaw.Security.Callers;
using Jackdaw.Security.Certificates;
using Jackdaw.Security.Sessions;
using Jackdaw.Server.Http.Descriptions;
using Jackdaw.Server.Http.Routing;

namespace Jackdaw.Server.Http.Handlers.Certificates;

/// <summary>Shows the list of known certificates, and to callers their own entry.</summary>
internal static class CertificateListHandlers
{
    private const string PemType = "application/x-pem-file";

    public static void Map(RouteTable routes)
    {
        routes.Server("GET", "/admin/certificates", Access.ClusterAdmin, RouteTraits.None, List)
            .Says("Lists the certificates that the server knows.")
            .Takes(Inputs.Page)
            .Takes(
                Input.Text("thumbprint", "Only the certificate with this thumbprint.", "0000000000000000000000000000000000000000"),
                Input.Text("name", "Only certificates of this name.", "Shop"),
                Input.Flag("metadataOnly", "Whether the answer leaves out the certificates themselves."))
            .Answers(200, "Results has the certificates, with what each may do.")
            .AnswersEmpty(404, "The server does not know the thumbprint.");
        routes.Server("GET", "/admin/certificates/export", Access.ClusterAdmin, RouteTraits.None, ExportAsync)
            .Says("Gives a certificate as PEM: the authority, or one that the server knows.")
            .Takes(Input.Text(
                "thumbprint", "The thumbprint of the certificate; without it the authority is meant.", "0000000000000000000000000000000000000000"))
            .Answers(200, "The certificate.", MediaTypes.Pem);
        routes.Server("GET", "/certificates/whoami", Access.ValidUser, RouteTraits.None, WhoAmI)
            .Says("Tells the caller who it is and what it may do.")
            .Answers(200, "Name, clearance and permissions.");
    }

    private static ValueTask List(RequestContext context)
    {
        CertificateRegistry registry = SecuredServer.Of(context).Registry;
        bool isMetadata = context.Query.GetFlag("metadataOnly");
        if (context.Query.GetText("thumbprint") is { Length: > 0 } thumbprint)
        {
            return registry.Find(thumbprint) is { } known ? Send(context, [known], isMetadata) : context.Empty(404);
        }

        long start = context.Query.GetCount("start", 0);
        long count = context.Query.GetCount("pageSize", int.MaxValue);
        string? name = context.Query.GetText("name");
        return Send(
            context,
            registry.All.Where(known => string.IsNullOrEmpty(name) || known.Name.Equals(name, StringComparison.OrdinalIgnoreCase))
                .Skip((int)Math.Min(start, int.MaxValue)).Take((int)Math.Min(count, int.MaxValue)),
            isMetadata);
    }

    private static ValueTask Send(RequestContext context, IEnumerable<KnownCertificate> found, bool isMetadata) =>
        context.Json(200, json =>
        {
            json.WriteStartObject();
            json.WriteStartArray("Results"u8);
            foreach (KnownCertificate known in found)
            {
                CertificateAnswers.WriteEntry(json, known, isMetadata);
            }

            json.WriteEndArray();
            json.WriteEndObject();
        });

    // Without a thumbprint: what clients trust.
    private static async ValueTask ExportAsync(RequestContext context)
    {
        ServerSecurity security = SecuredServer.Of(context);
        byte[] pem;
        if (context.Query.GetText("thumbprint") is not { Length: > 0 } thumbprint)
        {
            pem = security.Authority.ToPem();
        }
        else if (security.Registry.Find(thumbprint) is { } known)
        {
            pem = Encoding.ASCII.GetBytes(PemEncoding.WriteString("CERTIFICATE", known.Der.Span) + "\n");
        }
        else
        {
            throw SecuredServer.Unknown(thumbprint);
        }

        using var body = new ResponseBuffer(memory: null);
        body.Append(pem);
        await context.Send(200, body, PemType).ConfigureAwait(false);
    }

    // On an open server, the caller is everyone.
    private static ValueTask WhoAmI(RequestContext context) => context.Caller is CertificateCaller { Known: { } known }
        ? context.Json(200, known, static (json, own) => CertificateAnswers.WriteEntry(json, own, isMetadata: false))
        : context.Json(200, context.Caller, static (json, caller) =>
        {
            json.WriteStartObject();
            CertificateAnswers.WriteGrants(json, caller.Name, GrantsOf(caller));
            json.WriteEndObject();
        });

    private static Grants GrantsOf(Caller caller) => caller is SessionCaller { Session.Grant.Grants: var given }
        ? given
        : new Grants(caller.May(Access.ClusterAdmin, "") ? Clearance.ClusterAdmin : Clearance.ValidUser);
}
