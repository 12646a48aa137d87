using System.Collections.Frozen;
using Jackdaw.Security.Callers;

namespace Jackdaw.Security.Certificates;

/// <summary>The known certificates at one moment. Immutable: it is read without a lock, and replaced as a whole.</summary>
internal sealed class CertificateList
{
    private readonly FrozenDictionary<string, KnownCertificate> _byThumbprint;
    private readonly FrozenDictionary<string, KnownCertificate[]> _byKey;
    private readonly FrozenDictionary<string, RevokedCertificate> _revoked;

    public CertificateList(long version, IReadOnlyList<KnownCertificate> all, IReadOnlyList<RevokedCertificate> revoked)
    {
        Version = version;
        All = all;
        Revoked = revoked;
        _byThumbprint = all.ToFrozenDictionary(known => known.Thumbprint, StringComparer.OrdinalIgnoreCase);
        _byKey = all.GroupBy(known => known.PublicKeyPinningHash).ToFrozenDictionary(group => group.Key, group => group.ToArray());
        _revoked = revoked.ToFrozenDictionary(one => one.Thumbprint, StringComparer.OrdinalIgnoreCase);
    }

    public static CertificateList Empty { get; } = new(0, [], []);

    /// <summary>Grows with every change.</summary>
    public long Version { get; }

    /// <summary>In the order in which they came.</summary>
    public IReadOnlyList<KnownCertificate> All { get; }

    public IReadOnlyList<RevokedCertificate> Revoked { get; }

    /// <summary>Finds an entry by its thumbprint, in any casing; null when there is none.</summary>
    public KnownCertificate? Find(string thumbprint) => _byThumbprint.GetValueOrDefault(thumbprint);

    public RevokedCertificate? FindRevoked(string thumbprint) => _revoked.GetValueOrDefault(thumbprint);

    /// <summary>The entries of a public key.</summary>
    public ReadOnlySpan<KnownCertificate> OfKey(string publicKeyPinningHash) =>
        _byKey.TryGetValue(publicKeyPinningHash, out KnownCertificate[]? found) ? found : [];

    /// <summary>Whether a cluster administrator can get in.</summary>
    public bool HasAdministrator(DateTimeOffset now) =>
        All.Any(known => known.Grants.Clearance == Clearance.ClusterAdmin && known.NotBefore <= now && now <= known.NotAfter);
}
