using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Jackdaw.Security.Callers;

namespace Jackdaw.Security.Certificates;

/// <summary>One entry of the list of certificates that the server knows. Immutable, but for its use.</summary>
internal sealed record KnownCertificate
{
    /// <summary>As people know it; need not be unique.</summary>
    public required string Name { get; init; }

    /// <summary>SHA-1 of the certificate in upper-case hexadecimal digits: the form that clients of the protocol use as its key.</summary>
    public required string Thumbprint { get; init; }

    /// <summary>The certificate without its private key, in DER.</summary>
    public required ReadOnlyMemory<byte> Der { get; init; }

    public required Grants Grants { get; init; }

    public required DateTimeOffset NotBefore { get; init; }

    public required DateTimeOffset NotAfter { get; init; }

    /// <summary>SHA-256 of the public key (SubjectPublicKeyInfo in DER), in base64.</summary>
    public required string PublicKeyPinningHash { get; init; }

    /// <summary>The name of the issuer in DER, with which a renewed certificate of the same key is recognized.</summary>
    public required ReadOnlyMemory<byte> Issuer { get; init; }

    /// <summary>When it was last used. An edited entry goes on with that of the old one.</summary>
    public CertificateUse Use { get; init; } = new();

    /// <summary>Makes an entry of a certificate; its private key, if it has one, is left behind.</summary>
    /// <exception cref="CryptographicException">Its public key cannot be read.</exception>
    public static KnownCertificate From(X509Certificate2 certificate, string name, Grants grants) =>
        From(PresentedCertificate.From(certificate), name, grants);

    /// <summary>Makes an entry of a certificate that was presented.</summary>
    public static KnownCertificate From(PresentedCertificate presented, string name, Grants grants) => new()
    {
        Name = name,
        Thumbprint = presented.Thumbprint,
        Der = presented.Der,
        Grants = grants,
        NotBefore = presented.NotBefore,
        NotAfter = presented.NotAfter,
        PublicKeyPinningHash = presented.PublicKeyPinningHash,
        Issuer = presented.Issuer,
    };
}
