using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Jackdaw.TestKit;

/// <summary>A CA of a test, which makes client certificates of every kind: of a given key, expired, with a foreign name.</summary>
public sealed class SampleAuthority : IDisposable
{
    private readonly ECDsa _key = ECDsa.Create(ECCurve.NamedCurves.nistP256);

    public SampleAuthority(string name)
    {
        var request = new CertificateRequest($"CN={name}", _key, HashAlgorithmName.SHA256);
        request.CertificateExtensions.Add(new X509BasicConstraintsExtension(true, true, 0, true));
        Certificate = request.CreateSelfSigned(Start, End);
    }

    /// <summary>From when on certificates are valid, unless a test says otherwise.</summary>
    public static DateTimeOffset Start { get; } = new(2020, 1, 1, 0, 0, 0, TimeSpan.Zero);

    /// <summary>Until when certificates are valid, unless a test says otherwise.</summary>
    public static DateTimeOffset End { get; } = new(2060, 1, 1, 0, 0, 0, TimeSpan.Zero);

    /// <summary>The certificate of the CA, with its key.</summary>
    public X509Certificate2 Certificate { get; }

    /// <summary>Makes a client certificate with its private key.</summary>
    /// <param name="name">The common name.</param>
    /// <param name="key">Its key; null for a new one.</param>
    /// <param name="notBefore">The begin of its life; null for yesterday's.</param>
    /// <param name="notAfter">The end of its life; null for <see cref="End"/>.</param>
    public X509Certificate2 Issue(string name, ECDsa? key = null, DateTimeOffset? notBefore = null, DateTimeOffset? notAfter = null)
    {
        ECDsa own = key ?? ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest($"CN={name}", own, HashAlgorithmName.SHA256);
        request.CertificateExtensions.Add(new X509EnhancedKeyUsageExtension([new Oid("1.3.6.1.5.5.7.3.2")], critical: false));
        byte[] serial = RandomNumberGenerator.GetBytes(16);
        serial[0] &= 0x7f;
        using X509Certificate2 issued = request.Create(Certificate, notBefore ?? Start, notAfter ?? End, serial);
        return issued.CopyWithPrivateKey(own);
    }

    /// <summary>Makes a certificate that its own key signed, with any names: what a stranger can make alone.</summary>
    public static X509Certificate2 Forge(string name, string issuer, ECDsa? key = null)
    {
        ECDsa own = key ?? ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest($"CN={name}", own, HashAlgorithmName.SHA256);
        var signature = X509SignatureGenerator.CreateForECDsa(own);
        using X509Certificate2 forged = request.Create(new X500DistinguishedName($"CN={issuer}"), signature, Start, End, [1, 2, 3]);
        return forged.CopyWithPrivateKey(own);
    }

    public void Dispose()
    {
        Certificate.Dispose();
        _key.Dispose();
    }
}
