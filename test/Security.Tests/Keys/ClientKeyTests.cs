using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Jackdaw.Security.Keys;

namespace Jackdaw.Security.Tests.Keys;

public sealed class ClientKeyTests : IDisposable
{
    private readonly TemporarySecurityFolder _temporary = new();

    public void Dispose() => _temporary.Dispose();

    [Theory]
    [InlineData(null)]
    [InlineData("pass word")]
    public void ToPfx_WithAndWithoutPassword_HasKeyAndAuthority(string? password)
    {
        using CertificateAuthority authority = _temporary.CreateAuthority();
        using ClientKey key = ClientKey.Issue(authority, "Nora", TimeSpan.FromDays(365), TimeProvider.System);
        X509Certificate2Collection all = X509CertificateLoader.LoadPkcs12Collection(key.ToPfx(password), password);
        X509Certificate2 certificate = all.Single(one => one.HasPrivateKey);
        Assert.Equal(key.Certificate.Thumbprint, certificate.Thumbprint);
        Assert.Contains(all, one => one.Thumbprint == authority.Certificate.Thumbprint);
        Assert.True(CertificateAuthorityTests.IsTrusted(certificate, authority.Certificate));
        Assert.Equal("CN=Nora", certificate.Subject);
        Assert.Equal("1.3.6.1.5.5.7.3.2", certificate.Extensions.OfType<X509EnhancedKeyUsageExtension>().Single().EnhancedKeyUsages[0].Value);
    }

    [Fact]
    public void ToPem_Key_IsPkcs1OfRsa2048()
    {
        using CertificateAuthority authority = _temporary.CreateAuthority();
        using ClientKey key = ClientKey.Issue(authority, "Nora", TimeSpan.FromDays(365), TimeProvider.System);
        string pem = key.ToPem();
        Assert.StartsWith("-----BEGIN CERTIFICATE-----", pem, StringComparison.Ordinal);
        Assert.Contains("\n-----BEGIN RSA PRIVATE KEY-----\n", pem, StringComparison.Ordinal);
        using X509Certificate2 read = X509Certificate2.CreateFromPem(pem, pem);
        using RSA? rsa = read.GetRSAPrivateKey();
        Assert.Equal(2048, rsa!.KeySize);
    }

    [Fact]
    public void Issue_ValidityBeyondTheAuthority_EndsWithIt()
    {
        using CertificateAuthority authority = _temporary.CreateAuthority();
        using ClientKey key = ClientKey.Issue(authority, "Nora", TimeSpan.FromDays(5000), TimeProvider.System);
        Assert.Equal(authority.Certificate.NotAfter, key.Certificate.NotAfter);
    }

    [Theory]
    [InlineData("a, CN=admin")]
    [InlineData("quotes \" and \\ and + and ;")]
    [InlineData("Ångström 🚀")]
    public void Issue_NameWithSpecialCharacters_IsOneName(string name)
    {
        using CertificateAuthority authority = _temporary.CreateAuthority();
        using ClientKey key = ClientKey.Issue(authority, name, TimeSpan.FromDays(1), TimeProvider.System);
        X500RelativeDistinguishedName part = key.Certificate.SubjectName.EnumerateRelativeDistinguishedNames().Single();
        Assert.Equal(name, part.GetSingleElementValue());
    }

    [Fact]
    public void Issue_LongName_IsCutBetweenCharacters()
    {
        using CertificateAuthority authority = _temporary.CreateAuthority();
        using ClientKey key = ClientKey.Issue(authority, new string('a', 63) + "🚀 and more", TimeSpan.FromDays(1), TimeProvider.System);
        Assert.Equal($"CN={new string('a', 63)}", key.Certificate.Subject);
    }

    [Fact]
    public void Issue_TwoCertificates_HaveSerialNumbersOf16Bytes()
    {
        using CertificateAuthority authority = _temporary.CreateAuthority();
        using ClientKey first = ClientKey.Issue(authority, "a", TimeSpan.FromDays(1), TimeProvider.System);
        using ClientKey second = ClientKey.Issue(authority, "a", TimeSpan.FromDays(1), TimeProvider.System);
        Assert.NotEqual(first.Certificate.SerialNumber, second.Certificate.SerialNumber);
        Assert.Equal(16, first.Certificate.SerialNumberBytes.Length);
    }
}
