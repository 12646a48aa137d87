using System.Net;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Jackdaw.Security.Keys;

/// <summary>A certificate that the server shows, with its private key and the certificates that it sends beside it. Immutable.</summary>
/// <param name="Leaf">With its private key.</param>
/// <param name="Chain">The certificates between it and an authority, and the authority if it is known.</param>
internal sealed record ServerCertificate(X509Certificate2 Leaf, X509Certificate2Collection Chain)
{
    /// <summary>The life of a certificate of our own authority.</summary>
    public static readonly TimeSpan Validity = TimeSpan.FromDays(90);

    /// <summary>The rest of its life at which a certificate of our own authority is replaced, so that a server that is off for weeks finds it valid.</summary>
    public static readonly TimeSpan RenewedBefore = TimeSpan.FromDays(30);

    /// <summary>The purpose of certificates of servers (RFC 5280, 4.2.1.12).</summary>
    public const string Purpose = "1.3.6.1.5.5.7.3.1";

    private const int CommonNameCharactersMax = 64;

    /// <summary>Makes a key (P-256) and a certificate for it.</summary>
    /// <param name="names">Host names and addresses, the name of the machine first.</param>
    public static ServerCertificate Issue(CertificateAuthority authority, IReadOnlyList<string> names, TimeProvider time)
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var subject = new X500DistinguishedNameBuilder();
        subject.AddCommonName(names[0].Length <= CommonNameCharactersMax ? names[0] : names[0][..CommonNameCharactersMax]);
        var request = new CertificateRequest(subject.Build(), key, HashAlgorithmName.SHA256);
        request.CertificateExtensions.Add(X509BasicConstraintsExtension.CreateForEndEntity(critical: true));
        request.CertificateExtensions.Add(new X509KeyUsageExtension(X509KeyUsageFlags.DigitalSignature, critical: true));
        request.CertificateExtensions.Add(new X509EnhancedKeyUsageExtension([new Oid(Purpose, "serverAuth")], critical: false));
        request.CertificateExtensions.Add(new X509SubjectKeyIdentifierExtension(request.PublicKey, critical: false));
        request.CertificateExtensions.Add(MakeNames(names));
        DateTimeOffset now = time.GetUtcNow();
        using X509Certificate2 signed = authority.SignServer(request, now - AuthorityKey.ClockSkew, now + Validity);
        using X509Certificate2 complete = signed.CopyWithPrivateKey(key);
        return ReadPfx(complete.ExportPkcs12(Pkcs12ExportPbeParameters.Pbes2Aes256Sha256, null), null);
    }

    /// <summary>Reads a PKCS#12 file.</summary>
    /// <exception cref="CryptographicException">The bytes are not a PKCS#12 file, the password is wrong, or TLS cannot use the key.</exception>
    public static ServerCertificate ReadPfx(ReadOnlySpan<byte> pfx, string? password)
    {
        X509Certificate2Collection all = X509CertificateLoader.LoadPkcs12Collection(pfx, password, X509KeyStorageFlags.Exportable);
        X509Certificate2 leaf = all.FirstOrDefault(one => one.HasPrivateKey) ?? throw new CryptographicException("no certificate in it has a private key");
        using RSA? rsa = leaf.GetRSAPrivateKey();
        using ECDsa? ecdsa = leaf.GetECDsaPrivateKey();
        if (rsa is null && ecdsa is null)
        {
            throw new CryptographicException("its key cannot sign, or is neither RSA nor ECDSA, so that TLS has no use for it");
        }

        all.Remove(leaf);
        return new ServerCertificate(leaf, all);
    }

    public byte[] ToPfx() => Leaf.ExportPkcs12(Pkcs12ExportPbeParameters.Pbes2Aes256Sha256, null);

    /// <summary>Whether a certificate of our own authority must be replaced now: it is old, not yet valid, of another authority, or for other names.</summary>
    public bool IsDue(CertificateAuthority authority, IReadOnlyList<string> names, TimeProvider time)
    {
        DateTimeOffset now = time.GetUtcNow(), end = new(Leaf.NotAfter);

        // One that ends with its authority is not replaced by another one that would end then, too.
        bool isOld = now >= end || (now >= end - RenewedBefore && end < authority.ServerIssuerEnd);
        return isOld || now < new DateTimeOffset(Leaf.NotBefore) || !authority.IsServerIssuer(Leaf) || !HasNames(names);
    }

    private bool HasNames(IReadOnlyList<string> names)
    {
        X509Extension? written = Leaf.Extensions.FirstOrDefault(extension => extension is X509SubjectAlternativeNameExtension);
        return written is not null && written.RawData.AsSpan().SequenceEqual(MakeNames(names).RawData);
    }

    private static X509Extension MakeNames(IReadOnlyList<string> names)
    {
        var builder = new SubjectAlternativeNameBuilder();
        foreach (string name in names)
        {
            if (IPAddress.TryParse(name, out IPAddress? address))
            {
                builder.AddIpAddress(address);
            }
            else
            {
                builder.AddDnsName(name);
            }
        }

        return builder.Build();
    }
}
