using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Jackdaw.Security.Keys;

namespace Jackdaw.Security.Tests.Keys;

public sealed class CertificateAuthorityTests : IDisposable
{
    private readonly TemporarySecurityFolder _temporary = new();

    public void Dispose() => _temporary.Dispose();

    [Fact]
    public void Create_Certificate_IsAnAuthorityOfTenYearsThatSignsNoOther()
    {
        using CertificateAuthority authority = _temporary.CreateAuthority();
        X509BasicConstraintsExtension constraints = authority.Certificate.Extensions.OfType<X509BasicConstraintsExtension>().Single();
        Assert.True(constraints is { CertificateAuthority: true, HasPathLengthConstraint: true, PathLengthConstraint: 0, Critical: true });
        Assert.InRange((authority.Certificate.NotAfter - authority.Certificate.NotBefore).TotalDays, 3652, 3654);
        using ECDsa? key = authority.Certificate.GetECDsaPublicKey();
        Assert.Equal("1.2.840.10045.3.1.7", key!.ExportParameters(includePrivateParameters: false).Curve.Oid.Value);
        Assert.False(authority.Certificate.HasPrivateKey);
    }

    [Fact]
    public void Open_SavedAuthority_IsTheSameAndSigns()
    {
        using CertificateAuthority created = _temporary.CreateAuthority();
        using var opened = CertificateAuthority.Open(_temporary.Folder, TimeProvider.System);
        Assert.Equal(created.Certificate, opened.Certificate);
        Assert.Equal(created.Certificate, X509Certificate2.CreateFromPem(File.ReadAllText(_temporary.Folder.Authority)));
        using ClientKey client = ClientKey.Issue(opened, "client", TimeSpan.FromDays(1), TimeProvider.System);
        Assert.True(IsTrusted(client.Certificate, created.Certificate));
    }

    [Fact]
    public void Exists_BeforeSave_IsFalse()
    {
        using CertificateAuthority authority = CertificateAuthority.Create(_temporary.Folder, TimeProvider.System);
        Assert.False(CertificateAuthority.Exists(_temporary.Folder));
        authority.Save();
        Assert.True(CertificateAuthority.Exists(_temporary.Folder));
    }

    [Theory]
    [InlineData("no key")]
    [InlineData("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----")]
    public void Open_DamagedKey_NamesTheFile(string text)
    {
        File.WriteAllText(_temporary.Folder.AuthorityKey, text);
        var failure = Assert.Throws<KeyFileException>(() => CertificateAuthority.Open(_temporary.Folder, TimeProvider.System));
        Assert.Contains(_temporary.Folder.AuthorityKey, failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Open_KeyOfAnotherCertificate_IsRefused()
    {
        _temporary.CreateAuthority().Dispose();
        string first = File.ReadAllText(_temporary.Folder.AuthorityKey);
        const string mark = "-----BEGIN CERT";
        _temporary.CreateAuthority().Dispose();
        string second = File.ReadAllText(_temporary.Folder.AuthorityKey);
        string mixed = first[..first.IndexOf(mark, StringComparison.Ordinal)] + second[second.IndexOf(mark, StringComparison.Ordinal)..];
        File.WriteAllText(_temporary.Folder.AuthorityKey, mixed);
        var failure = Assert.Throws<KeyFileException>(() => CertificateAuthority.Open(_temporary.Folder, TimeProvider.System));
        Assert.Contains("belongs to another key", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Rotation_BeginAndFinish_TrustsBothInBetween()
    {
        using CertificateAuthority authority = _temporary.CreateAuthority();
        X509Certificate2 first = authority.Certificate;
        int changes = 0;
        authority.Changed += () => changes++;
        authority.BeginRotation();
        Assert.NotEqual(first, authority.Certificate);
        Assert.Equal([authority.Certificate, first], authority.Trusted);
        using (var opened = CertificateAuthority.Open(_temporary.Folder, TimeProvider.System))
        {
            Assert.Equal(authority.Trusted, opened.Trusted);
        }

        var both = new X509Certificate2Collection();
        both.ImportFromPemFile(_temporary.Folder.Authority);
        Assert.Equal(2, both.Count);
        authority.FinishRotation();
        Assert.Null(authority.Previous);
        using var reopened = CertificateAuthority.Open(_temporary.Folder, TimeProvider.System);
        Assert.Equal([authority.Certificate], reopened.Trusted);
        Assert.Equal(2, changes);
    }

    [Fact]
    public void Rotation_OutOfOrder_IsRefused()
    {
        using CertificateAuthority authority = _temporary.CreateAuthority();
        Assert.Throws<InvalidOperationException>(authority.FinishRotation);
        authority.BeginRotation();
        Assert.Throws<InvalidOperationException>(authority.BeginRotation);
    }

    [Fact]
    public void Rotation_PowerCutAfterItsFirstWrite_IsNoRotation()
    {
        using CertificateAuthority authority = _temporary.CreateAuthority();
        File.Copy(_temporary.Folder.AuthorityKey, _temporary.Folder.PreviousAuthorityKey);
        using var opened = CertificateAuthority.Open(_temporary.Folder, TimeProvider.System);
        Assert.Null(opened.Previous);
        opened.BeginRotation();
        Assert.Equal(authority.Certificate, opened.Previous);
    }

    [Fact]
    public void Rotation_PowerCutBeforeTheTrustedText_IsRepairedByOpen()
    {
        using CertificateAuthority authority = _temporary.CreateAuthority();
        byte[] old = File.ReadAllBytes(_temporary.Folder.Authority);
        authority.BeginRotation();
        byte[] both = File.ReadAllBytes(_temporary.Folder.Authority);
        File.WriteAllBytes(_temporary.Folder.Authority, old);
        CertificateAuthority.Open(_temporary.Folder, TimeProvider.System).Dispose();
        Assert.Equal(both, File.ReadAllBytes(_temporary.Folder.Authority));
    }

    internal static bool IsTrusted(X509Certificate2 certificate, X509Certificate2 authority, DateTime? when = null)
    {
        using var chain = new X509Chain();
        chain.ChainPolicy.TrustMode = X509ChainTrustMode.CustomRootTrust;
        chain.ChainPolicy.CustomTrustStore.Add(authority);
        chain.ChainPolicy.RevocationMode = X509RevocationMode.NoCheck;
        chain.ChainPolicy.VerificationTime = when ?? TimeProvider.System.GetUtcNow().UtcDateTime;
        return chain.Build(certificate);
    }
}
