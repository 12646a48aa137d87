using System.Security.Cryptography.X509Certificates;
using Jackdaw.Security.Callers;
using Jackdaw.Security.Certificates;
using Jackdaw.Security.Keys;
using Jackdaw.Security.Tests.Keys;

namespace Jackdaw.Security.Tests.Certificates;

public sealed class CertificateRegistryFileTests : IDisposable
{
    private readonly TemporarySecurityFolder _temporary = new();

    public void Dispose() => _temporary.Dispose();

    [Fact]
    public void Open_FileOfAnEarlierStart_HasItsEntries()
    {
        SecurityFolder folder = _temporary.Folder;
        using CertificateAuthority authority = CertificateAuthority.Create(folder, TimeProvider.System);
        using ClientKey ann = ClientKey.Issue(authority, "ann", TimeSpan.FromDays(1), TimeProvider.System);
        CertificateRegistry registry = CertificateRegistry.Open(folder, authority, TimeProvider.System, []);
        registry.Put(KnownCertificate.From(ann.Certificate, "ann", new Grants(Clearance.Operator)));
        Assert.Equal(Clearance.Operator, CertificateRegistry.Open(folder, authority, TimeProvider.System, []).Find(ann.Certificate)?.Grants.Clearance);
    }

    [Fact]
    public void Open_DamagedFile_NamesIt()
    {
        SecurityFolder folder = _temporary.Folder;
        using CertificateAuthority authority = CertificateAuthority.Create(folder, TimeProvider.System);
        ProtectedFiles.WriteAll(folder.KnownCertificates, "{"u8);
        KeyFileException bad = Assert.Throws<KeyFileException>(() => CertificateRegistry.Open(folder, authority, TimeProvider.System, []));
        Assert.Contains(folder.KnownCertificates, bad.Message, StringComparison.Ordinal);
    }

    /// <summary>A renewal that our authority signs gets in, before and while it is replaced.</summary>
    [Fact]
    public void Find_RenewalOfOurAuthority_GetsInWhileTheAuthorityIsTrusted()
    {
        SecurityFolder folder = _temporary.Folder;
        using CertificateAuthority authority = CertificateAuthority.Create(folder, TimeProvider.System);
        authority.Save();
        CertificateRegistry registry = CertificateRegistry.Open(folder, authority, TimeProvider.System, []);
        using ClientKey ann = ClientKey.Issue(authority, "ann", TimeSpan.FromDays(1), TimeProvider.System);
        using X509Certificate2 renewed = Renew(ann, authority);
        registry.Put(KnownCertificate.From(ann.Certificate, "ann", new Grants(Clearance.Operator)));
        Assert.NotNull(registry.Find(renewed));
        authority.BeginRotation();
        Assert.NotNull(registry.Find(renewed));
        authority.FinishRotation();
        Assert.Null(registry.Find(renewed));
        Assert.NotNull(registry.Find(ann.Certificate));
    }

    private static X509Certificate2 Renew(ClientKey key, CertificateAuthority authority)
    {
        DateTimeOffset now = TimeProvider.System.GetUtcNow();
        var request = new CertificateRequest(
            key.Certificate.SubjectName, key.Certificate.PublicKey, System.Security.Cryptography.HashAlgorithmName.SHA256);
        return authority.Sign(request, now.AddMinutes(-1), now.AddDays(2));
    }
}
