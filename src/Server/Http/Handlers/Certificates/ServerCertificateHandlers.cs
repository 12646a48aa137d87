using System.Security.Cryptography;
using Jackdaw.Documents.Answers;
using Jackdaw.Documents.Callers;
using Jackdaw.Security;
using Jackdaw.Security.Keys;
using Jackdaw.Server.Http.Bodies;
using Jackdaw.Server.Http.Descriptions;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Routing;

namespace Jackdaw.Server.Http.Handlers.Certificates;

/// <summary>Shows, replaces and renews the certificate of the server and its authority. Open connections go on; new ones see the new certificate.</summary>
internal static class ServerCertificateHandlers
{
    public static void Map(RouteTable routes)
    {
        routes.Server("GET", "/admin/certificates/server", Access.ClusterAdmin, RouteTraits.None, Get)
            .Says("Shows the certificate of the server and the authority.")
            .Answers(200, "Which certificates hold now.");
        routes.Server("POST", "/admin/certificates/replace-cluster-cert", Access.ClusterAdmin, RouteTraits.Audited, ReplaceAsync)
            .Says("Replaces the certificate of the server.")
            .Takes(Input.Flag("replaceImmediately", "Sent by clients; with one server there is nobody to wait for."))
            .Sends(Body.Object("The certificate with its private key.", CertificateRequestReader.Certificate,
                Input.Text("Password", "The password of the PFX.", "secret")))
            .Answers(200, "Which certificates hold now.");
        routes.Server("POST", "/admin/certificates/renew-server", Access.ClusterAdmin, RouteTraits.Audited, Renew)
            .Says("Makes a new certificate for the server.")
            .Answers(200, "Which certificates hold now.");
        routes.Server("POST", "/admin/certificates/rotate-ca", Access.ClusterAdmin, RouteTraits.Audited, Rotate)
            .Says("Begins to replace the authority of all certificates, or finishes it.")
            .Takes(Input.Flag("finish", "Whether the replacement that has begun is finished."))
            .Answers(200, "Which certificates hold now.");
    }

    private static ValueTask Get(RequestContext context) => AnswerAsync(context, SecuredServer.Of(context));

    private static async ValueTask ReplaceAsync(RequestContext context)
    {
        ServerSecurity security = SecuredServer.Of(context);
        context.Query.GetFlag("replaceImmediately"); // with one server there is nobody to wait for
        using JsonBody body = await JsonBody.ReadObjectAsync(context, "A certificate of the server").ConfigureAwait(false);
        byte[] pfx = CertificateRequestReader.ReadBytes(body.Root);
        try
        {
            security.Keys.Replace(pfx, body.Root.TextMember("Password"));
        }
        catch (CryptographicException bad)
        {
            throw new RequestRefusedException(Problem.Argument(
                $"The member 'Certificate' cannot be used: {bad.Message.TrimEnd('.')}. Send base64 of a PFX (PKCS#12) with the private key."));
        }
        catch (InvalidOperationException configured)
        {
            throw new RequestRefusedException(new Problem(400, ProblemTypes.InvalidOperation, configured.Message));
        }

        await AnswerAsync(context, security).ConfigureAwait(false);
    }

    private static ValueTask Renew(RequestContext context)
    {
        ServerSecurity security = SecuredServer.Of(context);
        security.Keys.Renew();
        return AnswerAsync(context, security);
    }

    private static ValueTask Rotate(RequestContext context)
    {
        ServerSecurity security = SecuredServer.Of(context);
        try
        {
            if (context.Query.GetFlag("finish"))
            {
                security.Authority.FinishRotation();
            }
            else
            {
                security.Authority.BeginRotation();
            }
        }
        catch (InvalidOperationException wrongStep)
        {
            throw new RequestRefusedException(new Problem(400, ProblemTypes.InvalidOperation, wrongStep.Message));
        }

        return AnswerAsync(context, security);
    }

    /// <summary>Tells which certificates hold now.</summary>
    private static ValueTask AnswerAsync(RequestContext context, ServerSecurity security) =>
        context.Json(200, security, static (json, now) =>
        {
            CertificateAuthority authority = now.Authority;
            byte[]? previous = authority.Previous?.SubjectName.RawData;
            json.WriteStartObject();
            json.WriteString("ServerThumbprint"u8, now.Keys.Current.Thumbprint);
            json.WriteString("ServerNotAfter"u8, CertificateAnswers.Show(new DateTimeOffset(now.Keys.Current.NotAfter)));
            json.WriteBoolean("IsOwn"u8, now.Keys.IsOwn);
            json.WriteString("AuthorityFingerprint"u8, authority.Fingerprint);
            json.WriteString("AuthorityNotAfter"u8, CertificateAnswers.Show(new DateTimeOffset(authority.Certificate.NotAfter)));
            json.WriteBoolean("IsRotating"u8, previous is not null);

            // Clients that should get a new certificate before the rotation is finished.
            JsonAnswers.WriteTexts(json, "OfPreviousAuthority", now.Registry.All
                .Where(known => previous is not null && known.Issuer.Span.SequenceEqual(previous)).Select(known => known.Name));
            json.WriteEndObject();
        });
}
