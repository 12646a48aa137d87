using System.Net.Security;
using System.Security.Cryptography.X509Certificates;

namespace Jackdaw.Client.Certificates;

/// <summary>What the connections of a store show to servers, and which servers they trust.</summary>
internal sealed class ConnectionSecurity : IDisposable
{
    private readonly X509Certificate2? _certificate;
    private readonly string? _file;
    private readonly ServerTrust _trust;
    private readonly TimeProvider _time;
    private readonly List<X509Certificate2> _owned = [];

    /// <param name="options">The options of the store.</param>
    /// <exception cref="Exceptions.CertificateFileException">A file cannot be read.</exception>
    /// <exception cref="InvalidOperationException">The options contradict each other.</exception>
    public ConnectionSecurity(CertificateOptions options, TimeProvider time)
    {
        options.Check();
        (_file, _time) = (options.CertificateFile, time);
        IReadOnlyList<X509Certificate2> also = [];
        _certificate = options.Certificate;
        if (_file is not null)
        {
            (_certificate, also) = ClientCertificateFile.Read(_file, options.CertificatePassword);
            _owned.AddRange([_certificate, .. also]);
        }

        IReadOnlyList<X509Certificate2> only = options.TrustedAuthorities ?? [];
        if (options.TrustedAuthoritiesFile is { } authorities)
        {
            only = ClientCertificateFile.ReadAuthorities(authorities);
            _owned.AddRange(only);
        }

        _trust = new ServerTrust(only, only.Count > 0 ? [] : also, time);
    }

    /// <summary>The end of a message about a refusal: which certificate was sent.</summary>
    public string Sent
    {
        get
        {
            if (_certificate is null)
            {
                return "This store sends no client certificate: set its CertificateFile or Certificate.";
            }

            string from = _file is null ? "" : $", from {_file}";
            string problem = CertificateText.TimeProblemOf(_certificate, _time.GetUtcNow()) is { } wrong ? $"; {wrong}" : "";
            return $"This store sends the client certificate {CertificateText.Of(_certificate)}{from}{problem}.";
        }
    }

    /// <summary>The options of a connection.</summary>
    public SslClientAuthenticationOptions MakeOptions()
    {
        var options = new SslClientAuthenticationOptions
        {
            CertificateChainPolicy = _trust.Policy,
#pragma warning disable CA5359 // It refuses by throwing, so that the failed request can say why.
            RemoteCertificateValidationCallback = _trust.Verify,
#pragma warning restore CA5359
        };

        // Offline: the server knows its own authority, and nothing is fetched to send more than the certificate itself. It is sent no matter
        // which authorities the server names: the server judges certificates by its list, and its refusal says more than a missing certificate.
        if (_certificate is not null)
        {
            options.ClientCertificateContext = SslStreamCertificateContext.Create(_certificate, null, offline: true);
        }

        return options;
    }

    /// <summary>Disposes the certificates that were read from files.</summary>
    public void Dispose() => _owned.ForEach(one => one.Dispose());
}
