using System.Security.Cryptography.X509Certificates;

namespace Jackdaw.Client.Certificates;

/// <summary>The options of a store that concern certificates.</summary>
internal sealed record CertificateOptions
{
    public X509Certificate2? Certificate { get; init; }

    public string? CertificateFile { get; init; }

    public string? CertificatePassword { get; init; }

    public IReadOnlyList<X509Certificate2>? TrustedAuthorities { get; init; }

    public string? TrustedAuthoritiesFile { get; init; }

    /// <summary>Whether any of them is set.</summary>
    public bool Any => this != new CertificateOptions();

    /// <summary>Checks the options that need no file.</summary>
    /// <exception cref="InvalidOperationException">They contradict each other.</exception>
    public void Check()
    {
        string? problem =
            Certificate is not null && CertificateFile is not null ? "Certificate and CertificateFile are both set: a store has one client certificate."
            : TrustedAuthorities is not null && TrustedAuthoritiesFile is not null ? "TrustedAuthorities and TrustedAuthoritiesFile are both set: use one."
            : CertificatePassword is not null && CertificateFile is null ? "CertificatePassword is set, but it belongs to a CertificateFile."
            : TrustedAuthorities is { Count: 0 } ? "TrustedAuthorities is empty: no server could be trusted. Leave it out to trust what this machine trusts."
            : Certificate is { HasPrivateKey: false } ? $"The certificate {CertificateText.Of(Certificate)} has no private key: a server would not accept it."
            : null;
        if (problem is not null)
        {
            throw new InvalidOperationException(problem);
        }
    }
}
