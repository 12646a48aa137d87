using System.Security.Cryptography.X509Certificates;
using Jackdaw.Client.Certificates;

namespace Jackdaw.Client;

/// <content>The certificates of the connections.</content>
public sealed partial class DocumentStore
{
    private CertificateOptions _certificates = new();

    /// <summary>The file of the client certificate with its private key: PFX, or PEM with a key of any form (PKCS#8, PKCS#1, EC). A PFX that a
    /// Jackdaw server made has the server's authority inside, which is then trusted beside those of the machine.</summary>
    public string? CertificateFile
    {
        get => _certificates.CertificateFile;
        init => _certificates = _certificates with { CertificateFile = value };
    }

    /// <summary>The password of <see cref="CertificateFile"/>; null for none.</summary>
    public string? CertificatePassword
    {
        get => _certificates.CertificatePassword;
        init => _certificates = _certificates with { CertificatePassword = value };
    }

    /// <summary>The client certificate with its private key, instead of a file. The caller disposes it, after the store.</summary>
    public X509Certificate2? Certificate
    {
        get => _certificates.Certificate;
        init => _certificates = _certificates with { Certificate = value };
    }

    /// <summary>A file with the certificates of the authorities that may issue certificates of servers, such as the <c>ca.pem</c> of a Jackdaw
    /// server. Only these are trusted then, and not those of the machine.</summary>
    public string? TrustedAuthoritiesFile
    {
        get => _certificates.TrustedAuthoritiesFile;
        init => _certificates = _certificates with { TrustedAuthoritiesFile = value };
    }

    /// <summary>The certificates of the authorities, instead of a file. The caller disposes them, after the store.</summary>
    public IReadOnlyList<X509Certificate2>? TrustedAuthorities
    {
        get => _certificates.TrustedAuthorities;
        init => _certificates = _certificates with { TrustedAuthorities = value };
    }

    // A handler of the caller makes its own connections. Plain http has none that could use a certificate, and a program that gives one expects that
    // nobody else can read what it sends.
    private ConnectionSecurity? OpenCertificates()
    {
        bool isSecure = _servers[0].Scheme == Uri.UriSchemeHttps;
        if (_certificates.Any && !isSecure)
        {
            throw new InvalidOperationException(
                $"The store has certificates, but the address {Urls[0]} uses http, which cannot send them. Write https://, or leave the certificates out.");
        }

        if (_certificates.Any && MessageHandler is not null)
        {
            throw new InvalidOperationException(
                "The store has certificates and a MessageHandler, which makes the connections: give the certificates to the handler.");
        }

        return isSecure && MessageHandler is null ? new ConnectionSecurity(_certificates, Time) : null;
    }
}
