using System.Security.Cryptography.X509Certificates;
using Jackdaw.Documents.Callers;
using Jackdaw.Security;
using Jackdaw.Security.Callers;
using Jackdaw.Security.Certificates;
using Jackdaw.Server.Http.Routing;
using Microsoft.AspNetCore.Http.Features;

namespace Jackdaw.Server.Hosting;

/// <summary>Tells who sent a request to a secured server: the owner of the certificate of the connection, or a stranger.</summary>
internal static class SecuredCallers
{
    /// <summary>The caller of a request. That of a connection is made once, because its certificate never changes; it judges anew each time that it is
    /// asked.</summary>
    public static Caller Find(RequestContext context)
    {
        ServerSecurity security = context.Server.Security!;
        Caller ofConnection = context.ConnectionCaller ??= Make(
            context.Features.Get<ITlsConnectionFeature>()?.ClientCertificate, security, context.Server.Time);
        return SecretCallers.Find(context, security, ofConnection);
    }

    private static Caller Make(X509Certificate2? certificate, ServerSecurity security, TimeProvider time)
    {
        if (certificate is null)
        {
            return StrangerCaller.Instance;
        }

        return PresentedCertificate.TryRead(certificate) is { } presented
            ? new CertificateCaller(presented, security.Registry, time)
            : StrangerCaller.Unreadable;
    }
}
