using System.Net.Security;
using System.Security.Cryptography.X509Certificates;
using Jackdaw.Client.Operations.Certificates;
using Jackdaw.Security;
using Jackdaw.Security.Callers;
using Jackdaw.Security.Certificates;
using Jackdaw.Security.Keys;

namespace Jackdaw.TestServer;

/// <summary>The certificates of a secured test server: its authority, an administrator, and those that a test makes for its programs. It is safe for
/// concurrent use.</summary>
public sealed class TestCertificates
{
    private static readonly TimeSpan s_validity = TimeSpan.FromDays(30);

    private readonly ServerSecurity _security;
    private readonly TestClock _clock;
    private readonly Lock _lock = new(); // guards the list
    private readonly List<IDisposable> _made = [];

    internal TestCertificates(ServerSecurity security, TestClock clock)
    {
        (_security, _clock) = (security, clock);
        Authority = X509CertificateLoader.LoadCertificate(security.Authority.Certificate.RawData);
        Administrator = Create("administrator", SecurityClearance.ClusterAdmin);
    }

    /// <summary>The authority that a store trusts: <see cref="Jackdaw.Client.DocumentStore.TrustedAuthorities"/>. The server disposes it.</summary>
    public X509Certificate2 Authority { get; }

    /// <summary>A certificate that may do everything. The server disposes it.</summary>
    public X509Certificate2 Administrator { get; }

    /// <summary>Makes a certificate with its private key that the server knows. It is valid for 30 days from the time of the server's clock.</summary>
    /// <param name="permissions">What it may do with databases, if its clearance is <see cref="SecurityClearance.ValidUser"/>.</param>
    /// <returns>A certificate that the server disposes.</returns>
    public X509Certificate2 Create(
        string name, SecurityClearance clearance = SecurityClearance.ValidUser, IReadOnlyDictionary<string, DatabaseAccessLevel>? permissions = null)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        ClientKey key = ClientKey.Issue(_security.Authority, name, s_validity, _clock);
        lock (_lock)
        {
            _made.Add(key);
        }

        var granted = (permissions ?? new Dictionary<string, DatabaseAccessLevel>()).ToDictionary(
            one => one.Key, one => Enum.Parse<DatabasePermission>(one.Value.ToString()));
        _security.Registry.Put(KnownCertificate.From(key.Certificate, name, new Grants(Enum.Parse<Clearance>(clearance.ToString()), granted)));
        return key.Certificate;
    }

    /// <summary>Revokes a certificate: the server refuses its next request.</summary>
    /// <returns>Whether the server knew it.</returns>
    public bool Revoke(X509Certificate2 certificate)
    {
        ArgumentNullException.ThrowIfNull(certificate);
        return _security.Registry.Delete(certificate.Thumbprint) is not null;
    }

    /// <summary>The connections of a client that trusts the server and has this certificate.</summary>
    internal SslClientAuthenticationOptions OptionsOf(X509Certificate2 certificate)
    {
        var policy = new X509ChainPolicy { TrustMode = X509ChainTrustMode.CustomRootTrust, RevocationMode = X509RevocationMode.NoCheck };
        policy.CustomTrustStore.Add(Authority);
        return new SslClientAuthenticationOptions
        {
            CertificateChainPolicy = policy,
            ClientCertificateContext = SslStreamCertificateContext.Create(certificate, null, offline: true),
        };
    }

    internal void Dispose()
    {
        Authority.Dispose();
        lock (_lock)
        {
            _made.ForEach(one => one.Dispose());
        }
    }
}
