using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Jackdaw.Client.Exceptions;
using Jackdaw.Client.Operations;

namespace Jackdaw.Client.Tests.Certificates;

/// <summary>Files of certificates that a store reads, and options that contradict each other.</summary>
public sealed class ClientCertificateFileTests : IDisposable
{
    private const string Password = "a password";
    private const string CurveParameters = "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n"; // as openssl writes them

    private static readonly PbeParameters s_strong = new(PbeEncryptionAlgorithm.Aes256Cbc, HashAlgorithmName.SHA256, 1000);

    private readonly IssuedCertificates _issued = new();
    private readonly string _folder = Directory.CreateTempSubdirectory("jackdaw-certificates-").FullName;

    public void Dispose()
    {
        Directory.Delete(_folder, recursive: true);
        _issued.Dispose();
    }

    [Theory]
    [InlineData("PFX", false, null)]
    [InlineData("PFX", false, Password)]
    [InlineData("PFX", true, null)]
    [InlineData("PKCS#8", false, null)]
    [InlineData("PKCS#8", true, null)]
    [InlineData("PKCS#8", false, Password)]
    [InlineData("PKCS#1", false, null)]
    [InlineData("EC", true, null)]
    [InlineData("EC with parameters", true, null)]
    [InlineData("key first", false, null)]
    public async Task File_OfAnyForm_IsSent(string form, bool isElliptic, string? password)
    {
        string file = Write(form, isElliptic, password);
        string authorities = Path.Combine(_folder, "ca.pem");
        await File.WriteAllTextAsync(authorities, _issued.Authority.ExportCertificatePem());
        await using SecureListener listener = await SecureListener.StartAsync(_issued.Server());
        await using (var store = new DocumentStore(listener.Url, "shop")
        {
            CertificateFile = file,
            CertificatePassword = password,
            TrustedAuthoritiesFile = authorities,
        })
        {
            await store.Initialize().Maintenance.SendAsync(new GetStatisticsOperation());
        }

        Assert.Equal([("/databases/shop/stats", "CN=reader")], listener.Requests);
    }

    [Fact]
    public async Task Pfx_WithItsAuthority_NeedsNoFileOfAuthorities()
    {
        string file = Write("PFX", isElliptic: false, null);
        await using SecureListener listener = await SecureListener.StartAsync(_issued.Server());
        await using DocumentStore store = new DocumentStore(listener.Url, "shop") { CertificateFile = file }.Initialize();
        await store.Maintenance.SendAsync(new GetStatisticsOperation());
        Assert.Single(listener.Requests);

        using var other = new IssuedCertificates("Other CA");
        await using SecureListener stranger = await SecureListener.StartAsync(other.Server());
        await using DocumentStore misled = new DocumentStore(stranger.Url, "shop") { CertificateFile = file }.Initialize();
        AllTopologyNodesDownException refused =
            await Assert.ThrowsAsync<AllTopologyNodesDownException>(() => misled.Maintenance.SendAsync(new GetStatisticsOperation()));
        Assert.Contains("it was issued by 'CN=Other CA'. This store trusts 'CN=Test CA'", refused.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("PFX", "wrong", "Is the CertificatePassword right?")]
    [InlineData("PFX", null, "Does it need a CertificatePassword?")]
    [InlineData("PKCS#8", "wrong", "Is the CertificatePassword right?")]
    [InlineData("PKCS#8", null, "Does it need a CertificatePassword?")]
    public void File_WithAnotherPassword_IsRefusedWithItsPath(string form, string? given, string said)
    {
        string file = Write(form, isElliptic: false, Password);
        CertificateFileException refused = Refusal(file, given);
        Assert.StartsWith(file, refused.Message, StringComparison.Ordinal);
        Assert.Contains(said, refused.Message, StringComparison.Ordinal);
        Assert.DoesNotContain(Password, refused.ToString(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("certificate only", "has no private key that this client can read")]
    [InlineData("key only", "has a private key, but no certificate")]
    [InlineData("another key", "the private key does not belong to 'CN=reader'")]
    [InlineData("garbage", "the client certificate cannot be read. Is it a PFX or PEM file?")]
    [InlineData("empty", "the client certificate cannot be read.")]
    [InlineData("large", "has 1048577 bytes, and a file of certificates has at most 1048576")]
    [InlineData("missing", "cannot be read:")]
    public void File_ThatIsNoCertificateWithItsKey_IsRefusedWithItsPath(string form, string said)
    {
        string file = Write(form, isElliptic: false, null);
        CertificateFileException refused = Refusal(file, null);
        Assert.Contains(file, refused.Message, StringComparison.Ordinal);
        Assert.Contains(said, refused.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("no certificate at all")]
    [InlineData("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n")]
    public void FileOfAuthorities_WithoutCertificate_IsRefusedWithItsPath(string text)
    {
        string file = Path.Combine(_folder, "ca.pem");
        File.WriteAllText(file, text);
        using var store = new DocumentStore("https://127.0.0.1:1", "shop") { TrustedAuthoritiesFile = file };
        CertificateFileException refused = Assert.Throws<CertificateFileException>(store.Initialize);
        Assert.StartsWith(file, refused.Message, StringComparison.Ordinal);
        Assert.Contains("Give the ca.pem", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Store_WithACertificateAndAnHttpAddress_IsRefused()
    {
        using X509Certificate2 own = _issued.Client();
        using var store = new DocumentStore("http://127.0.0.1:8080", "shop") { Certificate = own };
        InvalidOperationException refused = Assert.Throws<InvalidOperationException>(store.Initialize);
        Assert.Contains("the address http://127.0.0.1:8080 uses http", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Store_WhoseOptionsContradictEachOther_IsRefused()
    {
        const string url = "https://127.0.0.1:8080";
        using X509Certificate2 own = _issued.Client();
        using X509Certificate2 bare = X509CertificateLoader.LoadCertificate(own.RawData);
        using var handler = new SocketsHttpHandler();
        DocumentStore[] stores =
        [
            new(url) { Certificate = own, CertificateFile = "a.pfx" },
            new(url) { TrustedAuthorities = [_issued.Authority], TrustedAuthoritiesFile = "ca.pem" },
            new(url) { CertificatePassword = "x" },
            new(url) { TrustedAuthorities = [] },
            new(url) { Certificate = bare },
            new(url) { Certificate = own, MessageHandler = handler },
        ];
        Assert.All(stores, store => Assert.Throws<InvalidOperationException>(store.Initialize));
    }

    private static CertificateFileException Refusal(string file, string? password)
    {
        using var store = new DocumentStore("https://127.0.0.1:1", "shop") { CertificateFile = file, CertificatePassword = password };
        return Assert.Throws<CertificateFileException>(store.Initialize);
    }

    private string Write(string form, bool isElliptic, string? password)
    {
        string file = Path.Combine(_folder, "client");
        using X509Certificate2 own = _issued.Client(isElliptic: isElliptic);
        string certificate = own.ExportCertificatePem() + "\n";
        using AsymmetricAlgorithm key = (AsymmetricAlgorithm?)own.GetRSAPrivateKey() ?? own.GetECDsaPrivateKey()!;
        string plain = key.ExportPkcs8PrivateKeyPem() + "\n";
        X509Certificate2 authority = X509CertificateLoader.LoadCertificate(_issued.Authority.RawData);
        byte[]? bytes = form switch
        {
            "PFX" => new X509Certificate2Collection { authority, own }.Export(X509ContentType.Pfx, password),
            "garbage" => "not a certificate"u8.ToArray(),
            "empty" => [],
            "large" => new byte[(1 << 20) + 1],
            _ => null,
        };
        string? text = form switch
        {
            "PKCS#8" => certificate + (password is null ? plain : key.ExportEncryptedPkcs8PrivateKeyPem(password, s_strong)),
            "PKCS#1" => certificate + ((RSA)key).ExportRSAPrivateKeyPem(),
            "EC" => certificate + ((ECDsa)key).ExportECPrivateKeyPem(),
            "EC with parameters" => certificate + CurveParameters + ((ECDsa)key).ExportECPrivateKeyPem(),
            "key first" => plain + _issued.Authority.ExportCertificatePem() + "\n" + certificate,
            "certificate only" => certificate,
            "key only" => plain,
            "another key" => certificate + RSA.Create(2048).ExportPkcs8PrivateKeyPem(),
            _ => null,
        };
        if (bytes is not null || text is not null)
        {
            File.WriteAllBytes(file, bytes ?? System.Text.Encoding.UTF8.GetBytes(text!));
        }

        return file;
    }
}
