using System.Diagnostics;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text;

namespace Jackdaw.Security.Keys;

/// <summary>The key of a certificate authority with its certificate. Signs certificates, on any thread.</summary>
internal sealed class AuthorityKey : IDisposable
{
    /// <summary>How long a new authority lives. Clients keep its certificate in their configuration, so that a change of it is work for people.</summary>
    public static readonly TimeSpan Validity = TimeSpan.FromDays(3652);

    /// <summary>Certificates begin in the past, because the clocks of other machines are behind.</summary>
    public static readonly TimeSpan ClockSkew = TimeSpan.FromHours(24);

    /// <summary>Random bytes of a serial number: enough that no two are equal and nobody guesses the next one.</summary>
    private const int SerialBytes = 16;

    /// <summary>How the names of all authorities that a server makes begin.</summary>
    public const string SubjectPrefix = "CN=Jackdaw CA ";

    private readonly ECDsa _key;

    private AuthorityKey(ECDsa key, X509Certificate2 certificate)
    {
        _key = key;
        Certificate = certificate;
    }

    /// <summary>Without its private key.</summary>
    public X509Certificate2 Certificate { get; }

    /// <summary>Makes a new key (P-256) with a certificate that signs itself and lets no other authority be signed.</summary>
    public static AuthorityKey Create(TimeProvider time)
    {
        var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);

        // Two authorities never have one name, because a program that looks for an issuer by its name would take the wrong one.
        string hash = Convert.ToHexString(SHA256.HashData(key.ExportSubjectPublicKeyInfo()).AsSpan(0, 4));
        var request = new CertificateRequest(SubjectPrefix + hash, key, HashAlgorithmName.SHA256);
        request.CertificateExtensions.Add(X509BasicConstraintsExtension.CreateForCertificateAuthority(pathLengthConstraint: 0));
        request.CertificateExtensions.Add(new X509KeyUsageExtension(X509KeyUsageFlags.KeyCertSign | X509KeyUsageFlags.CrlSign, critical: true));
        request.CertificateExtensions.Add(new X509SubjectKeyIdentifierExtension(request.PublicKey, critical: false));
        DateTimeOffset notBefore = time.GetUtcNow() - ClockSkew;
        var certificate = request.Create(
            request.SubjectName, X509SignatureGenerator.CreateForECDsa(key), notBefore, notBefore + ClockSkew + Validity, MakeSerial());
        return new AuthorityKey(key, certificate);
    }

    /// <summary>Reads the text of <see cref="ToPem"/>.</summary>
    /// <param name="path">For the message.</param>
    /// <exception cref="KeyFileException">The text is damaged, or its key and certificate do not belong together.</exception>
    public static AuthorityKey Read(ReadOnlySpan<byte> pem, string path)
    {
        var key = ECDsa.Create();
        try
        {
            string text = Encoding.ASCII.GetString(pem);
            key.ImportFromPem(text);
            var certificate = X509Certificate2.CreateFromPem(text);
            using ECDsa? certified = certificate.GetECDsaPublicKey();
            return certified is not null && certified.ExportSubjectPublicKeyInfo().AsSpan().SequenceEqual(key.ExportSubjectPublicKeyInfo())
                ? new AuthorityKey(key, certificate)
                : throw new CryptographicException("the certificate in it belongs to another key");
        }
        catch (Exception failure) when (failure is CryptographicException or ArgumentException)
        {
            key.Dispose();
            throw new KeyFileException(
                $"'{path}' cannot be read as the key of the certificate authority: {failure.Message.TrimEnd('.')}. Put the file back from a backup. " +
                "Without one, remove it: the next start makes a new authority, and every client needs its new certificates.", failure);
        }
    }

    /// <summary>The private key (PKCS#8) and the certificate: one text, so that one file always has both of the same authority.</summary>
    public byte[] ToPem() => Encoding.ASCII.GetBytes($"{_key.ExportPkcs8PrivateKeyPem()}\n{Certificate.ExportCertificatePem()}\n");

    /// <summary>Signs a certificate with a random serial number. Its life ends at the latest with that of the authority.</summary>
    /// <exception cref="KeyFileException">The authority has expired.</exception>
    public X509Certificate2 Sign(CertificateRequest request, DateTimeOffset notBefore, DateTimeOffset notAfter)
    {
        if (!request.CertificateExtensions.OfType<X509AuthorityKeyIdentifierExtension>().Any())
        {
            request.CertificateExtensions.Add(
                X509AuthorityKeyIdentifierExtension.CreateFromCertificate(Certificate, includeKeyIdentifier: true, includeIssuerAndSerial: false));
        }

        var end = new DateTimeOffset(Certificate.NotAfter);
        if (notBefore >= end - ClockSkew)
        {
            throw new KeyFileException(
                $"The certificate authority '{Certificate.Subject}' expired on {end.UtcDateTime:yyyy-MM-dd} and signs nothing any more. If the clock of this "
                + "machine is right, stop the server, run 'jackdaw rotate-ca' on its data folder, and give clients the new ca.pem.");
        }

        X509Certificate2 signed = request.Create(
            Certificate.SubjectName, X509SignatureGenerator.CreateForECDsa(_key), notBefore, notAfter < end ? notAfter : end, MakeSerial());
        Debug.Assert(!signed.HasPrivateKey);
        return signed;
    }

    public void Dispose()
    {
        _key.Dispose();
        Certificate.Dispose();
    }

    // The first bit is 0, or the number would be negative and get one more byte.
    private static byte[] MakeSerial()
    {
        byte[] serial = RandomNumberGenerator.GetBytes(SerialBytes);
        serial[0] = (byte)((serial[0] & 0x7F) | 0x01);
        return serial;
    }
}
