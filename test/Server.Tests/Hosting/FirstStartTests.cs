using System.Runtime.Versioning;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Jackdaw.Pal.Native;
using Jackdaw.Security;
using Jackdaw.Security.Callers;
using Jackdaw.Security.Certificates;
using Jackdaw.Security.Keys;
using Jackdaw.Server.Configuration;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Hosting;

[SupportedOSPlatform("linux")] // file modes
public sealed class FirstStartTests : IDisposable
{
    private readonly SecuredFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task FirstStart_EmptyFolder_MakesAllFilesForTheUserOnly()
    {
        await using ServerFixture server = await ServerFixture.StartAsync(_folder.Setup);
        SecurityFolder folder = _folder.Security;
        string[] files = [folder.AuthorityKey, folder.Authority, folder.ServerKey, folder.KnownCertificates, folder.AdministratorPfx,
            folder.AdministratorPem, folder.FirstStartPage];
        Assert.All(files, file => Assert.Equal(ProtectedFiles.FileMode, File.GetUnixFileMode(file)));
        Assert.Equal(ProtectedFiles.FolderMode, File.GetUnixFileMode(folder.Path));
        ProtectedFiles.CheckModes(folder.Path);
        KnownCertificate known = Assert.Single(server.Server.Security!.Registry.All);
        Assert.Equal(("admin", Clearance.ClusterAdmin), (known.Name, known.Grants.Clearance));
    }

    [Fact]
    public async Task FirstStart_Page_HasPathsFingerprintAndLines()
    {
        await using ServerFixture server = await ServerFixture.StartAsync(_folder.Setup);
        string page = server.Server.FirstStart!;
        Assert.Equal(page, File.ReadAllText(_folder.Security.FirstStartPage));
        using X509Certificate2 authority = X509CertificateLoader.LoadCertificateFromFile(_folder.Security.Authority);
        string hash = authority.GetCertHashString(HashAlgorithmName.SHA256);
        Assert.Contains(string.Join(':', hash.Chunk(2).Select(pair => new string(pair))), page, StringComparison.Ordinal);
        SecurityFolder folder = _folder.Security;
        string[] parts = [folder.AdministratorPfx, folder.AdministratorPem, folder.Authority, server.Server.Address, "curl", "Node", ".NET"];
        Assert.All(parts, part => Assert.Contains(part, page, StringComparison.Ordinal));
        Assert.DoesNotContain("PRIVATE KEY", page, StringComparison.Ordinal);
    }

    /// <summary>A first start that could not listen has made the keys, and nobody has seen the page.</summary>
    [Fact]
    public async Task FirstStart_ThatCouldNotListen_ShowsItsPageAtTheNextStart()
    {
        ServerSecurity.Open(_folder.Path, ["localhost"], null, [], TimeProvider.System).Dispose();
        await using (ServerFixture server = await ServerFixture.StartAsync(_folder.Setup))
        {
            Assert.Contains(_folder.Security.AdministratorPem, server.Server.FirstStart, StringComparison.Ordinal);
        }

        await using ServerFixture again = await ServerFixture.StartAsync(_folder.Setup);
        Assert.Null(again.Server.FirstStart);
    }

    /// <summary>A file that a crash has left half written may be a key.</summary>
    [Fact]
    public async Task Start_FilesOfAWriteThatWasCutOff_AreRemoved()
    {
        await (await ServerFixture.StartAsync(_folder.Setup)).DisposeAsync();
        string left = $"{_folder.Security.AuthorityKey}.{Guid.NewGuid():N}.new";
        ProtectedFiles.WriteAll(left, "half"u8);
        await using ServerFixture again = await ServerFixture.StartAsync(_folder.Setup);
        Assert.False(File.Exists(left));
    }

    /// <summary>Its certificate has another authority then, which ca.pem does not have.</summary>
    [Fact]
    public async Task FirstStart_CertificateOfTheOperator_HasLinesWithoutOurAuthority()
    {
        string path = Path.Combine(_folder.Path, "own.pem");
        using (var authority = new SampleAuthority("operator"))
        using (X509Certificate2 own = authority.Issue("db.example.com"))
        using (ECDsa key = own.GetECDsaPrivateKey()!)
        {
            await File.WriteAllTextAsync(path, $"{own.ExportCertificatePem()}\n{key.ExportPkcs8PrivateKeyPem()}");
        }

        await using ServerFixture server = await ServerFixture.StartAsync(_folder.Setup with
        {
            PublicServerUrl = new Uri("https://db.example.com"),
            Security = new SecuritySettings { CertificatePath = path },
        });
        string page = server.Server.FirstStart!;
        Assert.Contains($"curl --cert '{_folder.Security.AdministratorPem}' https://db.example.com/databases", page, StringComparison.Ordinal);
        Assert.DoesNotContain("TrustedAuthoritiesFile", page, StringComparison.Ordinal);
        Assert.DoesNotContain("ca:", page, StringComparison.Ordinal);
    }

    [Fact]
    public async Task SecondStart_SameFolder_KeepsEverythingAndHasNoPage()
    {
        await using ServerFixture server = await ServerFixture.StartAsync(_folder.Setup);
        Dictionary<string, byte[]> before = ReadFiles();
        await server.RestartAsync();
        Assert.Null(server.Server.FirstStart);
        Assert.Equal(before, ReadFiles());
        Assert.Equal(200, (await server.SendAsync("GET", "/databases")).Status);
    }

    /// <summary>The key of the authority is written last.</summary>
    [Fact]
    public async Task FirstStart_CutOffBeforeItsEnd_BeginsAnew()
    {
        await using ServerFixture server = await ServerFixture.StartAsync(_folder.Setup);
        await server.RestartAsync(() => File.Delete(_folder.Security.AuthorityKey));
        Assert.NotNull(server.Server.FirstStart);
        Assert.Equal(200, (await server.SendAsync("GET", "/databases")).Status);
    }

    [Fact]
    public async Task FirstStart_ExistingDataFolder_KeepsItsDocuments()
    {
        var open = new ServerSetup { Platform = new NativePlatform(), DataDir = _folder.Path };
        await using ServerFixture server = await ServerFixture.StartAsync(open);
        Assert.Equal(201, (await server.DbAsync("PUT", "/docs?id=a", "{}")).Status);
        server.Setup = open with { ServerUrl = _folder.Setup.ServerUrl };
        await server.RestartAsync();
        Assert.NotNull(server.Server.FirstStart);
        Assert.Equal(200, (await server.DbAsync("GET", "/docs?id=a")).Status);
    }

    [Fact]
    public async Task Start_FilesThatOthersMayRead_AreRefusedWithTheLineThatRepairsThem()
    {
        await using ServerFixture server = await ServerFixture.StartAsync(_folder.Setup);
        await server.DisposeAsync();
        File.SetUnixFileMode(_folder.Security.AuthorityKey, ProtectedFiles.FileMode | UnixFileMode.GroupRead);
        var failure = await Assert.ThrowsAsync<KeyFileException>(() => ServerFixture.StartAsync(_folder.Setup));
        Assert.EndsWith($"chmod 600 '{_folder.Security.AuthorityKey}'", failure.Message, StringComparison.Ordinal);
        File.SetUnixFileMode(_folder.Security.AuthorityKey, ProtectedFiles.FileMode);
        await using ServerFixture again = await ServerFixture.StartAsync(_folder.Setup);
        Assert.Equal(200, (await again.SendAsync("GET", "/databases")).Status);
    }

    [Fact]
    public async Task Start_FolderOfARunningServer_IsRefused()
    {
        await using ServerFixture server = await ServerFixture.StartAsync(_folder.Setup);
        IOException failure = await Assert.ThrowsAnyAsync<IOException>(() => ServerFixture.StartAsync(_folder.Setup));
        Assert.Contains("lock", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Certificate_OfTheServer_HasConfiguredNamesAndThePublicHost()
    {
        await using ServerFixture server = await ServerFixture.StartAsync(_folder.Setup with
        {
            PublicServerUrl = new Uri("https://public.example.com:444"),
            Security = new SecuritySettings { CertificateNames = ["more.example.com", "10.9.8.7", "*.example.org"] },
        });
        X509Certificate2 certificate = server.Server.Security!.Keys.Current;
        string[] names = ["public.example.com", "more.example.com", "10.9.8.7", "any.example.org", "localhost", "127.0.0.1", "::1", Environment.MachineName];
        Assert.All(names, name => Assert.True(certificate.MatchesHostname(name), name));
    }

    [Fact]
    public async Task OpenServer_HasNoFolderOfKeys()
    {
        await using ServerFixture server = await ServerFixture.StartAsync(new ServerSetup { DataDir = _folder.Path });
        Assert.Null(server.Server.Security);
        Assert.False(Directory.Exists(_folder.Security.Path));
    }

    private Dictionary<string, byte[]> ReadFiles() =>
        Directory.GetFiles(_folder.Security.Path).Where(file => !file.EndsWith("lock", StringComparison.Ordinal)).ToDictionary(file => file, File.ReadAllBytes);
}
