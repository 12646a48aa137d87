using System.Globalization;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Jackdaw.Client.Certificates;

/// <summary>How messages name certificates.</summary>
internal static class CertificateText
{
    /// <summary>Subject and thumbprint: <c>'CN=web' (thumbprint 3F2A...)</c>.</summary>
    public static string Of(X509Certificate2 certificate) => $"'{certificate.Subject}' (thumbprint {certificate.Thumbprint})";

    /// <summary>Subject and fingerprint of an authority. Its fingerprint is that of SHA-256, as a server shows it at its first start.</summary>
    public static string OfAuthority(X509Certificate2 authority) =>
        $"'{authority.Subject}' (SHA-256 {BitConverter.ToString(authority.GetCertHash(HashAlgorithmName.SHA256)).Replace('-', ':')})";

    /// <summary>What is wrong with the time of a certificate; null if nothing is.</summary>
    public static string? TimeProblemOf(X509Certificate2 certificate, DateTimeOffset now) =>
        now > certificate.NotAfter ? $"it has expired on {Date(certificate.NotAfter)}"
        : now < certificate.NotBefore ? $"it is not valid before {Date(certificate.NotBefore)}"
        : null;

    private static string Date(DateTime time) => time.ToUniversalTime().ToString("yyyy-MM-dd HH:mm 'UTC'", CultureInfo.InvariantCulture);
}
