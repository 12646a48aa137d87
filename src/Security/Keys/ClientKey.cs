using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Jackdaw.Security.Keys;

/// <summary>A new certificate of a client with its private key, in the forms that all clients read. The server keeps no copy of the key.</summary>
internal sealed class ClientKey : IDisposable
{
    /// <summary>The life of a certificate when nobody wants another: as long as those of other servers of the protocol.</summary>
    public static readonly TimeSpan UsualValidity = TimeSpan.FromDays(5 * 365);

    /// <summary>Bits of the key. RSA, because clients for Node drop other kinds of keys and send no certificate then; 2048 is what everybody accepts.</summary>
    private const int RsaBits = 2048;

    /// <summary>The longest common name that the standard of certificates allows. The list of known certificates keeps the whole name.</summary>
    private const int CommonNameCharactersMax = 64;

    private readonly RSA _key;
    private readonly IReadOnlyList<X509Certificate2> _authorities;

    private ClientKey(RSA key, X509Certificate2 certificate, IReadOnlyList<X509Certificate2> authorities)
    {
        _key = key;
        Certificate = certificate;
        _authorities = authorities;
    }

    /// <summary>With its private key.</summary>
    public X509Certificate2 Certificate { get; }

    /// <summary>Makes a key and a certificate for it.</summary>
    /// <param name="name">As people know the client.</param>
    /// <param name="validity">From now on.</param>
    public static ClientKey Issue(CertificateAuthority authority, string name, TimeSpan validity, TimeProvider time) =>
        Issue(MakeKey(), authority, name, validity, time);

    /// <summary>Makes a private key. It takes a fifth of a second.</summary>
    public static RSA MakeKey() => RSA.Create(RsaBits);

    /// <summary>Makes a certificate for a key, which belongs to the result.</summary>
    public static ClientKey Issue(RSA key, CertificateAuthority authority, string name, TimeSpan validity, TimeProvider time)
    {
        var subject = new X500DistinguishedNameBuilder();
        subject.AddCommonName(Shorten(name));
        var request = new CertificateRequest(subject.Build(), key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        request.CertificateExtensions.Add(X509BasicConstraintsExtension.CreateForEndEntity(critical: true));
        request.CertificateExtensions.Add(new X509KeyUsageExtension(X509KeyUsageFlags.DigitalSignature | X509KeyUsageFlags.KeyEncipherment, critical: true));
        request.CertificateExtensions.Add(new X509EnhancedKeyUsageExtension([new Oid("1.3.6.1.5.5.7.3.2", "clientAuth")], critical: false));
        request.CertificateExtensions.Add(new X509SubjectKeyIdentifierExtension(request.PublicKey, critical: false));
        DateTimeOffset now = time.GetUtcNow();
        using X509Certificate2 signed = authority.Sign(request, now - AuthorityKey.ClockSkew, now + validity);
        return new ClientKey(key, signed.CopyWithPrivateKey(key), [authority.Certificate]);
    }

    /// <summary>The key, the certificate and that of the authority as PKCS#12, encrypted with AES-256.</summary>
    /// <param name="password">Null for none.</param>
    public byte[] ToPfx(string? password)
    {
        var all = new X509Certificate2Collection(Certificate);
        foreach (X509Certificate2 authority in _authorities)
        {
            all.Add(authority);
        }

        return all.ExportPkcs12(Pkcs12ExportPbeParameters.Pbes2Aes256Sha256, password);
    }

    /// <summary>The certificate and its key as "RSA PRIVATE KEY" (PKCS#1): the form that every client reads.</summary>
    public string ToPem() => $"{Certificate.ExportCertificatePem()}\n{_key.ExportRSAPrivateKeyPem()}\n";

    public void Dispose()
    {
        Certificate.Dispose();
        _key.Dispose();
    }

    // A character of two halves is not cut in the middle.
    private static string Shorten(string name)
    {
        if (name.Length <= CommonNameCharactersMax)
        {
            return name;
        }

        int length = char.IsHighSurrogate(name[CommonNameCharactersMax - 1]) ? CommonNameCharactersMax - 1 : CommonNameCharactersMax;
        return name[..length];
    }
}
