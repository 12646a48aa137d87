using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Jackdaw.Client.Exceptions;
using Jackdaw.Client.Operations;
using Jackdaw.Client.Tests.Harness;

namespace Jackdaw.Client.Tests.Certificates;

/// <summary>Which servers a store trusts, and what it says of others.</summary>
public sealed class ServerTrustTests : IDisposable
{
    private readonly IssuedCertificates _issued = new();

    public void Dispose() => _issued.Dispose();

    [Fact]
    public async Task Store_WithoutAuthorities_RefusesAServerOfAnUnknownOne()
    {
        using X509Certificate2 server = _issued.Server();
        AllTopologyNodesDownException refused = await RefusedAsync(server, []);
        Assert.Contains(
            $"The server's certificate 'CN=localhost' (thumbprint {server.Thumbprint}) is refused: it was issued by 'CN=Test CA'. " +
            "This machine does not trust that authority. Give the store the ca.pem of the server as TrustedAuthoritiesFile.",
            refused.Message,
            StringComparison.Ordinal);
        Assert.False(refused.IsTransient);
    }

    [Fact]
    public async Task Store_WithAnotherAuthorityOfTheSameName_SaysThatItsKeyDiffers()
    {
        using var other = new IssuedCertificates();
        using X509Certificate2 server = _issued.Server();
        AllTopologyNodesDownException refused = await RefusedAsync(server, [other.Authority]);
        string fingerprint = Fingerprint(other.Authority);
        string said = $"This store trusts 'CN=Test CA' (SHA-256 {fingerprint}). One has the same name, but another key.";
        Assert.Contains(said, refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Store_WithTheAuthorityOfANewOne_TrustsBoth()
    {
        using var next = new IssuedCertificates("Next CA");
        foreach (IssuedCertificates one in (IssuedCertificates[])[_issued, next])
        {
            using X509Certificate2 server = one.Server();
            await using SecureListener listener = await SecureListener.StartAsync(server);
            Assert.Null(await AskAsync(new DocumentStore(listener.Url, "shop") { TrustedAuthorities = [_issued.Authority, next.Authority] }));
        }
    }

    [Fact]
    public async Task Certificate_OfAServerThatIsASelfSignedCopy_IsRefused()
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest("CN=Test CA", key, HashAlgorithmName.SHA256);
        var names = new SubjectAlternativeNameBuilder();
        names.AddIpAddress(IPAddress.Loopback);
        request.CertificateExtensions.Add(names.Build());
        using X509Certificate2 copy = request.CreateSelfSigned(DateTimeOffset.UnixEpoch, new DateTimeOffset(2099, 1, 1, 0, 0, 0, TimeSpan.Zero));
        AllTopologyNodesDownException refused = await RefusedAsync(copy, [_issued.Authority]);
        Assert.Contains($"it was issued by 'CN=Test CA' (SHA-256 {Fingerprint(copy)})", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Certificate_OfAnotherName_IsRefusedWithItsNames()
    {
        using X509Certificate2 server = _issued.Server("db.example");
        AllTopologyNodesDownException refused = await RefusedAsync(server, [_issued.Authority]);
        Assert.Contains("is not for the name '127.0.0.1', but for db.example. Use one of these", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Certificate_ThatHasExpired_IsRefusedWithItsEnd()
    {
        using X509Certificate2 server = _issued.Server(until: new DateTimeOffset(2001, 2, 3, 4, 5, 0, TimeSpan.Zero));
        AllTopologyNodesDownException refused = await RefusedAsync(server, [_issued.Authority]);
        Assert.Contains("is refused: it has expired on 2001-02-03 04:05 UTC. Is the clock of this machine right?", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Certificate_OfAClient_IsNoCertificateOfAServer()
    {
        using X509Certificate2 client = _issued.Client("127.0.0.1");
        DocumentDatabaseException? refused = await AskEndingAsync(client, null);
        Assert.Contains("The server's certificate 'CN=127.0.0.1'", refused!.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Server_WithoutTls_IsToldFromOneThatIsNotTrusted()
    {
        await using SocketServer server = await SocketServer.StartAsync();
        DocumentDatabaseException? failed = await AskAsync(new DocumentStore(server.Url.Replace("http:", "https:", StringComparison.Ordinal), "shop"));
        Assert.Contains("Does it use https? A server without a certificate answers http only.", failed!.Message, StringComparison.Ordinal);
        Assert.True(failed.IsTransient);
    }

    [Fact]
    public async Task Server_ThatEndsTheConnection_FailsWithTheCertificateThatWasSent()
    {
        using X509Certificate2 server = _issued.Server();
        using X509Certificate2 own = _issued.Client("writer");
        DocumentDatabaseException? failed = await AskEndingAsync(server, own);
        Assert.Contains($"This store sends the client certificate 'CN=writer' (thumbprint {own.Thumbprint}).", failed!.Message, StringComparison.Ordinal);
    }

    [Fact]
    [Trait("Tier", "Full")]
    public async Task Server_WhoseHandshakeNeverEnds_FailsAsOneThatCannotBeReached()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        DocumentDatabaseException? failed = await AskAsync(new DocumentStore($"https://{listener.LocalEndpoint}", "shop"));
        Assert.IsType<AllTopologyNodesDownException>(failed);
    }

    private static async Task<AllTopologyNodesDownException> RefusedAsync(X509Certificate2 server, IReadOnlyList<X509Certificate2> authorities)
    {
        await using SecureListener listener = await SecureListener.StartAsync(server);
        DocumentDatabaseException? refused = await AskAsync(new DocumentStore(listener.Url, "shop")
        {
            TrustedAuthorities = authorities.Count == 0 ? null : authorities,
        });
        Assert.Empty(listener.Requests);
        return Assert.IsType<AllTopologyNodesDownException>(refused);
    }

    private async Task<DocumentDatabaseException?> AskEndingAsync(X509Certificate2 server, X509Certificate2? own)
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        using var stop = new CancellationTokenSource();
        Task serving = EndEachAsync(listener, server, stop.Token);
        DocumentDatabaseException? failed = await AskAsync(new DocumentStore($"https://{listener.LocalEndpoint}", "shop")
        {
            Certificate = own,
            TrustedAuthorities = [_issued.Authority],
        });
        await stop.CancelAsync();
        await serving;
        return failed;
    }

    // A server that makes the handshake with any certificate, and ends each connection instead of answering.
    private static async Task EndEachAsync(TcpListener listener, X509Certificate2 certificate, CancellationToken stop)
    {
        while (!stop.IsCancellationRequested)
        {
            try
            {
                using TcpClient client = await listener.AcceptTcpClientAsync(stop);
                using var stream = new SslStream(client.GetStream());
                await stream.AuthenticateAsServerAsync(certificate, clientCertificateRequired: false, checkCertificateRevocation: false);
                _ = await stream.ReadAsync(new byte[4096], stop);
            }
            catch (Exception ended) when (ended is IOException or AuthenticationException or OperationCanceledException)
            {
                // The store refused the certificate, or the test is over.
            }
        }
    }

    // As openssl and the page of a server's first start show it.
    private static string Fingerprint(X509Certificate2 certificate) =>
        BitConverter.ToString(certificate.GetCertHash(HashAlgorithmName.SHA256)).Replace('-', ':');

    private static async Task<DocumentDatabaseException?> AskAsync(DocumentStore made)
    {
        await using DocumentStore store = made.Initialize();
        return await Record.ExceptionAsync(() => store.Maintenance.SendAsync(new GetStatisticsOperation())) as DocumentDatabaseException;
    }
}
