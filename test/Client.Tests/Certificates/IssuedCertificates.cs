using System.Net;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Jackdaw.Client.Tests.Certificates;

/// <summary>An authority of a test, and certificates that it issues.</summary>
internal sealed class IssuedCertificates : IDisposable
{
    private const string ServerPurpose = "1.3.6.1.5.5.7.3.1";
    private const string ClientPurpose = "1.3.6.1.5.5.7.3.2";

    private readonly ECDsa _key = ECDsa.Create(ECCurve.NamedCurves.nistP256);

    public IssuedCertificates(string name = "Test CA")
    {
        var request = new CertificateRequest($"CN={name}", _key, HashAlgorithmName.SHA256);
        request.CertificateExtensions.Add(new X509BasicConstraintsExtension(true, true, 0, true));
        request.CertificateExtensions.Add(new X509KeyUsageExtension(X509KeyUsageFlags.KeyCertSign, true));
        Authority = request.CreateSelfSigned(DateTimeOffset.UnixEpoch, new DateTimeOffset(2100, 1, 1, 0, 0, 0, TimeSpan.Zero));
    }

    public X509Certificate2 Authority { get; }

    /// <summary>A certificate of a server at 127.0.0.1, or of another name only.</summary>
    public X509Certificate2 Server(string? name = null, DateTimeOffset? until = null)
    {
        var names = new SubjectAlternativeNameBuilder();
        if (name is null)
        {
            names.AddDnsName("localhost");
            names.AddIpAddress(IPAddress.Loopback);
        }
        else
        {
            names.AddDnsName(name);
        }

        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        return Sign(new CertificateRequest($"CN={name ?? "localhost"}", key, HashAlgorithmName.SHA256), key, ServerPurpose, names.Build(), until);
    }

    /// <summary>A certificate of a client, with an RSA key or a key of P-256.</summary>
    public X509Certificate2 Client(string name = "reader", bool isElliptic = false, DateTimeOffset? until = null)
    {
        using AsymmetricAlgorithm key = isElliptic ? ECDsa.Create(ECCurve.NamedCurves.nistP256) : RSA.Create(2048);
        return Sign(
            key is RSA rsa ? new CertificateRequest($"CN={name}", rsa, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1)
                : new CertificateRequest($"CN={name}", (ECDsa)key, HashAlgorithmName.SHA256),
            key,
            ClientPurpose,
            null,
            until);
    }

    public void Dispose()
    {
        Authority.Dispose();
        _key.Dispose();
    }

    private X509Certificate2 Sign(CertificateRequest request, AsymmetricAlgorithm key, string purpose, X509Extension? names, DateTimeOffset? until)
    {
        request.CertificateExtensions.Add(new X509BasicConstraintsExtension(false, false, 0, true));
        request.CertificateExtensions.Add(new X509EnhancedKeyUsageExtension([new Oid(purpose)], false));
        if (names is not null)
        {
            request.CertificateExtensions.Add(names);
        }

        byte[] serial = RandomNumberGenerator.GetBytes(16);
        serial[0] &= 0x7f; // a positive number
        using X509Certificate2 signed = request.Create(
            Authority.SubjectName,
            X509SignatureGenerator.CreateForECDsa(_key),
            DateTimeOffset.UnixEpoch,
            until ?? new DateTimeOffset(2099, 1, 1, 0, 0, 0, TimeSpan.Zero),
            serial);
        return key is RSA rsa ? signed.CopyWithPrivateKey(rsa) : signed.CopyWithPrivateKey((ECDsa)key);
    }
}
