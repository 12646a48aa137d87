namespace Jackdaw.Security.Certificates;

/// <summary>How a presented certificate stands to the list of known ones.</summary>
internal enum CertificateStanding
{
    /// <summary>It is an entry of the list, or the renewal of one.</summary>
    Known,

    /// <summary>Neither the certificate nor its key is in the list.</summary>
    Unknown,

    /// <summary>Its key belongs to an entry, but it has another issuer, or the issuer that it names did not sign it.</summary>
    OtherIssuer,

    /// <summary>It was in the list and was taken out.</summary>
    Revoked,

    /// <summary>It would be known, but its time is over.</summary>
    Expired,

    /// <summary>It would be known, but its time has not begun.</summary>
    NotYetValid,
}

/// <summary>What the list said about a certificate. Immutable.</summary>
/// <param name="Version">The version of the list.</param>
/// <param name="Standing">Without regard to the time.</param>
/// <param name="Entry">The entry whose grants hold; with another issuer, the entry of the same key. Otherwise null.</param>
/// <param name="Revocation">Only for a revoked one.</param>
internal sealed record CertificateMatch(long Version, CertificateStanding Standing, KnownCertificate? Entry = null, RevokedCertificate? Revocation = null)
{
    /// <summary>The standing at a moment.</summary>
    public CertificateStanding At(DateTimeOffset now, PresentedCertificate presented) =>
        Standing != CertificateStanding.Known ? Standing
        : now > presented.NotAfter ? CertificateStanding.Expired
        : now < presented.NotBefore ? CertificateStanding.NotYetValid
        : CertificateStanding.Known;
}
