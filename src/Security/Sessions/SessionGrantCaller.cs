using Jackdaw.Documents.Callers;

namespace Jackdaw.Security.Sessions;

/// <summary>The caller of work that was begun in the session of a browser and goes on without it. It may do what the session could, as long as the certificate
/// that gave it does.</summary>
/// <param name="name">That of the session.</param>
internal sealed class SessionGrantCaller(SessionGrant grant, string name) : Caller
{
    public override string Name => name;

    public override bool May(Access access, ReadOnlySpan<char> database) =>
        access == Access.Anonymous || (grant.IsInForce && grant.Grants.Include(access, database));

    protected override string Refuse(Access access, string database) =>
        $"and certificate '{grant.GranterName}' (thumbprint {grant.GranterThumbprint}), which gave the session, was revoked or changed.";
}
