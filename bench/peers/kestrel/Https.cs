using System.Security.Cryptography.X509Certificates;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.AspNetCore.Server.Kestrel.Https;

/// <summary>Https as the server speaks it: HTTP/1.1, client certificates asked for and not judged.</summary>
internal static class Https
{
    /// <summary>Adds https to an address.</summary>
    /// <param name="listen">The address.</param>
    /// <param name="pfx">The certificate with its key, in a file without a password; null for plain http.</param>
    public static void Listen(ListenOptions listen, string? pfx)
    {
        if (pfx == null)
        {
            return;
        }

        listen.Protocols = HttpProtocols.Http1;
        listen.UseHttps(https =>
        {
            https.ServerCertificate = X509CertificateLoader.LoadPkcs12FromFile(pfx, null);
            https.ClientCertificateMode = ClientCertificateMode.AllowCertificate;
            https.ClientCertificateValidation = (_, _, _) => true;
        });
    }
}
