using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Jackdaw.Security.Callers;

namespace Jackdaw.Security.Certificates;

/// <summary>What a certificate says of itself, read once when a connection presents it. Immutable.</summary>
/// <remarks>The handshake has proved that its sender has the private key; nothing else in it is proved.</remarks>
internal sealed record PresentedCertificate
{
    /// <summary>SHA-1 in upper-case hexadecimal digits.</summary>
    public required string Thumbprint { get; init; }

    public required ReadOnlyMemory<byte> Der { get; init; }

    /// <summary>For messages: shortened, without control characters.</summary>
    public required string Subject { get; init; }

    /// <summary>For messages: shortened, without control characters.</summary>
    public required string IssuerText { get; init; }

    public required DateTimeOffset NotBefore { get; init; }

    public required DateTimeOffset NotAfter { get; init; }

    /// <inheritdoc cref="KnownCertificate.PublicKeyPinningHash"/>
    public required string PublicKeyPinningHash { get; init; }

    /// <summary>The name of the issuer in DER.</summary>
    public required ReadOnlyMemory<byte> Issuer { get; init; }

    /// <summary>Reads what a stranger sent; null when a part of it cannot be read.</summary>
    public static PresentedCertificate? TryRead(X509Certificate2 certificate)
    {
        try
        {
            return From(certificate);
        }
        catch (Exception bad) when (bad is CryptographicException or ArgumentException)
        {
            return null;
        }
    }

    /// <exception cref="CryptographicException">A part of it cannot be read.</exception>
    public static PresentedCertificate From(X509Certificate2 certificate) => new()
    {
        Thumbprint = certificate.Thumbprint,
        Der = certificate.RawData,
        Subject = RefusalWords.Shorten(certificate.Subject),
        IssuerText = RefusalWords.Shorten(certificate.Issuer),
        NotBefore = new DateTimeOffset(certificate.NotBefore),
        NotAfter = new DateTimeOffset(certificate.NotAfter),
        PublicKeyPinningHash = Convert.ToBase64String(SHA256.HashData(certificate.PublicKey.ExportSubjectPublicKeyInfo())),
        Issuer = certificate.IssuerName.RawData,
    };
}
