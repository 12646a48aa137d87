using System.Net;
using System.Net.Security;
using System.Security.Cryptography.X509Certificates;
using Jackdaw.Security;
using Jackdaw.Server.Hosting;

namespace Jackdaw.Server.Tests.Security;

/// <summary>Clients of a server in the process of a test, with a certificate or without.</summary>
internal static class SecuredClients
{
    /// <summary>Makes a client. It keeps its connections, whose certificate never changes.</summary>
    /// <param name="certificate">With its private key; null for none.</param>
    public static HttpClient Make(JackdawServer server, X509Certificate2? certificate) =>
        new(new SocketsHttpHandler
        {
            AutomaticDecompression = DecompressionMethods.None,
            SslOptions = OptionsOf(server, certificate),
        })
        {
            BaseAddress = new Uri(server.Address),
            Timeout = TimeSpan.FromSeconds(30),
        };

    /// <summary>What a client says in a handshake. It trusts the certificate that the server has at that time, and nothing else.</summary>
    public static SslClientAuthenticationOptions OptionsOf(JackdawServer server, X509Certificate2? certificate) => new()
    {
        TargetHost = "localhost",
        RemoteCertificateValidationCallback = (_, shown, _, _) => server.Security is { } security && shown is X509Certificate2 leaf
            && (leaf.Thumbprint == security.Keys.Current.Thumbprint),
        ClientCertificateContext = certificate is null ? null : SslStreamCertificateContext.Create(certificate, null, offline: true),
    };

    /// <summary>The certificate of the first administrator, as a person reads it from the folder of keys.</summary>
    public static X509Certificate2 AdministratorOf(ServerSecurity security) =>
        X509CertificateLoader.LoadPkcs12FromFile(security.Folder.AdministratorPfx, null);
}
