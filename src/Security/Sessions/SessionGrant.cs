using Jackdaw.Security.Callers;
using Jackdaw.Security.Certificates;

namespace Jackdaw.Security.Sessions;

/// <summary>What a login link gives, and the certificate that gave it. It ends with the certificate. Immutable; any thread.</summary>
internal sealed class SessionGrant
{
    private readonly CertificateCaller _granter;
    private readonly KnownCertificate _entry;

    private SessionGrant(CertificateCaller granter, KnownCertificate entry, Grants grants, TimeSpan lifeTime)
    {
        _granter = granter;
        _entry = entry;
        Grants = grants;
        LifeTime = lifeTime;
    }

    public Grants Grants { get; }

    /// <summary>How long a session lasts at most.</summary>
    public TimeSpan LifeTime { get; }

    /// <summary>The name of the certificate that gave it.</summary>
    public string GranterName => _entry.Name;

    public string GranterThumbprint => _granter.Thumbprint;

    /// <summary>Whether the certificate still gets in, and its entry is the one that it was: what an administrator changes about it ends what it
    /// gave.</summary>
    public bool IsInForce => _granter.Known is { } now && IsSame(now, _entry);

    /// <summary>Makes a grant.</summary>
    /// <param name="lifeTime">Null: the longest that there is.</param>
    /// <returns>Null when the certificate does not get in (any more).</returns>
    public static SessionGrant? TryMake(CertificateCaller granter, Grants grants, TimeSpan? lifeTime = null) =>
        granter.Known is { } entry ? new SessionGrant(granter, entry, grants, lifeTime ?? BrowserSessions.LifeTime) : null;

    /// <summary>A grant of the same certificate, for a link that was asked for with a session.</summary>
    public SessionGrant With(Grants grants, TimeSpan lifeTime) => new(_granter, _entry, grants, lifeTime);

    // An administrator by configuration has no entry in the list: one is made each time that the list changes.
    private static bool IsSame(KnownCertificate one, KnownCertificate other) =>
        ReferenceEquals(one, other)
        || (one.Name == other.Name
            && one.Thumbprint == other.Thumbprint
            && one.Grants.Clearance == other.Grants.Clearance
            && one.Grants.Permissions.Count == other.Grants.Permissions.Count
            && !one.Grants.Permissions.Except(other.Grants.Permissions).Any());
}
