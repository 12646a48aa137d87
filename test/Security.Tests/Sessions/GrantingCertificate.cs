using System.Security.Cryptography.X509Certificates;
using Jackdaw.Documents.Callers;
using Jackdaw.Security.Callers;
using Jackdaw.Security.Certificates;
using Jackdaw.Security.Sessions;
using Jackdaw.TestKit;

namespace Jackdaw.Security.Tests.Sessions;

/// <summary>An administrator in a list of certificates, who gives sessions.</summary>
internal sealed class GrantingCertificate : IDisposable
{
    private readonly SampleAuthority _authority = new("our CA");

    public GrantingCertificate()
    {
        Time.Advance(SampleAuthority.Start.AddYears(5) - DateTimeOffset.UnixEpoch);
        Registry = new CertificateRegistry(CertificateList.Empty, _ => { }, Time) { Authorities = () => [_authority.Certificate] };
        Certificate = _authority.Issue("admin");
        using X509Certificate2 other = _authority.Issue("other");
        Registry.Put(KnownCertificate.From(Certificate, "admin", new Grants(Clearance.ClusterAdmin)));
        Registry.Put(KnownCertificate.From(other, "other", new Grants(Clearance.ClusterAdmin)));
        Other = other.Thumbprint;
        Caller = new CertificateCaller(PresentedCertificate.From(Certificate), Registry, Time);
    }

    public ManualTime Time { get; } = new();

    public CertificateRegistry Registry { get; }

    public X509Certificate2 Certificate { get; }

    /// <summary>Thumbprint of another administrator.</summary>
    public string Other { get; }

    public CertificateCaller Caller { get; }

    public SessionGrant Grant(Clearance clearance = Clearance.ClusterAdmin) => SessionGrant.TryMake(Caller, new Grants(clearance))!;

    public SessionGrant GrantOf(string database, DatabasePermission permission) =>
        SessionGrant.TryMake(Caller, new Grants(Clearance.ValidUser, [new(database, permission)]))!;

    public static bool May(Caller caller, Access access, string database = "") => caller.May(access, database);

    public void Dispose()
    {
        Certificate.Dispose();
        _authority.Dispose();
    }
}
