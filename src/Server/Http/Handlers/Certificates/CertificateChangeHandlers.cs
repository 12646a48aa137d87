using System.Security.Cryptography.X509Certificates;
using System.Text.Json;
using Jackdaw.Documents.Callers;
using Jackdaw.Json.Refusals;
using Jackdaw.Security;
using Jackdaw.Security.Callers;
using Jackdaw.Security.Certificates;
using Jackdaw.Security.Keys;
using Jackdaw.Server.Http.Bodies;
using Jackdaw.Server.Http.Descriptions;
using Jackdaw.Server.Http.Routing;

namespace Jackdaw.Server.Http.Handlers.Certificates;

/// <summary>Makes, adds, edits, renews and revokes certificates of clients. Each change is durable before its answer, and holds for the next request of
/// everybody.</summary>
internal static class CertificateChangeHandlers
{
    private static readonly Input s_name = Input.Text("Name", "The name by which people know it.", "Reports");

    private static readonly Input s_thumbprint =
        Input.Text("Thumbprint", "The thumbprint of the certificate.", "0000000000000000000000000000000000000000").Required();

    private static readonly Input s_password = Input.Text("Password", "The password of the archive or the PFX.", "secret");

    private static readonly Input s_end = Input.Time("NotAfter", "When it ends; without it after the usual time.").Like("2046-01-31T00:00:00Z");

    private static readonly Input s_twoFactor = Input.Later("TwoFactorAuthenticationKey", "A second factor beside a certificate is", "x");

    public static void Map(RouteTable routes)
    {
        routes.Server("POST", "/admin/certificates", Access.ClusterAdmin, RouteTraits.AuditedWithDetails, CreateAsync)
            .Says("Makes a certificate for a client, with its key.")
            .Takes(CertificateArchive.Format)
            .Sends(Body.Object("What the certificate is for.", [.. CertificateRequestReader.Grantable, s_name, s_password, s_end, s_twoFactor]))
            .Answers(201, "The certificate and its key, which the server does not keep.", MediaTypes.Zip, MediaTypes.Pfx);
        routes.Server("PUT", "/admin/certificates", Access.ClusterAdmin, RouteTraits.AuditedWithDetails, PutAsync)
            .Says("Adds a certificate to those that the server knows.")
            .Sends(Body.Object(
                "The certificate.", [.. CertificateRequestReader.Grantable, s_name, CertificateRequestReader.Certificate, s_password, s_twoFactor]))
            .AnswersEmpty(201, "The server knows it.");
        routes.Server("DELETE", "/admin/certificates", Access.ClusterAdmin, RouteTraits.AuditedWithDetails, Delete)
            .Says("Revokes a certificate, at once.")
            .Takes(Input.Text("thumbprint", "The thumbprint of the certificate.", "0000000000000000000000000000000000000000").Required())
            .AnswersEmpty(204, "The server knows it no more.");
        routes.Server("POST", "/admin/certificates/edit", Access.ClusterAdmin, RouteTraits.AuditedWithDetails, EditAsync)
            .Says("Changes the name or the rights of a certificate.")
            .Sends(Body.Object("What changes.", [s_thumbprint, .. CertificateRequestReader.Grantable, s_name]))
            .AnswersEmpty(204, "It is changed, and holds for the next request.");
        routes.Server("POST", "/admin/certificates/renew", Access.ClusterAdmin, RouteTraits.AuditedWithDetails, RenewAsync)
            .Says("Makes a new certificate with the name and the rights of a known one.")
            .Takes(CertificateArchive.Format)
            .Sends(Body.Object("Which certificate.", s_thumbprint, s_password, s_end))
            .Answers(201, "The certificate and its key, which the server does not keep.", MediaTypes.Zip, MediaTypes.Pfx);
    }

    private static async ValueTask CreateAsync(RequestContext context)
    {
        ServerSecurity security = SecuredServer.Of(context);
        CertificateArchive.IsPfxAlone(context);
        using JsonBody body = await JsonBody.ReadObjectAsync(context, "A request for a certificate").ConfigureAwait(false);
        CertificateRequestReader.RefuseTwoFactor(body.Root);
        string name = CertificateRequestReader.ReadName(body.Root);
        await IssueAsync(context, security, body.Root, name, CertificateRequestReader.ReadGrants(body.Root, known: null), renewed: null).ConfigureAwait(false);
    }

    private static async ValueTask RenewAsync(RequestContext context)
    {
        ServerSecurity security = SecuredServer.Of(context);
        CertificateArchive.IsPfxAlone(context); // a form that there is not is refused before anything is made
        using JsonBody body = await JsonBody.ReadObjectAsync(context, "A request to renew a certificate").ConfigureAwait(false);
        string thumbprint = CertificateRequestReader.ReadThumbprint(body.Root);
        KnownCertificate known = security.Registry.Find(thumbprint) ?? throw SecuredServer.Unknown(thumbprint);
        await IssueAsync(context, security, body.Root, known.Name, known.Grants, known).ConfigureAwait(false);
    }

    private static async ValueTask IssueAsync(
        RequestContext context, ServerSecurity security, JsonElement request, string name, Grants grants, KnownCertificate? renewed)
    {
        TimeProvider time = context.Server.Time;
        TimeSpan validity = CertificateRequestReader.ReadValidity(request, time.GetUtcNow(), ClientKey.UsualValidity);
        using ClientKey key = Issue(security.Authority, name, validity, time);
        BeginAudited(context, key.Certificate.Thumbprint, name, grants);
        security.Registry.Put(KnownCertificate.From(key.Certificate, name, grants), context.DemandAgain, renewed);
        await CertificateArchive.SendAsync(context, key, name, request.TextMember("Password"), security.Authority).ConfigureAwait(false);
    }

    private static ClientKey Issue(CertificateAuthority authority, string name, TimeSpan validity, TimeProvider time)
    {
        try
        {
            return ClientKey.Issue(authority, name, validity, time);
        }
        catch (KeyFileException expired)
        {
            throw new RefusedException(RefusalKind.NotPossible, expired.Message, expired);
        }
    }

    private static async ValueTask PutAsync(RequestContext context)
    {
        ServerSecurity security = SecuredServer.Of(context);
        using JsonBody body = await JsonBody.ReadObjectAsync(context, "A certificate").ConfigureAwait(false);
        CertificateRequestReader.RefuseTwoFactor(body.Root);
        using X509Certificate2 certificate = CertificateRequestReader.ReadCertificate(body.Root);
        Grants grants = CertificateRequestReader.ReadGrants(body.Root, known: null);
        string name = CertificateRequestReader.ReadName(body.Root);
        BeginAudited(context, certificate.Thumbprint, name, grants);
        security.Registry.Put(KnownCertificate.From(certificate, name, grants), context.DemandAgain);
        await context.Empty(201).ConfigureAwait(false);
    }

    private static async ValueTask EditAsync(RequestContext context)
    {
        CertificateRegistry registry = SecuredServer.Of(context).Registry;
        using JsonBody body = await JsonBody.ReadObjectAsync(context, "An edit of a certificate").ConfigureAwait(false);
        string thumbprint = CertificateRequestReader.ReadThumbprint(body.Root);
        KnownCertificate known = registry.Find(thumbprint) ?? throw SecuredServer.Unknown(thumbprint);
        string name = body.Root.TextMember("Name") is { Length: > 0 } given ? given : known.Name;
        Grants grants = CertificateRequestReader.ReadGrants(body.Root, known.Grants);
        BeginAudited(context, known.Thumbprint, name, grants);
        registry.Edit(known, name, grants, context.DemandAgain);
        await context.Empty(204).ConfigureAwait(false);
    }

    private static ValueTask Delete(RequestContext context)
    {
        CertificateRegistry registry = SecuredServer.Of(context).Registry;
        string thumbprint = context.Query.GetRequiredText("thumbprint");
        KnownCertificate known = registry.Find(thumbprint) ?? throw SecuredServer.Unknown(thumbprint);
        BeginAudited(context, known.Thumbprint, known.Name, known.Grants);
        return registry.Delete(thumbprint, context.DemandAgain) is not null ? context.Empty(204) : throw SecuredServer.Unknown(thumbprint);
    }

    private static void BeginAudited(RequestContext context, string thumbprint, string name, Grants grants) => context.Audited?.Begin(
        new("thumbprint", thumbprint),
        new("name", name),
        new("clearance", grants.Clearance.ToString()),
        new("permissions", CertificateAnswers.Describe(grants)));
}
