using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;
using Jackdaw.Security.Keys;
using Jackdaw.Server.Configuration;
using Jackdaw.Server.Verbs.Certificates;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Hosting;

public sealed class KeyUpkeepTests : IDisposable
{
    private readonly SecuredFolder _folder = new();
    private readonly ManualTime _time = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task Certificate_After60Days_IsRenewedWithoutCuttingConnections()
    {
        await using ServerFixture server = await ServerFixture.StartAsync(_folder.Setup with { Time = _time });
        string first = await ShownByAsync(server);
        using HttpClient client = server.MakeClient(null);
        Assert.Equal(200, (await Answer.ToAsync(client, "GET", "/health/live", null)).Status);

        _time.Advance(TimeSpan.FromDays(60) + TimeSpan.FromSeconds(10));
        Assert.NotEqual(first, await ShownByAsync(server));
        Assert.Equal(200, (await Answer.ToAsync(client, "GET", "/health/live", null)).Status);
    }

    [Fact]
    public async Task Certificate_ClockJumpsOverItsEnd_IsRenewedAtTheNextLook()
    {
        await using ServerFixture server = await ServerFixture.StartAsync(_folder.Setup with { Time = _time });
        _time.Advance(TimeSpan.FromDays(1000));
        X509Certificate2 renewed = server.Server.Security!.Keys.Current;
        Assert.InRange(renewed.NotAfter.ToUniversalTime(), _time.GetUtcNow().UtcDateTime.AddDays(89), _time.GetUtcNow().UtcDateTime.AddDays(91));
        Assert.Equal(renewed.Thumbprint, await ShownByAsync(server));
    }

    [Fact]
    public async Task CertificateFile_Changes_IsShownWithinTenSeconds()
    {
        string path = Path.Combine(_folder.Path, "own.pem");
        string first = WriteOwn(path, "one");
        await using ServerFixture server = await ServerFixture.StartAsync(
            _folder.Setup with { Time = _time, Security = new SecuritySettings { CertificatePath = path } });
        Assert.Equal(first, await ShownByAsync(server));

        string second = WriteOwn(path, "another");
        Assert.Equal(first, await ShownByAsync(server));
        _time.Advance(TimeSpan.FromSeconds(10));
        Assert.Equal(second, await ShownByAsync(server));

        File.WriteAllText(path, "half of a file");
        _time.Advance(TimeSpan.FromSeconds(10));
        Assert.Equal(second, await ShownByAsync(server));
    }

    /// <summary>A board without a clock makes its authority in 1970, and the time comes later. The server goes on; its owner gets a new authority on the
    /// stopped server, which then starts.</summary>
    [Fact]
    public async Task Authority_ThatHasExpired_KeepsTheServerAndIsReplacedOnTheStoppedOne()
    {
        await using (ServerFixture server = await ServerFixture.StartAsync(_folder.Setup with { Time = _time }))
        {
            string first = await ShownByAsync(server);
            _time.Advance(DateTimeOffset.UtcNow - _time.GetUtcNow());
            Assert.Equal(first, await ShownByAsync(server));
            _time.Advance(TimeSpan.FromMinutes(1));
            Assert.Equal(first, await ShownByAsync(server));
        }

        KeyFileException refused = await Assert.ThrowsAsync<KeyFileException>(() => ServerFixture.StartAsync(_folder.Setup));
        Assert.Contains("jackdaw rotate-ca", refused.Message, StringComparison.Ordinal);
        Assert.Equal(0, await StoppedServer.TryOpen(_folder.Path, out _)!.RotateAuthorityAsync(isEnd: false));
        Assert.Equal(0, await StoppedServer.TryOpen(_folder.Path, out _)!.CreateAdministratorAsync("rescue", _folder.Path, null));
        await using ServerFixture again = await ServerFixture.StartAsync(_folder.Setup);
        using X509Certificate2 rescue = X509CertificateLoader.LoadPkcs12FromFile(Directory.GetFiles(_folder.Path, "rescue*.pfx").Single(), null);
        using HttpClient client = again.MakeClient(rescue);
        Assert.Equal(200, (await Answer.ToAsync(client, "GET", "/admin/certificates", null)).Status);
    }

    [Fact]
    public async Task CertificateFile_Missing_StopsTheStart()
    {
        string path = Path.Combine(_folder.Path, "none.pem");
        var failure = await Assert.ThrowsAsync<KeyFileException>(
            () => ServerFixture.StartAsync(_folder.Setup with { Security = new SecuritySettings { CertificatePath = path } }));
        Assert.Contains(path, failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Rotation_OfTheAuthority_ChangesWhatBrowsersAreOffered()
    {
        await using ServerFixture server = await ServerFixture.StartAsync(_folder.Setup);
        CertificateAuthority authority = server.Server.Security!.Authority;
        string first = authority.Certificate.Subject;
        string before = await ShownByAsync(server);
        authority.BeginRotation();
        Assert.Equal([authority.Certificate.Subject, first], await OfferedByAsync(server));
        Assert.Equal(before, await ShownByAsync(server));
        authority.FinishRotation();
        Assert.Equal([authority.Certificate.Subject], await OfferedByAsync(server));
        Assert.NotEqual(before, await ShownByAsync(server));
    }

    private static string WriteOwn(string path, string name)
    {
        using var authority = new SampleAuthority("operator");
        using X509Certificate2 own = authority.Issue(name);
        using var key = own.GetECDsaPrivateKey();
        File.WriteAllText(path, $"{own.ExportCertificatePem()}\n{key!.ExportPkcs8PrivateKeyPem()}\n");
        return own.Thumbprint;
    }

    private static async Task<string> ShownByAsync(ServerFixture server) => (await ConnectAsync(server)).Shown;

    private static async Task<string[]> OfferedByAsync(ServerFixture server) => (await ConnectAsync(server)).Offered;

    private static async Task<(string Shown, string[] Offered)> ConnectAsync(ServerFixture server)
    {
        string[] offered = [];
        using var client = new TcpClient();
        await client.ConnectAsync(server.Address.Host, server.Address.Port);
        await using var stream = new SslStream(client.GetStream());
        await stream.AuthenticateAsClientAsync(new SslClientAuthenticationOptions
        {
            TargetHost = "127.0.0.1",
            RemoteCertificateValidationCallback = (_, _, _, _) => true,
            LocalCertificateSelectionCallback = (_, _, _, _, acceptable) =>
            {
                offered = acceptable;
                return null!;
            },
        });
        using X509Certificate2 shown = X509CertificateLoader.LoadCertificate(stream.RemoteCertificate!.GetRawCertData());
        return (shown.Thumbprint, offered);
    }
}
