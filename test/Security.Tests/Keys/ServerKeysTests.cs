using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Jackdaw.Security.Keys;
using Jackdaw.TestKit;

namespace Jackdaw.Security.Tests.Keys;

public sealed class ServerKeysTests : IDisposable
{
    private static readonly string[] s_names = ["db.example.com", "localhost", "127.0.0.1", "::1"];

    private readonly TemporarySecurityFolder _temporary = new();
    private readonly ManualTime _time = new();
    private readonly CertificateAuthority _authority;

    public ServerKeysTests() => _authority = _temporary.CreateAuthority(_time);

    public void Dispose()
    {
        _authority.Dispose();
        _temporary.Dispose();
    }

    [Fact]
    public void Open_FirstTime_CoversTheNamesFor90Days()
    {
        X509Certificate2 certificate = Open().Current;
        Assert.All(s_names, name => Assert.True(certificate.MatchesHostname(name), name));
        Assert.False(certificate.MatchesHostname("other.example.com"));
        Assert.True(certificate.HasPrivateKey);
        Assert.Equal(_time.GetUtcNow().AddDays(90).UtcDateTime, certificate.NotAfter.ToUniversalTime(), TimeSpan.FromSeconds(1));
        Assert.True(CertificateAuthorityTests.IsTrusted(certificate, _authority.Certificate, _time.GetUtcNow().UtcDateTime));
        Assert.Equal("1.3.6.1.5.5.7.3.1", certificate.Extensions.OfType<X509EnhancedKeyUsageExtension>().Single().EnhancedKeyUsages[0].Value);
    }

    [Fact]
    public void Open_SameNamesAgain_KeepsTheCertificate() => Assert.Equal(Open().Current, Open().Current);

    [Fact]
    public void Open_OtherNames_MakesANewCertificate()
    {
        X509Certificate2 first = Open().Current;
        X509Certificate2 second = ServerKeys.Open(_temporary.Folder, _authority, [.. s_names, "10.1.2.3"], null, _time).Current;
        Assert.NotEqual(first, second);
        Assert.True(second.MatchesHostname("10.1.2.3"));
    }

    [Fact]
    public void RenewIfDue_After60Days_RenewsOnce()
    {
        ServerKeys keys = Open();
        X509Certificate2 first = keys.Current;
        int changes = 0;
        keys.Changed += () => changes++;
        _time.Advance(TimeSpan.FromDays(60) - TimeSpan.FromMinutes(1));
        Assert.False(keys.RenewIfDue());
        _time.Advance(TimeSpan.FromMinutes(2));
        Assert.True(keys.RenewIfDue());
        Assert.False(keys.RenewIfDue());
        Assert.NotEqual(first, keys.Current);
        Assert.Equal(1, changes);
        Assert.Equal(keys.Current, Open().Current);
    }

    [Fact]
    public void RenewIfDue_ClockJumpsOverExpiry_IsValidAgain()
    {
        ServerKeys keys = Open();
        _time.Advance(TimeSpan.FromDays(400));
        Assert.True(keys.RenewIfDue());
        Assert.True(CertificateAuthorityTests.IsTrusted(keys.Current, _authority.Certificate, _time.GetUtcNow().UtcDateTime));
    }

    [Fact]
    public void Open_ClockBeforeTheCertificate_MakesANewOne()
    {
        _time.Advance(TimeSpan.FromDays(50));
        X509Certificate2 late = Open().Current;
        var early = new ManualTime();
        X509Certificate2 now = ServerKeys.Open(_temporary.Folder, _authority, s_names, null, early).Current;
        Assert.NotEqual(late, now);
    }

    [Fact]
    public void Open_DamagedFile_NamesItAndSaysWhatToDo()
    {
        Open();
        File.WriteAllText(_temporary.Folder.ServerKey, "damaged");
        string message = Assert.Throws<KeyFileException>(Open).Message;
        Assert.Contains(_temporary.Folder.ServerKey, message, StringComparison.Ordinal);
        Assert.Contains("Remove it", message, StringComparison.Ordinal);
    }

    [Fact]
    public void Rotation_OfTheAuthority_ShowsThePreviousOneUntilItsEnd()
    {
        ServerKeys keys = Open();
        X509Certificate2 first = keys.Current;
        X509Certificate2 previous = _authority.Certificate;
        _authority.BeginRotation();
        Assert.Equal(first, keys.Current);
        keys.Renew();
        Assert.Equal(previous.SubjectName.RawData, keys.Current.IssuerName.RawData);
        _authority.FinishRotation();
        Assert.True(CertificateAuthorityTests.IsTrusted(keys.Current, _authority.Certificate, _time.GetUtcNow().UtcDateTime));
    }

    [Fact]
    public void Replace_GivenCertificate_StaysAndIsNotRenewed()
    {
        using X509Certificate2 given = MakeForeign("given.example.com");
        ServerKeys keys = Open();
        keys.Replace(given.Export(X509ContentType.Pkcs12, "secret"), "secret");
        Assert.Equal(given.Thumbprint, keys.Current.Thumbprint);
        _time.Advance(TimeSpan.FromDays(100));
        Assert.False(keys.RenewIfDue());
        Assert.Equal(given.Thumbprint, Open().Current.Thumbprint);
    }

    [Fact]
    public void Replace_WithoutPrivateKeyOrWrongPassword_IsRefused()
    {
        using X509Certificate2 given = MakeForeign("given.example.com");
        using X509Certificate2 bare = X509CertificateLoader.LoadCertificate(given.RawData);
        ServerKeys keys = Open();
        X509Certificate2 before = keys.Current;
        Assert.ThrowsAny<CryptographicException>(() => keys.Replace(bare.Export(X509ContentType.Pkcs12), null));
        Assert.ThrowsAny<CryptographicException>(() => keys.Replace(given.Export(X509ContentType.Pkcs12, "secret"), "wrong"));
        Assert.Equal(before, keys.Current);
    }

    [Theory]
    [InlineData("pfx")]
    [InlineData("pfx with password")]
    [InlineData("pem")]
    [InlineData("pem with encrypted key")]
    [InlineData("pem and key")]
    [InlineData("pem and privkey.pem")]
    public void File_EachForm_IsRead(string form)
    {
        using X509Certificate2 given = MakeForeign("file.example.com");
        CertificateFile file = WriteForm(form, given);
        ServerKeys keys = ServerKeys.Open(_temporary.Folder, _authority, s_names, file, _time);
        Assert.Equal(given.Thumbprint, keys.Current.Thumbprint);
        Assert.True(keys.Current.HasPrivateKey);
        Assert.False(File.Exists(_temporary.Folder.ServerKey));
    }

    [Fact]
    public void File_Changes_IsReadAgain()
    {
        using X509Certificate2 first = MakeForeign("one.example.com");
        using X509Certificate2 second = MakeForeign("second.example.com");
        CertificateFile file = WriteForm("pem", first);
        ServerKeys keys = ServerKeys.Open(_temporary.Folder, _authority, s_names, file, _time);
        Assert.False(keys.RenewIfDue());
        WriteForm("pem", second);
        Assert.True(keys.RenewIfDue());
        Assert.Equal(second.Thumbprint, keys.Current.Thumbprint);
    }

    /// <summary>Where secrets are mounted, links stay and what they lead to changes.</summary>
    [Fact]
    public void File_LinkWhoseTargetChanges_IsReadAgain()
    {
        if (OperatingSystem.IsWindows())
        {
            return; // links need a privilege there
        }

        using X509Certificate2 first = MakeForeign("one.example.com"), second = MakeForeign("two.example.com");
        string mounted = Path.Combine(_temporary.DataFolder, "..data"), path = Path.Combine(_temporary.DataFolder, "own.crt");
        foreach ((X509Certificate2 certificate, string folder) in new[] { (first, "1"), (second, "2") })
        {
            File.Move(WriteForm("pem", certificate).Path, Directory.CreateDirectory(Path.Combine(_temporary.DataFolder, folder)).FullName + "/own.crt");
        }

        Directory.CreateSymbolicLink(mounted, "1");
        File.CreateSymbolicLink(path, "..data/own.crt");
        ServerKeys keys = ServerKeys.Open(_temporary.Folder, _authority, s_names, new CertificateFile(path, null), _time);
        Assert.False(keys.RenewIfDue());
        File.Delete(mounted);
        Directory.CreateSymbolicLink(mounted, "2");
        Assert.True(keys.RenewIfDue());
        Assert.Equal(second.Thumbprint, keys.Current.Thumbprint);
    }

    /// <summary>Programs that renew write two files, one after the other.</summary>
    [Fact]
    public void File_WhoseKeyComesLater_IsReadWhenItHasCome()
    {
        using X509Certificate2 first = MakeForeign("one.example.com"), second = MakeForeign("two.example.com");
        CertificateFile file = WriteForm("pem and key", first);
        string oldKey = File.ReadAllText(Path.ChangeExtension(file.Path, ".key"));
        ServerKeys keys = ServerKeys.Open(_temporary.Folder, _authority, s_names, file, _time);
        WriteForm("pem and key", second);
        string newKey = File.ReadAllText(Path.ChangeExtension(file.Path, ".key"));
        File.WriteAllText(Path.ChangeExtension(file.Path, ".key"), oldKey);
        Assert.Throws<KeyFileException>(() => keys.RenewIfDue());
        Assert.Equal(first.Thumbprint, keys.Current.Thumbprint);
        File.WriteAllText(Path.ChangeExtension(file.Path, ".key"), newKey);
        Assert.True(keys.RenewIfDue());
        Assert.Equal(second.Thumbprint, keys.Current.Thumbprint);
    }

    [Fact]
    public void Replace_KeyThatCannotSign_IsRefusedAndNotKept()
    {
        ServerKeys keys = Open();
        X509Certificate2 before = keys.Current;
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest("CN=db.example.com", key, HashAlgorithmName.SHA256);
        request.CertificateExtensions.Add(new X509KeyUsageExtension(X509KeyUsageFlags.KeyAgreement, critical: true));
        using X509Certificate2 bare = request.Create(
            request.SubjectName, X509SignatureGenerator.CreateForECDsa(key), DateTimeOffset.UtcNow.AddDays(-1), DateTimeOffset.UtcNow.AddDays(10), [1]);
        using var agreement = ECDiffieHellman.Create(key.ExportParameters(true));
        using X509Certificate2 agreeing = bare.CopyWithPrivateKey(agreement);
        byte[] pfx = agreeing.Export(X509ContentType.Pkcs12);
        Assert.Contains("cannot sign", Assert.Throws<CryptographicException>(() => keys.Replace(pfx, null)).Message, StringComparison.Ordinal);
        Assert.Same(before, keys.Current);
        Assert.False(File.Exists(_temporary.Folder.GivenServerKey));
    }

    /// <summary>Another certificate would end at the same time.</summary>
    [Fact]
    public void RenewIfDue_CloseToTheEndOfTheAuthority_RenewsOnce()
    {
        ServerKeys keys = Open();
        _time.Advance(AuthorityKey.Validity - TimeSpan.FromDays(20));
        Assert.True(keys.RenewIfDue());
        Assert.Equal(new DateTimeOffset(_authority.Certificate.NotAfter), new DateTimeOffset(keys.Current.NotAfter));
        Assert.False(keys.RenewIfDue());
    }

    [Fact]
    public void RenewIfDue_AuthorityThatHasExpired_KeepsTheCertificateAndSaysWhatToDo()
    {
        ServerKeys keys = Open();
        X509Certificate2 before = keys.Current;
        _time.Advance(AuthorityKey.Validity + TimeSpan.FromDays(365));
        KeyFileException failure = Assert.Throws<KeyFileException>(() => keys.RenewIfDue());
        Assert.Contains("jackdaw rotate-ca", failure.Message, StringComparison.Ordinal);
        Assert.Same(before, keys.Current);
        Assert.Throws<KeyFileException>(Open);
        _authority.BeginRotation();
        _authority.FinishRotation();
        Assert.True(CertificateAuthorityTests.IsTrusted(Open().Current, _authority.Certificate, _time.GetUtcNow().UtcDateTime));
    }

    [Fact]
    public void File_BecomesUnreadable_KeepsTheCertificateAndTriesAgain()
    {
        using X509Certificate2 first = MakeForeign("one.example.com");
        CertificateFile file = WriteForm("pem", first);
        ServerKeys keys = ServerKeys.Open(_temporary.Folder, _authority, s_names, file, _time);
        File.WriteAllText(file.Path, "half of a file");
        Assert.Contains(file.Path, Assert.Throws<KeyFileException>(() => keys.RenewIfDue()).Message, StringComparison.Ordinal);
        Assert.Equal(first.Thumbprint, keys.Current.Thumbprint);
        Assert.Throws<KeyFileException>(() => keys.RenewIfDue());
        WriteForm("pem", first);
        Assert.True(keys.RenewIfDue());
        Assert.False(keys.RenewIfDue());
    }

    [Theory]
    [InlineData("missing")]
    [InlineData("wrong password")]
    [InlineData("no key")]
    public void File_Unusable_NamesThePath(string form)
    {
        using X509Certificate2 given = MakeForeign("file.example.com");
        string path = Path.Combine(_temporary.DataFolder, "own.crt");
        if (form == "wrong password")
        {
            File.WriteAllBytes(path, given.Export(X509ContentType.Pkcs12, "secret"));
        }
        else if (form == "no key")
        {
            File.WriteAllText(path, given.ExportCertificatePem());
        }

        var file = new CertificateFile(path, "wrong");
        var failure = Assert.Throws<KeyFileException>(() => ServerKeys.Open(_temporary.Folder, _authority, s_names, file, _time));
        Assert.Contains(path, failure.Message, StringComparison.Ordinal);
        Assert.Contains("Security.Certificate.Path", failure.Message, StringComparison.Ordinal);
    }

    private static X509Certificate2 MakeForeign(string name)
    {
        using var key = RSA.Create(2048);
        var request = new CertificateRequest($"CN={name}", key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        DateTimeOffset now = TimeProvider.System.GetUtcNow();
        return request.CreateSelfSigned(now.AddDays(-1), now.AddDays(10));
    }

    private ServerKeys Open() => ServerKeys.Open(_temporary.Folder, _authority, s_names, null, _time);

    private CertificateFile WriteForm(string form, X509Certificate2 certificate)
    {
        string path = Path.Combine(_temporary.DataFolder, "own.crt");
        string pem = certificate.ExportCertificatePem();
        using RSA key = certificate.GetRSAPrivateKey()!;
        switch (form)
        {
            case "pfx":
                File.WriteAllBytes(path, certificate.Export(X509ContentType.Pkcs12));
                break;
            case "pfx with password":
                File.WriteAllBytes(path, certificate.Export(X509ContentType.Pkcs12, "secret"));
                break;
            case "pem":
                File.WriteAllText(path, $"{pem}\n{key.ExportPkcs8PrivateKeyPem()}\n");
                break;
            case "pem with encrypted key":
                var encryption = new PbeParameters(PbeEncryptionAlgorithm.Aes256Cbc, HashAlgorithmName.SHA256, 1000);
                File.WriteAllText(path, $"{pem}\n{key.ExportEncryptedPkcs8PrivateKeyPem("secret", encryption)}\n");
                break;
            default:
                File.WriteAllText(path, pem);
                File.WriteAllText(form == "pem and key" ? Path.ChangeExtension(path, ".key") : Path.Combine(_temporary.DataFolder, "privkey.pem"),
                    key.ExportRSAPrivateKeyPem());
                break;
        }

        return new CertificateFile(path, form is "pfx with password" or "pem with encrypted key" ? "secret" : null);
    }
}
