using System.Security.Cryptography;
using System.Text;
using Jackdaw.Documents.Answers;
using Jackdaw.Documents.Callers;
using Jackdaw.Security;
using Jackdaw.Security.Certificates;
using Jackdaw.Server.Http.Descriptions;
using Jackdaw.Server.Http.Routing;

namespace Jackdaw.Server.Http.Handlers.Certificates;

/// <summary>Shows the list of known certificates, and of those that were taken out of it.</summary>
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
        routes.Server("GET", "/admin/certificates/revoked", Access.ClusterAdmin, RouteTraits.None, ListRevoked)
            .Says("Lists certificates that were deleted and have not expired.")
            .Answers(200, "Results has the certificates, with what each was allowed to do.");
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

    private static ValueTask ListRevoked(RequestContext context) => context.Json(200, SecuredServer.Of(context).Registry.Revoked, static (json, all) =>
    {
        json.WriteStartObject();
        json.WriteStartArray("Results"u8);
        foreach (RevokedCertificate revoked in all)
        {
            json.WriteStartObject();
            json.WriteString("Name"u8, revoked.Name);
            json.WriteString("Thumbprint"u8, revoked.Thumbprint);
            json.WriteString("NotAfter"u8, CertificateAnswers.Show(revoked.NotAfter));
            json.WriteString("RevokedAt"u8, CertificateAnswers.Show(revoked.RevokedAt));
            json.WriteEndObject();
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
}
